#include "core/codegen/stream/looped_lowering.hpp"

#include "core/codegen/stream_rules.hpp"
#include "core/codegen/vector_reads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gst::streaming {

namespace {

/// Where the value of the point k + 1 beyond a clamped or mirrored face comes from.
std::int64_t copied_from(const boundary& b, int face, std::int64_t k, std::int64_t size) {
    const std::int64_t inside = b.kind == boundary_kind::clamp ? 0 : k + 1;
    return face == 0 ? inside : size - 1 - inside;
}

} // namespace

void looped_lowering::declare_locals() {
    for (const tracked_array& a : tracked_) {
        kernel_->locals.push_back({a.type, ring_name(a), (how_.steps - 1) * ring_slots() * ring_plane()});
    }
}

void looped_lowering::stream_tile(const value&, const value&, block& out) {
    for (tile_axis* t : {&x_, &y_}) {
        t->own_end = named(out, t->name + "_own_end", least(plus(t->first, t->halo + t->step), number(t->size)));
    }
    const std::int64_t before = (how_.steps - 1) * lag_; // planes that the first result needs
    block& pass =
        *enter(out, loop{"pass", number(0), named(out, "passes", last_ - first_ + number(2 * before)), number(1), {}});
    looped_step first{number(0), looped_step::place::first};
    pass.push_back({comment{"the first time step"}});
    plane_in_loops(first, pass);
    if (how_.steps > 2) {
        pass.push_back({comment{"those between"}});
        // Later steps begin later: those that have begun.
        value end = number(how_.steps - 1);
        if (lag_ > 0) {
            end = named(pass, "steps_end", least(plus(quotient(var("pass"), 2 * lag_), 1), end));
        }
        looped_step between{var("s"), looped_step::place::between};
        plane_in_loops(between, *enter(pass, loop{"s", number(1), end, number(1), {}}));
    }
    looped_step last{number(how_.steps - 1), looped_step::place::last};
    pass.push_back({comment{"the last one"}});
    plane_in_loops(last, *enter(pass, before > 0 ? at_least(var("pass"), 2 * before) : value()));
}

void looped_lowering::plane_in_loops(looped_step& step, block& out) {
    const value z = named(out, "plane" + step.suffix(),
                          first_ + var("pass") - number((how_.steps - 1) * lag_) - step.s * number(lag_));
    if (periodic_ || lag_ == 0 || step.is_last()) {
        step_in_loops(step, z, out);
        return;
    }
    out.push_back({branch{both(at_least(z, 0), below(z, length_)), {}, {}}});
    branch& in_grid = std::get<branch>(out.back().what);
    step_in_loops(step, z, in_grid.yes);
    for (const tracked_array& a : tracked_) {
        const field& f = s_.fields[a.field];
        for (int face = 0; face < 2; ++face) {
            const std::int64_t halo = f.halo[along_];
            if (has_ghosts(a) && halo > 0 && is_frozen(f.faces[along_][static_cast<std::size_t>(face)])) {
                const std::int64_t low = face == 0 ? -halo : length_;
                keep_plane(a, step, z, *enter(in_grid.no, both(at_least(z, low), below(z, low + halo))));
            }
        }
    }
}

std::int64_t looped_lowering::ring_row() const {
    return x_.width + 2 * round_up(reach_[inner_], how_.vector_width);
}

std::int64_t looped_lowering::ring_plane() const {
    return ring_row() * (y_.width + 2 * reach_[across_]);
}

value looped_lowering::ring_place(const value& s, const value& z) const {
    const value ring = s * number(ring_slots() * ring_plane());
    // Planes may lie before the first one.
    const std::int64_t turns = round_up((how_.steps + 1) * lag_, ring_slots());
    return ring_slots() == 1 ? ring : ring + modulo(plus(z, turns), ring_slots()) * number(ring_plane());
}

value looped_lowering::row_in_ring(const value& y) const {
    return (plus(y, reach_[across_]) - y_.first) * number(ring_row()) +
           (number(round_up(reach_[inner_], how_.vector_width)) - x_.first);
}

value looped_lowering::margin(const tile_axis& t, const value& s) const {
    return (number(how_.steps - 1) - s) * number(t.reach);
}

