#pragma once

#include "core/stencil/stencil.hpp"

namespace gst {

/// Per node a number that its value is never below, whatever the fields hold: it is as large, or NaN. -infinity where
/// nothing is known, and for all that is not f64. Rounding and contraction change nothing of that, as both are
/// monotone.
GST_API std::vector<double> least_values(const stencil& s);

} // namespace gst
