#include "core/app/known_results.hpp"
#include "core/app/pipeline.hpp"
#include "core/app/predict.hpp"
#include "core/app/recorded.hpp"
#include "core/base/error.hpp"
#include "core/codegen/copy.hpp"
#include "core/codegen/generate.hpp"
#include "core/report/progress.hpp"
#include "core/stencil/work.hpp"
#include "core/tune/check_reference.hpp"
#include "core/tune/performance_model.hpp"
#include "core/tune/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace gst {

namespace {

std::string budget_text(const config& c) {
    const std::string evaluations =
        c.budget.evaluations.value ? fmt::format("{} evaluations", c.budget.evaluations.value) : "";
    const std::string seconds = c.budget.seconds.value > 0 ? fmt::format("{} s", c.budget.seconds.value) : "";
    return evaluations + (evaluations.empty() || seconds.empty() ? "" : ", ") + seconds;
}

/// The fastest when those that noise may have put in the wrong order are measured again.
problem::evaluated confirmed(device_evaluator& device, const space& s, const std::vector<problem::evaluated>& fastest) {
    std::optional<problem::evaluated> best;
    for (const problem::evaluated& e : fastest) {
        if (e.what.time > 1.05 * fastest.front().what.time) {
            break;
        }
        const measurement again = device.remeasure(e.which);
        if (again.outcome != status::correct) {
            throw machine_error(fmt::format("the configuration {} failed when it was measured again: {}: {}",
                                            s.to_string(e.which), name_of(again.outcome), again.message));
        }
        if (!best || again.time < best->what.time) {
            best = problem::evaluated{e.which, again};
        }
    }
    return *best;
}

/// The budget, the seed and, unless it is null, the display of progress.
session_options session_options_of(const config& c, const tuning_report& report, progress_display* display) {
    session_options options;
    options.seed = report.seed;
    options.directory = c.folder;
    options.max_evaluations = static_cast<std::uint64_t>(c.budget.evaluations.value);
    options.max_seconds = c.budget.seconds.value;
    if (display != nullptr) {
        if (options.max_evaluations == 0 && options.max_seconds == 0) {
            print_note(fmt::format("there is no budget: all {} configurations are measured unless the strategy ends "
                                   "before; Ctrl-C ends it with what was found",
                                   with_separators(report.searched)));
        }
        const std::uint64_t most =
            options.max_evaluations == 0 ? report.searched : std::min(options.max_evaluations, report.searched);
        options.progress = [display, work = report.work, evaluations = most,
                            seconds = options.max_seconds](const tuning_progress& p) {
            const double now =
                std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
            display->show({p.evaluations, evaluations, p.correct, p.best, p.seconds, seconds, work}, now);
        };
    }
    return options;
}

/// What the session counted, into the report.
void take_over(const session_result& result, const space& searched, tuning_outcome& to) {
    tuning_report& report = to.report;
    report.evaluations = result.evaluations;
    report.known = result.known;
    report.outcomes = result.outcomes;
    report.given_up = result.given_up;
    for (const failure_group& f : result.failures) {
        report.failures.push_back({f.outcome, f.message, searched.to_string(f.first), f.count});
    }
    report.seconds = result.seconds;
    report.recalled = result.recalled;
    report.cost = result.cost;
    if (result.early) {
        report.notes.push_back(fmt::format("the strategy '{}' {}", report.strategy, early_end_text(result)));
    }
    to.abandoned = result.abandoned;
    to.interrupted = result.end == session_end::interrupted;
}

/// Of times that differ by no more either may be the shorter one.
constexpr double timing_noise = 0.02;

/// What another session has stored that is faster than the winner, also when it is measured again.
std::optional<problem::evaluated> earlier_find(device_evaluator& device, const space& s, const known_results& results,
                                               const problem::evaluated& winner, session_id session,
                                               std::vector<std::string>& notes) {
    const double below = (1 - timing_noise) * winner.what.time;
    const std::optional<configuration> which = results.fastest(below, session);
    if (!which || *which == winner.which) {
        return {};
    }
    const measurement again = device.remeasure(*which);
    if (again.outcome != status::correct) {
        notes.push_back(fmt::format("the configuration {} of an earlier search failed when it was measured again: "
                                    "{}: {}",
                                    s.to_string(*which), name_of(again.outcome), again.message));
        return {};
    }
    return again.time < below ? std::optional(problem::evaluated{*which, again}) : std::nullopt;
}

/// ms per step of the untuned program, which took `before` ms when the device was cold: measured again where it may be
/// faster than the best configuration.
double warm_time(device_evaluator& device, const program& untuned, double before, double best) {
    constexpr double cold = 1.2;
    if (before <= 0 || before > cold * best) {
        return before;
    }
    const double again = device.measure_program(untuned).time;
    return again > 0 ? again : before;
}

} // namespace

