#pragma once

#include "core/api/search.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <future>
#include <memory>
#include <mutex>

namespace gst {

/// Everything that the strategy's thread touches; it outlives the session when the strategy is abandoned.
class strategy_thread {
  public:
    std::unique_ptr<search> strategy;
    std::unique_ptr<problem> view;
    std::atomic<bool> interrupted = false;
    std::atomic<bool> spent = false; ///< nothing more will be measured
    std::exception_ptr thrown;

    /// On the strategy's side: runs f unless the session is gone.
    template<class F>
    void with_session(F&& f) {
        if (abandoned_) {
            return; // it shall not keep the session from getting the lock either
        }
        const std::lock_guard lock(mutex_);
        if (!abandoned_) {
            f();
        }
    }

    void finish() { finished_.set_value(); }

    /// On the session's side: runs f unless the strategy's has it just now, which is not made to wait nor to wake
    /// anyone.
    template<class F>
    void try_session(F&& f) {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (lock) {
            f();
        }
    }

    /// Whether the strategy has returned; waits so long for it.
    bool finished(std::chrono::duration<double> longest) {
        return finish_.wait_for(longest) == std::future_status::ready;
    }

    /// From now on the session is gone; f is the last that is done with it.
    template<class F>
    void abandon(F&& f) {
        abandoned_ = true;
        const std::lock_guard lock(mutex_);
        f();
    }

  private:
    std::mutex mutex_; ///< of the session
    std::atomic<bool> abandoned_ = false;
    std::promise<void> finished_;
    std::future<void> finish_ = finished_.get_future();
};

} // namespace gst
