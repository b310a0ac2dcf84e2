#pragma once

#include "core/measure/compile_pool.hpp"
#include "core/measure/evaluator.hpp"

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

namespace gst {

/// A configuration's program, generated, and its modules on their way through the compilers.
struct prepared {
    std::optional<program> what; ///< absent: the generator failed
    std::string failure;
    std::vector<compiled_module> modules;
    double generate_seconds = 0;
};

/// Generates programs ahead of the device, on a thread of its own, and hands them to the compilers.
class preparation {
  public:
    preparation(std::function<program(const configuration&)> generate, compile_pool& compilers);
    ~preparation();
    preparation(const preparation&) = delete;
    preparation& operator=(const preparation&) = delete;

    /// Starts on these, those that are known already left out; when many wait already, on none.
    void want(std::span<const configuration> configurations);
    /// The prepared configuration, which is then forgotten; waits for the generator, not for the compilers.
    prepared take(const configuration& c);
    /// How many configurations it is worth to be ahead.
    std::size_t ahead() const { return 2 * compilers_.compilers() + 2; }

  private:
    struct entry {
        std::promise<prepared> promise;
        std::future<prepared> future;
    };
    void work();
    prepared prepare(const configuration& c) const;
    void add(const configuration& c); ///< mutex_ is held

    const std::function<program(const configuration&)> generate_;
    compile_pool& compilers_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<configuration, std::shared_ptr<entry>> entries_;
    std::deque<configuration> order_; ///< keys of entries_, oldest first
    std::deque<std::pair<configuration, std::shared_ptr<entry>>> queue_;
    bool ending_ = false;
    std::thread thread_;
};

} // namespace gst
