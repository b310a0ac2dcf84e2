#pragma once

#include "core/stencil/stencil.hpp"

#include <array>
#include <optional>

namespace gst {

inline std::int64_t round_up(std::int64_t n, std::int64_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

enum class layout_kind : std::uint8_t {
    padded, ///< rows' interiors are aligned to what the device reads at once; with guards
    raw,    ///< the array as the user has it: halo and interior, nothing between
};

/// The alignment of rows' interiors, in elements.
inline constexpr std::int64_t padded_rows = 16; ///< the widest vector; GPUs need less (layout_of)
inline constexpr std::int64_t raw_rows = 1;

/// Where the points of a field lie in memory; all fields of a program share it. Nothing more lies between rows than
/// halo and alignment need: gaps cost bandwidth (docs/experiments.md).
struct array_layout {
    std::int64_t alignment = padded_rows; ///< of rows' interiors, in elements; 1: raw, without guards
    extent3 size{};                       ///< interior points
    offset3 halo{};                       ///< points beyond each face that have an element
    std::int64_t lead = 0;                ///< elements before the first row
    std::int64_t origin = 0;              ///< element of the interior point (0, 0, 0)
    std::int64_t row = 0;                 ///< elements from y to y+1
    std::int64_t plane = 0;               ///< elements from z to z+1
    std::int64_t guard = 0;    ///< rows before the first and after the last: verification finds what is written there
    std::int64_t elements = 0; ///< allocated; elements that are neither interior nor halo are padding

    bool raw() const { return alignment == raw_rows; }
    /// Whether vectors of so many elements that begin at multiples of it from a row's first point are aligned.
    bool aligns(std::int64_t width) const { return alignment % width == 0; }
    std::int64_t index(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return origin + x + row * y + plane * z;
    }
    /// Rows of memory, halo and guards included.
    std::int64_t rows() const { return (elements - lead) / row; }
    /// The element that a row begins with, the first one of its halo; of row rows(): the first one behind the last row.
    std::int64_t begin_of_row(std::int64_t r) const { return lead + r * row; }
    /// Where vectors of so many elements begin that hold a point of a row or of its halo: the first and the last x.
    std::array<std::int64_t, 2> vectors(std::int64_t width) const {
        return {-round_up(halo[0], width), round_up(size[0] + halo[0], width) - width};
    }
    /// y and z of the points in a row of memory; nothing in a guard.
    std::optional<std::array<std::int64_t, 2>> place_of_row(std::int64_t r) const {
        const std::int64_t per_plane = plane / row;
        const std::int64_t n = r - guard;
        if (n < 0 || n >= rows() - 2 * guard) {
            return std::nullopt;
        }
        return std::array{n % per_plane - halo[1], n / per_plane - halo[2]};
    }
    bool operator==(const array_layout&) const = default;
};

/// Throws user_error when the array would have more than 2^40 elements.
GST_API array_layout make_layout(extent3 size, offset3 halo, std::int64_t alignment);

} // namespace gst
