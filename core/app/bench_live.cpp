#include "core/app/bench_live.hpp"

#include "core/app/interrupt.hpp"
#include "core/app/known_results.hpp"
#include "core/base/error.hpp"
#include "core/measure/device_evaluator.hpp"
#include "core/report/summary.hpp"
#include "core/tune/check_reference.hpp"
#include "core/tune/performance_model.hpp"
#include "core/tune/session.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

namespace {

using measurements = std::map<configuration, measurement>;

bool is_random(const bench_settings::strategy& s) {
    return s.plugin.name.value == "random";
}

/// The strategies, `random` first: what the cache holds after it is a uniform sample of the space.
std::vector<const bench_settings::strategy*> random_first(const bench_settings& s, const bench_settings::space& from) {
    std::vector<const bench_settings::strategy*> out;
    for (const bench_settings::strategy& strategy : s.strategies) {
        out.push_back(&strategy);
    }
    std::stable_partition(out.begin(), out.end(), [](const bench_settings::strategy* one) { return is_random(*one); });
    if (!is_random(*out.front())) {
        throw user_error(toml_document::mistake(
            from.app.written, "strategies are compared on a device only beside random search",
            "add [[strategy]] name = \"random\": the baseline of P is calculated from what it measures"));
    }
    return out;
}

/// The runs of an application on its device.
class live_runner {
  public:
    live_runner(const bench_settings& s, const bench_settings::space& from, const config& c, const tuning_request& r,
                const target& t, const std::function<bool()>& interrupted)
        : settings_(s), app_(c), name_(from.name), interrupted_(interrupted), workload_(make_workload(r, t.device)),
          device_(workload_, t.backend, t.device, c.measure, {interrupted, {}}) {
        if (workload_.space.count() == 0) {
            throw nothing_found(fmt::format("the device '{}' admits no configuration of '{}': {}", t.device.name, name_,
                                            why_none_is_admitted(r.space, workload_.space)));
        }
        device_.prepare();
        check_reference(r, t.device, device_.compilers(), device_.session());
        double bandwidth = copy_bandwidth(device_, r, t.device);
        if (s.store.given()) {
            store_.emplace(s.store.value);
            stored_.emplace(*store_, r, t, workload_, method_text(c.measure, r.data_seed));
            bandwidth = stored_->first_bandwidth(bandwidth);
        }
        estimate_ = performance_model(r.stencil, r.size, r.space, roofline_of(t.device, bandwidth));
    }

    void run(const bench_settings::strategy& strategy, failed_strategies& failed,
             const std::function<void()>& run_is_done) {
        for (std::int64_t seed = 1; seed <= settings_.seeds && !failed.contains(strategy.label); ++seed) {
            compared_run run;
            run.strategy = strategy.label;
            run.space = name_;
            run.seed = static_cast<std::uint64_t>(seed);
            if (const std::exception_ptr fault = run_one(strategy, run)) {
                failed.add(run, 0, fault);
                return;
            }
            runs_.push_back(std::move(run));
            run_is_done();
        }
    }
    /// ms, measured where they are not known; infinite for those that fail.
    std::vector<double> times(const std::vector<configuration>& which) {
        std::vector<double> out;
        for (const configuration& c : which) {
            if (interrupted_ && interrupted_()) {
                throw interruption();
            }
            const auto found = known_.find(c);
            if (found == known_.end() || found->second.censored) {
                device_.best_known(0);
                known_.insert_or_assign(c, device_.measure({&c, 1}).at(0));
            }
            const measurement& m = known_.at(c);
            out.push_back(m.outcome == status::correct ? m.time : convergence::nothing);
        }
        return out;
    }
    const measurements& known() const { return known_; }
    const gst::space& space() const { return workload_.space; }
    const std::vector<compared_run>& runs() const { return runs_; }

