#include "core/app/tune_suite.hpp"

#include "core/app/bench.hpp"
#include "core/app/known_results.hpp"
#include "core/base/error.hpp"
#include "core/measure/device_evaluator.hpp"
#include "core/report/throughput.hpp"
#include "core/tune/check_reference.hpp"
#include "core/tune/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace gst {

namespace {

constexpr int most_in_a_row = 3; ///< stencils that the device fails on before the device is blamed

/// The settings of a run: a strategy on a stencil, with one value of the parameter or, "", with all.
struct planned {
    const suite::strategy* strategy;
    std::string value;
};

std::vector<planned> plan_of(const suite& s, const tuned_suite& table) {
    std::vector<planned> out;
    for (const suite::strategy& reference : s.references) {
        out.push_back({&reference, ""});
    }
    for (const suite::strategy& heuristic : s.heuristics) {
        for (const std::string& value : table.values) {
            out.push_back({&heuristic, value});
        }
    }
    return out;
}

/// The device with one stencil on it.
class prepared_stencil {
  public:
    prepared_stencil(const suite& s, const suite::stencil_entry& entry, const target& t, result_store& store,
                     const suite_hooks& hooks)
        : suite_(s), app_(entry.app), hooks_(hooks), store_(store), request_(request_of(entry.app).request),
          workload_(make_workload(request_, t.device)),
          results_(store, request_, t, workload_, method_text(app_.measure, request_.data_seed)),
          device_(workload_, t.backend, t.device, app_.measure, {hooks.ended, {}}) {
        if (workload_.space.count() == 0) {
            throw nothing_found(fmt::format("the device admits none of its {} configurations: {}",
                                            with_separators(request_.space.count()),
                                            why_none_is_admitted(request_.space, workload_.space)));
        }
        device_.prepare();
        check_reference(request_, t.device, device_.compilers(), device_.session());
    }

    /// Nothing when it was ended before it was through.
    std::optional<tuned_suite::run> run(const planned& p, const std::string& parameter) {
        tuned_suite::run out{request_.stencil.name, p.strategy->label, p.value, true, 0, 0, "", 0, 0, 0, 0};
        const space within = space_of(p, parameter);
        if (within.count() == 0) {
            out.admitted = false;
            return out;
        }
        const session_id session = begin(p);
        device_.begin_run();
        const session_result result =
            run_session(make_strategy(p.strategy->plugin, suite_.folder), within, device_, options_of(p, session));
        if (result.fault) {
            std::rethrow_exception(result.fault);
        }
        compared_run name;
        name.strategy = p.strategy->label;
        name.space = request_.stencil.name;
        name.seed = seed();
        leave_if_abandoned(result, name);
        store_.end_session(session, result.end == session_end::interrupted ? "interrupted" : "done");
        if (result.end == session_end::interrupted) {
            return std::nullopt;
        }
        take_over(result, out);
        return out;
    }

  private:
    std::uint64_t seed() const { return static_cast<std::uint64_t>(app_.seed.value); }

    space space_of(const planned& p, const std::string& parameter) const {
        if (p.value.empty()) {
            return p.strategy->refused ? request_.space : workload_.space;
        }
        const gst::parameter& along = request_.space.parameters()[request_.space.index_of(parameter)];
        std::vector<value> values;
        std::copy_if(along.domain.begin(), along.domain.end(), std::back_inserter(values),
                     [&](const value& v) { return to_string(v) == p.value; });
        return workload_.space.restricted({{along.name, values}});
    }

    session_id begin(const planned& p) {
        const std::string budget = fmt::format("{} evaluations, {} s", evaluations(p), app_.budget.seconds.value);
        return store_.begin_session({suite_.file.string(), "gst train " + suite_.file.string(), p.strategy->label,
                                     seed(), budget, GST_VERSION});
    }

    std::uint64_t evaluations(const planned& p) const {
        return static_cast<std::uint64_t>(p.strategy->evaluations > 0 ? p.strategy->evaluations
                                                                      : app_.budget.evaluations.value);
    }

    session_options options_of(const planned& p, session_id session) {
        session_options options;
        options.seed = seed();
        options.directory = suite_.folder;
        options.max_evaluations = evaluations(p);
        options.max_seconds = app_.budget.seconds.value;
        options.features = workload_.features;
        options.parallel = device_.compilers().compilers();
        options.censor_factor = app_.measure.timing.censor_factor;
        options.interrupted = hooks_.ended;
        options.lookup = [this](std::span<const configuration> batch) { return lookup(batch); };
        options.insert = [this, session](const configuration& c, const measurement& m) {
            results_.insert(c, m, session);
        };
        return options;
    }

