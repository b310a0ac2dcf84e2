#include "core/codegen/stream/stream_lowering.hpp"

#include <fmt/format.h>

namespace gst::streaming {

void stream_lowering::load_beside(passage& p, std::size_t u, block& out) const {
    for (const node_id root : completed_[u].of_point()) {
        for (const node_id n : reachable(s_, root)) {
            const auto* r = std::get_if<ir::read>(&s_.nodes[n].op);
            if (!r || !is_direct(*r)) {
                continue;
            }
            if (plane& points = p.beside[{r->field, r->level}]; points.empty()) {
                const field& f = s_.fields[r->field];
                const std::string array = array_name(f, f.coefficient ? r->level : r->level + emitted_);
                points = points_beside(p, array, f.type, out);
            }
        }
    }
}

plane stream_lowering::points_beside(const passage& p, const std::string& array, scalar type, block& out) const {
    // Points beyond the grid are not computed: there it may be any element.
    const value z = checked_ || !checks_planes() ? memory_plane(p.result) : p.result;
    const bool whole = !(edge_ && x_.periodic) || x_.size % how_.vector_width == 0;
    const int width = whole && layout_.aligns(how_.vector_width) ? how_.vector_width : 1;
    const auto [low, high] = layout_.vectors(width);
    const std::string words = fmt::format("{}{}_beside", p.prefix, array);
    plane points;
    for (std::int64_t y = 0; y < y_.points; ++y) {
        const value own = plus(y_.own, y_.shift(y));
        const value row = !edge_        ? own
                          : y_.periodic ? wrapped(own, y_.size)
                                        : clamped(own, -layout_.halo[across_], y_.size - 1 + layout_.halo[across_]);
        const value from = named(out, fmt::format("{}_row{}", words, y),
                                 number(layout_.origin) + z * number(stride(along_)) + row * number(stride(across_)));
        for (std::int64_t x = 0; x < x_.points; x += width) {
            const value at = plus(x_.own, x_.shift(x));
            load_piece(points, {array, type, width, layout_.aligns(width)},
                       from + (!edge_        ? at
                               : x_.periodic ? wrapped(at, x_.size)
                                             : clamped(at, low, high)),
                       fmt::format("{}_{}", words, y * x_.points + x), out);
        }
    }
    return width == 1 ? named_plane(out, words, points) : points; // loaded here, not where they are needed
}

void stream_lowering::complete(passage& p, std::size_t u, plane& sums, block& out) {
    const completed_sum& how = completed_[u];
    const field& target = s_.fields[s_.updates[updates_[u]].field];
    point_surroundings around = surroundings(p, "", lag_, out);
    std::size_t k = 0;
    around.element = [&](const ir::read& r, offset3) {
        const tracked_array* a = find_tracked(r);
        if (!a) {
            return p.beside.at({r.field, r.level})[k];
        }
        plane& points = p.centre[a];
        if (points.empty()) {
            const std::string words = fmt::format("{}{}_centre", p.prefix, a->name);
            points = own_points(*a, named(out, words, halo_place(p, *a, lag_)), words, out);
        }
        return points[k];
    };
    const std::vector<offset3> all = all_points();
    std::vector<evaluation_order> orders; // of the scales, then of the others, as of_point lists them
    for (const node_id n : how.of_point()) {
        orders.push_back(order_of(s_, n));
    }
    const auto evaluated = [&](std::size_t which, const std::string& words) {
        around.prefix = fmt::format("{}{}_{}p{}_", p.prefix, target.name, words, k);
        return lower_points(s_, layout_.size, orders[which], around, {all[k]}, out).front();
    };
    for (; k < sums.size(); ++k) {
        value& v = sums[k];
        for (std::size_t i = 0; i < how.scales.size(); ++i) {
            const value by = evaluated(i, fmt::format("scale{}", i));
            v = make(nest::binary{how.scales[i].op, v, by}, v->of);
        }
        for (std::size_t i = 0; i < how.others.size(); ++i) {
            const value term = evaluated(how.scales.size() + i, fmt::format("other{}", i));
            const auto op = how.others[i].negative ? ir::binary_op::subtract : ir::binary_op::add;
            v = make(nest::binary{op, v, term}, v->of);
        }
    }
}

void stream_lowering::write_first_step(int r, const planes_of_arrays& row, block& out) {
    block written;
    const std::string prefix = fmt::format("f{}_", r);
    const value at = named(written, prefix + "plane", plus(plane_, r));
    block* inside = enter(written, both(less_equal(first_, at), less(at, last_)));
    for (const std::size_t u : updates_) {
        const update& what = s_.updates[u];
        if (written_levels(s_.fields[what.field]) > 1) {
            write_plane(s_.fields[what.field], 1, at, prefix, row.at(result_of(what)), *inside);
        }
    }
    if (!inside->empty()) {
        out.insert(out.end(), written.begin(), written.end());
    }
}

} // namespace gst::streaming