value looped_lowering::needed_from(const tile_axis& t, const value& s) const {
    const value m = margin(t, s);
    return literal(m) ? plus(t.first, t.halo - *literal(m)) : plus(t.first, t.halo) - m;
}

value looped_lowering::needed_to(const tile_axis& t, const value& s) const {
    return t.own_end + margin(t, s);
}

block* looped_lowering::enter_beyond(const tile_axis& t, int face, const value& s, block& out) const {
    if (t.halo == 0) { // the tile is the grid
        return &out;
    }
    return enter(out, face == 0 ? below(needed_from(t, s), 0) : at_least(needed_to(t, s), t.size + 1));
}

value looped_lowering::grid_point(const tile_axis& t, const value& at) const {
    return !t.periodic ? at
                       : chosen(below(at, 0), plus(at, t.size), chosen(at_least(at, t.size), plus(at, -t.size), at));
}

value looped_lowering::row_in_grid(const value& y, const value& z) const {
    return number(layout_.origin) + y * number(stride(across_)) + z * number(stride(along_));
}

block* looped_lowering::row_with_halo(const value& s, const field& f, const std::string& words, block& out) const {
    const std::int64_t halo = x_.periodic ? 0 : f.halo[inner_];
    value from = needed_from(x_, s);
    value to = needed_to(x_, s);
    if (!x_.periodic) {
        from = greatest(from, number(-halo));
        to = least(to, number(x_.size + halo));
    }
    from = named(out, "x_from" + words, from);
    return enter(out, loop{"x", from, named(out, "x_to" + words, to), number(1), {}, true});
}

void looped_lowering::keep_plane(const tracked_array& a, const looped_step& step, const value& z, block& out) {
    const field& f = s_.fields[a.field];
    const std::int64_t halo = f.halo[across_];
    value from = needed_from(y_, step.s);
    value to = needed_to(y_, step.s);
    if (!y_.periodic) {
        from = greatest(from, number(-halo));
        to = least(to, number(y_.size + halo));
    }
    from = named(out, "y_from", from);
    block& row = *enter(out, loop{"y", from, named(out, "y_to", to), number(1), {}});
    const value source = named(row, "from_row", row_in_grid(grid_point(y_, var("y")), z));
    const value ring = named(row, "to_row", ring_place(step.s, z) + row_in_ring(var("y")));
    block& x = *row_with_halo(step.s, f, "", row);
    x.push_back(
        {store{ring_name(a), ring + var("x"),
               make(load{a.name, source + grid_point(x_, var("x")), a.type}, register_type(a.type)), a.type, true}});
}

void looped_lowering::step_in_loops(looped_step& step, const value& at, block& out) {
    step.z = periodic_ && !step.is_last() ? named(out, "z" + step.suffix(), wrapped_plane(at)) : at;
    name_source_planes(step, at, out);
    if (!step.is_last()) {
        step.target = named(out, "to" + step.suffix(), ring_place(step.s, at));
    }
    value from = needed_from(y_, step.s);
    value to = needed_to(y_, step.s);
    if (!y_.periodic && !step.is_last()) {
        from = greatest(from, number(0));
        to = least(to, number(y_.size));
    }
    from = named(out, "y_from" + step.suffix(), from);
    block& row = *enter(out, loop{"y", from, named(out, "y_to" + step.suffix(), to), number(1), {}});
    step.y = y_.periodic && !step.is_last() ? named(row, "y_grid", grid_point(y_, var("y"))) : var("y");
    step.row = named(row, "row", row_in_grid(step.y, step.z));
    step.ring_row = named(row, "ring_row", row_in_ring(var("y")));
    row_in_loops(step, row);
    if (!step.is_last()) {
        for (const tracked_array& a : tracked_) {
            if (has_ghosts(a)) {
                ghosts_of_row(a, step, row);
            }
        }
        for (const tracked_array& a : tracked_) {
            if (has_ghosts(a)) {
                ghost_rows(a, step, out);
            }
        }
    }
}

