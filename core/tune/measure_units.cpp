#include "core/tune/measure_units.hpp"

#include "core/base/random.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

namespace gst {

namespace {

named_values parameters_of(const unit_launch& how) {
    const auto number = [](std::uint64_t n) { return value(static_cast<std::int64_t>(n)); };
    return {{"TBx", number(how.group_x)},
            {"TBy", number(how.group_y)},
            {"CMx", number(how.per_item_x)},
            {"CMy", number(how.per_item_y)},
            {"useShared", how.local}};
}

void draw_launches(measured_units& m, int kernel, const unit_kernel& k, int launches, random_source& rng,
                   const device_info& device) {
    const space local = unit_space(k, device.work_group, device.local_bytes).restricted({{"useShared", {value(true)}}});
    std::set<std::uint64_t> ranks;
    const std::uint64_t most = std::min(local.count(), static_cast<std::uint64_t>(launches));
    while (ranks.size() < most) {
        ranks.insert(rng.below(local.count()));
    }
    for (const std::uint64_t rank : ranks) {
        unit_launch how = unit_launch_of(local, local.at(rank));
        how.local = false;
        m.instances.push_back({kernel, how});
    }
}

/// The launches of one kernel, without and with local memory, that have to be measured.
struct kernel_work {
    struct part {
        measured_units::instance* of = nullptr;
        bool local = false;
        configuration which;
    };
    using programs = std::map<configuration, program>;
    unit_kernel kernel;
    std::optional<gst::workload> workload; ///< of kernels with parts; it generates `made`
    std::shared_ptr<programs> made = std::make_shared<programs>();
    std::vector<part> parts;
    std::size_t end = 0; ///< of its instances

    void add(measured_units::instance& one, bool local, program p, const device_info& device) {
        if (!workload) { // its reference is not generated for nothing
            workload = unit_workload(kernel, device);
            workload->generate = [made = made](const configuration& c) { return made->at(c); };
        }
        unit_launch how = one.how;
        how.local = local;
        if (const auto which = workload->space.find(parameters_of(how))) {
            parts.push_back({&one, local, *which});
            made->emplace(*which, std::move(p));
        }
    }
};

/// What is measured: what has no time, or, again, what was drawn and ran both ways.
struct measuring_pass {
    bool again = false;
    std::vector<bool> repeated; ///< of each instance

    bool wants(const measured_units& m, const measured_units::instance& one) const {
        return again ? repeated[static_cast<std::size_t>(&one - m.instances.data())] && one.without > 0 &&
                           one.with > 0 && (one.again_without == 0 || one.again_with == 0)
                     : one.without == 0 || one.with == 0;
    }
    void take(measured_units::instance& to, bool local, const measurement& m) const {
        double& time = again ? (local ? to.again_with : to.again_without) : (local ? to.with : to.without);
        time = m.outcome == status::correct ? m.time : 0;
    }
};

/// The work that no known measurement spares for the instances of one kernel.
kernel_work work_of(const measured_units& m, std::span<measured_units::instance> instances, const measuring_pass& pass,
                    const device_info& device, const unit_hooks& hooks) {
    kernel_work work;
    work.kernel = m.kernel_of(instances.front());
    for (measured_units::instance& one : instances) {
        if (!pass.wants(m, one)) {
            continue;
        }
        for (const bool local : {false, true}) {
            unit_launch how = one.how;
            how.local = local;
            program p = unit_program(work.kernel, how, device.language);
            const std::optional<measurement> known =
                hooks.lookup && !pass.again ? hooks.lookup(work.kernel, p) : std::nullopt;
            if (known) {
                pass.take(one, local, *known);
            } else {
                work.add(one, local, std::move(p), device);
            }
        }
    }
    return work;
}

void compile_ahead(compile_pool& compilers, const kernel_work& work) {
    const verification& v = work.workload->reference;
    compilers.compile(v.reference.modules.front());
    compilers.compile(v.comparison);
    for (const kernel_work::part& part : work.parts) {
        compilers.compile(work.made->at(part.which).modules.front());
    }
}

void measure(device_evaluator& evaluator, const kernel_work& work, const measuring_pass& pass,
             const unit_hooks& hooks) {
    std::vector<configuration> batch;
    for (const kernel_work::part& part : work.parts) {
        batch.push_back(part.which);
    }
    const std::vector<measurement> got = evaluator.measure(batch);
    for (std::size_t i = 0; i < got.size(); ++i) {
        const kernel_work::part& part = work.parts[i];
        pass.take(*part.of, part.local, got[i]);
        if (hooks.insert && !pass.again) {
            hooks.insert(work.kernel, work.made->at(part.which), work.workload->space.describe(part.which), got[i]);
        }
    }
}

/// Measures kernel by kernel, one being compiled ahead of the one that runs.
class unit_measurer {
  public:
    unit_measurer(measured_units& m, const backend_choice& from, const device_info& device, const measuring& how,
                  const unit_hooks& hooks)
        : m_(m), from_(from), device_(device), how_(how), hooks_(hooks) {}

