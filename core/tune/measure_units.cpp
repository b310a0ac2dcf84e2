#include "core/tune/measure_units.hpp"

#include "core/base/random.hpp"

#include <algorithm>
#include <set>

namespace gst {

namespace {

std::map<std::string, value> parameters_of(const unit_launch& how) {
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
        program what;
    };
    unit_kernel kernel;
    std::optional<gst::workload> workload; ///< of kernels with parts
    std::vector<part> parts;
    std::size_t end = 0; ///< of its instances
};

void take(measured_units::instance& to, bool local, const measurement& m) {
    (local ? to.with : to.without) = m.outcome == status::correct ? m.time : 0;
}

/// The work that no known measurement spares for the instances of one kernel.
kernel_work work_of(const measured_units& m, std::span<measured_units::instance> instances, const device_info& device,
                    const unit_hooks& hooks) {
    const unit_kernel k = m.kernel_of(instances.front());
    kernel_work work{k, {}, {}, 0};
    for (measured_units::instance& one : instances) {
        for (const bool local : {false, true}) {
            unit_launch how = one.how;
            how.local = local;
            program p = unit_program(k, how, device.language);
            const std::optional<measurement> known = hooks.lookup ? hooks.lookup(k, p) : std::nullopt;
            if (known) {
                take(one, local, *known);
            } else {
                if (!work.workload) { // its reference is not generated for nothing
                    work.workload = unit_workload(k, device);
                }
                if (const auto which = work.workload->space.find(parameters_of(how))) {
                    work.parts.push_back({&one, local, *which, std::move(p)});
                }
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
        compilers.compile(part.what.modules.front());
    }
}

void measure(device_evaluator& evaluator, const kernel_work& work, const unit_hooks& hooks) {
    std::vector<configuration> batch;
    for (const kernel_work::part& part : work.parts) {
        batch.push_back(part.which);
    }
    const std::vector<measurement> got = evaluator.measure(batch);
    for (std::size_t i = 0; i < got.size(); ++i) {
        const kernel_work::part& part = work.parts[i];
        take(*part.of, part.local, got[i]);
        if (hooks.insert) {
            hooks.insert(work.kernel, part.what, work.workload->space.describe(part.which), got[i]);
        }
    }
}

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
                   const unit_hooks& hooks) {
    std::optional<device_evaluator> evaluator;
    std::optional<kernel_work> next;
    auto begin = m.instances.begin();
    const auto prepare_next = [&] { // the next kernel with something to measure
        next.reset();
        while (begin != m.instances.end() && !next) {
            const auto end =
                std::find_if(begin, m.instances.end(), [&](const auto& one) { return one.kernel != begin->kernel; });
            const bool open =
                std::any_of(begin, end, [](const auto& one) { return one.without == 0 || one.with == 0; });
            if (open) {
                next = work_of(m, {begin, end}, device, hooks);
                next->end = static_cast<std::size_t>(end - m.instances.begin());
                if (next->parts.empty()) {
                    next.reset();
                }
            }
            begin = end;
        }
    };
    prepare_next();
    while (next) {
        if (hooks.ended && hooks.ended()) {
            return false;
        }
        const kernel_work now = std::move(*next);
        if (evaluator) {
            evaluator->change(*now.workload);
        } else {
            evaluator.emplace(*now.workload, from, device, how);
            compile_ahead(evaluator->compilers(), now);
        }
        prepare_next();
        if (next) {
            compile_ahead(evaluator->compilers(), *next);
        }
        measure(*evaluator, now, hooks);
        if (hooks.progress) {
            hooks.progress(now.end, m.instances.size());
        }
    }
    return true;
}

} // namespace gst
