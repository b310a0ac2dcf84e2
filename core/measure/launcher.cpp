#include "core/measure/launcher.hpp"

#include <utility>

namespace gst {

launcher::launcher() : thread_([this] { work(); }) {}

launcher::~launcher() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void launcher::run(const std::function<void()>& start) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return task_ == nullptr; });
    task_ = &start;
    thrown_ = nullptr;
    changed_.notify_all();
    changed_.wait(lock, [&] { return task_ != &start; });
    if (thrown_) {
        std::rethrow_exception(std::exchange(thrown_, nullptr));
    }
}

void launcher::work() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return task_ != nullptr || ending_; });
        if (task_ == nullptr) {
            return;
        }
        try {
            (*task_)();
        } catch (...) {
            thrown_ = std::current_exception();
        }
        task_ = nullptr;
        changed_.notify_all();
    }
}

} // namespace gst
