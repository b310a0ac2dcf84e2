#include "core/codegen/stage_tiles.hpp"

#include "core/codegen/layout.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

namespace gst {

std::array<stage_items, 2> stage_groups_of(const schedule& how, const offset3& reach) {
    const std::size_t across = how.stream_axis == 2 ? 1 : 2;
    const auto points = static_cast<std::int64_t>(how.block[0]);
    stage_items second{0, 0, static_cast<std::int64_t>(how.work_group[0]),
                       static_cast<std::int64_t>(how.work_group[across])};
    stage_items first{round_up(reach[0], points), reach[across]};
    first.lanes = second.lanes + 2 * first.before_x / points;
    first.rows =
        (static_cast<std::int64_t>(how.tile(static_cast<int>(across))) + 2 * first.before + how.stage_rows - 1) /
        how.stage_rows;
    second.first = round_up(first.count(), stage_alignment);
    return {first, second};
}

range3 launched_work_group(const schedule& how, const offset3& reach) {
    if (!how.stage_tiles) {
        return how.work_group;
    }
    const stage_items second = stage_groups_of(how, reach)[1];
    return {static_cast<std::uint64_t>(second.first + second.count()), 1, 1};
}

std::string first_stage_items(int axis, const offset3& reach) {
    const std::size_t across = axis == 2 ? 1 : 2;
    return fmt::format("(TBx + 2 * (({0} + BMx - 1) // BMx)) * ((TB{1} * BM{1} + {2} + SR - 1) // SR)", reach[0],
                       "xyz"[across], 2 * reach[across]);
}

std::string no_stage_tiles(const stencil& s, int axis) {
    if (s.dimensions < 3) {
        return "tiles of one row are handed on without a halo";
    }
    if (std::string why = no_temporal_blocking(s); !why.empty()) {
        return why;
    }
    if (std::string why = no_tensor_copies(s, axis); !why.empty()) {
        return why;
    }
    for (const update& u : s.updates) {
        const field& f = s.fields[u.field];
        if (f.history > 0) {
            return fmt::format("{} is read at time levels before t, which no tile holds", f.name);
        }
        bool reads_neighbours = false;
        for (const update& reader : s.updates) {
            for (const node_id n : reachable(s, reader.value)) {
                const auto* r = std::get_if<ir::read>(&s.nodes[n].op);
                offset3 beside = r ? r->at : offset3{};
                beside[static_cast<std::size_t>(axis)] = 0;
                reads_neighbours = reads_neighbours || (r && r->field == u.field && beside != offset3{});
            }
        }
        if (!reads_neighbours) {
            return fmt::format("no neighbours of {} come through local memory", f.name);
        }
        for (std::size_t a = 0; a < 3; ++a) {
            if (f.halo[a] > 0 && !(is_frozen(f.faces[a][0]) && is_frozen(f.faces[a][1]))) {
                return fmt::format("points of {} beyond a face that does not keep its values are computed by others",
                                   f.name);
            }
        }
    }
    for (const update& u : s.updates) {
        for (const node_id n : reachable(s, u.value)) {
            if (const auto* r = std::get_if<ir::read>(&s.nodes[n].op); r && s.fields[r->field].coefficient) {
                return fmt::format("{} is read where it is needed, and no tile holds it", s.fields[r->field].name);
            }
            if (std::holds_alternative<ir::coordinate>(s.nodes[n].op)) {
                return "updates depend on where a point lies";
            }
        }
    }
    return "";
}

std::string no_stage_groups(const stencil& s, const schedule& how) {
    if (std::string why = no_stage_tiles(s, how.stream_axis); !why.empty()) {
        return why;
    }
    if (how.steps != 2) {
        return "tiles of their own are for two time steps";
    }
    if (!how.halo_columns || !how.tensor_copies) {
        return "the tiles that the first time step reads are copied as wholes, with their halo";
    }
    if (how.shuffle || how.skewing || how.split_barriers || how.loops || how.group_copies || how.coefficients ||
        how.filtered_lines > 1 || how.cyclic != range3{1, 1, 1} ||
        how.work_group[static_cast<std::size_t>(how.stream_axis)] > 1) {
        return "time steps with tiles of their own begin their passes otherwise, with neighbours from local memory";
    }
    if (how.arrival < 0 || how.arrival > 10) {
        return "the first time step arrives after up to ten tenths of its reads";
    }
    if (stage_groups_of(how, updated_reach(s))[1].count() % stage_alignment != 0) {
        return fmt::format("the second time step's work-items are no multiple of {}", stage_alignment);
    }
    return "";
}

} // namespace gst
