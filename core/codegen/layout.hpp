#pragma once

#include "core/stencil/stencil.hpp"

namespace gst {

inline std::int64_t round_up(std::int64_t n, std::int64_t multiple) {
    return (n + multiple - 1) / multiple * multiple;
}

enum class layout_kind : std::uint8_t {
    padded, ///< every row's interior begins at a multiple of 16 elements, so that vector loads are aligned
    raw,    ///< the array as the user has it: halo and interior, nothing between
};

/// Where the points of a field lie in memory; all fields of a program share it.
struct array_layout {
    layout_kind kind = layout_kind::padded;
    extent3 size{};            ///< interior points
    offset3 halo{};            ///< points beyond each face that have an element
    std::int64_t origin = 0;   ///< element of the interior point (0, 0, 0)
    std::int64_t row = 0;      ///< elements from y to y+1
    std::int64_t plane = 0;    ///< elements from z to z+1
    std::int64_t elements = 0; ///< allocated; elements that are neither interior nor halo are padding

    std::int64_t index(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return origin + x + row * y + plane * z;
    }
    bool operator==(const array_layout&) const = default;
};

/// Throws user_error when the array would have more than 2^40 elements.
GST_API array_layout make_layout(extent3 size, offset3 halo, layout_kind kind);

} // namespace gst
