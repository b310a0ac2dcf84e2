#include "core/app/bench.hpp"

#include "core/app/bench_live.hpp"
#include "core/app/interrupt.hpp"
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
    bool immediate() const override { return replay_.immediate(); }

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

/// A recording and what it is called.
struct recorded_case {
    std::string name;
    std::unique_ptr<recorded_target> target;              ///< stays where it is
    std::function<double(const configuration&)> estimate; ///< of a performance model; may be empty
};

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

/// The runs on recordings in the order of spaces, strategies and seeds, shared out among threads.
class runner {
  public:
    runner(const bench_settings& s, const std::vector<recorded_case>& cases, const std::function<bool()>& interrupted,
           const std::function<void()>& done)
        : settings_(s), cases_(cases), interrupted_(interrupted), run_is_done_(done),
          runs_(cases.size() * s.strategies.size() * static_cast<std::size_t>(s.seeds)), finished_(runs_.size()) {}

    /// Those that are finished: all, unless it was interrupted.
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
        std::vector<compared_run> out;
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            if (finished_[i] != 0) {
                out.push_back(std::move(runs_[i]));
            }
        }
        return out;
    }
    std::size_t planned() const { return runs_.size(); }

  private:
    bool ended() const { return failed_ || (interrupted_ && interrupted_()); }

    void work() {
        for (std::size_t i = next_++; i < runs_.size() && !ended(); i = next_++) {
            bool finished = false;
            try {
                finished = run_one(i);
            } catch (...) {
                const std::lock_guard lock(access_);
                failure_ = failure_ ? failure_ : std::current_exception();
                failed_ = true;
            }
            const std::lock_guard lock(access_);
            finished_[i] = finished ? 1 : 0;
            if (finished) {
                run_is_done_();
            }
        }
    }

    /// False when it was interrupted.
    bool run_one(std::size_t i) {
        const auto seeds = static_cast<std::size_t>(settings_.seeds);
        const bench_settings::strategy& strategy = settings_.strategies[i / seeds % settings_.strategies.size()];
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
        to.search_seconds = result.cost.at("search");
        to.stage_seconds = result.stages;
        to.best = result.best() ? result.best()->which : configuration();
        leave_if_abandoned(result, to);
        return result.end != session_end::interrupted;
    }

    const bench_settings& settings_;
    const std::vector<recorded_case>& cases_;
    const std::function<bool()>& interrupted_;
    const std::function<void()>& run_is_done_;
    std::vector<compared_run> runs_;
    std::vector<char> finished_; ///< of runs_
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> failed_ = false;
    std::mutex access_;
    std::exception_ptr failure_;
};

} // namespace

session_result run_named(const bench_settings::strategy& strategy, const compared_run& run, const bench_settings& s,
                         const space& where, evaluator& device, const session_options& options) {
    try {
        session_result result = run_session(make_strategy(strategy.plugin, s.folder), where, device, options);
        if (result.fault) {
            std::rethrow_exception(result.fault);
        }
        if (result.early && result.evaluations == 0 && run.seed == 1) {
            print_note(fmt::format("strategy '{}', space '{}', seed {}: {}", run.strategy, run.space, run.seed,
                                   early_end_text(result)));
        }
        return result;
    } catch (const user_error& e) {
        std::vector<diagnostic> named = e.diagnostics();
        named.front().message =
            fmt::format("strategy '{}', space '{}': {}", run.strategy, run.space, named.front().message);
        throw user_error(std::move(named));
    }
}

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

void check_optimizations(const bench_settings& s, const std::vector<studied_space>& spaces) {
    std::vector<std::string> known;
    for (const studied_space& space : spaces) {
        for (const parameter& p : space.parameters) {
            if (std::find(known.begin(), known.end(), p.name) == known.end()) {
                known.push_back(p.name);
            }
        }
    }
    for (const optimization& o : s.studied->optimizations) {
        const bool parameter = std::find(known.begin(), known.end(), o.name) != known.end();
        if (parameter && !s.studied->parameters.contains(o.name)) {
            throw user_error(toml_document::mistake(
                s.studied->written, fmt::format("the optimization '{}' is called like a parameter", o.name),
                "call it otherwise: that parameter is an optimization by itself"));
        }
    }
    for (const auto& [name, written] : s.studied->parameters) {
        if (std::find(known.begin(), known.end(), name) == known.end()) {
            throw user_error(toml_document::mistake(
                written, fmt::format("unknown parameter '{}'{}", name, did_you_mean(name, known)),
                "the parameters are " + enumerate(known)));
        }
    }
}