  private:
    /// What the strategy failed of, if it did.
    std::exception_ptr run_one(const bench_settings::strategy& strategy, compared_run& to) {
        device_.begin_run();
        const session_options options = options_of(to);
        if (store_) {
            const std::string budget =
                fmt::format("{} evaluations, {} s", options.max_evaluations, options.max_seconds);
            session_ =
                store_->begin_session({app_.file.string(), "gst bench", to.strategy, to.seed, budget, GST_VERSION});
        }
        const session_result result = run_named(strategy, to, settings_, workload_.space, device_, options);
        if (store_) {
            store_->end_session(*session_, result.end == session_end::done ? "done" : "interrupted");
        }
        if (result.end == session_end::interrupted) {
            throw interruption();
        }
        leave_if_abandoned(result, to);
        if (result.fault) {
            return result.fault;
        }
        const session_cost cost = cost_of(result);
        to.evaluations = result.evaluations;
        to.compiled = cost.compiled;
        to.seconds = result.seconds;
        to.compile_seconds = cost.compile_seconds;
        to.device_seconds = cost.device_seconds;
        to.search_seconds = result.cost.at("search");
        to.stage_seconds = result.stages;
        to.idle_seconds = idle_seconds(result.seconds, result.cost);
        to.best = result.best() ? result.best()->which : configuration();
        return nullptr;
    }

    session_options options_of(compared_run& to) {
        session_options options = session_options_of(settings_, to.seed);
        options.features = workload_.features;
        options.parallel = device_.compilers().compilers();
        options.estimate = estimate_;
        options.interrupted = interrupted_;
        options.censor_factor = app_.measure.timing.censor_factor;
        options.lookup = [this](std::span<const configuration> batch) {
            std::vector<std::optional<measurement>> out;
            std::transform(batch.begin(), batch.end(), std::back_inserter(out),
                           [this](const configuration& c) { return look_up(c); });
            return out;
        };
        options.insert = [this](const configuration& c, const measurement& m) {
            known_.insert_or_assign(c, m);
            if (stored_) {
                stored_->insert(c, m, *session_);
            }
        };
        options.progress = [&to](const tuning_progress& p) {
            if (p.best > 0 && (to.found.steps.empty() || p.best < to.found.steps.back().best)) {
                to.found.steps.push_back({static_cast<double>(p.evaluations), p.seconds, p.best});
            }
        };
        return options;
    }

    std::optional<measurement> look_up(const configuration& c) {
        const auto found = known_.find(c);
        if (found != known_.end()) {
            return found->second;
        }
        std::optional<measurement> kept = stored_ ? stored_->lookup({&c, 1}).front() : std::nullopt;
        if (kept) {
            known_.insert_or_assign(c, *kept);
        }
        return kept;
    }

    const bench_settings& settings_;
    const config& app_;
    const std::string name_;
    const std::function<bool()>& interrupted_;
    const workload workload_;
    device_evaluator device_;
    std::function<double(const configuration&)> estimate_; ///< of a performance model
    std::optional<result_store> store_;
    std::optional<known_results> stored_;
    std::optional<session_id> session_; ///< the present run's, of the store
    measurements known_;
    std::vector<compared_run> runs_;
};

/// The space as random search has sampled it.
compared_space sampled_space(const std::string& name, const gst::space& space, const measurements& sample) {
    double slowest = 0;
    std::vector<double> seconds;
    std::vector<double> times;
    for (const auto& [c, m] : sample) {
        slowest = std::max(slowest, m.time);
        const auto wall = m.cost.find("wall");
        seconds.push_back(wall == m.cost.end() ? 0 : wall->second);
        if (m.outcome == status::correct) {
            times.push_back(m.time);
        }
    }
    if (times.empty()) {
        throw nothing_found(fmt::format("random search found nothing valid on '{}'", name));
    }
    times.resize(sample.size(), slowest);
    return {name, space.count(), 0, slowest, random_baseline(std::move(times)), moments_of(seconds)};
}

config read_compared(const bench_settings::space& from) {
    config c = read_config(from.app.value, from.assignments);
    if (!c.predictors.empty()) {
        throw user_error(toml_document::mistake(c.predictors.front().model.written,
                                                "strategies are compared on the whole space, without predictions",
                                                "leave [predictor] out of what is compared"));
    }
    return c;
}

/// An application that is ready to be measured.
struct opened {
    opened(const bench_settings& s, const bench_settings::space& from, const std::function<bool()>& interrupted)
        : settings(read_compared(from)), what(read_stencil(settings)), request(read_request(settings, what)),
          runner(s, from, settings, request, find_target(settings), interrupted) {}

