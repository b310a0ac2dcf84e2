#include "core/codegen/layout.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

array_layout make_layout(extent3 size, offset3 halo, std::int64_t alignment) {
    constexpr std::int64_t most = std::int64_t{1} << 40;
    array_layout a;
    a.alignment = alignment;
    a.size = size;
    a.halo = halo;
    a.row = round_up(size[0] + 2 * halo[0], alignment);
    a.lead = round_up(halo[0], alignment) - halo[0];
    // Whole vectors end no later than the last row and this.
    const std::int64_t tail = std::max<std::int64_t>(0, round_up(size[0] + halo[0], alignment) + halo[0] - a.row);
    const std::int64_t rows = size[1] + 2 * halo[1];
    const std::int64_t planes = size[2] + 2 * halo[2];
    if (static_cast<long double>(a.row) * static_cast<long double>(rows) * static_cast<long double>(planes) > most) {
        throw user_error(
            fmt::format("a grid of {} × {} × {} points is more than gst can address (2^40 elements per array)", size[0],
                        size[1], size[2]));
    }
    a.plane = a.row * rows;
    a.guard = a.raw() || rows * planes == 1 ? 0 : planes > 1 ? rows : 1; // a program that is one off
    a.origin = a.lead + halo[0] + (halo[1] + a.guard) * a.row + halo[2] * a.plane;
    a.elements = a.lead + a.plane * planes + 2 * a.guard * a.row + tail;
    return a;
}

} // namespace gst
