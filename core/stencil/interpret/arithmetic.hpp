#pragma once

#include "core/stencil/stencil.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

/// What each operation of the stencil IR does to single values. An f16 is computed as a float that is rounded to f16
/// after every operation, which is exact for + - × ÷ and the square root: a float has more than twice the digits. Files
/// that include this are compiled with -ffp-contract=off.
namespace gst::arithmetic {

/// The f16 nearest to x, ties to even, as a float.
inline float round_to_f16(float x) {
    std::uint32_t bits = std::bit_cast<std::uint32_t>(x);
    std::uint32_t sign = bits & 0x80000000U;
    std::uint32_t magnitude = bits & 0x7fffffffU;
    std::uint32_t rounded = (magnitude + 0xfffU + ((magnitude >> 13) & 1U)) & ~0x1fffU;
    rounded = rounded >= 0x47800000U ? 0x7f800000U : rounded; // from 2^16 on: infinity
    float small = (std::bit_cast<float>(magnitude) + 0.5F) - 0.5F;
    rounded =
        magnitude < 0x38800000U ? std::bit_cast<std::uint32_t>(small) : rounded; // below 2^-14: multiples of 2^-24
    rounded = magnitude > 0x7f800000U ? 0x7fc00000U : rounded;
    return std::bit_cast<float>(sign | rounded);
}

/// The same from a double, rounded once.
inline float round_to_f16(double x) {
    std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    std::uint64_t sign = bits & 0x8000000000000000U;
    std::uint64_t magnitude = bits & 0x7fffffffffffffffU;
    std::uint64_t rounded = (magnitude + 0x1ffffffffffU + ((magnitude >> 42) & 1U)) & ~0x3ffffffffffU;
    rounded = rounded >= 0x40f0000000000000U ? 0x7ff0000000000000U : rounded;
    double small = (std::bit_cast<double>(magnitude) + 0x1p28) - 0x1p28;
    rounded = magnitude < 0x3f10000000000000U ? std::bit_cast<std::uint64_t>(small) : rounded;
    rounded = magnitude > 0x7ff0000000000000U ? 0x7ff8000000000000U : rounded;
    return static_cast<float>(std::bit_cast<double>(sign | rounded));
}

/// Truncates and saturates; NaN gives 0.
template<class Real>
std::int32_t to_i32(Real x) {
    constexpr Real limit = static_cast<Real>(0x1p31);
    if (x >= limit) {
        return std::numeric_limits<std::int32_t>::max();
    }
    if (x < -limit) {
        return std::numeric_limits<std::int32_t>::min();
    }
    return x == x ? static_cast<std::int32_t>(x) : 0;
}

// One struct per type of the IR: what a value is in memory, and how a result becomes one.

struct of_boolean {
    using value = std::int32_t; ///< 0 or 1
    static value from(std::int32_t x) { return x; }
};
struct of_i32 {
    using value = std::int32_t;
    static value from(std::int32_t x) { return x; }
    template<class Real>
    static value from(Real x) {
        return to_i32(x);
    }
};
struct of_f16 {
    using value = float;
    static value from(float x) { return round_to_f16(x); }
    static value from(double x) { return round_to_f16(x); }
    static value from(std::int32_t x) { return round_to_f16(static_cast<double>(x)); }
};
struct of_f32 {
    using value = float;
    template<class T>
    static value from(T x) {
        return static_cast<float>(x);
    }
};
struct of_f64 {
    using value = double;
    template<class T>
    static value from(T x) {
        return static_cast<double>(x);
    }
};

/// x rounded to the type.
inline double round_to(scalar type, double x) {
    switch (type) {
    case scalar::boolean:
        return x != 0 ? 1 : 0;
    case scalar::i32:
        return of_i32::from(x);
    case scalar::f16:
        return of_f16::from(x);
    case scalar::f32:
        return of_f32::from(x);
    case scalar::f64:
        break;
    }
    return x;
}

inline std::int32_t wrapped(std::uint32_t x) {
    return static_cast<std::int32_t>(x);
}

/// a op b for an operation that gives its operands' type.
template<ir::binary_op op>
std::int32_t apply(std::int32_t a, std::int32_t b) {
    auto ua = static_cast<std::uint32_t>(a);
    auto ub = static_cast<std::uint32_t>(b);
    if constexpr (op == ir::binary_op::add) {
        return wrapped(ua + ub);
    } else if constexpr (op == ir::binary_op::subtract) {
        return wrapped(ua - ub);
    } else if constexpr (op == ir::binary_op::multiply) {
        return wrapped(ua * ub);
    } else if constexpr (op == ir::binary_op::divide) {
        return b == 0 ? 0 : b == -1 ? wrapped(0U - ua) : a / b;
    } else if constexpr (op == ir::binary_op::remainder) {
        return b == 0 || b == -1 ? 0 : a % b;
    } else if constexpr (op == ir::binary_op::minimum) {
        return a < b ? a : b;
    } else if constexpr (op == ir::binary_op::maximum) {
        return a > b ? a : b;
    } else if constexpr (op == ir::binary_op::logical_and) {
        return a & b;
    } else {
        static_assert(op == ir::binary_op::logical_or);
        return a | b;
    }
}

template<ir::binary_op op, class Real>
Real apply(Real a, Real b) {
    if constexpr (op == ir::binary_op::add) {
        return a + b;
    } else if constexpr (op == ir::binary_op::subtract) {
        return a - b;
    } else if constexpr (op == ir::binary_op::multiply) {
        return a * b;
    } else if constexpr (op == ir::binary_op::divide) {
        return a / b;
    } else if constexpr (op == ir::binary_op::remainder) {
        return std::fmod(a, b);
    } else if constexpr (op == ir::binary_op::minimum) {
        return a < b || b != b ? a : b;
    } else if constexpr (op == ir::binary_op::maximum) {
        return a > b || b != b ? a : b;
    } else {
        static_assert(op == ir::binary_op::power);
        return std::pow(a, b);
    }
}

template<ir::binary_op op, class T>
std::int32_t compare(T a, T b) {
    if constexpr (op == ir::binary_op::less) {
        return a < b;
    } else if constexpr (op == ir::binary_op::less_equal) {
        return a <= b;
    } else if constexpr (op == ir::binary_op::greater) {
        return a > b;
    } else if constexpr (op == ir::binary_op::greater_equal) {
        return a >= b;
    } else if constexpr (op == ir::binary_op::equal) {
        return a == b;
    } else {
        static_assert(op == ir::binary_op::not_equal);
        return a != b;
    }
}

template<ir::function f, class Real>
Real apply(Real a) {
    if constexpr (f == ir::function::absolute) {
        return std::fabs(a);
    } else if constexpr (f == ir::function::square_root) {
        return std::sqrt(a);
    } else if constexpr (f == ir::function::exponential) {
        return std::exp(a);
    } else if constexpr (f == ir::function::logarithm) {
        return std::log(a);
    } else if constexpr (f == ir::function::sine) {
        return std::sin(a);
    } else if constexpr (f == ir::function::cosine) {
        return std::cos(a);
    } else if constexpr (f == ir::function::tangent) {
        return std::tan(a);
    } else if constexpr (f == ir::function::arc_tangent) {
        return std::atan(a);
    } else if constexpr (f == ir::function::hyperbolic_tangent) {
        return std::tanh(a);
    } else if constexpr (f == ir::function::floor) {
        return std::floor(a);
    } else if constexpr (f == ir::function::ceiling) {
        return std::ceil(a);
    } else {
        static_assert(f == ir::function::round);
        return std::round(a);
    }
}

/// |a|; the least i32 stays itself.
inline std::int32_t absolute(std::int32_t a) {
    return a < 0 ? wrapped(0U - static_cast<std::uint32_t>(a)) : a;
}

} // namespace gst::arithmetic