void check_admitted(const space& requested, const space& admitted, const std::string& device) {
    if (admitted.count() == 0) {
        throw nothing_found(
            fmt::format("the device '{}' admits none of the {} configurations: {}\n  gst space --explain shows all its "
                        "limits",
                        device, with_separators(requested.count()), why_none_is_admitted(requested, admitted)));
    }
}

double copy_bandwidth(device_evaluator& device, const tuning_request& r, const device_info& on) {
    // As much as a step moves, as far as that is more than the caches hold.
    const auto bytes = static_cast<std::uint64_t>(least_traffic(r.stencil, r.size) / 2);
    const std::uint64_t elements = std::max<std::uint64_t>(bytes / 4 / 16384, 1) * 16384;
    const copy_benchmark ways = make_copy_benchmark(elements, on.language);
    const auto module = device.compilers().compile_all({ways.module}).front();
    if (module->outcome != status::correct) {
        throw machine_error("the device's compiler refuses the copy kernels: " + module->message);
    }
    return device.session().bandwidth(elements * 4, ways, module).gigabytes_per_second * 1e9;
}

tuning_outcome tune(const config& c, const tuning_request& r, const target& t, const std::string& command_line,
                    bool quiet, const std::function<bool()>& interrupted) {
    tuning_outcome out;
    tuning_report& report = out.report;
    report.stencil = r.stencil.name;
    report.grid = grid_text(r.stencil.dimensions, r.size);
    report.device = t.device.name;
    report.backend = t.device.backend;
    report.strategy = c.search.name.value;
    report.seed = static_cast<std::uint64_t>(c.seed.value);
    report.work.points = points_of(r.size);
    report.work.bytes = least_traffic(r.stencil, r.size);
    report.space = r.space.count();

    std::unique_ptr<search> strategy = make_strategy(c.search, c.folder);
    const workload w = make_workload(r, t.device);
    report.admitted = w.space.count();
    check_admitted(r.space, w.space, t.device.name);
    predicted_search predicted = predict(c, r, t.device, w.space);
    report.searched = predicted.searched.count();
    result_store store(c.store.path.value);
    if (!store.notice().empty()) {
        report.notes.push_back(store.notice());
    }
    const measuring& how = c.measure;
    const session_id session =
        store.begin_session({c.file.string(), command_line, report.strategy, report.seed, budget_text(c), GST_VERSION});
    const known_results results(store, r, t, w, method_text(how, r.data_seed));

    const auto begin = std::chrono::steady_clock::now();
    device_evaluator device(w, t.backend, t.device, how, {interrupted, {}});
    device.prepare();
    check_reference(r, t.device, device.compilers(), device.session());
    report.work.copy_bandwidth = copy_bandwidth(device, r, t.device);
    const program untuned = default_program(r, t.device);
    report.default_time = device.measure_program(untuned).time;
    report.preparation = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();

    progress_display display(stderr);
    session_options options = session_options_of(c, report, quiet ? nullptr : &display);
    options.features = w.features;
    options.parallel = device.compilers().compilers();
    options.censor_factor = how.timing.censor_factor;
    options.estimate =
        predicted.estimate
            ? std::move(predicted.estimate)
            : performance_model(r.stencil, r.size, r.space,
                                roofline_of(t.device, results.first_bandwidth(report.work.copy_bandwidth)));
    options.lookup = [&](std::span<const configuration> which) { return results.lookup(which); };
    options.insert = [&](const configuration& which, const measurement& m) { results.insert(which, m, session); };
    options.interrupted = interrupted;
    session_result result = run_session(std::move(strategy), predicted.searched, device, options);
    report.predictions = predicted.after_search();

    take_over(result, w.space, out);
    const std::string again = fmt::format("go on with: {}", command_line);
    if (out.interrupted) {
        report.notes.push_back("interrupted; what was measured is kept – " + again);
    }
    if (result.best()) {
        const problem::evaluated winner = result.fault ? *result.best() : confirmed(device, w.space, result.fastest);
        out.best = winner.which;
        const auto found = [&](const problem::evaluated& e) {
            return tuning_report::found{w.space.describe(e.which), w.space.to_string(e.which), e.what.time};
        };
        report.best = found(winner);
        problem::evaluated fastest = winner;
        if (result.end == session_end::done) {
            if (const auto earlier = earlier_find(device, w.space, results, winner, session, report.notes)) {
                fastest = *earlier;
                report.earlier = found(fastest);
            }
            report.default_time = warm_time(device, untuned, report.default_time, fastest.what.time);
        }
        report.untuned_is_faster =
            report.default_time > 0 && report.default_time < (1 - timing_noise) * fastest.what.time;
        if (report.untuned_is_faster) {
            report.earlier.reset();
        }
        out.winner = report.untuned_is_faster ? untuned : w.generate(fastest.which);
    }
    out.fault = result.fault;
    if (out.fault) { // of the store, perhaps: nothing more is written
        report.notes.push_back("ended by a fault; what was measured before is kept – " + again);
        if (!result.best()) {
            std::rethrow_exception(result.fault);
        }
        return out;
    }
    store.end_session(session, out.interrupted ? "interrupted" : "done");
    return out;
}

