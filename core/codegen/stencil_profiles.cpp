#include "core/codegen/launch_features.hpp"
#include "core/codegen/loop_nest.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/stencil/features.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace gst {

namespace {

constexpr std::uint64_t warp = 32;           ///< work-items that read together
constexpr std::uint64_t segment_bytes = 128; ///< of one transaction with the memory

double product(const range3& r) {
    return static_cast<double>(r[0]) * static_cast<double>(r[1]) * static_cast<double>(r[2]);
}

/// What a work-group covers at a time: a tile, of a streaming one the planes of a pass.
range3 tile_of(const schedule& how) {
    range3 out{};
    for (int axis = 0; axis < 3; ++axis) {
        out[static_cast<std::size_t>(axis)] =
            axis == how.stream_axis ? static_cast<std::uint64_t>(how.planes) : how.tile(axis);
    }
    return out;
}

/// The box of an array whose reads reach so far around a tile.
range3 box_of(const range3& tile, const offset3& reach, int steps) {
    range3 out{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        out[axis] = tile[axis] + static_cast<std::uint64_t>(reach[axis]) * static_cast<std::uint64_t>(steps);
    }
    return out;
}

double groups_of(const array_layout& layout, const schedule& how) {
    if (how.stream_axis >= 0 && how.equal_shares) {
        return static_cast<double>(how.shares());
    }
    std::uint64_t tiles = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const auto size = static_cast<std::uint64_t>(layout.size[static_cast<std::size_t>(axis)]);
        tiles *= axis == how.stream_axis ? 1 : (size + how.tile(axis) - 1) / how.tile(axis);
    }
    if (how.stream_axis < 0) {
        return static_cast<double>(tiles);
    }
    const std::int64_t planes = layout.size[static_cast<std::size_t>(how.stream_axis)];
    return static_cast<double>(how.rest_blocks > 1 ? rest_of(how, static_cast<std::int64_t>(tiles), planes).groups()
                                                   : static_cast<std::int64_t>(tiles) * blocks_of(how, planes).count);
}

/// Elements along the streaming axis that a work-item keeps per point of its plane, of every time step it computes; of
/// time steps with late sums those behind it.
double planes_kept(const offset3& reach, const schedule& how) {
    return how.stream_axis < 0 ? 0
                               : (2 - how.late_sums / 2.0) * reach[static_cast<std::size_t>(how.stream_axis)] *
                                     how.steps / how.stage_groups();
}

/// Banks of local memory, each 32 bits wide.
constexpr std::uint64_t banks = 32;

/// Elements that the first 32 work-items read at a time: their places in a row, and the rows.
std::vector<range3> read_together(const schedule& how) {
    std::vector<range3> out;
    for (std::uint64_t item = 0; item < warp && static_cast<double>(item) < product(how.work_group); ++item) {
        out.push_back({item % how.work_group[0] * how.block[0], item / how.work_group[0] % how.work_group[1],
                       item / how.work_group[0] / how.work_group[1]});
    }
    return out;
}

/// Most of them in one bank of local memory that holds a box.
double conflicts(const schedule& how, const range3& box) {
    std::array<int, banks> of_bank{};
    for (const range3& at : read_together(how)) {
        ++of_bank[(at[0] + box[0] * (at[1] * how.block[1] + box[1] * at[2] * how.block[2])) % banks];
    }
    return *std::ranges::max_element(of_bank);
}

double sectors(const schedule& how, std::size_t element_bytes) {
    std::set<range3> touched;
    for (const range3& at : read_together(how)) {
        touched.insert({at[0] * element_bytes / 32, at[1], at[2]});
    }
    return static_cast<double>(touched.size());
}

/// Lines of 128 bytes, wherever they begin, in a box of 4-byte elements or wider ones.
double lines(const range3& box, std::size_t element_bytes) {
    const double row_bytes = static_cast<double>(box[0] * element_bytes);
    return static_cast<double>(box[1] * box[2]) * (row_bytes + segment_bytes - 4) / segment_bytes;
}

} // namespace

double transactions(const schedule& how, std::size_t element_bytes) {
    const auto width = static_cast<std::uint64_t>(how.vector_width);
    std::set<std::array<std::uint64_t, 3>> segments; // (row's y, row's z, segment of the row)
    for (std::uint64_t item = 0; item < warp && static_cast<double>(item) < product(how.work_group); ++item) {
        const std::uint64_t x = item % how.work_group[0];
        const std::uint64_t y = item / how.work_group[0] % how.work_group[1];
        const std::uint64_t z = item / how.work_group[0] / how.work_group[1];
        const std::uint64_t first = x * how.block[0] * element_bytes;
        const std::uint64_t last = first + width * element_bytes - 1;
        for (std::uint64_t part = first / segment_bytes; part <= last / segment_bytes; ++part) {
            segments.insert({y, z, part});
        }
    }
    return static_cast<double>(segments.size()) / static_cast<double>(width);
}

