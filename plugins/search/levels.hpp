#pragma once

#include "core/space/space.hpp"

#include <algorithm>
#include <cmath>

namespace gst {

/// The number that a value stands for; 0 for text and booleans.
inline double number_of(const value& v) {
    const std::int64_t* whole = std::get_if<std::int64_t>(&v);
    const double* real = std::get_if<double>(&v);
    return whole ? static_cast<double>(*whole) : real ? *real : 0.0;
}

/// A value as statistics see it: numbers by their binary logarithm, choices (and numbers below 1) by their position,
/// both counted from 1 (GeST §3.1; the 1 that is added to the logarithm is ours, so that no mean is 0).
inline double level(const parameter& p, std::uint16_t position) {
    const bool positive =
        std::all_of(p.domain.begin(), p.domain.end(), [](const value& v) { return number_of(v) >= 1; });
    return positive ? std::log2(number_of(p.domain[position])) + 1 : position + 1.0;
}

} // namespace gst
