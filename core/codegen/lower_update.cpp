#include "core/codegen/lower.hpp"
#include "core/codegen/vector_reads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace gst {

namespace {

using namespace nest;
using nest::value; // not the value of an expression over parameters

constexpr const char* axis_names[] = {"x", "y", "z"};

/// One axis of the iteration space of a work-group.
struct axis_plan {
    std::int64_t size = 1;   ///< points of the grid
    std::int64_t group = 1;  ///< work-items
    std::int64_t block = 1;  ///< neighbouring points per run
    std::int64_t cyclic = 1; ///< runs
    std::int64_t tile = 1;
    bool divides = true; ///< every work-group is full
    value group_first;   ///< the work-group's first point
    value first;         ///< this work-item's first point
};

/// How far in `block` the points of one axis are computed as one straight piece of code.
std::int64_t unrolled(const schedule& how, std::size_t axis) {
    constexpr std::uint64_t most = 16; // points of straight-line code
    if (axis == 0) {
        return how.vector_width;
    }
    if (how.unroll[axis] > 0) {
        return static_cast<std::int64_t>(how.unroll[axis]);
    }
    std::uint64_t points = static_cast<std::uint64_t>(how.vector_width);
    for (std::size_t a = 1; a <= axis; ++a) {
        if (points * how.block[a] > most) {
            return 1;
        }
        points *= how.block[a];
    }
    return static_cast<std::int64_t>(how.block[axis]);
}

class update_lowering {
  public:
    update_lowering(const stencil& s, std::size_t index, const array_layout& layout, const schedule& how)
        : s_(s), update_(s.updates[index]), target_(s.fields[update_.field]), layout_(layout), how_(how),
          inputs_(inputs_of(s, {index})), cached_(cached_arrays(s, index)) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            axis_plan& a = axes_[axis];
            a.size = layout.size[axis];
            a.group = static_cast<std::int64_t>(how.work_group[axis]);
            a.block = static_cast<std::int64_t>(how.block[axis]);
            a.cyclic = static_cast<std::int64_t>(how.cyclic[axis]);
            a.tile = a.group * a.block * a.cyclic;
            a.divides = a.size % a.tile == 0;
        }
    }

    lowered_kernel lower() {
        lowered_kernel out;
        kernel_ = &out.kernel;
        out.kernel.name = s_.name + "_" + target_.name;
        out.kernel.about = fmt::format("{}[t+1] on {} × {} × {} points: {}", target_.name, layout_.size[0],
                                       layout_.size[1], layout_.size[2], to_string(how_));
        out.kernel.work_group = how_.work_group;
        add_formals(out);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto groups =
                static_cast<std::uint64_t>((axes_[axis].size + axes_[axis].tile - 1) / axes_[axis].tile);
            out.launch.global[axis] = groups * how_.work_group[axis];
            out.launch.local[axis] = how_.work_group[axis];
        }
        out.launch.kernel = out.kernel.name;

        block& body = out.kernel.body;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            declare_group(axis, body);
        }
        if (how_.local) {
            fill_tiles(body);
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            declare_first(axis, body);
        }
        // Work-groups that lie inside the grid run code without bounds; the others a copy with them.
        value full;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const axis_plan& a = axes_[axis];
            if (!a.divides) {
                full = both(full, less(group_index(axis), number(a.size / a.tile)));
            }
        }
        if (!full) {
            loops(body, false);
            return out;
        }
        branch split{full, {}, {}};
        loops(split.yes, false);
        loops(split.no, true);
        body.push_back({std::move(split)});
        return out;
    }

  private:
    // ---- arguments

    void add_formals(lowered_kernel& out) {
        const auto add = [&](formal f, kernel_argument a) {
            out.kernel.formals.push_back(std::move(f));
            out.launch.arguments.push_back(a);
        };
        add({formal::kind::output, array_name(target_, 1), target_.type}, field_argument{update_.field, 1, false});
        for (const source_array& a : inputs_.arrays) {
            const field& f = s_.fields[a.field];
            add({how_.image ? formal::kind::image : formal::kind::input, array_name(f, a.level), f.type},
                field_argument{a.field, a.level, how_.image});
        }
        for (const auto& [p, type] : inputs_.parameters) {
            add({formal::kind::scalar, s_.parameters[p].name + "_param", type}, parameter_argument{p, type});
        }
        if (inputs_.step) {
            add({formal::kind::scalar, "step_number", scalar::i32}, step_argument{});
        }
    }

    // ---- coordinates

    static value local_index(std::size_t axis, std::int64_t group) {
        return group == 1 ? number(0) : make(work_item{id::local, static_cast<int>(axis)}, type::index);
    }
    value group_index(std::size_t axis) const {
        return axes_[axis].size <= axes_[axis].tile ? number(0)
                                                    : make(work_item{id::group, static_cast<int>(axis)}, type::index);
    }
    void declare_group(std::size_t axis, block& out) {
        axis_plan& a = axes_[axis];
        a.group_first = group_index(axis) * number(a.tile);
        if (how_.local) {
            a.group_first = named(out, fmt::format("{}_group", axis_names[axis]), a.group_first);
        }
    }

    void declare_first(std::size_t axis, block& out) {
        axis_plan& a = axes_[axis];
        a.first = named(out, fmt::format("{}0", axis_names[axis]),
                        a.group_first + local_index(axis, a.group) * number(a.block));
    }

    // ---- loops over the points of a work-item

    /// Declares or loops over the coordinates of axes z, y, x and computes the points inside.
    void loops(block& out, bool bounded) { axis_loop(2, out, bounded); }

    void axis_loop(std::size_t axis, block& out, bool bounded) {
        const axis_plan& a = axes_[axis];
        const bool guarded = bounded && !a.divides;
        const std::int64_t straight = guarded && axis != 0 ? 1 : unrolled(how_, axis);
        std::int64_t block_loop = a.block / straight; // runs of straight code per block
        std::int64_t cyclic_loop = a.cyclic;
        if (a.group == 1) { // neighbouring runs: one loop
            cyclic_loop *= block_loop;
            block_loop = 1;
        }
        const std::int64_t stride = a.group == 1 ? straight : a.group * a.block;
        const std::string run = fmt::format("{}{}", axis_names[axis], block_loop > 1 ? "_run" : "");
        value at = a.first;
        block* inner = &out;
        if (cyclic_loop > 1) {
            value end = a.first + number(stride * cyclic_loop);
            if (guarded) {
                end = bounded_end(axis, end, out);
            }
            inner = enter(*inner, loop{run, a.first, end, number(stride), {}});
            at = var(run);
        }
        if (block_loop > 1) {
            value end = at + number(a.block);
            if (guarded) {
                end = bounded_end(axis, end, *inner);
            }
            inner = enter(*inner, loop{axis_names[axis], at, end, number(straight), {}});
            at = var(axis_names[axis]);
        } else if (cyclic_loop == 1 && guarded) {
            inner = enter(*inner, less(at, number(a.size)));
        }
        coordinate_[axis] = at;
        straight_[axis] = straight;
        if (axis > 0) {
            axis_loop(axis - 1, *inner, bounded);
        } else if (guarded && straight > 1) {
            // Whole vectors where they fit, single points at the end of the row.
            branch fits{less_equal(at + number(straight), number(a.size)), {}, {}};
            points(fits.yes);
            block* rest = enter(fits.no, loop{"x_rest", at, number(a.size), number(1), {}});
            coordinate_[0] = var("x_rest");
            straight_[0] = 1;
            points(*rest);
            inner->push_back({std::move(fits)});
        } else {
            points(*inner);
        }
    }

    value bounded_end(std::size_t axis, const value& end, block& out) {
        const std::string name = fmt::format("{}_end{}", axis_names[axis], ends_++);
        out.push_back({declare{type::index, name, least(end, number(axes_[axis].size))}});
        return var(name);
    }

    // ---- the computation of one straight piece

    /// Computes straight_[0] × straight_[1] × straight_[2] points from coordinate_ on.
    void points(block& out) {
        const value base = number(layout_.origin) + coordinate_[0] + coordinate_[1] * number(layout_.row) +
                           coordinate_[2] * number(layout_.plane);
        const value at = named(out, "i", base);
        std::map<std::pair<std::uint32_t, int>, value> tile_base;
        if (how_.local) {
            for (const source_array& a : cached_) {
                const extent3 box = box_of(a);
                value inside =
                    inside_group(0) + inside_group(1) * number(box[0]) + inside_group(2) * number(box[0] * box[1]);
                const std::string name = array_name(s_.fields[a.field], a.level) + "_l";
                out.push_back({declare{type::index, name, inside}});
                tile_base[{a.field, a.level}] = var(name);
            }
        }
        const int width = static_cast<int>(straight_[0]);
        const bool on_vectors =
            width > 1 && how_.vector_arithmetic && !how_.local && !how_.image && is_vectorizable(s_, update_);
        std::vector<offset3> all;
        for (int z = 0; z < straight_[2]; ++z) {
            for (int y = 0; y < straight_[1]; ++y) {
                for (int x = 0; x < (on_vectors ? 1 : width); ++x) {
                    all.push_back({x, y, z});
                }
            }
        }
        const bool vector = straight_[0] > 1 && !how_.local && !how_.image;
        vector_reads reads(width, out);
        point_surroundings around;
        around.element = [&](const ir::read& r, offset3 p) -> value {
            const field& f = s_.fields[r.field];
            const std::string array = array_name(f, r.level);
            offset3 d{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                d[axis] = r.at[axis] + p[axis];
            }
            if (const auto found = tile_base.find({r.field, r.level}); found != tile_base.end()) {
                const source_array& a = array_of(r);
                const extent3 box = box_of(a);
                const std::int64_t shift =
                    (d[0] - a.low[0]) + box[0] * ((d[1] - a.low[1]) + box[1] * (d[2] - a.low[2]));
                return make(load{array + "_tile", plus(found->second, shift), f.type, true}, register_type(f.type));
            }
            if (how_.image) {
                return make(image_load{array, plus(at, shift_of(d)), f.type, how_.image_width}, register_type(f.type));
            }
            if (on_vectors) {
                return reads.all(row_of(r, d, at), d[0]);
            }
            if (vector) {
                return reads.element(row_of(r, d, at), d[0], p[0]);
            }
            return make(load{array, plus(at, shift_of(d)), f.type, false}, register_type(f.type));
        };
        around.coordinate = [&](int axis, int delta) {
            return plus(coordinate_[static_cast<std::size_t>(axis)], delta);
        };
        around.parameter = [&](std::uint32_t p) {
            return var(s_.parameters[p].name + "_param", type_of(inputs_.parameters.at(p)));
        };
        around.step = [] { return var("step_number", type::i32); };
        around.constant = [this](double n, type of) { return update_number(*kernel_, how_, n, of); };
        if (vector && how_.cache_prefetch) {
            prefetch(at, out);
        }
        const std::vector<value> results =
            lower_points(s_, layout_.size, order_of(s_, update_.value), around, all, out);
        const auto per_store = static_cast<std::size_t>(on_vectors ? 1 : width);
        for (std::size_t i = 0; i < all.size(); i += per_store) {
            const value where = plus(at, shift_of(all[i]));
            if (width == 1) {
                out.push_back({store{array_name(target_, 1), where, stored_value(results[i]), target_.type, false}});
                continue;
            }
            vector_store v{array_name(target_, 1), where, {}, width, target_.type, layout_.aligns(width),
                           how_.streaming_stores};
            for (std::size_t k = i; k < i + per_store; ++k) {
                v.values.push_back(stored_value(results[k]));
            }
            out.push_back({std::move(v)});
        }
    }

    /// The lines that the same points need one round of the outermost loop later, and that no point needed before.
    void prefetch(const value& at, block& out) {
        const auto outermost = static_cast<std::size_t>(s_.dimensions - 1);
        if (outermost == 0) { // the hardware sees what comes next
            return;
        }
        constexpr std::int64_t line_bytes = 64;
        for (const source_array& a : inputs_.arrays) {
            const std::string name = array_name(s_.fields[a.field], a.level);
            const std::int64_t line = line_bytes / static_cast<std::int64_t>(size_of(s_.fields[a.field].type));
            for (int z = 0; z < straight_[2]; ++z) {
                for (int y = 0; y < straight_[1]; ++y) {
                    offset3 ahead{0, a.high[1] + y, a.high[2] + z};
                    ahead[outermost] += static_cast<int>(straight_[outermost]);
                    for (std::int64_t x = 0; x < straight_[0]; x += line) {
                        out.push_back({cache_prefetch{name, plus(at, shift_of(ahead) + x)}});
                    }
                }
            }
        }
    }

    /// The result in the register type of the stored type: the compute type may be wider or narrower.
    value stored_value(const value& v) const {
        const type of = register_type(target_.type);
        return v->of == of ? v : make(convert{v}, of);
    }

    std::int64_t shift_of(offset3 d) const { return d[0] + layout_.row * d[1] + layout_.plane * d[2]; }

    row_of_points row_of(const ir::read& r, offset3 d, const value& at) const {
        const field& f = s_.fields[r.field];
        std::string name = array_name(f, r.level) + "_row";
        for (const int offset : {d[1], d[2]}) {
            name += fmt::format("_{}{}", offset < 0 ? "m" : "", std::abs(offset));
        }
        return {std::move(name), array_name(f, r.level),      at, shift_of({0, d[1], d[2]}),
                f.type,          layout_.aligns(straight_[0])};
    }

    const source_array& array_of(const ir::read& r) const {
        return *std::find_if(inputs_.arrays.begin(), inputs_.arrays.end(),
                             [&](const source_array& a) { return a.field == r.field && a.level == r.level; });
    }

    // ---- local memory

    extent3 box_of(const source_array& a) const {
        extent3 box{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            box[axis] = axes_[axis].tile + a.high[axis] - a.low[axis];
        }
        return box;
    }

    value inside_group(std::size_t axis) const { return coordinate_[axis] - axes_[axis].group_first; }

    /// The work-group copies, row by row, the smallest box that its points need, then waits.
    void fill_tiles(block& out) {
        for (const source_array& a : cached_) {
            const field& f = s_.fields[a.field];
            const std::string array = array_name(f, a.level);
            const extent3 box = box_of(a);
            kernel_->locals.push_back({f.type, array + "_tile", box[0] * box[1] * box[2]});
            block* inner = &out;
            std::array<value, 3> at;
            for (std::size_t k = 3; k-- > 0;) {
                const axis_plan& axis = axes_[k];
                const std::string name = fmt::format("t{}", axis_names[k]);
                value end = number(box[k]);
                if (!axis.divides) { // the last work-group's box ends with the halo
                    const std::string end_name = fmt::format("{}_end{}", name, ends_++);
                    inner->push_back(
                        {declare{type::index, end_name,
                                 least(end, number(axis.size + a.high[k] - a.low[k]) - axes_[k].group_first)}});
                    end = var(end_name);
                }
                if (axis.group == 1 && literal(end) == 1) {
                    at[k] = number(0);
                    continue;
                }
                inner = enter(*inner, loop{name, local_index(k, axis.group), end, number(axis.group), {}});
                at[k] = var(name);
            }
            const value to = at[0] + at[1] * number(box[0]) + at[2] * number(box[0] * box[1]);
            const value from = number(layout_.origin + shift_of(a.low)) + (axes_[0].group_first + at[0]) +
                               (axes_[1].group_first + at[1]) * number(layout_.row) +
                               (axes_[2].group_first + at[2]) * number(layout_.plane);
            const type of = register_type(f.type);
            const value what = how_.image ? make(image_load{array, from, f.type, how_.image_width}, of)
                                          : make(load{array, from, f.type, false}, of);
            inner->push_back({store{array + "_tile", to, what, f.type, true}});
        }
        if (!cached_.empty()) {
            out.push_back({barrier{}});
        }
    }

    const stencil& s_;
    const update& update_;
    const field& target_;
    const array_layout& layout_;
    const schedule& how_;
    kernel_inputs inputs_;
    std::vector<source_array> cached_;
    std::array<axis_plan, 3> axes_{};
    std::array<value, 3> coordinate_;
    std::array<std::int64_t, 3> straight_{1, 1, 1};
    kernel* kernel_ = nullptr;
    int ends_ = 0;
};

} // namespace

lowered_kernel lower_update(const stencil& s, std::size_t index, const array_layout& layout, const schedule& how) {
    return update_lowering(s, index, layout, how).lower();
}

} // namespace gst
