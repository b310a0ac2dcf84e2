#include "core/codegen/unit_kernel.hpp"

#include "core/codegen/emit.hpp"
#include "core/codegen/generate.hpp"
#include "core/codegen/unit_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>

namespace gst {

namespace {

using namespace nest;
using nest::value; // not the value of an expression over parameters

constexpr std::uint32_t target_field = 0;
constexpr std::uint32_t context_field = 1;
constexpr std::uint32_t out_field = 2;
constexpr std::uint32_t error_field = 3;

/// The greatest value of an index whose work units are those below (units_x, units_y).
std::int64_t greatest(const linear_index& i, const unit_kernel& k, std::int64_t units_x, std::int64_t units_y) {
    return i.unit_x * (units_x - 1) + i.unit_y * (units_y - 1) + i.outer * (k.outer - 1) + i.inner * (k.inner - 1);
}

/// What an index is a function of, as values.
struct place {
    value unit_x, unit_y, outer, inner;
    value operator()(const linear_index& i) const {
        return unit_x * number(i.unit_x) + unit_y * number(i.unit_y) + outer * number(i.outer) +
               inner * number(i.inner);
    }
};

double weight(std::size_t neighbour) {
    return static_cast<double>(neighbour * 37 % 64 + 1) / 64;
}

/// Writes one work unit after the other.
class unit_writer {
  public:
    unit_writer(const unit_kernel& k, const unit_launch& how, bool error_bounds)
        : k_(k), how_(how), bounds_(error_bounds), target_(target_array(k)), context_(context_array(k)),
          box_(neighbours_of(k)), region_(region_of(k, how)) {}

    kernel write() {
        kernel out;
        out.name = k_.name + (how_.local ? "_local" : "_global");
        out.about = fmt::format(
            "{} × {} work units: work-group {} × {}, {} × {} units per work-item{}", k_.units_x, k_.units_y,
            how_.group_x, how_.group_y, how_.per_item_x, how_.per_item_y,
            how_.local ? fmt::format(", {} × {} elements of the target in local memory", region_[0], region_[1]) : "");
        out.work_group = {how_.group_x, how_.group_y, 1};
        out.formals = {{formal::kind::output, "out", scalar::f32}};
        if (bounds_) {
            out.formals.push_back({formal::kind::output, "bound", scalar::f32});
        }
        out.formals.push_back({formal::kind::input, "target", scalar::f32});
        out.formals.push_back({formal::kind::input, "context", scalar::f32});
        if (how_.local) {
            out.locals = {{scalar::f32, "region", region_[0] * region_[1]}};
        }
        block& body = out.body;
        item_x_ = named(body, "item_x", make(work_item{id::local, 0}, type::index));
        item_y_ = named(body, "item_y", make(work_item{id::local, 1}, type::index));
        first_x_ = named(body, "first_x", group(0) * number(units_along(0)));
        first_y_ = named(body, "first_y", group(1) * number(units_along(1)));
        if (how_.local && !region_moves(k_)) {
            copy_region(body, number(0), number(0));
            body.push_back({barrier{}});
        }
        block* units = loop_over(&body, "y", how_.per_item_y);
        units = loop_over(units, "x", how_.per_item_x);
        const value tile_x =
            how_.per_item_x == 1 ? first_x_ : named(*units, "tile_x", first_x_ + var("x") * number(g(0)));
        const value tile_y =
            how_.per_item_y == 1 ? first_y_ : named(*units, "tile_y", first_y_ + var("y") * number(g(1)));
        const bool moves = how_.local && region_moves(k_);
        if (moves) {
            copy_region(*units, tile_x, tile_y);
            units->push_back({barrier{}});
        }
        write_unit(*units, tile_x, tile_y);
        if (moves && how_.per_item_x * how_.per_item_y > 1) {
            units->push_back({barrier{}}); // the region is written again
        }
        return out;
    }

