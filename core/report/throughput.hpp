#pragma once

#include "core/base/visibility.hpp"

#include <string>

namespace gst {

/// What one time step amounts to, so that times become throughputs.
struct GST_API step_work {
    double points = 0; ///< grid points updated per step
    double bytes = 0;  ///< least memory traffic per step: every value that is needed once, in and out
    double copy_bandwidth =
        0; ///< bytes per second that the device's best copy moves, read and written; 0: not measured
};

/// Points per second, in 10⁹ ("GSt/s"), of a step of so many ms.
GST_API double giga_updates(const step_work& w, double milliseconds);

/// Share of the device's copy bandwidth that a step of so many ms reaches; 0 when the bandwidth is not known.
GST_API double copy_share(const step_work& w, double milliseconds);

/// "475,875"
GST_API std::string with_separators(unsigned long long number);

/// "0.42 s", "12.3 s", "4:05", "1:02:03"
GST_API std::string duration_text(double seconds);

} // namespace gst