void looped_lowering::name_source_planes(looped_step& step, const value& at, block& out) const {
    if (step.is_first()) {
        return;
    }
    for (const tracked_array& a : tracked_) {
        const field& f = s_.fields[a.field];
        for (std::int64_t offset = -f.halo[along_]; offset <= f.halo[along_]; ++offset) {
            value from = plus(at, offset);
            if (offset < 0 && is_copied(f.faces[along_][0])) {
                const bool clamps = f.faces[along_][0].kind == boundary_kind::clamp;
                from = chosen(below(from, 0), clamps ? number(0) : number(0) - from, from);
            }
            if (offset > 0 && is_copied(f.faces[along_][1])) {
                const bool clamps = f.faces[along_][1].kind == boundary_kind::clamp;
                from = chosen(at_least(from, length_), clamps ? number(length_ - 1) : number(2 * (length_ - 1)) - from,
                              from);
            }
            step.planes[{&a, static_cast<int>(offset)}] =
                named(out, fmt::format("{}_plane_{}{}", a.name, signed_word(offset), step.suffix()),
                      ring_place(plus(step.s, -1), from));
        }
    }
}

void looped_lowering::row_in_loops(looped_step& step, block& row) {
    const bool last = step.is_last();
    const int width = how_.vector_width;
    // Whole vectors: they begin at multiples of their width and end with the grid.
    const std::int64_t whole = x_.size / width * width;
    const value beyond = margin(x_, step.s);
    const value rounded = literal(beyond) ? number(round_up(*literal(beyond), width))
                                          : quotient(plus(beyond, width - 1), width) * number(width);
    value from = literal(rounded) ? plus(x_.first, x_.halo - *literal(rounded)) : plus(x_.first, x_.halo) - rounded;
    from = named(row, "x_from", last ? from : greatest(from, number(0)));
    const value to = named(row, "x_to", least(x_.own_end + rounded, number(whole)));
    const value end = needed_to(x_, step.s);
    const auto points = [&](const value& begin, const value& behind, int count, bool beyond_grid) {
        block& one = *enter(row, loop{"x", begin, behind, number(count), {}, count < width});
        step.x = beyond_grid ? named(one, "x_grid", grid_point(x_, var("x"))) : var("x");
        points_in_loops(step, count, one);
    };
    const bool wraps = x_.periodic && x_.reach > 0 && !last;
    if (wraps) {
        points(needed_from(x_, step.s), number(0), 1, true);
    }
    points(from, to, width, false);
    if (whole < x_.size) {
        points(greatest(number(whole), needed_from(x_, step.s)), least(end, number(x_.size)), 1, false);
    }
    if (wraps) {
        points(greatest(number(x_.size), needed_from(x_, step.s)), end, 1, true);
    }
}