stencil_profiles::stencil_profiles(const stencil& s, const array_layout& layout)
    : layout_(layout), reach_(reach_of(s)) {
    for (std::size_t u = 0; u < s.updates.size(); ++u) {
        update_reads& to = updates_.emplace_back();
        std::set<std::pair<std::uint32_t, int>> arrays;
        for (const source_array& a : cached_arrays(s, u)) {
            cached& one = to.arrays.emplace_back();
            for (std::size_t axis = 0; axis < 3; ++axis) {
                one.reach[axis] = a.high[axis] - a.low[axis];
            }
            one.type = s.fields[a.field].type;
            arrays.insert({a.field, a.level});
        }
        std::set<std::array<std::int64_t, 4>> rows;
        for (const node_id id : reachable(s, s.updates[u].value)) {
            to.operations += is_operation(s.nodes[id]) ? 1 : 0;
            if (const auto* r = std::get_if<ir::read>(&s.nodes[id].op)) {
                const bool is_cached = arrays.contains({r->field, r->level});
                (is_cached ? to.reads : to.context[size_of(s.fields[r->field].type)]) += 1;
                if (is_cached) {
                    rows.insert({r->field, r->level, r->at[1], r->at[2]});
                }
            }
        }
        to.rows = static_cast<double>(rows.size());
    }
}

double stencil_profiles::update_reads::bytes(const range3& tile, int steps) const {
    double sum = 0;
    for (const cached& a : arrays) {
        sum += product(box_of(tile, a.reach, steps)) * static_cast<double>(nest::register_size(a.type));
    }
    return sum;
}

launch_profile stencil_profiles::of(const schedule& how) const {
    const range3 tile = tile_of(how);
    const update_reads& u = *std::ranges::max_element(
        updates_, {}, [&](const update_reads& one) { return one.bytes(tile, how.steps); }); // the first of equals
    const double points = product(how.block) * product(how.cyclic) * (how.stream_axis < 0 ? 1 : how.planes);
    launch_profile p;
    p.work_group = launched_work_group(how, reach_);
    p.work_groups = groups_of(layout_, how);
    p.points_per_item = points;
    p.vector_width = how.vector_width;
    p.time_steps = how.steps;
    double elements = 0;
    std::size_t widest = 0;
    for (const cached& a : u.arrays) {
        const range3 box = box_of(tile, a.reach, how.steps);
        for (std::size_t axis = 0; axis < 3; ++axis) {
            p.region[axis] = std::max(p.region[axis], box[axis]);
        }
        elements += product(box);
        widest = std::max(widest, size_of(a.type));
        const std::uint64_t row_words = (box[0] * size_of(a.type) + 3) / 4;
        p.region_segments += static_cast<double>(box[1] * box[2] * ((row_words + 2 * warp - 2) / warp));
        p.touched_lines += lines(box, size_of(a.type));
        p.array_bytes +=
            product({static_cast<std::uint64_t>(layout_.size[0]), static_cast<std::uint64_t>(layout_.size[1]),
                     static_cast<std::uint64_t>(layout_.size[2])}) *
            static_cast<double>(size_of(a.type));
        p.item_columns = std::max(p.item_columns, a.reach[0] + 1.0);
    }
    p.region_bytes = u.bytes(tile, how.steps);
    p.region_reuse = elements > 0 ? u.reads * product(tile) / elements : 0;
    p.region_reads = u.reads * points;
    p.loop_reads = u.reads;
    p.transactions = elements > 0 ? gst::transactions(how, widest) : 0;
    if (elements > 0) {
        p.bank_conflicts = conflicts(how, p.region);
        p.sectors = sectors(how, widest);
        p.elements = static_cast<double>(read_together(how).size());
        p.row_alignment = static_cast<double>((layout_.row & -layout_.row) * static_cast<std::int64_t>(widest));
    }
    p.item_rows = u.rows;
    p.distinct_reads = u.reads;
    p.loop_operations = 2 * u.reads;
    for (const auto& [bytes, reads] : u.context) {
        p.touched_lines += reads * lines(tile, bytes);
        p.context_reads += reads * points;
        p.context_transactions += reads * points * gst::transactions(how, bytes);
    }
    p.operations = u.operations * points;
    p.registers = points * (1 + (how.local ? 0 : u.reads)) + points * planes_kept(reach_, how);
    p.local_bytes = how.local ? p.region_bytes : 0;
    return p;
}

} // namespace gst
