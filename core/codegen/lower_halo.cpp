#include "core/codegen/lower.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

#include <array>

namespace gst {

namespace {

using namespace nest;
using nest::value; // not the value of an expression over parameters

constexpr std::int64_t work_group = 64;
constexpr std::int64_t many = 512; ///< points of which work-items take several each
constexpr const char* axis_names[] = {"x", "y", "z"};

/// A box of halo points along one face; together the boxes of a field cover its halo, each point once.
struct slab {
    int axis = 0;
    int face = 0;
    extent3 low{};
    extent3 size{};
    std::int64_t points() const { return size[0] * size[1] * size[2]; }
    /// Points of a work-item, `items` apart: with more of them it awaits more at a time.
    std::int64_t of_item() const {
        std::int64_t most = points() < many ? 1 : 4;
        while (points() % most != 0) {
            --most;
        }
        return most;
    }
    std::int64_t items() const { return points() / of_item(); }
};

/// The faces whose points take new values every step, of those that `filled` holds for. A slab of axis k spans the halo
/// of the axes before k, which are resolved after it.
std::vector<slab> dynamic_slabs(const field& f, const array_layout& layout, bool (*filled)(const boundary&)) {
    std::vector<slab> out;
    for (int axis = 0; axis < 3; ++axis) {
        for (int face = 0; face < 2; ++face) {
            const auto a = static_cast<std::size_t>(axis);
            if (f.halo[a] == 0) {
                continue;
            }
            slab s{axis, face, {0, 0, 0}, layout.size};
            for (std::size_t before = 0; before < a; ++before) {
                s.low[before] = -f.halo[before];
                s.size[before] = layout.size[before] + 2 * f.halo[before];
            }
            s.low[a] = face == 0 ? -f.halo[a] : layout.size[a];
            s.size[a] = f.halo[a];
            const boundary& b = f.faces[a][static_cast<std::size_t>(face)];
            if (!is_frozen(b) && filled(b)) {
                out.push_back(s);
            }
        }
    }
    return out;
}

/// The coordinate that one beyond a dynamic face takes its value from.
value resolved(const value& at, const boundary& b, int face, std::int64_t size) {
    switch (b.kind) {
    case boundary_kind::clamp:
        return number(face == 0 ? 0 : size - 1);
    case boundary_kind::periodic:
        return plus(at, face == 0 ? size : -size);
    default: // mirror
        return number(face == 0 ? 0 : 2 * (size - 1)) - at;
    }
}

/// Replaces the coordinate along an axis by where its value comes from, if it lies beyond a dynamic face.
value resolve_axis(const field& f, std::size_t axis, const value& at, std::int64_t size) {
    value out = at;
    const auto choose = [&](int face, const value& beyond) {
        if (!is_frozen(f.faces[axis][static_cast<std::size_t>(face)])) {
            out =
                make(nest::select{beyond, resolved(at, f.faces[axis][static_cast<std::size_t>(face)], face, size), out},
                     type::index);
        }
    };
    choose(1, binary_value(ir::binary_op::greater_equal, at, number(size)));
    choose(0, less(at, number(0)));
    return out;
}

/// The coordinate along an axis of the n-th point of a slab.
value position_in(const slab& box, std::size_t axis, const value& n) {
    if (box.size[axis] == 1) {
        return number(box.low[axis]);
    }
    value at = n;
    std::int64_t inner = 1;
    for (std::size_t before = 0; before < axis; ++before) {
        inner *= box.size[before];
    }
    if (inner > 1) {
        at = binary_value(ir::binary_op::divide, at, number(inner));
    }
    if (axis < 2) {
        at = binary_value(ir::binary_op::remainder, at, number(box.size[axis]));
    }
    return at + number(box.low[axis]);
}

/// The coordinate along an axis of the point that a slab's point takes its value from.
value source_of(const field& f, const slab& box, std::size_t axis, const array_layout& layout,
                const std::array<value, 3>& point) {
    const auto own = static_cast<std::size_t>(box.axis);
    const value& at = point[axis];
    if (axis == own) {
        return resolved(at, f.faces[own][static_cast<std::size_t>(box.face)], box.face, layout.size[own]);
    }
    if (axis > own || f.halo[axis] == 0) {
        return at;
    }
    const value source = resolve_axis(f, axis, at, layout.size[axis]);
    if (source == at || axis != 0 || own != 2 || f.halo[1] == 0) {
        return source;
    }
    // An edge whose y face never changes stops there: x is not resolved any further.
    value stops;
    const auto stop_where = [&](const value& beyond) {
        stops = stops ? binary_value(ir::binary_op::logical_or, stops, beyond) : beyond;
    };
    if (is_frozen(f.faces[1][0])) {
        stop_where(less(point[1], number(0)));
    }
    if (is_frozen(f.faces[1][1])) {
        stop_where(binary_value(ir::binary_op::greater_equal, point[1], number(layout.size[1])));
    }
    return stops ? make(nest::select{stops, at, source}, type::index) : source;
}

/// The points of a slab's n-th work-item take their values.
void fill_points(const field& f, const slab& box, const array_layout& layout, const std::string& array, const value& n,
                 block& out) {
    const std::int64_t strides[] = {1, layout.row, layout.plane};
    const type of = register_type(f.type);
    block stores; // behind the loads, which they could change as far as compilers know
    for (std::int64_t k = 0; k < box.of_item(); ++k) {
        value to = number(layout.origin);
        value from = number(layout.origin);
        std::array<value, 3> point;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            point[axis] =
                named(out, fmt::format("{}{}", axis_names[axis], k), position_in(box, axis, plus(n, k * box.items())));
            to = to + point[axis] * number(strides[axis]);
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const value source = source_of(f, box, axis, layout, point);
            from = from + (source == point[axis] ? source
                                                 : named(out, fmt::format("from_{}{}", axis_names[axis], k), source)) *
                              number(strides[axis]);
        }
        const std::string taken = fmt::format("taken{}", k);
        out.push_back({declare{of, taken, make(load{array, from, f.type, false}, of)}});
        stores.push_back({store{array, to, var(taken, of), f.type, false}});
    }
    out.insert(out.end(), stores.begin(), stores.end());
}

} // namespace

