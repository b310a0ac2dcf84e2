#pragma once

#include "core/base/visibility.hpp"

#include <cstddef>
#include <vector>

namespace gst {

/// A mean and how well it is known: the true one lies within mean ± half_width with a confidence of 95 %.
struct GST_API mean_interval {
    double mean = 0;
    double half_width = 0; ///< 0 for fewer than two samples: there is no telling
};

/// Student's interval, s / √n times the t quantile of n - 1 degrees of freedom; of no samples all is 0.
GST_API mean_interval mean_of(const std::vector<double>& samples);

struct GST_API mean_and_variance {
    double mean = 0;
    double variance = 0; ///< of the samples themselves: their squared distance from the mean, on average
};
GST_API mean_and_variance moments_of(const std::vector<double>& samples); ///< of no samples all is 0

/// The n-th root of the product of positive samples; 0 of none.
GST_API double geometric_mean(const std::vector<double>& samples);

/// What random search is expected to reach, calculated instead of sampled: the expected least of k values drawn without
/// replacement (Willemsen et al. 2024, "A methodology for comparing optimization algorithms for auto-tuning").
class GST_API random_baseline {
  public:
    /// The value of every configuration of the space; not empty.
    explicit random_baseline(std::vector<double> values);

    /// Expected least of `draws` values; between whole numbers linear, of no draw the greatest value, beyond all values
    /// as for all.
    double expected(double draws) const;
    const std::vector<double>& values() const { return sorted_; } ///< in ascending order

  private:
    double of_whole(std::size_t draws) const;
    std::vector<double> sorted_;
};

} // namespace gst
