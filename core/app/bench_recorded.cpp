#include "core/app/bench_recorded.hpp"

#include "core/base/error.hpp"
#include "core/tune/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace gst {

namespace {

/// A replay that notes what a run finds and costs. What counts as found is the recorded mean of the configuration that
/// the strategy has reason to hold for the fastest, though it saw another time of it.
class watched_replay : public evaluator {
  public:
    watched_replay(const recorded_target& t, std::uint64_t seed, compared_run& run)
        : target_(t), replay_(t.device, t.time, seed), run_(run) {}

    std::vector<measurement> measure(std::span<const configuration> batch) override {
        std::vector<measurement> out = replay_.measure(batch);
        for (std::size_t i = 0; i < out.size(); ++i) {
            note(batch[i], out[i]);
        }
        return out;
    }
    void prefetch(std::span<const configuration>) override {}
    double elapsed() const override { return replay_.elapsed(); }

  private:
    void note(const configuration& c, const measurement& m) {
        ++run_.evaluations;
        run_.compiled += m.outcome != status::constraints ? 1 : 0;
        run_.seconds = replay_.elapsed();
        for (const auto& [what, seconds] : m.cost) {
            (what == "compile" ? run_.compile_seconds : run_.device_seconds) += seconds;
        }
        if (m.outcome == status::correct && !m.censored && m.time < seen_) {
            seen_ = m.time;
            const recording& r = target_.device->recording;
            run_.found.steps.push_back(
                {static_cast<double>(run_.evaluations), run_.seconds, r.entries[*target_.device->space.rank(c)].time});
        }
    }

    const recorded_target& target_;
    replay_evaluator replay_;
    compared_run& run_;
    double seen_ = convergence::nothing;
};

/// The runs on recordings in the order of spaces, strategies and seeds, shared out among threads.
class runner {
  public:
    runner(const bench_settings& s, const std::vector<recorded_case>& cases, failed_strategies& failed,
           const std::function<bool()>& interrupted, const std::function<void()>& done)
        : settings_(s), cases_(cases), failed_(failed), interrupted_(interrupted), run_is_done_(done),
          runs_(cases.size() * s.strategies.size() * static_cast<std::size_t>(s.seeds)), finished_(runs_.size()) {}

    /// Those that are finished: all, unless it was interrupted or a strategy failed.
    std::vector<compared_run> run(unsigned jobs) {
        std::vector<std::thread> threads;
        for (unsigned i = 1; i < jobs; ++i) {
            threads.emplace_back([this] { work(); });
        }
        work();
        for (std::thread& t : threads) {
            t.join();
        }
        if (fault_) {
            std::rethrow_exception(fault_);
        }
        std::vector<compared_run> out;
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            if (finished_[i] != 0) {
                out.push_back(std::move(runs_[i]));
            }
        }
        return out;
    }

  private:
    bool ended() const { return lost_ || (interrupted_ && interrupted_()); }

    void work() {
        for (std::size_t i = next_++; i < runs_.size() && !ended(); i = next_++) {
            bool finished = false;
            try {
                finished = run_one(i);
            } catch (...) {
                const std::lock_guard lock(access_);
                fault_ = fault_ ? fault_ : std::current_exception();
                lost_ = true;
            }
            const std::lock_guard lock(access_);
            finished_[i] = finished ? 1 : 0;
            if (finished) {
                run_is_done_();
            }
        }
    }

