#include "core/app/bench.hpp"

#include "core/app/bench_live.hpp"
#include "core/app/bench_recorded.hpp"
#include "core/app/interrupt.hpp"
#include "core/base/error.hpp"
#include "core/tune/session.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

namespace {

/// What a strategy throws, with the words before its message.
std::exception_ptr named(const std::exception_ptr& thrown, const std::string& words) {
    try {
        std::rethrow_exception(thrown);
    } catch (const user_error& e) {
        std::vector<diagnostic> all = e.diagnostics();
        all.front().message = words + all.front().message;
        return std::make_exception_ptr(user_error(std::move(all)));
    } catch (const std::exception& e) {
        return std::make_exception_ptr(machine_error(words + e.what()));
    } catch (...) {
        return thrown;
    }
}

} // namespace

bool failed_strategies::contains(const std::string& strategy) const {
    return failure_of(strategy) != nullptr;
}

std::size_t failed_strategies::size() const {
    const std::lock_guard lock(access_);
    return failures_.size();
}

std::exception_ptr failed_strategies::failure_of(const std::string& strategy) const {
    const std::lock_guard lock(access_);
    const auto found = failures_.find(strategy);
    return found == failures_.end() ? nullptr : found->second.second;
}

void failed_strategies::add(const compared_run& run, std::size_t place, std::exception_ptr why) {
    const std::lock_guard lock(access_);
    const auto [at, first] = failures_.try_emplace(run.strategy, place, why);
    if (first && failures_.size() < all_) {
        print_note(fmt::format("strategy '{}' failed on '{}', seed {}, and is left out; the others go on", run.strategy,
                               run.space, run.seed));
    } else if (!first && place < at->second.first) {
        at->second = {place, std::move(why)};
    }
}

session_result run_named(const bench_settings::strategy& strategy, const compared_run& run, const bench_settings& s,
                         const space& where, evaluator& device, const session_options& options) {
    session_result result = run_session(make_strategy(strategy.plugin, s.folder), where, device, options);
    if (result.end == session_end::lost) {
        std::rethrow_exception(result.fault);
    }
    if (result.fault) {
        result.fault = named(result.fault, fmt::format("strategy '{}', space '{}': ", run.strategy, run.space));
    }
    if (result.early && result.evaluations == 0 && run.seed == 1) {
        print_note(fmt::format("strategy '{}', space '{}', seed {}: {}", run.strategy, run.space, run.seed,
                               early_end_text(result)));
    }
    return result;
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
void add_live(const bench_settings& s, failed_strategies& failed, const std::function<bool()>& interrupted,
              const std::function<void()>& run_is_done, comparison& to) {
    for (const bench_settings::space& space : s.spaces) {
        if (space.recording.used() || !to.complete) {
            continue;
        }
        live_comparison live = run_live(s, space, to.study ? to.study->spaces : std::vector<studied_space>(), failed,
                                        interrupted, run_is_done);
        to.complete = live.complete;
        to.spaces.push_back(std::move(live.space));
        std::move(live.runs.begin(), live.runs.end(), std::back_inserter(to.runs));
        if (live.study) {
            to.study->spaces.push_back(std::move(*live.study));
        }
    }
}

/// Takes what failed out of the comparison. The first failure, in the order of the strategies; throws it when nothing
/// is left.
std::exception_ptr leave_out(const failed_strategies& failed, comparison& from) {
    std::exception_ptr first;
    for (const std::string& strategy : from.strategies) {
        if (const std::exception_ptr failure = failed.failure_of(strategy)) {
            from.failed.push_back(strategy);
            first = first ? first : failure;
        }
    }
    std::erase_if(from.strategies, [&](const std::string& strategy) { return failed.contains(strategy); });
    std::erase_if(from.runs, [&](const compared_run& r) { return failed.contains(r.strategy); });
    if (from.strategies.empty()) {
        std::rethrow_exception(first);
    }
    return first;
}

} // namespace

bench_result run_bench(const bench_settings& s, unsigned jobs, const std::function<bool()>& interrupted,
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
    failed_strategies failed(s.strategies.size());
    c.runs = run_recorded(s, cases, jobs, failed, interrupted, run_is_done);
    const auto kept = std::count_if(c.runs.begin(), c.runs.end(),
                                    [&](const compared_run& r) { return !failed.contains(r.strategy); });
    c.complete = kept == static_cast<std::ptrdiff_t>(cases.size() * (s.strategies.size() - failed.size())) * s.seeds;
    for (std::size_t i = 0; i < cases.size() && s.studied && c.complete; ++i) {
        const recorded_target& t = *cases[i].target;
        study_runs(
            s, c.runs, t.space,
            [&](const std::vector<configuration>& which) { return recorded_times(*t.device, which); },
            c.study->spaces[i]);
    }
    try {
        add_live(s, failed, interrupted, run_is_done, c);
        if (c.study && c.complete) {
            c.study->optimizations = all_optimizations(s.studied->optimizations, c.study->spaces);
            add_portability(s, cases, *c.study, interrupted);
        }
    } catch (const interruption&) {
        c.complete = false;
    }
    const std::exception_ptr failure = leave_out(failed, c);
    if (!c.complete) {
        c.study.reset();
        std::erase_if(c.spaces, [&](const compared_space& space) {
            return std::none_of(c.runs.begin(), c.runs.end(),
                                [&](const compared_run& r) { return r.space == space.name; });
        });
    }
    score(c);
    return {std::move(c), failure};
}

} // namespace gst
