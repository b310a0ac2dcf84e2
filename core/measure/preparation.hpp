#pragma once

#include "core/measure/compile_pool.hpp"
#include "core/measure/evaluator.hpp"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

namespace gst {

/// A program, generated, and its modules on their way through the compilers.
struct prepared {
    std::optional<program> what; ///< absent: the generator failed, or the device cannot run the program
    status outcome = status::compile;
    std::string failure;
    std::vector<compiled_module> modules;
    double generate_seconds = 0;
};
prepared hand_to(compile_pool& compilers, program p);

/// Generates programs ahead of the device, on a thread of its own, and hands them to the compilers.
class preparation {
  public:
    /// Programs that need more than `local_bytes` of local memory (0: unknown) are not compiled.
    preparation(std::function<program(const configuration&)> generate, compile_pool& compilers,
                std::uint64_t local_bytes);
    ~preparation();
    preparation(const preparation&) = delete;
    preparation& operator=(const preparation&) = delete;

    /// Works on these in their order, never more than a few ahead of what has been taken.
    void expect(std::span<const configuration> configurations);
    /// The place of one of these whose modules are compiled, or that is known to have none. Whoever asks for some of
    /// which none is begun has skipped what was expected before them.
    std::optional<std::size_t> ready(std::span<const configuration> configurations);
    /// The prepared configuration, expected or not; waits for the generator, not for the compilers. Whoever takes one
    /// that is not the next expected one has skipped those before it: they are no longer expected.
    prepared take(const configuration& c);
    /// Nothing is expected any more, and what was begun is forgotten. False while some of that is being compiled: to be
    /// called again.
    bool forget_all();

  private:
    struct entry {
        explicit entry(configuration c) : which(std::move(c)) {}
        configuration which;
        std::promise<prepared> promise;
        std::shared_future<prepared> result{promise.get_future()};
        bool ahead = true; ///< it counts as one of those ahead
    };

    static bool is_compiled(const entry& e);
    void work();
    /// Its place in started_, or the end of that.
    std::deque<std::shared_ptr<entry>>::iterator begun(const configuration& c);
    std::shared_ptr<entry> start(const configuration& c);
    void start_now(const configuration& c);
    void skip_to(const configuration& c);
    void forget(const configuration& c);
    prepared prepare(const configuration& c) const;

    const std::function<program(const configuration&)> generate_;
    compile_pool& compilers_;
    const std::uint64_t local_bytes_;
    const std::size_t ahead_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<configuration> expected_; ///< not started
    std::set<configuration> expected_set_;
    std::deque<std::shared_ptr<entry>> urgent_;  ///< taken before they were started
    std::deque<std::shared_ptr<entry>> started_; ///< not taken yet, oldest first
    std::size_t counting_ = 0;                   ///< of started_, those that count as ahead
    bool ending_ = false;
    std::thread thread_;
};

} // namespace gst
