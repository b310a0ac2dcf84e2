#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace gst {

/// A thread that starts processes for others. The kernel ends a worker with the *thread* that started it, so that the
/// starting thread must last as long as the worker shall.
class launcher {
  public:
    launcher();
    ~launcher();
    launcher(const launcher&) = delete;
    launcher& operator=(const launcher&) = delete;

    /// Runs `start` on the thread and waits for it; what it throws is thrown here.
    void run(const std::function<void()>& start);

  private:
    void work();

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* task_ = nullptr;
    std::exception_ptr thrown_;
    bool ending_ = false;
    std::thread thread_;
};

} // namespace gst
