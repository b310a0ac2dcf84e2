#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream/stream_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace gst::streaming {

void stream_lowering::find_arrays_beside() {
    std::vector<field_level> left = arrays_to_leave(s_, how_.stream_axis, how_.left_terms);
    left.resize(static_cast<std::size_t>(how_.left_arrays));
    const std::set<field_level> scaling = scaling_arrays(s_, how_.stream_axis);
    for (const auto& [array, level] : left) {
        const field& f = s_.fields[array];
        const int of_first = f.coefficient ? level : level + 1;
        left_.push_back({array, of_first, array_name(f, of_first) + "_left", f.type});
    }
    for (const field_level& a : completing_arrays(s_)) {
        const bool read = !how_.left_terms || scaling.contains(a);
        beside_.push_back({a.first, a.second, read && std::find(left.begin(), left.end(), a) == left.end()});
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
    if (sums_are_late()) {
        return p.now.at(&a);
    }
    plane& points = p.centre[&a];
    if (points.empty()) {
        const std::string words = fmt::format("{}{}_centre", p.prefix, a.name);
        points = own_points(a, named(out, words, halo_place(p, a, lag_)), words, out);
    }
    return points;
}

value stream_lowering::completing_term(const completed_sum& how, std::size_t k, point_surroundings& around,
                                       const std::string& words, const value& sum, block& out) {
    const std::vector<offset3> all = all_points();
    value v = sum;
    for (std::size_t i = 0; i < how.others.size(); ++i) {
        around.prefix = fmt::format("{}_other{}p{}_", words, i, k);
        const value term =
            lower_points(s_, layout_.size, order_of(s_, how.others[i].node), around, {all[k]}, out).front();
        const bool negative = how.others[i].negative;
        v = !v ? negative ? make(nest::unary{ir::unary_op::negate, term}, term->of) : term
               : make(nest::binary{negative ? ir::binary_op::subtract : ir::binary_op::add, v, term}, v->of);
    }
    return v;
}

void stream_lowering::complete(passage& p, std::size_t u, plane& sums, block& out) {
    const completed_sum& how = completed_[u];
    const std::string words = p.prefix + s_.fields[s_.updates[updates_[u]].field].name;
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
    std::vector<evaluation_order> scales;
    for (const completed_sum::scale& one : how.scales) {
        scales.push_back(order_of(s_, one.by));
    }
    const bool left = how_.left_terms && reads_stage() && !how.others.empty();
    const plane terms = left ? left_points(p, terms_array(u), out) : plane();
    for (; k < sums.size(); ++k) {
        value& v = sums[k];
        for (std::size_t i = 0; i < how.scales.size(); ++i) {
            around.prefix = fmt::format("{}_scale{}p{}_", words, i, k);
            const value by = lower_points(s_, layout_.size, scales[i], around, {all[k]}, out).front();
            v = make(nest::binary{how.scales[i].op, v, by}, v->of);
        }
        if (left) { // stored as f32 where it is computed as f16
            const value term = terms[k]->of == v->of ? terms[k] : make(nest::convert{terms[k]}, v->of);
            v = make(nest::binary{ir::binary_op::add, v, term}, v->of);
        } else {
            v = completing_term(how, k, around, words, v, out);
        }
    }
}

left_array stream_lowering::terms_array(std::size_t u) const {
    const update& what = s_.updates[updates_[u]];
    const field& target = s_.fields[what.field];
    const scalar computed = s_.nodes[what.value].type;
    return {what.field, 1, target.name + "_terms_left", computed == scalar::f16 ? scalar::f32 : computed};
}

plane stream_lowering::terms_of_second(passage& p, std::size_t u, block& out) {
    // As the second time step reads them at the plane that the first one has made: what that one has is one level
    // older.
    point_surroundings around = surroundings(p, "", lag_, out);
    around.step = step_surroundings(number(stages_ + p.stage)).step;
    std::size_t k = 0;
    around.element = [&](const ir::read& r, offset3) {
        const bool coefficient = s_.fields[r.field].coefficient;
        if (!coefficient && r.level == 0) {
            return p.results.at(find_tracked(r))[k];
        }
        const int level = coefficient ? r.level : r.level + 1;
        const tracked_array* in_tiles = find_array(tracked_, r.field, level);
        return in_tiles && !coefficient ? centre(p, *in_tiles, out)[k] : p.beside.at({r.field, level})[k];
    };
    plane all;
    const std::string words = fmt::format("{}second_{}", p.prefix, s_.fields[s_.updates[updates_[u]].field].name);
    for (; k < points(); ++k) {
        const value sum = completing_term(completed_[u], k, around, words, {}, out);
        all.push_back(stored_value(sum, terms_array(u).type));
    }
    return all;
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

void stream_lowering::leave_points(passage& p, block& out) {
    block& here = *enter(out, shows_);
    const value column =
        named(here, p.prefix + "left_column", local_index(inner_) * number(x_.block) - number(first_x_.halo));
    const value slot = named(here, p.prefix + "left_slot", left_slot(p.row));
    std::vector<std::pair<left_array, plane>> planes;
    for (const left_array& a : left_) {
        const tracked_array* in_tiles = find_array(tracked_, a.field, a.level);
        planes.emplace_back(a, in_tiles ? centre(p, *in_tiles, here) : p.beside.at({a.field, a.level}));
    }
    for (const std::size_t u : updates_with_left_terms()) {
        planes.emplace_back(terms_array(u), terms_of_second(p, u, here));
    }
    block& within = *enter(here, both(at_least(column, 0), below(column, second_x_.width)));
    for (std::int64_t y = 0; y < y_.points; ++y) {
        const value row = named(within, fmt::format("{}left_row{}", p.prefix, y),
                                local_index(across_) * number(y_.block) + number(y - first_y_.halo));
        block& in_row = *enter(within, both(at_least(row, 0), below(row, second_y_.width)));
        for (const auto& [array, points] : planes) {
            for (std::int64_t x = 0; x < x_.points; x += how_.vector_width) {
                put_local(array.type, array.name, slot + row * number(second_x_.width) + plus(column, x), points,
                          static_cast<std::size_t>(y * x_.points + x), in_row, how_.vector_width);
            }
        }
    }
}

std::vector<std::size_t> stream_lowering::updates_with_left_terms() const {
    std::vector<std::size_t> out;
    for (std::size_t u = 0; u < completed_.size() && how_.left_terms; ++u) {
        if (!completed_[u].others.empty()) {
            out.push_back(u);
        }
    }
    return out;
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
