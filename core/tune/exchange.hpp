#pragma once

#include "core/api/measurement.hpp"
#include "core/space/space.hpp"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace gst {

/// Where the strategy's thread and the session's meet: one request at a time, answered before the strategy goes on.
class exchange {
  public:
    struct request {
        std::vector<configuration> configurations;
        enum class kind : std::uint8_t {
            all,   ///< each is measured
            any,   ///< one of them
            ahead, ///< a prefetch: no measurements wanted
        };
        kind what = kind::all;
    };

    /// How requests are answered on the strategy's thread; empty: by the session's, which waits for them.
    std::function<std::vector<measurement>(const request&)> answer_at_once;

    /// The strategy's side: waits for the answer. All `not_run` once the exchange is closed.
    std::vector<measurement> ask(request r);
    /// The strategy's side: nothing more will be asked.
    void finish();

    /// The session's side: waits so long for a request; nothing when none came or the strategy has finished.
    std::optional<request> wait(std::chrono::duration<double> longest);
    void answer(std::vector<measurement> m);
    bool finished() const;
    /// From now on every request is answered at once with `not_run`.
    void close();

    /// Runs f unless the exchange is closed; close() waits for it.
    template<class F>
    void unless_closed(F&& f) {
        const std::lock_guard lock(mutex_);
        if (!closed_) {
            f();
        }
    }

  private:
    mutable std::mutex mutex_;
    std::condition_variable asked_;
    std::condition_variable answered_;
    std::optional<request> request_;
    std::optional<std::vector<measurement>> answer_;
    bool finished_ = false;
    bool closed_ = false;
};

} // namespace gst
