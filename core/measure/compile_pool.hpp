#pragma once

#include "core/api/backend.hpp"
#include "core/api/measurement.hpp"
#include "core/measure/measuring.hpp"
#include "core/measure/worker_link.hpp"

#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace gst {

/// What a compiler made of one module.
struct compiled {
    std::string id;                   ///< digest of the source and the options
    status outcome = status::compile; ///< correct, compile or timeout
    binary code;
    std::string message;          ///< why it failed
    bool compiler_failed = false; ///< it crashed, hung or took too much memory, and did not refuse the module
    double seconds = 0;
};
using compiled_module = std::shared_future<std::shared_ptr<const compiled>>;

/// Compiler processes, each fed by a thread. Equal modules are compiled once; the last ones are kept.
class GST_API compile_pool {
  public:
    compile_pool(backend_choice from, device_info target, worker_limits limits, unsigned compilers);
    ~compile_pool(); ///< ends the processes, whatever they do
    compile_pool(const compile_pool&) = delete;
    compile_pool& operator=(const compile_pool&) = delete;

    /// Queues the module. The future throws machine_error when no compiler can be started.
    compiled_module compile(const module_source& source);
    /// compile, and wait.
    std::vector<std::shared_ptr<const compiled>> compile_all(const std::vector<module_source>& sources);

    unsigned compilers() const { return static_cast<unsigned>(threads_.size()); }
    void
    freeze(); ///< stops every compiler where it is, so that the device can be timed undisturbed; its deadline waits too
    void thaw();

  private:
    struct job {
        module_source source;
        std::string id;
        std::promise<std::shared_ptr<const compiled>> done;
    };
    struct compiler {
        std::unique_ptr<worker_link> link;
        std::uint64_t fresh_bytes = 0; ///< resident when it had just started
        bool used = false;             ///< it has been given a module
    };
    void work(compiler& own);
    compiled compile_on(compiler& own, const job& j);
    void start(compiler& own);
    void drop(compiler& own);
    /// Waits so many quarters of a second; false when the pool ends meanwhile.
    bool pause(unsigned times);
    bool is_ending();
    std::uint64_t memory_limit() const;

    const backend_choice from_;
    const device_info target_;
    const worker_limits limits_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<job> queue_;
    std::unordered_map<std::string, compiled_module> known_;
    std::deque<std::string> kept_; ///< ids in known_, oldest first
    bool ending_ = false;
    bool frozen_ = false;
    std::vector<std::unique_ptr<compiler>> compilers_;
    std::vector<std::thread> threads_;
};

} // namespace gst
