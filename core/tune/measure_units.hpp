#pragma once

#include "core/measure/device_evaluator.hpp"
#include "core/store/measured_units.hpp"

#include <functional>
#include <optional>

namespace gst {

/// A unit kernel on a device: its space of launches, and how they are verified.
GST_API workload unit_workload(const unit_kernel& k, const device_info& device);

/// What is to be measured: a seeded sample of synthetic kernels, the real ones, and of each a seeded sample of the
/// launches that the device admits with local memory, and so without it, too.
struct unit_sample {
    std::uint64_t seed = 1;
    int kernels = 1000;
    int launches = 20;                               ///< of each; fewer where there are no more
    std::int64_t most_reads = std::int64_t{1} << 28; ///< of a synthetic kernel
    bool real = true;                                ///< real ones as well
};
/// Without times; the same for the same sample and limits of the device.
GST_API measured_units drawn_units(const unit_sample& sample, const device_info& device);

struct unit_hooks {
    std::function<bool()> ended; ///< asked before every kernel; true: the rest is left
    /// Known measurements, and new ones as they happen, of a kernel whose launch is this program; either may be empty.
    std::function<std::optional<measurement>(const unit_kernel&, const program&)> lookup;
    std::function<void(const unit_kernel&, const program&, const named_values& configuration, const measurement&)>
        insert;
    /// Instances; `again`: of those that are measured again. May be empty.
    std::function<void(std::size_t done, std::size_t all, bool again)> progress;
};

/// Fills in the times of the instances that have none, and then measures a share of those that ran both ways again,
/// which no hook is told of. Returns whether nothing is missing; what fails on the device keeps a time of 0. Throws
/// machine_error when the device is lost.
GST_API bool measure_units(measured_units& m, const backend_choice& from, const device_info& device,
                           const measuring& how, double again, const unit_hooks& hooks);

} // namespace gst
