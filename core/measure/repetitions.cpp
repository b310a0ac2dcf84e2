#include "core/measure/repetitions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gst {

namespace {

constexpr double confidence = 0.9;
constexpr unsigned most_steps = 1000; ///< per repetition

/// The greatest k such that the k-th least and the k-th greatest of n values enclose the median with the wanted
/// probability; 0: none.
std::size_t enclosing_rank(std::size_t n) {
    // P(the median lies outside the k-th pair) = 2 P(Binomial(n, 1/2) < k).
    const auto size = static_cast<double>(n);
    double outside = 0;
    std::size_t k = 0;
    for (; k < n / 2; ++k) {
        const auto chosen = static_cast<double>(k);
        outside += 2 * std::exp(std::lgamma(size + 1) - std::lgamma(chosen + 1) - std::lgamma(size - chosen + 1) -
                                size * std::log(2.0));
        if (outside > 1 - confidence) {
            break;
        }
    }
    return k;
}

/// Steps per repetition, in whole calls, given the time of one step.
unsigned steps_for(const timing_method& how, double step_ms, unsigned per_call) {
    const double call_ms = step_ms * per_call;
    if (how.flush_cache || call_ms >= how.repetition_ms) {
        return per_call; // after a flush only the first call finds the cache cold
    }
    const double calls = std::ceil(how.repetition_ms / std::max(call_ms, 1e-6));
    return static_cast<unsigned>(std::min<double>(std::max(most_steps / per_call, 1U), calls)) * per_call;
}

timing repeat_as_paper(const std::function<double(unsigned)>& repetition, unsigned per_call) {
    timing t;
    repetition(per_call);
    for (int i = 0; i < 3; ++i) {
        t.times.push_back(repetition(per_call) / per_call);
    }
    t.time = std::accumulate(t.times.begin(), t.times.end(), 0.0) / static_cast<double>(t.times.size());
    return t;
}

} // namespace

double median(std::vector<double> values) {
    const std::size_t middle = values.size() / 2;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle), values.end());
    const double upper = values[middle];
    if (values.size() % 2 == 1) {
        return upper;
    }
    return (upper + *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(middle))) / 2;
}

interval median_interval(std::vector<double> values) {
    const std::size_t k = enclosing_rank(values.size());
    if (k == 0) {
        return {0, std::numeric_limits<double>::infinity()};
    }
    std::sort(values.begin(), values.end());
    return {values[k - 1], values[values.size() - k]};
}

double median_uncertainty(const std::vector<double>& values) {
    const interval around = median_interval(values);
    const double half_width = (around.high - around.low) / 2;
    const double middle = median(values);
    return middle > 0 ? half_width / middle : (half_width > 0 ? std::numeric_limits<double>::infinity() : 0);
}

bool is_clearly_slower(const timing_method& how, double best, double step_ms, unsigned steps) {
    return how.method != "paper" && how.censor_factor > 0 && best > 0 && step_ms > how.censor_factor * best &&
           step_ms * steps >= telling_ms;
}

timing repeat(const timing_method& how, double best, const std::function<double(unsigned)>& repetition,
              unsigned per_call) {
    if (how.method == "paper") {
        return repeat_as_paper(repetition, per_call);
    }
    double step_ms = 0;
    for (unsigned i = 0; i < how.warm_up; ++i) {
        step_ms = repetition(per_call) / per_call;
    }
    timing t;
    double spent_ms = 0;
    const auto take = [&](unsigned steps) {
        const double ms = repetition(steps);
        spent_ms += ms;
        t.times.push_back(ms / steps);
    };
    // A slow program is known by a short first run.
    const unsigned first = how.warm_up > 0 && !is_clearly_slower(how, best, step_ms, per_call)
                               ? steps_for(how, step_ms, per_call)
                               : per_call;
    take(first);
    t.time = t.times.front();
    if (is_clearly_slower(how, best, t.time, first)) {
        t.censored = true;
        return t;
    }
    const unsigned steps = steps_for(how, t.time, per_call);
    if (steps > 2 * first) {
        t.times.clear();
    }
    while (t.times.size() < how.max_repetitions) {
        take(steps);
        if (t.times.size() < how.min_repetitions) {
            continue;
        }
        const bool slower = how.censor_factor > 0 && best > 0 && median_interval(t.times).low > best;
        if (slower || median_uncertainty(t.times) <= how.precision || spent_ms >= 1000 * how.max_seconds) {
            break;
        }
    }
    t.time = median(t.times);
    return t;
}

} // namespace gst
