#include "core/codegen/stream/tile_faces.hpp"

#include "core/codegen/stream_rules.hpp"

#include <algorithm>
#include <stdexcept>

namespace gst::streaming {

namespace {

/// Whether point i of some work-item of some tile is one of the `reach` points from `first` on.
bool may_lie(const tile_axis& t, std::int64_t i, std::int64_t first) {
    for (std::int64_t at = first + t.halo - t.shift(i); at < first + t.halo - t.shift(i) + t.reach; ++at) {
        // It is in tile m, and there a work-item's first point away from the tile's.
        for (std::int64_t m = std::max<std::int64_t>(floor_div(at, t.step), 0); m >= 0; --m) {
            const std::int64_t begin = at - (m == 0 ? t.first_shift : m * t.step);
            if (begin >= t.group * t.block) {
                break;
            }
            if (m < t.tiles && begin >= 0 && begin % t.block == 0) {
                return true;
            }
        }
    }
    return false;
}

} // namespace

bool has_copied_faces(const field& f, const tile_axis& t) {
    const auto& faces = f.faces[t.axis];
    return f.halo[t.axis] > 0 && (is_copied(faces[0]) || is_copied(faces[1]));
}

value outside_faces(const field& f, const tile_axis& t, std::int64_t i, bool (*of_kind)(const boundary&)) {
    value out;
    const bool is_read = f.halo[t.axis] > 0;
    if (is_read && of_kind(f.faces[t.axis][0]) && may_lie(t, i, -t.reach)) {
        out = below(plus(t.own, t.shift(i)), 0);
    }
    if (is_read && of_kind(f.faces[t.axis][1]) && may_lie(t, i, t.size)) {
        out = either(out, at_least(plus(t.own, t.shift(i)), t.size));
    }
    return out;
}

value copied_place(const field& f, const tile_axis& t, std::int64_t i) {
    const value at = plus(t.own, t.shift(i));
    value source = at;
    if (f.halo[t.axis] > 0) {
        const auto beyond = [&](int face, const value& outside) {
            const boundary& b = f.faces[t.axis][static_cast<std::size_t>(face)];
            if (is_copied(b)) {
                const value edge = number(face == 0 ? 0 : t.size - 1);
                source = chosen(outside, b.kind == boundary_kind::clamp ? edge : edge + edge - at, source);
            }
        };
        beyond(1, at_least(at, t.size));
        beyond(0, below(at, 0));
    }
    return clamped(source - t.first, 0, t.width - 1);
}

std::vector<image> images(const field& f, const tile_axis& t, const first_point& first, std::int64_t i,
                          std::int64_t count) {
    const value at = plus(first.at, t.shift(i));
    const value own = plus(first.own, t.shift(i));
    std::vector<image> out{{{}, own}};
    for (int face = 0; face < 2; ++face) {
        const boundary& b = f.faces[t.axis][static_cast<std::size_t>(face)];
        if (f.halo[t.axis] == 0 || !is_copied(b)) {
            continue;
        }
        if (count > 1) {
            throw std::logic_error("copies of points lie one by one");
        }
        const value inward = face == 0 ? at : number(t.size - 1) - at; // points from the face's first one
        out.front().exists = both(out.front().exists, at_least(inward, 0));
        const auto add = [&](const value& is_source, const value& beyond) {
            const value place = face == 0 ? own - beyond : own + beyond;
            out.push_back({both(is_source, face == 0 ? at_least(place, 0) : below(place, t.width)), place});
        };
        if (b.kind == boundary_kind::mirror) {
            add(both(at_least(inward, 1), below(inward, t.reach + 1)), inward + inward);
            continue;
        }
        for (std::int64_t d = 1; d <= t.reach; ++d) {
            add(binary_value(ir::binary_op::equal, inward, number(0)), number(d));
        }
    }
    return out;
}

} // namespace gst::streaming
