#include "core/measure/preparation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace gst {

namespace {
constexpr std::size_t most_expected = 10000;
}

prepared hand_to(compile_pool& compilers, program p) {
    prepared out;
    for (const module_source& m : p.modules) {
        out.modules.push_back(compilers.compile(m));
    }
    out.what = std::move(p);
    return out;
}

preparation::preparation(std::function<program(const configuration&)> generate, compile_pool& compilers,
                         std::uint64_t local_bytes)
    : generate_(std::move(generate)), compilers_(compilers), local_bytes_(local_bytes),
      ahead_(4 * compilers.compilers() + 2), thread_([this] { work(); }) {}

preparation::~preparation() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void preparation::expect(std::span<const configuration> configurations) {
    const std::lock_guard lock(mutex_);
    for (const configuration& c : configurations) {
        if (begun(c) == started_.end() && expected_.size() < most_expected && expected_set_.insert(c).second) {
            expected_.push_back(c);
        }
    }
    changed_.notify_all();
}

bool preparation::is_compiled(const entry& e) {
    const auto is_there = [](const auto& future) {
        return future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    };
    return is_there(e.result) && std::ranges::all_of(e.result.get().modules, is_there);
}

std::deque<std::shared_ptr<preparation::entry>>::iterator preparation::begun(const configuration& c) {
    return std::ranges::find(started_, c, &entry::which);
}

std::shared_ptr<preparation::entry> preparation::start(const configuration& c) {
    if (started_.size() >= 4 * ahead_) { // skipped ones that nobody asked for since
        forget(started_.front()->which);
    }
    started_.push_back(std::make_shared<entry>(c));
    ++counting_;
    return started_.back();
}

void preparation::start_now(const configuration& c) {
    skip_to(c);
    urgent_.push_back(start(c));
    changed_.notify_all();
}

void preparation::forget(const configuration& c) {
    const auto found = begun(c);
    counting_ -= (*found)->ahead ? 1 : 0;
    started_.erase(found);
}

/// Everything that was expected before c, or is ahead of it, has been skipped.
void preparation::skip_to(const configuration& c) {
    const bool is_expected = expected_set_.count(c) > 0;
    if (begun(c) == started_.end() && !is_expected) {
        return;
    }
    for (const auto& e : started_) {
        if (e->which == c) {
            break;
        }
        counting_ -= e->ahead ? 1 : 0;
        e->ahead = false;
    }
    while (is_expected && expected_set_.count(c) > 0) {
        expected_set_.erase(expected_.front());
        expected_.pop_front();
    }
}

std::optional<std::size_t> preparation::ready(std::span<const configuration> configurations) {
    const std::lock_guard lock(mutex_);
    for (const std::shared_ptr<entry>& e : started_) {
        if (is_compiled(*e)) {
            const auto found = std::ranges::find(configurations, e->which);
            if (found != configurations.end()) {
                return static_cast<std::size_t>(found - configurations.begin());
            }
        }
    }
    const auto asked_for = [&](const configuration& c) {
        return std::ranges::find(configurations, c) != configurations.end();
    };
    if (!configurations.empty() && std::ranges::none_of(started_, asked_for, &entry::which)) {
        const auto first = std::ranges::find_if(expected_, asked_for);
        start_now(first == expected_.end() ? configurations.front() : configuration(*first));
    }
    return std::nullopt;
}

prepared preparation::take(const configuration& c) {
    std::shared_future<prepared> result;
    {
        const std::lock_guard lock(mutex_);
        if (begun(c) == started_.end()) {
            start_now(c);
        } else {
            skip_to(c);
        }
        result = (*begun(c))->result;
        forget(c);
    }
    changed_.notify_all();
    return result.get();
}

bool preparation::forget_all() {
    const std::lock_guard lock(mutex_);
    expected_.clear();
    expected_set_.clear();
    if (!std::ranges::all_of(started_, [](const std::shared_ptr<entry>& e) { return is_compiled(*e); })) {
        return false;
    }
    started_.clear();
    counting_ = 0;
    return true;
}

void preparation::work() {
    for (;;) {
        std::shared_ptr<entry> next;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock,
                          [&] { return ending_ || !urgent_.empty() || (!expected_.empty() && counting_ < ahead_); });
            if (ending_) {
                return;
            }
            if (!urgent_.empty()) {
                next = std::move(urgent_.front());
                urgent_.pop_front();
            } else {
                next = start(expected_.front());
                expected_set_.erase(expected_.front());
                expected_.pop_front();
            }
        }
        next->promise.set_value(prepare(next->which));
    }
}

prepared preparation::prepare(const configuration& c) const {
    const auto begin = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    prepared p;
    try {
        program generated = generate_(c);
        const double spent = seconds();
        for (const program_operation& o : generated.call) {
            const auto* l = std::get_if<launch>(&o);
            if (l && local_bytes_ > 0 && l->local_bytes > local_bytes_) {
                p.outcome = status::constraints;
                p.failure = fmt::format("the kernel '{}' needs {} bytes of local memory, the device has {}", l->kernel,
                                        l->local_bytes, local_bytes_);
                p.generate_seconds = spent;
                return p;
            }
        }
        p = hand_to(compilers_, std::move(generated));
        p.generate_seconds = spent;
    } catch (const std::exception& error) {
        p.failure = fmt::format("the program cannot be generated: {}", error.what());
        p.generate_seconds = seconds();
    }
    return p;
}

} // namespace gst
