#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace gst {

/// An IEEE 754 binary16 in memory.
struct half {
    std::uint16_t bits = 0;

    half() = default;
    /// The nearest one, ties to even; infinite beyond 65520.
    explicit half(double v) : bits(nearest(v)) {}
    explicit operator double() const {
        const int exponent = (bits >> 10) & 31;
        const int fraction = bits & 1023;
        double magnitude = 0;
        if (exponent == 31) {
            magnitude =
                fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
        } else {
            magnitude = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
        }
        return std::copysign(magnitude, (bits & 0x8000) != 0 ? -1.0 : 1.0);
    }

  private:
    static std::uint16_t nearest(double v) {
        const unsigned sign = std::signbit(v) ? 0x8000 : 0;
        const double magnitude = std::abs(v);
        if (std::isnan(v)) {
            return static_cast<std::uint16_t>(sign | 0x7E00);
        }
        if (magnitude >= 65520) {
            return static_cast<std::uint16_t>(sign | 0x7C00);
        }
        // In units of the last place; a carry out of the fraction is a step of the exponent, as it should be.
        const int exponent = magnitude < 0x1p-14 ? -14 : std::ilogb(magnitude);
        const auto units = static_cast<unsigned>(std::nearbyint(std::ldexp(magnitude, 10 - exponent)));
        return static_cast<std::uint16_t>(sign | (static_cast<unsigned>(exponent + 14) * 1024 + units));
    }
};

static_assert(sizeof(half) == 2);

} // namespace gst
