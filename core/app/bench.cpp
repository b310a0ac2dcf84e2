#include "core/app/bench.hpp"

#include "core/app/bench_live.hpp"
#include "core/app/bench_recorded.hpp"
#include "core/app/interrupt.hpp"
#include "core/base/error.hpp"
#include "core/tune/session.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

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
            cases.push_back(load_case(space));
            c.spaces.push_back(measured_space(space, *cases.back().target));
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
    c.runs = run_recorded(s, cases, jobs, interrupted, run_is_done);
    c.complete = c.runs.size() == cases.size() * s.strategies.size() * static_cast<std::size_t>(s.seeds);
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
