#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream/stream_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst::streaming {

void stream_lowering::find_arrays_beside() {
    std::vector<field_level> left = arrays_to_leave(s_);
    left.resize(static_cast<std::size_t>(how_.left_arrays));
    for (const auto& [array, level] : left) {
        const field& f = s_.fields[array];
        const int of_first = f.coefficient ? level : level + 1;
        left_.push_back({array, of_first, array_name(f, of_first) + "_left", f.type});
    }
    for (const field_level& a : completing_arrays(s_)) {
        beside_.push_back({a.first, a.second, std::find(left.begin(), left.end(), a) == left.end()});
    }
}

planes_beside stream_lowering::load_beside(const value& z, const std::string& words, block& out) const {
    planes_beside all;
    for (const array_beside& a : beside_) {
        if (is_loaded(a)) {
            const field& f = s_.fields[a.field];
            all[{a.field, a.level}] =
                points_beside(z, array_name(f, f.coefficient ? a.level : a.level + emitted_), f.type, words, out);
        }
    }
    return all;
}

void stream_lowering::begin_beside(const value& first_plane, block& out) {
    out.push_back({branch{in_first_stage_, {}, {}}});
    branch& split = std::get<branch>(out.back().what);
    for (int g = 0; g < groups_; ++g) {
        enter_stage(g);
        block& here = g == 0 ? split.yes : split.no;
        const std::vector<stage_state> variables = carried(nullptr);
        for (int r = 0; r < how_.planes; ++r) {
            const planes_beside first = load_beside(memory_plane(first_plane + number(r - g * group_distance() - lag_)),
                                                    fmt::format("b{}_", r), here);
            for (const auto& [array, points] : first) {
                set(here, variables.front().beside[static_cast<std::size_t>(r)].at(array), points);
            }
        }
    }
    enter_stage(0);
}

plane stream_lowering::points_beside(const value& z, const std::string& array, scalar type, const std::string& prefix,
                                     block& out) const {
    const auto width = static_cast<int>(halo_width());
    const std::string words = fmt::format("{}{}_beside", prefix, array);
    plane points;
    for (std::int64_t y = 0; y < y_.points; ++y) {
        const value row = in_memory(y_, plus(own_in_memory(y_), y_.shift(y)));
        const value from = named(out, fmt::format("{}_row{}", words, y),
                                 number(layout_.origin) + z * number(stride(along_)) + row * number(stride(across_)));
        for (std::int64_t x = 0; x < x_.points; x += width) {
            load_piece(points, {array, type, width, layout_.aligns(width)},
                       from + column_in_memory(plus(own_in_memory(x_), x_.shift(x))),
                       fmt::format("{}_{}", words, y * x_.points + x), out);
        }
    }
    return width == 1 ? named_plane(out, words, points) : points; // loaded here, not where they are needed
}

const plane& stream_lowering::centre(passage& p, const tracked_array& a, block& out) const {
    if (how_.late_sums) {
        return p.now.at(&a);
    }
    plane& points = p.centre[&a];
    if (points.empty()) {
        const std::string words = fmt::format("{}{}_centre", p.prefix, a.name);
        points = own_points(a, named(out, words, halo_place(p, a, lag_)), words, out);
    }
    return points;
}

void stream_lowering::complete(passage& p, std::size_t u, plane& sums, block& out) {
    const completed_sum& how = completed_[u];
    const field& target = s_.fields[s_.updates[updates_[u]].field];
    point_surroundings around = surroundings(p, "", lag_, out);
    std::size_t k = 0;
    around.element = [&](const ir::read& r, offset3) {
        if (const tracked_array* a = find_tracked(r)) {
            return centre(p, *a, out)[k];
        }
        plane& points = p.beside[{r.field, r.level}];
        if (points.empty()) {
            points = left_points(p, left_to_second(r), out);
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

const left_array& stream_lowering::left_to_second(const ir::read& r) const {
    return *find_array(left_, r.field, s_.fields[r.field].coefficient ? r.level : r.level + 1);
}

std::int64_t stream_lowering::left_slots() const {
    return passes_between(how_) * how_.planes + lag_;
}

value stream_lowering::left_slot(std::int64_t r) const {
    return slot_number(left_slots(), var("pass"), r) * number(second_x_.width * second_y_.width);
}

void stream_lowering::leave_points(passage& p, block& out) const {
    block& here = *enter(out, shows_);
    const value column =
        named(here, p.prefix + "left_column", local_index(inner_) * number(x_.block) - number(first_x_.halo));
    const value slot = named(here, p.prefix + "left_slot", left_slot(p.row));
    std::vector<const plane*> planes;
    for (const left_array& a : left_) {
        const tracked_array* in_tiles = find_array(tracked_, a.field, a.level);
        planes.push_back(in_tiles ? &centre(p, *in_tiles, here) : &p.beside.at({a.field, a.level}));
    }
    block& within = *enter(here, both(at_least(column, 0), below(column, second_x_.width)));
    for (std::int64_t y = 0; y < y_.points; ++y) {
        const value row = named(within, fmt::format("{}left_row{}", p.prefix, y),
                                local_index(across_) * number(y_.block) + number(y - first_y_.halo));
        block& in_row = *enter(within, both(at_least(row, 0), below(row, second_y_.width)));
        for (std::size_t i = 0; i < left_.size(); ++i) {
            for (std::int64_t x = 0; x < x_.points; x += how_.vector_width) {
                put_local(left_[i].type, left_[i].name, slot + row * number(second_x_.width) + plus(column, x),
                          *planes[i], static_cast<std::size_t>(y * x_.points + x), in_row, how_.vector_width);
            }
        }
    }
}

plane stream_lowering::left_points(const passage& p, const left_array& a, block& out) const {
    const memory_piece piece{a.name, a.type, how_.vector_width, true, true};
    const std::string words = p.prefix + a.name;
    // Of this group's result, which lies one pass and the planes that it waits for behind the other one's.
    const value from =
        named(out, words,
              left_slot(p.row - how_.planes - lag_) + local_index(across_) * number(y_.block * x_.width) +
                  local_index(inner_) * number(x_.block));
    plane points;
    for (std::int64_t y = 0; y < y_.points; ++y) {
        for (std::int64_t x = 0; x < x_.points; x += piece.width) {
            load_piece(points, piece, plus(from, y * x_.width + x), fmt::format("{}_{}", words, y * x_.points + x),
                       out);
        }
    }
    return points;
}

void stream_lowering::write_first_step(int r, const planes_of_arrays& row, block& out) {
    block written;
    const std::string prefix = fmt::format("f{}_", r);
    const value at = named(written, prefix + "plane", plus(plane_, r - own_back()));
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
