#pragma once

#include "core/codegen/schedule.hpp"
#include "core/tune/workload.hpp"

#include <functional>

namespace gst {

/// What the model needs of a device.
struct GST_API roofline {
    double bandwidth = 0;     ///< bytes per second that a copy reaches
    double compute_units = 1; ///< multiprocessors, cores
    double lanes = 1;         ///< work-items that execute together
    double group_bytes = 0;   ///< of local memory that a work-group can have; 0: unknown
    double local_bytes = 0;   ///< that a compute unit has; 0: unknown
};
GST_API roofline roofline_of(const device_info& device, double copy_bandwidth);

/// ms per step that is expected of a schedule. It ranks configurations; it does not predict times.
///
/// On a GPU (more than one lane): work-groups come in waves of as many as registers, work-items and local memory let a
/// multiprocessor hold, and each goes through its passes (planes of a streaming kernel, else one). A pass costs
/// instructions, accesses to the caches, traffic with the memory (Williams, Waterman and Patterson 2009) and latency,
/// which overlap in part; halos and the redundancy of tiles and of temporal blocking count as in AN5D (Matsumura et al.
/// 2020, §5). The coefficients are rounded from a fit to the 46,000 launches of
/// tests/bench/recordings/h200 and 3,300 of the space `full` on the same GPU. A work-group that does not fit into local
/// memory is expected to take ten times as long.
///
/// On a processor: the times for traffic, accesses to the caches and arithmetic, over the share of the device that is
/// busy.
GST_API double estimate(const stencil& s, extent3 size, const schedule& how, const roofline& device);

/// The same for the configurations of a space whose parameters mean what those of a preset of these names mean. Keeps
/// references to stencil and space.
GST_API std::function<double(const configuration&)> performance_model(const stencil& s, extent3 size,
                                                                      const space& where, const roofline& device);

} // namespace gst