  private:
    static value group(int axis) { return make(work_item{id::group, axis}, type::index); }
    std::int64_t g(int axis) const { return static_cast<std::int64_t>(axis == 0 ? how_.group_x : how_.group_y); }
    std::int64_t units_along(int axis) const {
        return g(axis) * static_cast<std::int64_t>(axis == 0 ? how_.per_item_x : how_.per_item_y);
    }
    static block* loop_over(block* in, const char* name, std::uint64_t trips) {
        return trips == 1 ? in
                          : enter(*in, loop{name, number(0), number(static_cast<std::int64_t>(trips)), number(1), {}});
    }
    static value element(const char* array, const value& at, bool local = false) {
        return make(load{array, at, scalar::f32, local}, type::f32);
    }

    /// The region's rows are cut into aligned transactions, which are dealt to the work-group's rows of 32 work-items.
    void copy_region(block& out, const value& tile_x, const value& tile_y) {
        const place first{tile_x, tile_y, number(0), number(0)};
        const value row = named(out, "region_row", first(k_.row) + number(target_.row_margin + box_.low_row));
        const value column =
            named(out, "region_column", first(k_.column) + number(target_.column_margin + box_.low_column));
        const value aligned = named(
            out, "aligned", binary_value(ir::binary_op::divide, column, number(transaction)) * number(transaction));
        const std::int64_t pieces = (region_[1] + 2 * transaction - 2) / transaction; // of a row, wherever it begins
        const value item = named(out, "item", item_y_ * number(g(0)) + item_x_);
        const value lane = named(out, "lane", binary_value(ir::binary_op::remainder, item, number(transaction)));
        block* each = enter(out, loop{"piece",
                                      binary_value(ir::binary_op::divide, item, number(transaction)),
                                      number(region_[0] * pieces),
                                      number(g(0) * g(1) / transaction),
                                      {}});
        const value in_row = named(*each, "in_row", binary_value(ir::binary_op::divide, var("piece"), number(pieces)));
        const value at =
            named(*each, "at",
                  aligned - column + lane +
                      binary_value(ir::binary_op::remainder, var("piece"), number(pieces)) * number(transaction));
        block* inside = enter(*each, both(less_equal(number(0), at), less(at, number(region_[1]))));
        inside->push_back(
            {store{"region", in_row * number(region_[1]) + at,
                   element("target", (row + in_row) * number(target_.pitch) + column + at), scalar::f32, true}});
    }

    void declare_sum(block& out, const char* name) {
        out.push_back({declare{type::f32, name, real_number(0, type::f32), true}});
    }
    void add(block& out, const value& term) {
        const value sum = var("sum", type::f32);
        out.push_back({assign{"sum", sum + term}});
        if (bounds_) {
            const value magnitude = make(nest::call{ir::function::absolute, term}, type::f32);
            out.push_back({assign{"magnitudes", var("magnitudes", type::f32) + magnitude}});
        }
    }
    void context(block& out, const unit_context& what, const place& at, int from) {
        for (int i = from; i < what.coalesced; ++i) {
            add(out, context_element(at, i, false));
        }
        for (int i = 0; i < what.uncoalesced; ++i) {
            add(out, context_element(at, i, true));
        }
        const value factor = real_number(0.75, type::f32);
        const value term = real_number(0.5, type::f32);
        for (int i = 0; i < what.multiply_adds; ++i) {
            for (const char* name : {"sum", "magnitudes"}) {
                if (name[0] == 's' || bounds_) {
                    out.push_back({assign{name, var(name, type::f32) * factor + term}});
                }
            }
        }
    }
    value context_element(const place& at, int number_of_read, bool exchanged) const {
        const value row = at(exchanged ? k_.context_column : k_.context_row) + number(number_of_read);
        const value column = at(exchanged ? k_.context_row : k_.context_column);
        return element("context", row * number(context_.pitch) + column);
    }