    /// False when it was interrupted, or its strategy has failed.
    bool run_one(std::size_t i) {
        const auto seeds = static_cast<std::size_t>(settings_.seeds);
        const bench_settings::strategy& strategy = settings_.strategies[i / seeds % settings_.strategies.size()];
        if (failed_.contains(strategy.label)) {
            return false;
        }
        const std::size_t space = i / seeds / settings_.strategies.size();
        compared_run& to = runs_[i];
        to.strategy = strategy.label;
        to.space = cases_[space].name;
        to.seed = i % seeds + 1;
        session_options options = session_options_of(settings_, to.seed);
        options.interrupted = [this] { return ended(); };
        options.estimate = strategy.model.value ? cases_[space].estimate : nullptr;
        watched_replay device(*cases_[space].target, to.seed, to);
        const session_result result = run_named(strategy, to, settings_, cases_[space].target->space, device, options);
        if (result.fault) {
            failed_.add(to, i, result.fault);
            return false;
        }
        to.search_seconds = result.cost.at("search");
        to.stage_seconds = result.stages;
        to.best = result.best() ? result.best()->which : configuration();
        leave_if_abandoned(result, to);
        return result.end != session_end::interrupted;
    }

    const bench_settings& settings_;
    const std::vector<recorded_case>& cases_;
    failed_strategies& failed_;
    const std::function<bool()>& interrupted_;
    const std::function<void()>& run_is_done_;
    std::vector<compared_run> runs_;
    std::vector<char> finished_; ///< of runs_
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> lost_ = false;
    std::mutex access_;
    std::exception_ptr fault_; ///< that no strategy is to blame for
};

} // namespace

recorded_case load_case(const bench_settings::space& from) {
    auto recorded = std::make_unique<recorded_target>(load_recorded_target(from.recording));
    auto estimate = from.model ? estimate_of(*from.model, *recorded) : nullptr;
    return {from.name, std::move(recorded), std::move(estimate)};
}

compared_space measured_space(const bench_settings::space& from, const recorded_target& t) {
    const recording& r = t.device->recording;
    const recorded* best = optimum(r);
    if (best == nullptr) {
        throw user_error(toml_document::mistake(from.recording.file.written,
                                                fmt::format("no configuration of '{}' is correct", from.name),
                                                "there is nothing to be found in it"));
    }
    constexpr std::uint64_t most = 50'000'000; // in 400 MB
    if (t.space.count() > most) {
        throw user_error(toml_document::mistake(
            from.recording.space.written,
            fmt::format("the random baseline needs the times of all configurations, and of {} only {} are recorded",
                        with_separators(t.space.count()), with_separators(r.entries.size())),
            "space = \"recorded\" is what was recorded; gst tune searches the whole of it"));
    }
    double slowest = 0;
    std::vector<double> seconds;
    std::vector<double> times;
    for (const recorded& e : r.entries) {
        const bool counts = e.outcome == status::correct && !e.censored;
        slowest = std::max(slowest, counts ? e.time : 0);
        seconds.push_back(replayed_seconds(e));
        if (counts) {
            times.push_back(e.time);
        }
    }
    times.resize(t.space.count(), slowest);
    return {from.name, t.space.count(), best->time, slowest, random_baseline(std::move(times)), moments_of(seconds)};
}

studied_space studied(const recorded_case& from) {
    const recording& r = from.target->device->recording;
    studied_space out;
    out.name = from.name;
    const recorded* best = optimum(r);
    out.optimum = best->time;
    out.best = from.target->device->space.describe(best->which);
    out.parameters = from.target->space.parameters();
    for (const recorded& e : r.entries) {
        if (e.outcome == status::correct) {
            out.times.push_back(e.time);
        } else {
            ++out.failed;
        }
    }
    return out;
}

std::vector<double> recorded_times(const recorded_device& device, const std::vector<configuration>& which) {
    std::vector<double> out;
    for (const configuration& c : which) {
        const std::optional<std::uint64_t> rank = device.space.rank(c);
        const recorded* e = rank ? &device.recording.entries[*rank] : nullptr;
        out.push_back(e && e->outcome == status::correct && !e->censored ? e->time : convergence::nothing);
    }
    return out;
}

std::vector<compared_run> run_recorded(const bench_settings& s, const std::vector<recorded_case>& cases, unsigned jobs,
                                       failed_strategies& failed, const std::function<bool()>& interrupted,
                                       const std::function<void()>& run_is_done) {
    return runner(s, cases, failed, interrupted, run_is_done).run(jobs);
}

} // namespace gst
