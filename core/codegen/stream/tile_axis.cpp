#include "core/codegen/stream/tile_axis.hpp"

#include "core/codegen/layout.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace gst::streaming {

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a >= 0 ? a / b : -((b - 1 - a) / b);
}

std::int64_t tile_axis::point(std::int64_t at) const {
    const std::int64_t run = floor_div(at, group * block);
    const std::int64_t i = at - run * (group * block);
    return run >= 0 && run < runs && i < block ? run * block + i : -1;
}

tile_axis make_tile(const schedule& how, std::size_t axis, std::int64_t size, std::int64_t reach,
                    const tile_overlap& overlap) {
    tile_axis t;
    t.axis = axis;
    t.size = size;
    t.group = static_cast<std::int64_t>(how.work_group[axis]);
    t.block = static_cast<std::int64_t>(how.block[axis]);
    t.runs = static_cast<std::int64_t>(how.cyclic[axis]);
    t.points = t.runs * t.block;
    t.width = t.group * t.points;
    t.reach = reach;
    t.halo = overlap.before;
    t.step = t.width - overlap.both();
    if (t.step <= 0) {
        throw std::logic_error("a tile has no point that is written");
    }
    t.tiles = (t.size + t.step - 1) / t.step;
    t.name = std::string(1, "xyz"[axis]);
    return t;
}

std::int64_t shift_of_first(const tile_axis& t, std::int64_t alignment) {
    const std::int64_t wanted = (t.tiles - 1) * t.step - t.reach - t.size;
    const std::int64_t shift = wanted - floor_div(wanted, t.block) * t.block;
    return t.runs == 1 && t.tiles > 1 && shift % alignment == 0 && shift <= t.halo - t.reach ? shift : 0;
}

std::vector<std::int64_t> seams_of(const tile_axis& first, const tile_axis& second, std::int64_t beside,
                                   std::int64_t alignment) {
    std::vector<std::int64_t> out;
    if (!second.periodic || second.reach == 0 || second.size % alignment != 0) {
        return out;
    }
    const std::int64_t reads = first.halo + beside;
    for (std::int64_t at = second.block; at < second.step; at += second.block) {
        const bool separates = at % alignment == 0 && (at + first.halo) % first.block == 0;
        if (separates && reads <= std::min(at, second.step - at) && at + reads <= second.size) {
            out.push_back(at);
        }
    }
    std::stable_sort(out.begin(), out.end(), [&](std::int64_t a, std::int64_t b) {
        return std::abs(2 * a - second.step) < std::abs(2 * b - second.step);
    });
    return out;
}

} // namespace gst::streaming
