#include "core/codegen/layout.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

namespace gst {

namespace {
constexpr std::int64_t alignment = 32; // elements
} // namespace

array_layout make_layout(extent3 size, offset3 halo, layout_kind kind) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    array_layout a;
    a.kind = kind;
    a.size = size;
    a.halo = halo;
    const std::int64_t left = kind == layout_kind::padded ? round_up(halo[0], alignment) : halo[0];
    const std::int64_t row = left + size[0] + halo[0];
    a.row = kind == layout_kind::padded ? round_up(row, alignment) : row;
    const std::int64_t rows = size[1] + 2 * halo[1];
    const std::int64_t planes = size[2] + 2 * halo[2];
    if (static_cast<long double>(a.row) * static_cast<long double>(rows) * static_cast<long double>(planes) > most) {
        throw user_error(
            fmt::format("a grid of {} × {} × {} points is more than gst can address (2^40 elements per array)", size[0],
                        size[1], size[2]));
    }
    a.plane = a.row * rows;
    a.guard = kind == layout_kind::raw || rows * planes == 1 ? 0 : planes > 1 ? rows : 1; // a program that is one off
    a.origin = left + (halo[1] + a.guard) * a.row + halo[2] * a.plane;
    a.elements = a.plane * planes + 2 * a.guard * a.row;
    return a;
}

} // namespace gst