    /// False when it was ended.
    bool run(const measuring_pass& pass) {
        auto begin = m_.instances.begin();
        std::optional<kernel_work> next = next_work(pass, begin);
        while (next) {
            if (hooks_.ended && hooks_.ended()) {
                return false;
            }
            const kernel_work now = std::move(*next);
            if (evaluator_) {
                evaluator_->change(*now.workload);
            } else {
                evaluator_.emplace(*now.workload, from_, device_, how_);
                compile_ahead(evaluator_->compilers(), now);
            }
            next = next_work(pass, begin);
            if (next) {
                compile_ahead(evaluator_->compilers(), *next);
            }
            measure(*evaluator_, now, pass, hooks_);
            if (hooks_.progress) {
                hooks_.progress(now.end, m_.instances.size(), pass.again);
            }
        }
        return true;
    }

  private:
    using position = std::vector<measured_units::instance>::iterator;

    /// Of the next kernel from `begin` on with something to measure, which is moved behind it.
    std::optional<kernel_work> next_work(const measuring_pass& pass, position& begin) {
        while (begin != m_.instances.end()) {
            const position first = begin;
            begin = std::find_if(first, m_.instances.end(), [&](const auto& i) { return i.kernel != first->kernel; });
            if (std::any_of(first, begin, [&](const auto& one) { return pass.wants(m_, one); })) {
                kernel_work work = work_of(m_, {first, begin}, pass, device_, hooks_);
                work.end = static_cast<std::size_t>(begin - m_.instances.begin());
                if (!work.parts.empty()) {
                    return work;
                }
            }
        }
        return std::nullopt;
    }

    measured_units& m_;
    const backend_choice& from_;
    const device_info& device_;
    const measuring& how_;
    const unit_hooks& hooks_;
    std::optional<device_evaluator> evaluator_;
};

} // namespace

workload unit_workload(const unit_kernel& k, const device_info& device) {
    workload w{unit_fields(k),
               unit_grid(k),
               {},
               unit_space(k, device.work_group, device.local_bytes),
               {},
               {},
               unit_verification(k, device.language),
               1};
    w.generate = [k, s = w.space, language = device.language](const configuration& c) {
        return unit_program(k, unit_launch_of(s, c), language);
    };
    return w;
}

measured_units drawn_units(const unit_sample& sample, const device_info& device) {
    measured_units m;
    m.seed = sample.seed;
    random_source rng(sample.seed);
    for (int i = 0; i < sample.kernels; ++i) {
        random_source own = rng.fork(std::to_string(i)); // a larger sample begins like a smaller one
        m.kernels.push_back(random_knobs(own, sample.most_reads));
        draw_launches(m, i, synthetic_kernel(m.kernels.back()), sample.launches, own, device);
    }
    const std::vector<unit_kernel>& real = real_unit_kernels();
    for (std::size_t i = 0; sample.real && i < real.size(); ++i) {
        random_source own = rng.fork(real[i].name);
        draw_launches(m, -1 - static_cast<int>(i), real[i], sample.launches, own, device);
    }
    return m;
}

bool measure_units(measured_units& m, const backend_choice& from, const device_info& device, const measuring& how,
                   double again, const unit_hooks& hooks) {
    unit_measurer all(m, from, device, how, hooks);
    if (!all.run({})) {
        return false;
    }
    measuring_pass repetition{true, {}};
    for (std::size_t i = 0; i < m.instances.size(); ++i) {
        repetition.repeated.push_back(m.is_repeated(i, again));
    }
    return all.run(repetition);
}

} // namespace gst