void looped_lowering::points_in_loops(const looped_step& step, int width, block& out) {
    const bool last = step.is_last();
    const bool on_vectors = width > 1 && how_.vector_arithmetic &&
                            std::all_of(updates_.begin(), updates_.end(),
                                        [&](std::size_t u) { return is_vectorizable(s_, s_.updates[u]); });
    const value at = named(out, "i", step.row + step.x);
    const value ring = named(out, "k", step.ring_row + var("x"));
    if (step.is_first() && width > 1 && how_.cache_prefetch) {
        for (const tracked_array& a : tracked_) {
            out.push_back({cache_prefetch{a.name, plus(at, (lag_ + 1) * stride(along_))}});
        }
    }
    std::vector<offset3> all;
    for (int x = 0; x < (on_vectors ? 1 : width); ++x) {
        all.push_back({x, 0, 0});
    }
    vector_reads reads(width, out);
    const auto element = [&](const ir::read& r, offset3 p) -> value {
        const int x = r.at[inner_] + p[inner_];
        const int y = r.at[across_];
        const tracked_array* a = find_tracked(r);
        row_of_points from;
        from.stored = s_.fields[r.field].type;
        from.local = a != nullptr && !step.is_first();
        from.array = from.local ? ring_name(*a) : array_name(s_.fields[r.field], r.level);
        from.name = fmt::format("{}_row_{}_{}", from.array, signed_word(y), signed_word(r.at[along_]));
        from.base = from.local ? step.planes.at({a, r.at[along_]}) + ring : at;
        from.shift = from.local ? y * ring_row() : y * stride(across_) + r.at[along_] * stride(along_);
        from.aligned = from.local || layout_.aligns(width);
        if (width == 1) {
            return make(load{from.array, plus(from.base, from.shift + x), from.stored, from.local},
                        register_type(from.stored));
        }
        return on_vectors ? reads.all(from, x) : reads.element(from, x, p[inner_]);
    };
    std::vector<vector_store> stores;
    // To memory behind the last time step, else to the array's ring.
    const auto result = [&](const tracked_array& a, int level, const std::vector<value>& values) {
        vector_store v{last ? array_name(s_.fields[a.field], level) : ring_name(a),
                       last ? at : step.target + ring,
                       {},
                       width,
                       a.type,
                       !last || layout_.aligns(width),
                       last && how_.streaming_stores,
                       !last};
        for (const value& one : values) {
            v.values.push_back(stored_value(one, a.type));
        }
        stores.push_back(std::move(v));
    };
    for (const std::size_t u : updates_) {
        const update& what = s_.updates[u];
        const field& target = s_.fields[what.field];
        point_surroundings around = step_surroundings(step.s);
        around.prefix = target.name + "_";
        around.element = element;
        around.coordinate = [&](int axis, int delta) -> value {
            const auto which = static_cast<std::size_t>(axis);
            return which == along_ ? step.z : which == inner_ ? plus(step.x, delta) : step.y;
        };
        result(*result_of(what), how_.steps,
               lower_points(s_, layout_.size, order_of(s_, what.value), around, all, out));
    }
    for (const tracked_array& a : tracked_) {
        const tracked_array* now = passed_on(a);
        if (now && (!last || -a.level < written_levels(s_.fields[a.field]))) {
            std::vector<value> values;
            for (const offset3& p : all) {
                values.push_back(element({now->field, now->level, {}}, p));
            }
            result(a, how_.steps + a.level, values);
        }
    }
    for (vector_store& v : stores) {
        if (width == 1) {
            out.push_back({store{v.array, v.at, v.values.front(), v.stored, v.local}});
        } else {
            out.push_back({std::move(v)});
        }
    }
}

void looped_lowering::ghosts_of_row(const tracked_array& a, const looped_step& step, block& row) {
    const field& f = s_.fields[a.field];
    if (x_.periodic) {
        return;
    }
    const type of = register_type(a.type);
    const std::string array = ring_name(a);
    const value ring = step.target + step.ring_row;
    for (int face = 0; face < 2 && f.halo[inner_] > 0; ++face) {
        const boundary& b = f.faces[inner_][static_cast<std::size_t>(face)];
        block* here = enter_beyond(x_, face, step.s, row);
        for (std::int64_t k = 0; k < f.halo[inner_]; ++k) {
            const std::int64_t to = face == 0 ? -1 - k : x_.size + k;
            const value what = is_frozen(b)
                                   ? make(load{a.name, plus(step.row, to), a.type}, of)
                                   : make(load{array, plus(ring, copied_from(b, face, k, x_.size)), a.type, true}, of);
            here->push_back({store{array, plus(ring, to), what, a.type, true}});
        }
    }
}

void looped_lowering::ghost_rows(const tracked_array& a, const looped_step& step, block& out) {
    const field& f = s_.fields[a.field];
    if (y_.periodic) {
        return;
    }
    const type of = register_type(a.type);
    const std::string array = ring_name(a);
    for (int face = 0; face < 2 && f.halo[across_] > 0; ++face) {
        const boundary& b = f.faces[across_][static_cast<std::size_t>(face)];
        block* here = enter_beyond(y_, face, step.s, out);
        block& x = *row_with_halo(step.s, f, fmt::format("_{}_{}", face == 0 ? "low" : "high", a.name), *here);
        for (std::int64_t k = 0; k < f.halo[across_]; ++k) {
            const value to = number(face == 0 ? -1 - k : y_.size + k);
            const value source = number(copied_from(b, face, k, y_.size));
            const value what = is_frozen(b)
                                   ? make(load{a.name, row_in_grid(to, step.z) + grid_point(x_, var("x")), a.type}, of)
                                   : make(load{array, step.target + row_in_ring(source) + var("x"), a.type, true}, of);
            x.push_back({store{array, step.target + row_in_ring(to) + var("x"), what, a.type, true}});
        }
    }
}

} // namespace gst::streaming
