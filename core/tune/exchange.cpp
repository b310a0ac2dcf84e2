#include "core/tune/exchange.hpp"

namespace gst {

std::vector<measurement> exchange::ask(request r) {
    const std::size_t count = r.what == request::kind::ahead ? 0 : r.configurations.size();
    std::unique_lock lock(mutex_);
    if (!closed_ && answer_at_once) {
        return answer_at_once(r);
    }
    if (!closed_) {
        request_ = std::move(r);
        asked_.notify_one();
        answered_.wait(lock, [&] { return answer_.has_value() || closed_; });
    }
    request_.reset();
    std::vector<measurement> out = answer_ ? std::move(*answer_) : std::vector<measurement>(count);
    answer_.reset();
    return out;
}

void exchange::finish() {
    const std::lock_guard lock(mutex_);
    finished_ = true;
    asked_.notify_one();
}

std::optional<exchange::request> exchange::wait(std::chrono::duration<double> longest) {
    std::unique_lock lock(mutex_);
    asked_.wait_for(lock, longest, [&] { return request_.has_value() || finished_; });
    std::optional<request> r = std::move(request_);
    request_.reset();
    return r;
}

void exchange::answer(std::vector<measurement> m) {
    const std::lock_guard lock(mutex_);
    answer_ = std::move(m);
    answered_.notify_one();
}

bool exchange::finished() const {
    const std::lock_guard lock(mutex_);
    return finished_;
}

void exchange::close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    answered_.notify_one();
}

} // namespace gst