void study_runs(const bench_settings& s, const std::vector<compared_run>& runs, const space& where,
                const times_of& measure, studied_space& to) {
    std::vector<const compared_run*> samples;
    for (const compared_run& r : runs) {
        if (r.space == to.name && r.strategy == s.studied->sampling) {
            samples.push_back(&r);
        }
    }
    const std::vector<mean_and_variance> best = best_times(s.axis, samples);
    for (std::size_t i = 0; i < best.size(); ++i) {
        to.samples.push_back({s.axis.at[i], best[i]});
    }
    for (const compared_run* r : samples) {
        if (!r->best.empty()) {
            to.alone.push_back(tune_alone(where, r->best, measure({r->best}).front(),
                                          all_optimizations(s.studied->optimizations, {to}), measure));
        }
    }
}

namespace {

/// Every space's best on all the others that have the same parameters.
void add_portability(const bench_settings& s, const std::vector<recorded_case>& cases, space_study& to,
                     const std::function<bool()>& interrupted) {
    const std::size_t n = to.spaces.size();
    to.portability.assign(n, std::vector<std::optional<double>>(n));
    for (std::size_t j = 0; j < n; ++j) {
        std::vector<std::size_t> from;
        std::vector<named_values> which;
        for (std::size_t i = 0; i < n; ++i) {
            if (i == j) {
                to.portability[i][j] = 1;
            } else if (same_parameters(to.spaces[i], to.spaces[j])) {
                from.push_back(i);
                which.push_back(to.spaces[i].best);
            }
        }
        if (which.empty()) {
            continue;
        }
        std::vector<double> times;
        if (j < cases.size()) {
            const recorded_device& device = *cases[j].target->device;
            for (const named_values& w : which) {
                const std::optional<configuration> c = device.space.find(w);
                times.push_back(c ? recorded_times(device, {*c}).front() : convergence::nothing);
            }
        } else {
            const auto live = std::find_if(s.spaces.begin(), s.spaces.end(),
                                           [&](const auto& space) { return space.name == to.spaces[j].name; });
            times = live_times(s, *live, which, interrupted);
        }
        for (std::size_t k = 0; k < from.size(); ++k) {
            to.portability[from[k]][j] = to.spaces[j].optimum / times[k];
        }
    }
}

/// The runs on devices, space by space, as long as nothing is interrupted.
void add_live(const bench_settings& s, const std::function<bool()>& interrupted,
              const std::function<void()>& run_is_done, comparison& to) {
    for (const bench_settings::space& space : s.spaces) {
        if (space.recording.used() || !to.complete) {
            continue;
        }
        live_comparison live =
            run_live(s, space, to.study ? to.study->spaces : std::vector<studied_space>(), interrupted, run_is_done);
        to.complete = live.complete;
        to.spaces.push_back(std::move(live.space));
        std::move(live.runs.begin(), live.runs.end(), std::back_inserter(to.runs));
        if (live.study) {
            to.study->spaces.push_back(std::move(*live.study));
        }
    }
}

} // namespace

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
            auto recorded = std::make_unique<recorded_target>(load_recorded_target(space.recording));
            c.spaces.push_back(measured_space(space, *recorded));
            auto estimate = space.model ? estimate_of(*space.model, *recorded) : nullptr;
            cases.push_back({space.name, std::move(recorded), std::move(estimate)});
        }
    }
    if (s.studied) {
        c.study.emplace();
        std::transform(cases.begin(), cases.end(), std::back_inserter(c.study->spaces), studied);
        if (cases.size() == s.spaces.size()) {
            check_optimizations(s, c.study->spaces);
        }
    }
    std::size_t done = 0;
    const std::function<void()> run_is_done = [&] {
        ++done;
        if (progress) {
            progress(done, s.spaces.size() * s.strategies.size() * static_cast<std::size_t>(s.seeds));
        }
    };
    runner recorded_runs(s, cases, interrupted, run_is_done);
    c.runs = recorded_runs.run(jobs);
    c.complete = c.runs.size() == recorded_runs.planned();
    for (std::size_t i = 0; i < cases.size() && s.studied && c.complete; ++i) {
        const recorded_target& t = *cases[i].target;
        study_runs(
            s, c.runs, t.space,
            [&](const std::vector<configuration>& which) { return recorded_times(*t.device, which); },
            c.study->spaces[i]);
    }
    try {
        add_live(s, interrupted, run_is_done, c);
        if (c.study && c.complete) {
            c.study->optimizations = all_optimizations(s.studied->optimizations, c.study->spaces);
            add_portability(s, cases, *c.study, interrupted);
        }
    } catch (const interruption&) {
        c.complete = false;
    }
    if (!c.complete) {
        c.study.reset();
        std::erase_if(c.spaces, [&](const compared_space& space) {
            return std::none_of(c.runs.begin(), c.runs.end(),
                                [&](const compared_run& r) { return r.space == space.name; });
        });
    }
    score(c);
    return c;
}

} // namespace gst
