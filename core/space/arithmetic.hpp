#pragma once

#include "core/space/value.hpp"

#include <cmath>
#include <limits>

/// The arithmetic of the expression language: on doubles, exact for integers up to 2^53, rounding as Python does. A
/// result that does not exist (a division by zero, the root of -1) is NaN, and NaN goes through every operation.
namespace gst {

inline constexpr double largest_exact_integer = 9007199254740992.0; // 2^53
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

inline bool is_text(const value& v) {
    return std::holds_alternative<std::string>(v);
}

/// The number that a boolean, integer or real stands for; undefined for text.
inline double number(const value& v) {
    if (const std::int64_t* i = std::get_if<std::int64_t>(&v)) {
        return static_cast<double>(*i);
    }
    if (const double* d = std::get_if<double>(&v)) {
        return *d;
    }
    const bool* b = std::get_if<bool>(&v);
    return b ? static_cast<double>(*b) : undefined;
}

inline bool is_exact_integer(double x) {
    return std::abs(x) <= largest_exact_integer && x == std::trunc(x);
}

/// The remainder with the sign of the divisor.
inline double modulo(double a, double b) {
    if (b == 0) {
        return undefined;
    }
    const double remainder = std::fmod(a, b);
    return (remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder) + 0.0;
}

/// The quotient rounded down.
inline double floor_divide(double a, double b) {
    if (is_exact_integer(a) && is_exact_integer(b) && b != 0) {
        const auto i = static_cast<std::int64_t>(a);
        const auto j = static_cast<std::int64_t>(b);
        const std::int64_t quotient = i / j;
        return static_cast<double>(quotient * j != i && (i < 0) != (j < 0) ? quotient - 1 : quotient);
    }
    const double quotient = (a - modulo(a, b)) / b;
    return std::round(quotient) + 0.0;
}

/// The quotient rounded up.
inline double ceil_divide(double a, double b) {
    return -floor_divide(-a, b) + 0.0;
}

/// 1 where b is a multiple of a, else 0.
inline double divides(double a, double b) {
    const double remainder = modulo(b, a);
    return std::isnan(remainder) ? undefined : static_cast<double>(remainder == 0);
}

inline double divide(double a, double b) {
    return b == 0 ? undefined : a / b;
}

inline double power(double a, double b) {
    return a == 0 && b < 0 ? undefined : std::pow(a, b);
}

inline double log2_of(double a) {
    return a > 0 ? std::log2(a) : undefined;
}

inline double logarithm_of(double a) {
    return a > 0 ? std::log(a) : undefined;
}

inline double square_root(double a) {
    return a >= 0 ? std::sqrt(a) : undefined;
}

inline double minimum(double a, double b) {
    return std::isnan(a) || a < b ? a : b;
}

inline double maximum(double a, double b) {
    return std::isnan(a) || a > b ? a : b;
}

} // namespace gst
