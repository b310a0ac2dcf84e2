#include "core/measure/typed_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

namespace gst {

namespace {

/// The bits of the f16 nearest to x, ties to even.
std::uint16_t f16_bits(double x) {
    const auto sign = static_cast<std::uint16_t>(std::signbit(x) ? 0x8000 : 0);
    const double a = std::fabs(x);
    if (std::isnan(x)) {
        return 0x7e00;
    }
    if (a >= 65520) { // half-way between the largest number and the next power of two
        return static_cast<std::uint16_t>(sign | 0x7c00);
    }
    if (a < 0x1p-14) { // subnormal: multiples of 2^-24
        return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::nearbyint(a * 0x1p24)));
    }
    int exponent = 0;
    const double fraction = std::frexp(a, &exponent); // in [1/2, 1)
    // A fraction that rounds up to 2048 carries into the exponent.
    const auto rounded = static_cast<int>(std::nearbyint(fraction * 2048));
    return static_cast<std::uint16_t>(sign | ((exponent + 13) * 1024 + rounded));
}

double f16_value(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31;
    const int fraction = bits & 1023;
    const double magnitude = exponent == 31  ? (fraction == 0 ? HUGE_VAL : std::nan(""))
                             : exponent == 0 ? fraction * 0x1p-24
                                             : std::ldexp(1024 + fraction, exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

template<class T>
void put(T x, std::byte* to) {
    std::memcpy(to, &x, sizeof x);
}
template<class T>
T get(const std::byte* from) {
    T x;
    std::memcpy(&x, from, sizeof x);
    return x;
}

/// Calls f(values' x of the first common element, layout element within the row, count) for the part of row r that both
/// have.
template<class F>
void common_part(const field_values& values, const array_layout& layout, std::int64_t r, F&& f) {
    const auto place = layout.place_of_row(r);
    if (!place) {
        return;
    }
    const auto [y, z] = *place;
    if (y < -values.halo[1] || y >= values.size[1] + values.halo[1] || z < -values.halo[2] ||
        z >= values.size[2] + values.halo[2]) {
        return;
    }
    const std::int64_t low = -std::min(values.halo[0], layout.halo[0]);
    const std::int64_t high = values.size[0] - low;
    f(values.index(low, y, z), layout.halo[0] + low, high - low);
}

} // namespace

void put_value(scalar type, double value, std::byte* to) {
    switch (type) {
    case scalar::i32:
        return put(static_cast<std::int32_t>(value), to);
    case scalar::f16:
        return put(f16_bits(value), to);
    case scalar::f32:
        return put(static_cast<float>(value), to);
    case scalar::f64:
        return put(value, to);
    case scalar::boolean:
        break;
    }
    throw std::logic_error("booleans are not stored");
}

double get_value(scalar type, const std::byte* from) {
    switch (type) {
    case scalar::i32:
        return get<std::int32_t>(from);
    case scalar::f16:
        return f16_value(get<std::uint16_t>(from));
    case scalar::f32:
        return static_cast<double>(get<float>(from));
    case scalar::f64:
        return get<double>(from);
    case scalar::boolean:
        break;
    }
    throw std::logic_error("booleans are not stored");
}

void put_poison(scalar type, std::byte* to) {
    if (type == scalar::i32) {
        put(std::int32_t{0x5ca1ab1e}, to);
    } else {
        put_value(type, std::nan(""), to);
    }
}

void pack_rows(const field_values& values, scalar type, const array_layout& layout, std::int64_t first_row,
               std::span<std::byte> to) {
    const std::size_t bytes = size_of(type);
    const std::size_t row_bytes = static_cast<std::size_t>(layout.row) * bytes;
    for (std::size_t i = 0; i < to.size(); i += bytes) {
        put_poison(type, &to[i]);
    }
    for (std::size_t n = 0; (n + 1) * row_bytes <= to.size(); ++n) {
        common_part(values, layout, first_row + static_cast<std::int64_t>(n),
                    [&](std::size_t from, std::int64_t element, std::int64_t count) {
                        std::byte* at = &to[n * row_bytes + static_cast<std::size_t>(element) * bytes];
                        for (std::int64_t i = 0; i < count; ++i, at += bytes) {
                            put_value(type, values.data[from + static_cast<std::size_t>(i)], at);
                        }
                    });
    }
}

void unpack_rows(std::span<const std::byte> from, scalar type, const array_layout& layout, std::int64_t first_row,
                 field_values& values) {
    const std::size_t bytes = size_of(type);
    const std::size_t row_bytes = static_cast<std::size_t>(layout.row) * bytes;
    for (std::size_t n = 0; (n + 1) * row_bytes <= from.size(); ++n) {
        common_part(values, layout, first_row + static_cast<std::int64_t>(n),
                    [&](std::size_t to, std::int64_t element, std::int64_t count) {
                        const std::byte* at = &from[n * row_bytes + static_cast<std::size_t>(element) * bytes];
                        for (std::int64_t i = 0; i < count; ++i, at += bytes) {
                            values.data[to + static_cast<std::size_t>(i)] = get_value(type, at);
                        }
                    });
    }
}

std::optional<extent3> point_of(const array_layout& layout, std::int64_t element) {
    if (element < layout.lead || element >= layout.elements) {
        return std::nullopt;
    }
    element -= layout.lead;
    const auto place = layout.place_of_row(element / layout.row);
    if (!place) {
        return std::nullopt;
    }
    const extent3 p{element % layout.row - layout.halo[0], (*place)[0], (*place)[1]};
    if (p[0] < -layout.halo[0] || p[0] >= layout.size[0] + layout.halo[0]) {
        return std::nullopt;
    }
    return p;
}

} // namespace gst
