#pragma once

#include "core/report/comparison.hpp"

#include <string>

namespace gst {

/// An SVG picture: per space the mean fraction of the optimum over the budget, with its 95 % interval, for every
/// strategy, and what random search is expected to have (dashed).
GST_API std::string convergence_plot(const comparison& c);

} // namespace gst