    void write_unit(block& out, const value& tile_x, const value& tile_y) {
        const value unit_x = named(out, "unit_x", tile_x + item_x_);
        const value unit_y = named(out, "unit_y", tile_y + item_y_);
        declare_sum(out, "sum");
        if (bounds_) {
            declare_sum(out, "magnitudes");
        }
        block* in = loop_over(&out, "i", static_cast<std::uint64_t>(k_.outer));
        in = loop_over(in, "j", static_cast<std::uint64_t>(k_.inner));
        const value i = k_.outer == 1 ? number(0) : var("i");
        const value j = k_.inner == 1 ? number(0) : var("j");
        const place at{unit_x, unit_y, i, j};
        const place in_region{item_x_, item_y_, i, j};
        // Local arrays begin at the region's first element; a region that does not move is the same for all units.
        const value home = named(*in, "home",
                                 how_.local ? (in_region(k_.row) - number(box_.low_row)) * number(region_[1]) +
                                                  in_region(k_.column) - number(box_.low_column)
                                            : (at(k_.row) + number(target_.row_margin)) * number(target_.pitch) +
                                                  at(k_.column) + number(target_.column_margin));
        const std::int64_t pitch = how_.local ? region_[1] : target_.pitch;
        value factor;
        if (k_.product) {
            factor = named(*in, "factor", context_element(at, 0, false));
        }
        for (std::size_t n = 0; n < k_.neighbours.size(); ++n) {
            const auto [row, column] = k_.neighbours[n];
            const value read = element(how_.local ? "region" : "target", plus(home, row * pitch + column), how_.local);
            add(*in, read * (factor ? factor : real_number(weight(n), type::f32)));
        }
        context(*in, k_.loop, at, k_.product ? 1 : 0);
        context(out, k_.epilogue, {unit_x, unit_y, number(0), number(0)}, 0);
        const value to = named(out, "to", unit_y * number(k_.units_x) + unit_x);
        out.push_back({store{"out", to, var("sum", type::f32), scalar::f32, false}});
        if (bounds_) {
            out.push_back({store{"bound", to, var("magnitudes", type::f32) * real_number(relative_bound(), type::f32),
                                 scalar::f32, false}});
        }
    }

    /// Every operation rounds once, at most by half a unit of what the magnitudes have come to.
    double relative_bound() const {
        const auto of = [](const unit_context& c) { return c.coalesced + c.uncoalesced + 2 * c.multiply_adds; };
        const std::int64_t reads = 2 * static_cast<std::int64_t>(k_.neighbours.size());
        const std::int64_t operations = k_.outer * k_.inner * (reads + of(k_.loop)) + of(k_.epilogue);
        return 0.5 * std::numeric_limits<float>::epsilon() * static_cast<double>(operations + 2);
    }

