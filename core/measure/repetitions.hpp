#pragma once

#include "core/base/visibility.hpp"
#include "core/measure/measuring.hpp"

#include <functional>
#include <vector>

namespace gst {

/// The middle value, or the mean of the two middle ones. `values` is not empty.
GST_API double median(std::vector<double> values);

struct interval {
    double low = 0, high = 0;
};
/// A distribution-free interval that holds the median of positive values with a probability of at least 90 %: order
/// statistics whose ranks follow from the binomial distribution. [0, ∞) for fewer than five values.
GST_API interval median_interval(std::vector<double> values);
/// Half its width as a share of the median.
GST_API double median_uncertainty(const std::vector<double>& values);

/// What timing a program has told.
struct timing {
    std::vector<double> times; ///< ms per step of each repetition that counts
    double time = 0;           ///< ms per step: their median (method "paper": their mean)
    bool censored = false;
};

/// A run shorter than this, in ms, says little by itself: launching it may have taken as long.
constexpr double telling_ms = 0.1;

/// Whether a run of so many steps is reason enough not to time a program any longer. `best` as in repeat.
bool is_clearly_slower(const timing_method& how, double best, double step_ms, unsigned steps);

/// Repeats as the method says. `repetition(steps)` runs so many steps, a multiple of `per_call`, and returns their
/// device time in ms; `best` is the least ms per step known so far, 0: none.
GST_API timing repeat(const timing_method& how, double best, const std::function<double(unsigned steps)>& repetition,
                      unsigned per_call = 1);

} // namespace gst
