#include "core/report/statistics.hpp"

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace gst {

mean_interval mean_of(const std::vector<double>& samples) {
    if (samples.empty()) {
        return {};
    }
    const auto n = static_cast<double>(samples.size());
    const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / n;
    if (samples.size() == 1) {
        return {mean, 0};
    }
    double squares = 0;
    for (const double x : samples) {
        squares += (x - mean) * (x - mean);
    }
    const double t = boost::math::quantile(boost::math::students_t(n - 1), 0.975);
    return {mean, t * std::sqrt(squares / (n - 1) / n)};
}

mean_and_variance moments_of(const std::vector<double>& samples) {
    mean_and_variance m;
    const auto n = static_cast<double>(samples.size());
    for (const double x : samples) {
        m.mean += x / n;
    }
    for (const double x : samples) {
        m.variance += (x - m.mean) * (x - m.mean) / n;
    }
    return m;
}

double geometric_mean(const std::vector<double>& samples) {
    if (samples.empty()) {
        return 0;
    }
    double logarithms = 0;
    for (const double x : samples) {
        logarithms += std::log(x);
    }
    return std::exp(logarithms / static_cast<double>(samples.size()));
}

random_baseline::random_baseline(std::vector<double> values) : sorted_(std::move(values)) {
    if (sorted_.empty()) {
        throw std::logic_error("the random baseline of an empty space");
    }
    std::sort(sorted_.begin(), sorted_.end());
}

double random_baseline::expected(double draws) const {
    const double within = std::clamp(draws, 0.0, static_cast<double>(sorted_.size()));
    const double whole = std::floor(within);
    const double below = whole == 0 ? sorted_.back() : of_whole(static_cast<std::size_t>(whole));
    return whole == within ? below : std::lerp(below, of_whole(static_cast<std::size_t>(whole) + 1), within - whole);
}

double random_baseline::of_whole(std::size_t draws) const {
    const auto n = static_cast<double>(sorted_.size());
    const auto k = static_cast<double>(draws);
    // The i-th smallest (from 0) is the least drawn with probability C(n - i - 1, k - 1) / C(n, k).
    double probability = k / n;
    double sum = 0;
    for (std::size_t i = 0; i + draws <= sorted_.size(); ++i) {
        sum += probability * sorted_[i];
        const double left = n - static_cast<double>(i) - 1;
        probability *= left > 0 ? (left - k + 1) / left : 0;
    }
    return sum;
}

} // namespace gst