std::optional<lowered_kernel> lower_halo(const stencil& s, std::size_t field_index, const array_layout& layout,
                                         const std::string& name, bool (*filled)(const boundary&)) {
    const field& f = s.fields[field_index];
    const std::vector<slab> slabs = dynamic_slabs(f, layout, filled);
    if (slabs.empty()) {
        return std::nullopt;
    }
    lowered_kernel k;
    k.kernel.name = fmt::format("{}_{}_{}", s.name, f.name, name);
    k.kernel.about = fmt::format("{} of {}[t+1]", name, f.name);
    k.kernel.work_group = {work_group, 1, 1};
    const std::string array = array_name(f, 1);
    k.kernel.formals.push_back({formal::kind::in_out, array, f.type});
    k.launch.kernel = k.kernel.name;
    k.launch.arguments.push_back(field_argument{static_cast<std::uint32_t>(field_index), 1, false});

    k.kernel.body.push_back({declare{type::index, "n", make(work_item{id::global, 0}, type::index)}});
    block* rest = &k.kernel.body;
    // Each slab begins with a work-group: lanes side by side are of one slab. And LLVM 18 (PoCL 6) takes the negative m
    // of a vector's lanes that are of the slab before for a large number where it loads the vector.
    std::int64_t first = 0;
    for (const slab& box : slabs) {
        const std::int64_t end = first + round_up(box.items(), work_group);
        block* here = rest;
        if (&box != &slabs.back()) {
            rest->push_back({branch{less(var("n"), number(end)), {}, {}}});
            branch& split = std::get<branch>(rest->back().what);
            here = &split.yes;
            rest = &split.no;
        }
        const auto a = static_cast<std::size_t>(box.axis);
        here->push_back({comment{fmt::format("beyond the {} face of {}: {}", box.face == 0 ? "low" : "high", s.axes[a],
                                             name_of(f.faces[a][static_cast<std::size_t>(box.face)].kind))}});
        const nest::value n = first == 0 ? var("n") : named(*here, "m", plus(var("n"), -first));
        fill_points(f, box, layout, array, n,
                    box.items() == end - first ? *here : *enter(*here, less(n, number(box.items()))));
        first = end;
    }
    k.launch.local = {work_group, 1, 1};
    k.launch.global = {static_cast<std::uint64_t>(first), 1, 1};
    return k;
}

} // namespace gst
