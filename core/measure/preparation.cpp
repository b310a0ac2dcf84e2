#include "core/measure/preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace gst {

preparation::preparation(std::function<program(const configuration&)> generate, compile_pool& compilers)
    : generate_(std::move(generate)), compilers_(compilers), thread_([this] { work(); }) {}

preparation::~preparation() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void preparation::want(std::span<const configuration> configurations) {
    const std::lock_guard lock(mutex_);
    for (const configuration& c : configurations) {
        if (queue_.size() >= ahead()) {
            return;
        }
        if (entries_.find(c) == entries_.end()) {
            add(c);
        }
    }
}

void preparation::add(const configuration& c) {
    if (order_.size() >= 4 * ahead()) { // hints that were never taken up
        entries_.erase(order_.front());
        order_.pop_front();
    }
    auto e = std::make_shared<entry>();
    e->future = e->promise.get_future();
    entries_.emplace(c, e);
    order_.push_back(c);
    queue_.emplace_back(c, std::move(e));
    changed_.notify_all();
}

prepared preparation::take(const configuration& c) {
    std::shared_ptr<entry> e;
    {
        const std::lock_guard lock(mutex_);
        if (entries_.find(c) == entries_.end()) {
            add(c);
        }
        e = entries_.at(c);
        entries_.erase(c);
        order_.erase(std::find(order_.begin(), order_.end(), c));
    }
    return e->future.get();
}

void preparation::work() {
    for (;;) {
        std::pair<configuration, std::shared_ptr<entry>> next;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return ending_ || !queue_.empty(); });
            if (ending_) {
                return;
            }
            next = std::move(queue_.front());
            queue_.pop_front();
        }
        next.second->promise.set_value(prepare(next.first));
    }
}

prepared preparation::prepare(const configuration& c) const {
    const auto begin = std::chrono::steady_clock::now();
    prepared p;
    try {
        p.what = generate_(c);
    } catch (const std::exception& error) {
        p.failure = fmt::format("the program cannot be generated: {}", error.what());
    }
    p.generate_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (p.what) {
        for (const module_source& m : p.what->modules) {
            p.modules.push_back(compilers_.compile(m));
        }
    }
    return p;
}

} // namespace gst
