#pragma once

#include "core/stencil/stencil.hpp"

namespace gst {

/// Per node a number that its value is not below, whatever the fields hold: it is as large, up to rounding, or NaN.
/// -infinity where nothing is known, and for all that is not f64.
GST_API std::vector<double> least_values(const stencil& s);

} // namespace gst
