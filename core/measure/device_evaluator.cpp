#include "core/measure/device_evaluator.hpp"

#include <fmt/format.h>

namespace gst {

namespace {

/// NVIDIA's assembler (ptxas 13.0) has made wrong machine code of two random programs whose registers spilled 5 KB and
/// 11 KB, and of none other among tens of thousands; what spills 4 KB has at most 0.26 of the speed of the fastest
/// (docs/performance.md).
constexpr double trusted_spills = 4096; // bytes of stores and loads

/// What the compiler told, 0 where it did not.
double told_of(const named_numbers& metrics, const char* name) {
    const auto told = metrics.find(name);
    return told == metrics.end() ? 0 : told->second;
}

double spills_of(const named_numbers& metrics) {
    return told_of(metrics, "spill_bytes");
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Where the compilers share the device's cores they stand still while it is timed.
class undisturbed {
  public:
    undisturbed(compile_pool& compilers, const device_info& target)
        : compilers_(target.type == "cpu" ? &compilers : nullptr) {
        if (compilers_ != nullptr) {
            compilers_->freeze();
        }
    }
    ~undisturbed() {
        if (compilers_ != nullptr) {
            compilers_->thaw();
        }
    }
    undisturbed(const undisturbed&) = delete;
    undisturbed& operator=(const undisturbed&) = delete;

  private:
    compile_pool* compilers_;
};

} // namespace

device_evaluator::device_evaluator(workload w, backend_choice from, device_info target, measuring how, hooks h)
    : workload_(std::move(w)), target_(target), how_(std::move(how)), hooks_(std::move(h)),
      compilers_(from, target, how_.limits, how_.compilers),
      preparation_(std::make_unique<preparation>(workload_.generate, compilers_, target.local_bytes)),
      session_(from, target, how_.limits) {}

device_evaluator::~device_evaluator() = default;

void device_evaluator::change(workload w) {
    preparation_.reset(); // its thread generates programs of the workload before
    workload_ = std::move(w);
    preparation_ = std::make_unique<preparation>(workload_.generate, compilers_, target_.local_bytes);
    set_up_ = false;
    best_ = 0;
}

void device_evaluator::begin_run() {
    best_known(0);
    while (!preparation_->forget_all() && !(hooks_.stop && hooks_.stop())) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

const setup_report& device_evaluator::prepare() {
    if (!set_up_) {
        try {
            const built_program reference = build(compilers_, workload_.reference.reference);
            const auto comparison = compilers_.compile_all({workload_.reference.comparison}).front();
            if (comparison->outcome != status::correct) {
                throw compile_error(comparison->message);
            }
            session_.setup(workload_, reference.modules, comparison);
            most_spilled_ = trusted_spills;
            for (const auto& module : reference.modules) { // those of many points spill even so
                most_spilled_ = std::max(most_spilled_, spills_of(module->code.metrics));
            }
        } catch (const compile_error& error) {
            throw machine_error(
                fmt::format("'{}' cannot be tuned on the device {}: the plain kernels that programs are verified with "
                            "were not compiled:\n{}",
                            workload_.stencil.name, target_.name, error.what()));
        }
        set_up_ = true;
    }
    return session_.ensure();
}

std::vector<measurement> device_evaluator::measure(std::span<const configuration> batch) {
    std::vector<measurement> out(batch.size());
    if (batch.size() > 1) {
        preparation_->expect(batch);
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (hooks_.stop && hooks_.stop()) {
            break;
        }
        out[i] = take_and_measure(batch[i], best_);
        if (out[i].outcome == status::correct && (best_ == 0 || out[i].time < best_)) {
            best_ = out[i].time;
        }
        if (hooks_.measured) {
            hooks_.measured(batch[i], out[i]);
        }
    }
    return out;
}

void device_evaluator::prefetch(std::span<const configuration> configurations) {
    preparation_->expect(configurations);
}

std::optional<std::size_t> device_evaluator::ready(std::span<const configuration> expected, double seconds) {
    constexpr auto look = std::chrono::microseconds(500); // compilers take hundreds of milliseconds
    const auto begin = std::chrono::steady_clock::now();
    for (;;) {
        if (const auto place = preparation_->ready(expected)) {
            return place;
        }
        if (seconds_since(begin) >= seconds) {
            return std::nullopt;
        }
        std::this_thread::sleep_for(look);
    }
}

bool device_evaluator::accepts(const measurement& known) const {
    return known.outcome != status::correct || spills_of(known.metrics) <= most_spilled_;
}

double device_evaluator::elapsed() const {
    return seconds_since(begin_);
}

measurement device_evaluator::remeasure(const configuration& c) {
    return take_and_measure(c, 0);
}

measurement device_evaluator::measure_program(const program& p) {
    return measure_one(hand_to(compilers_, p), 0);
}

measurement device_evaluator::take_and_measure(const configuration& c, double best) {
    const auto begin = std::chrono::steady_clock::now();
    prepared p = preparation_->take(c);
    const double generating = seconds_since(begin);
    measurement m = measure_one(std::move(p), best);
    m.cost["wait"] += generating;
    return m;
}

measurement device_evaluator::measure_one(prepared p, double best) {
    measurement m;
    const auto begin = std::chrono::steady_clock::now();
    m.cost["generate"] = p.generate_seconds;
    if (!p.what) {
        m.outcome = p.outcome;
        m.message = p.failure;
        return m;
    }
    built_program built{std::move(*p.what), {}};
    for (const compiled_module& future : p.modules) {
        const auto& module = built.modules.emplace_back(future.get());
        m.cost["compile"] += module->seconds;
        m.metrics.insert(module->code.metrics.begin(), module->code.metrics.end());
        m.outcome = module->outcome;
        m.message = module->message;
        const double local = told_of(module->code.metrics, "local_bytes"); // some drivers take more than a kernel does
        if (target_.local_bytes > 0 && local > static_cast<double>(target_.local_bytes)) {
            m.outcome = status::compile;
            m.message = fmt::format("the compiled program needs {} bytes of local memory, the device has {}", local,
                                    target_.local_bytes);
        }
        if (m.outcome != status::correct) {
            m.cost["wait"] = seconds_since(begin);
            return m;
        }
    }
    m.cost["wait"] = seconds_since(begin);
    const auto setting_up = std::chrono::steady_clock::now();
    prepare();
    m.cost["setup"] = seconds_since(setting_up);
    for (const auto& module : built.modules) {
        if (spills_of(module->code.metrics) > most_spilled_) {
            m.outcome = status::compile;
            m.message =
                fmt::format("registers of the program spill ({} bytes of stores and loads): what spills more than {} "
                            "is slow, and the assembler is not to be trusted with it",
                            spills_of(module->code.metrics), most_spilled_);
            return m;
        }
    }
    run(built, best, m);
    return m;
}

void device_evaluator::run(const built_program& p, double best, measurement& m) {
    // What fails on a worker that has run other programs may have failed because of them: it gets a second chance on a
    // fresh one.
    const bool fresh = session_.fresh();
    if (!attempt(p, best, m) && !fresh) {
        attempt(p, best, m);
    }
}

/// False when the failure may be another program's fault; the worker has been ended then.
bool device_evaluator::attempt(const built_program& p, double best, measurement& m) {
    const auto begin = std::chrono::steady_clock::now();
    const auto failed = [&](status outcome, const std::string& message) {
        m.outcome = outcome;
        m.message = message;
        m.cost["verify"] += seconds_since(begin);
    };
    try {
        const verdict v = session_.verify(p);
        for (const auto& [name, told] : v.metrics) { // what the device says, before what the compiler said
            m.metrics[name] = told;
        }
        if (!v.correct) {
            failed(status::correctness, v.message);
            if (v.damaged) {
                session_.restart();
            }
            return !v.damaged;
        }
        m.cost["verify"] += seconds_since(begin);
        time(v, static_cast<unsigned>(p.what.steps), best, m);
        m.outcome = status::correct;
        m.message.clear();
        return true;
    } catch (const worker_fault& fault) {
        const bool hung = fault.why() == worker_fault::kind::hung;
        failed(hung ? status::timeout : status::runtime, fault.what());
        return hung || fault.why() == worker_fault::kind::memory;
    } catch (const refused& error) {
        failed(status::runtime, error.what());
        if (!session_.well()) {
            session_.restart();
            return false;
        }
        return true;
    }
}

void device_evaluator::time(const verdict& verified, unsigned steps, double best, measurement& m) {
    timing_method how = how_.timing;
    // While a program is verified, compilers may take its processors: no more than the half of its time.
    constexpr double disturbance = 2;
    const double step_ms = verified.call_ms / steps;
    if (is_clearly_slower(how, disturbance * best, step_ms, steps)) {
        m.time = step_ms;
        m.times = {step_ms};
        m.censored = true;
        return;
    }
    if (verified.call_ms >= telling_ms) {
        how.warm_up -= std::min(how.warm_up, verified.calls);
    }
    const auto begin = std::chrono::steady_clock::now();
    const undisturbed now(compilers_, target_);
    const timed_program t = session_.time(how, best);
    m.time = t.what.time;
    m.times = t.what.times;
    m.censored = t.what.censored;
    for (const auto& [name, told] : t.state) {
        m.metrics[name] = told;
    }
    m.cost["measure"] += seconds_since(begin);
}

} // namespace gst
