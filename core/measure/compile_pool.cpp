#include "core/measure/compile_pool.hpp"

#include "core/base/hash.hpp"
#include "core/base/processors.hpp"
#include "core/measure/wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace gst {

namespace {

constexpr std::size_t most_kept = 512;

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

} // namespace

compile_pool::compile_pool(backend_choice from, device_info target, worker_limits limits, unsigned compilers)
    : from_(std::move(from)), target_(std::move(target)), limits_(limits) {
    const unsigned count = compilers > 0 ? compilers : processors();
    for (unsigned i = 0; i < count; ++i) {
        compilers_.push_back(std::make_unique<compiler>());
    }
    for (const auto& own : compilers_) {
        threads_.emplace_back([this, &own = *own] { work(own); });
    }
}

compile_pool::~compile_pool() {
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
        for (const auto& own : compilers_) {
            if (own->link) {
                own->link->kill();
            }
        }
    }
    changed_.notify_all();
    for (std::thread& t : threads_) {
        t.join();
    }
}

compiled_module compile_pool::compile(const module_source& source) {
    const std::string id = digest(fmt::format("{}\n{}", source.options, source.text));
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(id); found != known_.end()) {
        return found->second;
    }
    job j{source, id, {}};
    compiled_module future = j.done.get_future().share();
    known_.emplace(id, future);
    kept_.push_back(id);
    if (kept_.size() > most_kept) {
        known_.erase(kept_.front());
        kept_.pop_front();
    }
    queue_.push_back(std::move(j));
    changed_.notify_all(); // one that pauses has no use for it
    return future;
}

std::vector<std::shared_ptr<const compiled>> compile_pool::compile_all(const std::vector<module_source>& sources) {
    std::vector<compiled_module> futures;
    for (const module_source& s : sources) {
        futures.push_back(compile(s));
    }
    std::vector<std::shared_ptr<const compiled>> out;
    for (const compiled_module& f : futures) {
        out.push_back(f.get());
    }
    return out;
}

void compile_pool::freeze() {
    const std::lock_guard lock(mutex_);
    frozen_ = true;
    for (const auto& own : compilers_) {
        if (own->link) {
            own->link->freeze();
        }
    }
}

void compile_pool::thaw() {
    {
        const std::lock_guard lock(mutex_);
        frozen_ = false;
        for (const auto& own : compilers_) {
            if (own->link) {
                own->link->thaw();
            }
        }
    }
    changed_.notify_all();
}

void compile_pool::work(compiler& own) {
    for (;;) {
        job j;
        {
            std::unique_lock lock(mutex_);
            changed_.wait(lock, [&] { return ending_ || (!frozen_ && !queue_.empty()); });
            if (ending_) {
                break;
            }
            j = std::move(queue_.front());
            queue_.pop_front();
        }
        try {
            const auto begin = std::chrono::steady_clock::now();
            compiled result = compile_on(own, j);
            result.seconds = seconds_since(begin);
            j.done.set_value(std::make_shared<const compiled>(std::move(result)));
        } catch (...) {
            j.done.set_exception(std::current_exception());
        }
        if (own.link && own.link->resident_bytes() > own.fresh_bytes + memory_limit() / 4) {
            drop(own); // compilers leak
        }
    }
    drop(own);
}

compiled compile_pool::compile_on(compiler& own, const job& j) {
    compiled result;
    result.id = j.id;
    for (unsigned attempt = 1;; ++attempt) {
        if (!own.link) {
            start(own);
        }
        const bool used = std::exchange(own.used, true);
        try {
            own.link->ask({{"ask", "compile"}, {"source", j.source}}, {},
                          {limits_.compile_seconds, own.fresh_bytes + memory_limit()}, [&](const frame& answer) {
                              answer.body.at("log").get_to(result.code.log);
                              answer.body.at("metrics").get_to(result.code.metrics);
                              result.code.bytes.assign(reinterpret_cast<const char*>(answer.payload.data()),
                                                       answer.payload.size());
                          });
            result.outcome = status::correct;
        } catch (const worker_fault& fault) {
            drop(own);
            if (used && fault.why() == worker_fault::kind::crashed && !is_ending()) {
                continue; // an earlier module may have broken the process: this one gets a new one
            }
            result.outcome = fault.why() == worker_fault::kind::hung ? status::timeout : status::compile;
            result.message = fault.what();
            result.compiler_failed = true;
        } catch (const refused& error) {
            // Other errors than the compiler's own may be the machine's: memory is short where many compilers begin.
            if (error.type() != "compile_error" && attempt < limits_.attempts) {
                drop(own); // with what it has
                if (pause(attempt)) {
                    continue;
                }
            }
            result.outcome = status::compile;
            result.message = error.what();
        }
        return result;
    }
}

void compile_pool::start(compiler& own) {
    for (unsigned attempt = 1;; ++attempt) {
        try {
            auto link = std::make_unique<worker_link>("compile", "the compiler");
            worker_link& starting = *link;
            {
                const std::lock_guard lock(mutex_);
                own.link = std::move(link);
                own.used = false;
                if (ending_) {
                    own.link->kill();
                } else if (frozen_) {
                    own.link->freeze();
                }
            }
            starting.ask(
                {{"ask", "open"}, {"file", from_.file}, {"options", to_json(from_.options)}, {"device", target_}}, {},
                {limits_.setup_seconds, 0});
            own.fresh_bytes = starting.resident_bytes();
            return;
        } catch (const machine_error& error) {
            drop(own);
            if (attempt >= limits_.attempts || is_ending()) {
                throw machine_error(fmt::format("no compiler can be started: {}", error.what()));
            }
        }
    }
}

void compile_pool::drop(compiler& own) {
    std::unique_ptr<worker_link> gone;
    const std::lock_guard lock(mutex_);
    gone = std::move(own.link);
}

bool compile_pool::pause(unsigned times) {
    std::unique_lock lock(mutex_);
    return !changed_.wait_for(lock, std::chrono::milliseconds(250) * times, [&] { return ending_; });
}

bool compile_pool::is_ending() {
    const std::lock_guard lock(mutex_);
    return ending_;
}

std::uint64_t compile_pool::memory_limit() const {
    return limits_.memory_bytes > 0 ? limits_.memory_bytes : default_memory_limit();
}

} // namespace gst
