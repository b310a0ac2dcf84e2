#include "core/app/bench.hpp"

#include "core/app/bench_live.hpp"
#include "core/app/interrupt.hpp"
#include "core/base/error.hpp"
#include "core/tune/session.hpp"

#include <fmt/format.h>

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

compared_space measured_space(const bench_settings::space& from, const recorded_target& t) {
    const recording& r = t.device->recording;
    const recorded* best = optimum(r);
    if (best == nullptr) {
        throw user_error(toml_document::mistake(from.recording.file.written,
                                                fmt::format("no configuration of '{}' is correct", from.name),
                                                "there is nothing to be found in it"));
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

/// A recording and what it is called.
struct recorded_case {
    std::string name;
    recorded_target target;
};

/// The runs on recordings in the order of spaces, strategies and seeds, shared out among threads.
class runner {
  public:
    runner(const bench_settings& s, const std::vector<recorded_case>& cases, const std::function<bool()>& interrupted,
           const bench_progress& progress)
        : settings_(s), cases_(cases), interrupted_(interrupted), progress_(progress),
          runs_(cases.size() * s.strategies.size() * static_cast<std::size_t>(s.seeds)) {}

    std::vector<compared_run> run(unsigned jobs) {
        std::vector<std::thread> threads;
        for (unsigned i = 1; i < jobs; ++i) {
            threads.emplace_back([this] { work(); });
        }
        work();
        for (std::thread& t : threads) {
            t.join();
        }
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        if (ended()) {
            throw interruption();
        }
        return std::move(runs_);
    }

  private:
    bool ended() const { return failed_ || (interrupted_ && interrupted_()); }

    void work() {
        for (std::size_t i = next_++; i < runs_.size() && !ended(); i = next_++) {
            try {
                run_one(i);
            } catch (...) {
                const std::lock_guard lock(access_);
                failure_ = failure_ ? failure_ : std::current_exception();
                failed_ = true;
            }
            const std::lock_guard lock(access_);
            ++done_;
            if (progress_) {
                progress_(done_, runs_.size());
            }
        }
    }

    void run_one(std::size_t i) {
        const auto seeds = static_cast<std::size_t>(settings_.seeds);
        const bench_settings::strategy& strategy = settings_.strategies[i / seeds % settings_.strategies.size()];
        const std::size_t space = i / seeds / settings_.strategies.size();
        compared_run& to = runs_[i];
        to.strategy = strategy.label;
        to.space = cases_[space].name;
        to.seed = i % seeds + 1;
        session_options options = session_options_of(settings_, to.seed);
        options.interrupted = [this] { return ended(); };
        watched_replay device(cases_[space].target, to.seed, to);
        const session_result result =
            run_session(make_strategy(strategy.plugin, settings_.folder), cases_[space].target.space, device, options);
        to.search_seconds = result.cost.at("search");
        if (result.fault) {
            std::rethrow_exception(result.fault);
        }
        leave_if_abandoned(result, to);
    }

    const bench_settings& settings_;
    const std::vector<recorded_case>& cases_;
    const std::function<bool()>& interrupted_;
    const bench_progress& progress_;
    std::vector<compared_run> runs_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> failed_ = false;
    std::mutex access_;
    std::exception_ptr failure_;
    std::size_t done_ = 0;
};

} // namespace

session_options session_options_of(const bench_settings& s, std::uint64_t seed) {
    session_options options;
    options.seed = seed;
    options.directory = s.folder;
    options.max_evaluations = s.axis.time ? 0 : static_cast<std::uint64_t>(s.axis.limit);
    options.max_seconds = s.axis.time ? s.axis.limit : 0;
    return options;
}

void leave_if_abandoned(const session_result& result, const compared_run& run) {
    if (result.abandoned) {
        print_note(fmt::format("error: the strategy '{}' did not return after its budget was spent on '{}', seed {}",
                               run.strategy, run.space, run.seed));
        std::_Exit(3);
    }
}

comparison run_bench(const bench_settings& s, unsigned jobs, const std::function<bool()>& interrupted,
                     const bench_progress& progress) {
    comparison c;
    c.axis = s.axis;
    for (const bench_settings::strategy& strategy : s.strategies) {
        make_strategy(strategy.plugin, s.folder); // says what is wrong with it before anything runs
        c.strategies.push_back(strategy.label);
    }
    std::vector<recorded_case> cases;
    for (const bench_settings::space& space : s.spaces) {
        if (space.recording.used()) {
            cases.push_back({space.name, load_recorded_target(space.recording)});
            c.spaces.push_back(measured_space(space, cases.back().target));
        }
    }
    c.runs = runner(s, cases, interrupted, progress).run(jobs);
    for (const bench_settings::space& space : s.spaces) {
        if (!space.recording.used()) {
            live_comparison live = run_live(s, space, interrupted);
            c.spaces.push_back(std::move(live.space));
            std::move(live.runs.begin(), live.runs.end(), std::back_inserter(c.runs));
        }
    }
    score(c);
    return c;
}

} // namespace gst