tuning_outcome tune_recorded(const config& c, const recorded_target& t, bool quiet,
                             const std::function<bool()>& interrupted) {
    const recording& r = t.device->recording;
    tuning_outcome out;
    tuning_report& report = out.report;
    report.stencil = r.kernel;
    report.grid = problem_text(r);
    report.device = r.device;
    report.backend = c.backend.name.value;
    report.strategy = c.search.name.value;
    report.seed = static_cast<std::uint64_t>(c.seed.value);
    report.space = t.space.count();
    const space searched = narrowed(t.space, c);
    report.admitted = searched.count();
    predicted_search predicted = predict(c, r.device, searched);
    report.searched = predicted.searched.count();
    const recorded* fastest = optimum(r);
    report.optimum = fastest == nullptr ? 0 : fastest->time;

    std::unique_ptr<search> strategy = make_strategy(c.search, c.folder);
    progress_display display(stderr);
    session_options options = session_options_of(c, report, quiet ? nullptr : &display);
    options.interrupted = interrupted;
    options.estimate = std::move(predicted.estimate);
    replay_evaluator device(t.device, t.time, report.seed);
    const session_result result = run_session(std::move(strategy), predicted.searched, device, options);
    report.predictions = predicted.after_search();
    take_over(result, searched, out);
    if (const problem::evaluated* best = result.best()) {
        out.best = best->which;
        report.best =
            tuning_report::found{searched.describe(best->which), searched.to_string(best->which), best->what.time};
    }
    out.fault = result.fault;
    if (out.fault && !result.best()) {
        std::rethrow_exception(out.fault);
    }
    return out;
}

} // namespace gst
