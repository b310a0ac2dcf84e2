#pragma once

#include "core/codegen/schedule.hpp"
#include "core/tune/workload.hpp"

#include <functional>

namespace gst {

/// What a roofline needs of a device.
struct GST_API roofline {
    double bandwidth = 0;     ///< bytes per second that a copy reaches
    double compute_units = 1; ///< multiprocessors, cores
    double lanes = 1;         ///< work-items that execute together
};
GST_API roofline roofline_of(const device_info& device, double copy_bandwidth);

/// ms per step that a roofline expects of a schedule (Williams, Waterman and Patterson 2009; the redundancy of tiles
/// and of temporal blocking is counted as in AN5D, Matsumura et al. 2020, §5): the longest of the times for its traffic
/// with the memory, its accesses to the caches and its arithmetic, and a part of the others, over the share of the
/// device that it keeps busy. It ranks
/// configurations; it does not predict times.
GST_API double estimate(const stencil& s, extent3 size, const schedule& how, const roofline& device);

/// The same for the configurations of a request's space.
GST_API std::function<double(const configuration&)> performance_model(const tuning_request& r,
                                                                      const device_info& device, double copy_bandwidth);

} // namespace gst