    const unit_kernel& k_;
    const unit_launch& how_;
    const bool bounds_;
    const unit_array target_;
    const unit_array context_;
    const neighbour_box box_;
    const std::array<std::int64_t, 2> region_;
    value item_x_, item_y_, first_x_, first_y_;
};

} // namespace

neighbour_box neighbours_of(const unit_kernel& k) {
    neighbour_box out;
    for (const auto& [row, column] : k.neighbours) {
        out = {std::min(out.low_row, row), std::max(out.high_row, row), std::min(out.low_column, column),
               std::max(out.high_column, column)};
    }
    return out;
}

unit_array target_array(const unit_kernel& k) {
    const neighbour_box b = neighbours_of(k);
    return {greatest(k.row, k, k.units_x, k.units_y) + 1 + b.high_row - b.low_row,
            round_up(greatest(k.column, k, k.units_x, k.units_y) + 1 + b.high_column - b.low_column, transaction),
            -b.low_row, -b.low_column};
}

unit_array context_array(const unit_kernel& k) {
    const std::int64_t reads =
        std::max({k.loop.coalesced, k.loop.uncoalesced, k.epilogue.coalesced, k.epilogue.uncoalesced});
    const std::int64_t across = std::max(greatest(k.context_row, k, k.units_x, k.units_y),
                                         greatest(k.context_column, k, k.units_x, k.units_y)) +
                                1;
    return {across + reads, round_up(across, transaction), 0, 0};
}

bool region_moves(const unit_kernel& k) {
    return k.row.unit_x + k.row.unit_y + k.column.unit_x + k.column.unit_y > 0;
}

std::int64_t unit_elements(const unit_kernel& k) {
    return std::max({target_array(k).elements(), context_array(k).elements(), k.units_x * k.units_y});
}

std::array<std::int64_t, 2> region_of(const unit_kernel& k, const unit_launch& how) {
    const neighbour_box b = neighbours_of(k);
    const auto x = static_cast<std::int64_t>(how.group_x);
    const auto y = static_cast<std::int64_t>(how.group_y);
    return {greatest(k.row, k, x, y) + 1 + b.high_row - b.low_row,
            greatest(k.column, k, x, y) + 1 + b.high_column - b.low_column};
}

extent3 unit_grid(const unit_kernel& k) {
    return {unit_elements(k), 1, 1};
}

stencil unit_fields(const unit_kernel& k) {
    stencil s;
    s.name = k.name;
    s.dimensions = 1;
    for (const char* name : {"target", "context", "out"}) {
        field f;
        f.name = name;
        f.type = f.compute = scalar::f32;
        f.coefficient = std::string_view(name) != "out";
        s.fields.push_back(f);
    }
    stencil_builder b(s);
    s.updates = {{out_field, b.read(target_field, 0, {0, 0, 0})}};
    return s;
}

program unit_program(const unit_kernel& k, const unit_launch& how, const dialect& language, bool error_bounds) {
    assert(k.units_x % static_cast<std::int64_t>(how.group_x * how.per_item_x) == 0);
    assert(k.units_y % static_cast<std::int64_t>(how.group_y * how.per_item_y) == 0);
    const std::vector<kernel> kernels{unit_writer(k, how, error_bounds).write()};
    program p;
    p.layout = make_layout(unit_grid(k), {0, 0, 0}, raw_rows);
    p.types.assign(error_bounds ? 4 : 3, scalar::f32);
    p.coefficient.assign(p.types.size(), 0);
    p.coefficient[target_field] = p.coefficient[context_field] = 1;
    p.kept.assign(p.types.size(), 1);
    p.images.resize(p.types.size());
    const bool wide = needs_wide_index(static_cast<std::uint64_t>(p.layout.elements));
    p.modules = {emit_module(kernels, language, wide)};
    launch l;
    l.kernel = kernels.front().name;
    l.local = kernels.front().work_group;
    l.global = {static_cast<std::uint64_t>(k.units_x) / how.per_item_x,
                static_cast<std::uint64_t>(k.units_y) / how.per_item_y, 1};
    l.arguments = {field_argument{out_field, 1}};
    if (error_bounds) {
        l.arguments.push_back(field_argument{error_field, 1});
    }
    l.arguments.push_back(field_argument{target_field, 0});
    l.arguments.push_back(field_argument{context_field, 0});
    l.local_bytes = local_places(kernels.front()).back();
    p.call = {std::move(l)};
    return p;
}

verification unit_verification(const unit_kernel& k, const dialect& language) {
    verification v;
    unit_launch plain;
    while (plain.group_x < 64 && static_cast<std::uint64_t>(k.units_x) % (2 * plain.group_x) == 0) {
        plain.group_x *= 2;
    }
    v.reference = unit_program(k, plain, language, true);
    v.error_field = {-1, -1, static_cast<int>(error_field)};
    add_comparison(v,
                   {{scalar::f32, {}, v.reference.layout.elements},
                    {scalar::f32, {}, v.reference.layout.elements},
                    {scalar::f32, scalar::f32, k.units_x * k.units_y}},
                   language);
    return v;
}

} // namespace gst
