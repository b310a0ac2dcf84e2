#include "core/codegen/stream/stream_lowering.hpp"
#include "core/codegen/stream/tile_faces.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

namespace gst::streaming {

bool stream_lowering::has_frozen_faces(const tracked_array& a) const {
    return has_ghosts(a) && gst::has_frozen_faces(s_.fields[a.field]);
}

void stream_lowering::keep_outside(const passage& p, const tracked_array& a, const std::vector<std::size_t>& which,
                                   plane& values, block& out) {
    const field& f = s_.fields[a.field];
    value plane_outside;
    if (checked_ && f.halo[along_] > 0) {
        if (is_frozen(f.faces[along_][0])) {
            plane_outside = below(p.result, 0);
        }
        if (is_frozen(f.faces[along_][1])) {
            plane_outside = either(plane_outside, at_least(p.result, length_));
        }
    }
    const auto beyond = [&](const tile_axis& t, std::int64_t i) {
        return edge_ ? outside_faces(f, t, i, is_frozen) : value();
    };
    const std::string words = fmt::format("{}{}_kept", p.prefix, a.name);
    if (newest_is_read() && p.stage == 0 && a.oldest_in_halo == 0) {
        keep_from_tile(p, a, plane_outside, beyond, words, values, out);
        return;
    }
    std::vector<value> outside;
    bool any = false;
    for (std::int64_t y = 0; y < y_.points; ++y) {
        for (std::int64_t x = 0; x < x_.points; ++x) {
            outside.push_back(either(either(plane_outside, beyond(x_, x)), beyond(y_, y)));
            any = any || outside.back();
        }
    }
    if (!any) {
        return;
    }
    if (!newest_is_read()) {
        const plane& centre = own(p, a, 0);
        for (const std::size_t k : which) {
            const value kept = outside[k] ? chosen(outside[k], centre[k], values[k]) : values[k];
            values[k] = named(out, fmt::format("{}_{}", words, k), kept);
        }
        return;
    }
    // There is no queue of planes: the value is in memory.
    const type of = register_type(a.type);
    const std::int64_t halo_x = layout_.halo[inner_];
    const std::int64_t halo_y = layout_.halo[across_];
    const value z = named(out, words + "_plane", memory_plane(p.result) * number(stride(along_)));
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (!outside[k]) {
            continue;
        }
        const auto x = static_cast<std::int64_t>(k) % x_.points;
        const auto y = static_cast<std::int64_t>(k) / x_.points;
        const std::string one = fmt::format("{}_{}", words, k);
        out.push_back({declare{of, one, values[k], true}});
        block* inside = enter(out, outside[k]);
        const value at_x = edge_ && x_.periodic ? x_edge_.load[static_cast<std::size_t>(x)]
                                                : clamped(plus(x_.own, x_.shift(x)), -halo_x, x_.size - 1 + halo_x);
        const value at_y = edge_ && y_.periodic ? y_edge_.load[static_cast<std::size_t>(y)]
                                                : clamped(plus(y_.own, y_.shift(y)), -halo_y, y_.size - 1 + halo_y);
        inside->push_back({assign{
            one, make(load{a.name,
                           number(layout_.origin) + at_x * number(stride(inner_)) + at_y * number(stride(across_)) + z,
                           a.type},
                      of)}});
        values[k] = var(one, of);
    }
}

void stream_lowering::keep_from_tile(const passage& p, const tracked_array& a, const value& plane_outside,
                                     const std::function<value(const tile_axis& t, std::int64_t i)>& beyond,
                                     const std::string& words, plane& values, block& out) {
    // Where the grid ends between vectors, all points of one lie beyond it or none.
    const std::int64_t width = how_.stage_tiles && x_.size % how_.vector_width == 0 ? how_.vector_width : 1;
    const memory_piece one{tile_array(a), a.type, static_cast<int>(width), true, true};
    value first; // of the work-item's points in the tile
    for (std::int64_t y = 0; y < y_.points; ++y) {
        for (std::int64_t x = 0; x < x_.points; x += width) {
            value outside = either(either(plane_outside, beyond(x_, x + width - 1)), beyond(y_, y));
            if (width > 1) { // the last point of one below the grid, the first one of one above
                outside = either(outside, beyond(x_, x));
            }
            if (!outside) {
                continue;
            }
            if (!first) {
                first = named(out, words + "_in_tile", halo_place(p, a, lag_));
            }
            const auto k = y * x_.points + x;
            plane kept, loaded;
            for (std::int64_t i = k; i < k + width; ++i) {
                value& v = values[static_cast<std::size_t>(i)];
                kept.push_back(var(fmt::format("{}_{}", words, i), v->of));
                out.push_back({declare{v->of, fmt::format("{}_{}", words, i), v, true}});
                v = kept.back();
            }
            block& inside = *enter(out, outside);
            load_piece(loaded, one, plus(first, y_.shift(y) * halo_row() + halo_shift(x)),
                       fmt::format("{}_from_{}", words, k), inside);
            set(inside, kept, loaded);
        }
    }
}

void stream_lowering::copy_ghosts(const passage& p, planes_of_arrays& results, block& out) {
    std::vector<const tracked_array*> copied;
    for (const tracked_array& a : tracked_) {
        if (how_.steps > 1 && is_copied_across(a)) {
            copied.push_back(&a);
        }
    }
    if (copied.empty()) {
        return;
    }
    const value base = group_ * number(group_points());
    const value thread =
        base + local_index(across_) * number(y_.block * x_.width) + local_index(inner_) * number(x_.block);
    out.push_back({barrier{}});
    for (const tracked_array* a : copied) {
        const plane& values = results.at(a);
        for (std::int64_t y = 0; y < y_.points; ++y) {
            for (std::int64_t x = 0; x < x_.points; x += how_.vector_width) {
                put_local(a->type, a->name + "_ghosts", plus(thread, y_.shift(y) * x_.width + x_.shift(x)), values,
                          static_cast<std::size_t>(y * x_.points + x), out, how_.vector_width);
            }
        }
    }
    out.push_back({barrier{}});
    for (const tracked_array* a : copied) {
        const field& f = s_.fields[a->field];
        plane& values = results.at(a);
        const type of = register_type(a->type);
        for (std::int64_t y = 0; y < y_.points; ++y) {
            for (std::int64_t x = 0; x < x_.points; ++x) {
                const auto k = static_cast<std::size_t>(y * x_.points + x);
                const value outside = either(outside_faces(f, x_, x, is_copied), outside_faces(f, y_, y, is_copied));
                if (!outside) {
                    continue;
                }
                const std::string one = fmt::format("{}{}_ghost_{}", p.prefix, a->name, k);
                out.push_back({declare{of, one, values[k], true}});
                block* inside = enter(out, outside);
                const value from = base + copied_place(f, x_, x) + copied_place(f, y_, y) * number(x_.width);
                inside->push_back({assign{one, make(load{a->name + "_ghosts", from, a->type, true}, of)}});
                values[k] = var(one, of);
            }
        }
    }
}

} // namespace gst::streaming