    std::vector<std::optional<measurement>> lookup(std::span<const configuration> batch) const {
        std::vector<std::optional<measurement>> out;
        for (const configuration& c : batch) {
            if (!workload_.space.contains(c)) { // drawn from all configurations: known to fail without being compiled
                measurement refused;
                refused.outcome = status::constraints;
                refused.message = "the device does not admit it";
                out.emplace_back(refused);
                continue;
            }
            out.push_back(results_.lookup({&c, 1}).front());
        }
        return out;
    }

    void take_over(const session_result& result, tuned_suite::run& to) {
        const session_cost cost = cost_of(result);
        to.evaluations = result.evaluations;
        to.compiled = cost.compiled;
        to.compile_seconds = cost.compile_seconds;
        to.device_seconds = cost.device_seconds;
        if (result.best() == nullptr) {
            return;
        }
        to.time = result.best()->what.time;
        to.configuration = workload_.space.to_string(result.best()->which);
        const measurement again = device_.remeasure(result.best()->which);
        if (again.outcome != status::correct && hooks_.note) {
            hooks_.note(fmt::format("{}, {}: failed when it was measured once more: {}", to.stencil, to.configuration,
                                    name_of(again.outcome)));
        }
        to.again = again.time;
    }

    const suite& suite_;
    const config& app_;
    const suite_hooks& hooks_;
    result_store& store_;
    const tuning_request request_;
    const workload workload_;
    const known_results results_;
    device_evaluator device_;
};

/// How far a suite is, and when it will be done.
class suite_progress {
  public:
    suite_progress(std::size_t done, std::size_t all, const suite_hooks& hooks)
        : done_(done), before_(done), all_(all), hooks_(hooks) {}

    void show(const tuned_suite::run& r) {
        ++done_;
        if (!hooks_.note) {
            return;
        }
        const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
        const double left = spent / static_cast<double>(done_ - before_) * static_cast<double>(all_ - done_);
        const std::string found = r.time > 0 ? fmt::format("{:.4g} ms", r.time) : "nothing was found";
        hooks_.note(fmt::format("{} of {}: {}, {}{}: {}; {} left", done_, all_, r.stencil, r.strategy,
                                r.value.empty() ? "" : ", " + r.value, found, duration_text(left)));
    }

  private:
    std::size_t done_;
    const std::size_t before_;
    const std::size_t all_;
    const suite_hooks& hooks_;
    const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

/// What the table lacks of one stencil.
std::vector<planned> missing(const std::vector<planned>& plan, const tuned_suite& table, const std::string& stencil) {
    std::vector<planned> out;
    for (const planned& p : plan) {
        if (table.find(stencil, p.strategy->label, p.value) == nullptr) {
            out.push_back(p);
        }
    }
    return out;
}

/// False when it was ended.
bool tune_stencil(prepared_stencil& device, const std::vector<planned>& plan, tuned_suite& table,
                  const suite_hooks& hooks, suite_progress& progress) {
    for (const planned& p : plan) {
        std::optional<tuned_suite::run> r = device.run(p, table.parameter);
        if (!r) {
            return false;
        }
        table.runs.push_back(std::move(*r));
        hooks.keep(table);
        progress.show(table.runs.back());
    }
    return true;
}

} // namespace

bool tune_suite(const suite& s, const target& t, tuned_suite& table, const suite_hooks& hooks) {
    const std::vector<planned> plan = plan_of(s, table);
    for (const planned& p : plan) {
        make_strategy(p.strategy->plugin, s.folder); // says what is wrong with it before anything runs
    }
    result_store store(s.stencils.front().app.store.path.value);
    if (!store.notice().empty() && hooks.note) {
        hooks.note(store.notice());
    }
    suite_progress progress(table.runs.size(), plan.size() * s.stencils.size(), hooks);
    int failed = 0;
    for (std::size_t i = 0; i < s.stencils.size(); ++i) {
        tuned_suite::stencil& row = table.stencils[i];
        const std::vector<planned> todo = missing(plan, table, row.name);
        if (todo.empty()) {
            continue;
        }
        if (hooks.ended()) {
            return false;
        }
        std::optional<prepared_stencil> device;
        try {
            device.emplace(s, s.stencils[i], t, store, hooks);
            failed = 0;
        } catch (const user_error& e) {
            row.left_out = e.diagnostics().front().message;
        } catch (const nothing_found& e) {
            row.left_out = e.what();
        } catch (const machine_error& e) {
            if (++failed == most_in_a_row) {
                throw;
            }
            row.left_out = e.what();
        }
        if (!row.left_out.empty()) {
            if (hooks.note) {
                hooks.note(fmt::format("{}: left out, {}", row.name, row.left_out));
            }
            hooks.keep(table);
            continue;
        }
        if (!tune_stencil(*device, todo, table, hooks, progress)) {
            return false;
        }
    }
    draw_times(s, t, store, table);
    return true;
}

} // namespace gst