    const config settings;
    const stencil what;
    const tuning_request request;
    live_runner runner;
};

/// The space as its sample shows it.
studied_space studied(const std::string& name, const gst::space& space, const measurements& sample) {
    studied_space out;
    out.name = name;
    out.parameters = space.parameters();
    for (const auto& [c, m] : sample) {
        if (m.outcome == status::correct) {
            out.times.push_back(m.time); // at least, where it was given up
        } else {
            ++out.failed;
        }
    }
    return out;
}

void add_best(const gst::space& space, const measurements& known, studied_space& to) {
    const auto time = [](const measurement& m) {
        return m.outcome == status::correct && !m.censored ? m.time : convergence::nothing;
    };
    const auto best = std::min_element(known.begin(), known.end(),
                                       [&](const auto& a, const auto& b) { return time(a.second) < time(b.second); });
    to.optimum = best->second.time;
    to.best = space.describe(best->first);
}

} // namespace

live_comparison run_live(const bench_settings& s, const bench_settings::space& from,
                         const std::vector<studied_space>& before, failed_strategies& failed,
                         const std::function<bool()>& interrupted, const std::function<void()>& run_is_done) {
    const std::vector<const bench_settings::strategy*> strategies = random_first(s, from);
    opened app(s, from, interrupted);
    live_runner& runner = app.runner;
    if (s.studied) {
        std::vector<studied_space> all = before;
        all.push_back(studied(from.name, runner.space(), {}));
        check_optimizations(s, all);
    }
    std::optional<live_comparison> out;
    const auto take_sample = [&] {
        out = {sampled_space(from.name, runner.space(), runner.known()), {}, {}};
        if (s.studied) {
            out->study = studied(from.name, runner.space(), runner.known());
        }
    };
    bool complete = true;
    try {
        for (const bench_settings::strategy* strategy : strategies) {
            if (!out && !is_random(*strategy)) {
                take_sample();
            }
            runner.run(*strategy, failed, run_is_done);
        }
    } catch (const interruption&) {
        if (runner.runs().empty()) {
            throw;
        }
        complete = false;
    }
    if (!out) {
        take_sample();
    }
    out->runs = runner.runs();
    out->space.optimum = convergence::nothing;
    for (const compared_run& run : out->runs) {
        out->space.optimum = std::min(out->space.optimum, s.axis.best(run.found, s.axis.limit));
    }
    try {
        if (out->study && complete) {
            add_best(runner.space(), runner.known(), *out->study);
            study_runs(
                s, out->runs, runner.space(),
                [&](const std::vector<configuration>& which) { return runner.times(which); }, *out->study);
        }
    } catch (const interruption&) {
        complete = false;
    }
    if (!complete) {
        out->study.reset();
    }
    out->complete = complete;
    return *out;
}

std::vector<double> live_times(const bench_settings& s, const bench_settings::space& from,
                               const std::vector<named_values>& which, const std::function<bool()>& interrupted) {
    opened app(s, from, interrupted);
    std::vector<double> out;
    for (const named_values& w : which) {
        const std::optional<configuration> c = app.runner.space().find(w);
        out.push_back(c ? app.runner.times({*c}).front() : convergence::nothing);
    }
    return out;
}

} // namespace gst
