#pragma once

#include "core/report/comparison.hpp"

#include <string>

namespace gst {

/// An SVG picture: per space the mean fraction of the optimum over the budget, with its 95 % interval, for every
/// strategy, and what random search is expected to have (dashed).
GST_API std::string convergence_plot(const comparison& c);

/// An SVG picture: for every space and the mean of all, each strategy's speedup over random search at the end of the
/// budget (GeST Figs. 6, 9, 10).
GST_API std::string speedup_plot(const comparison& c);

} // namespace gst
