#include "core/codegen/stream_schedule.hpp"

#include "core/codegen/filtering.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/tile_overlap.hpp"

#include <fmt/format.h>

namespace gst {

namespace {

/// Why the tiles of a schedule cannot be, or "".
std::string no_boxes(const stencil& s, const array_layout& layout, const schedule& how) {
    if (!how.halo) {
        return "tiles without their halo are copied by work-items, each what it needs";
    }
    if (std::string why = no_tensor_copies(s, how.stream_axis); !why.empty()) {
        return why;
    }
    const offset3 reach = updated_reach(s);
    const std::int64_t alignment = tensor_alignment(s);
    if (layout.row % alignment != 0 || layout.plane % alignment != 0) {
        return fmt::format("rows of memory are no multiples of {} bytes", tensor_bytes);
    }
    const std::size_t across = how.stream_axis == 2 ? 1 : 2;
    // Of what is copied, of which tiles of several time steps write less.
    std::int64_t width = static_cast<std::int64_t>(how.tile(0));
    std::int64_t height = static_cast<std::int64_t>(how.tile(static_cast<int>(across)));
    std::int64_t overlap = overlap_of(how, 0, reach[0], 0).before;
    if (how.stage_tiles) {
        const stage_items first = stage_groups_of(how, reach)[0];
        overlap = first.before_x;
        width = first.lanes * static_cast<std::int64_t>(how.block[0]);
        height = first.rows * how.stage_rows;
    }
    const std::int64_t beside = has_halo_columns(how) ? round_up(reach[0], how.vector_width) : 0;
    const std::int64_t before = columns_before_box(s, layout, -overlap - beside);
    if ((width - 2 * overlap) % alignment != 0) {
        return fmt::format("tiles that write {} points along x do not all begin at multiples of {} bytes",
                           width - 2 * overlap, tensor_bytes);
    }
    if (before % how.vector_width != 0) {
        return "vectors of a tile that is copied as a whole are not aligned";
    }
    if (round_up(before + width + 2 * beside, alignment) > longest_box || height + 2 * reach[across] > longest_box) {
        return fmt::format("a tile with its halo is copied as a whole up to {} points along an axis", longest_box);
    }
    return "";
}

} // namespace

std::string no_streaming(const stencil& s, const array_layout& layout, const schedule& how) {
    const auto along = static_cast<std::size_t>(how.stream_axis);
    if (s.dimensions <= how.stream_axis || s.dimensions == 1) {
        return "there is nothing to stream along";
    }
    if (how.retiming && !(how.stage_tiles && reads_beside_tiles(s))) { // whose sums are others
        if (std::string why = no_retiming(s, how.stream_axis, how.steps > 1); !why.empty()) {
            return why;
        }
    }
    if (how.terms != term_order::as_written && (!how.retiming || how.filtered_lines > 1)) {
        return "the order of terms is that of partial sums whose lines are not filtered together";
    }
    if (how.filtered_lines > 1) {
        const line_axes lines = filtered_lines_of(s, how.stream_axis);
        if (!how.retiming) {
            return fmt::format("{} are filtered together into partial sums", lines.name);
        }
        if (how.block[lines.axis] % static_cast<std::uint64_t>(how.filtered_lines) != 0 || how.cyclic[lines.axis] > 1) {
            return fmt::format("a work-item's {} are no multiple of {} neighbouring ones", lines.name,
                               how.filtered_lines);
        }
        if (how.tensor_copies && lines.axis == 0) {
            return "a tile that is copied as a whole has what lies between the rows of memory in its columns";
        }
        if (std::string why = no_filtering(s, how.stream_axis, how.filtered_lines, how.steps > 1); !why.empty()) {
            return why;
        }
    }
    if (how.steps > 1 && !how.local) {
        return "with temporal blocking work-items share points";
    }
    if (how.steps > 1) {
        if (std::string why = no_temporal_blocking(s); !why.empty()) {
            return why;
        }
    }
    if (how.edge_blocks && (how.steps == 1 || how.tapering || how.loops)) {
        return "a block more at the edges is for tiles of several time steps whose blocks are equal, in straight code";
    }
    if (how.equal_shares && (how.tapering || how.edge_blocks || how.loops)) {
        return "equal shares of all tiles' planes, in straight code, are no blocks of one tile's";
    }
    if (how.rest_blocks > 1 && (how.equal_shares || how.tapering || how.edge_blocks || how.loops ||
                                static_cast<std::int64_t>(how.stream_length) < layout.size[along])) {
        return "tiles beyond whole rounds are cut into blocks where others are whole, in straight code";
    }
    if (how.edge_percent > 0 && (!how.equal_shares || s.dimensions != 2)) {
        return "planes count more at the edges in equal shares of tiles that lie side by side, in two dimensions";
    }
    if (how.coefficients) {
        if (how.retiming || how.loops) {
            return "planes of coefficients are kept in queues";
        }
        if (std::string why = no_coefficient_planes(s, how.steps > 1); !why.empty()) {
            return why;
        }
    }
    if (how.loops) {
        const bool alone = how.work_group == range3{1, 1, 1} && how.cyclic == range3{1, 1, 1};
        if (how.steps == 1 || !alone || how.planes > 1 || how.unrolled_passes > 1 || how.retiming || how.prefetch ||
            how.shuffle || how.skewing || how.split_barriers) {
            return "loops are for the time steps of a work-item that is alone, plane by plane";
        }
        if (how.stream_axis != s.dimensions - 1) {
            return "loops run along rows of memory";
        }
    }
    if (how.halo) {
        if (!how.local || !how.prefetch || how.ahead < 2) {
            return "tiles with their halo are in local memory that planes are copied to ahead";
        }
        if (!how.stage_tiles && ((how.steps > 1) != how.shuffle || how.stage_groups() > 1 || how.loops)) {
            return "tiles with their halo are for one time step or, with neighbours along x from other lanes' "
                   "registers, for several of one stage group";
        }
        if (std::string why = no_halo_tiles(s, how.stream_axis, how.shuffle); !how.stage_tiles && !why.empty()) {
            return why;
        }
        if (how.split_barriers) {
            if (how.steps == 1 || how.planes > 1 || how.equal_shares) {
                return "passes end between the halves of a barrier plane by plane, with several time steps, in tiles "
                       "of one work-group";
            }
            if (std::string why = no_split_passes(s, how.stream_axis); !why.empty()) {
                return why;
            }
            if (!how.skewing && (how.retiming || !no_split_barriers(s, how.stream_axis, how.shuffle).empty())) {
                return "time steps without skewing need what has just come of the one before";
            }
        }
    }
    if (how.halo_columns && (!how.halo || how.steps == 1 || how.filtered_lines > 1)) {
        return "columns of the halo are for the first of several time steps, whose lines are not filtered together";
    }
    if (how.stage_tiles) {
        if (std::string why = no_stage_groups(s, how); !why.empty()) {
            return why;
        }
    } else if (how.arrival > 0 || how.code != stage_code::shared || how.left_arrays > 0 || how.left_terms ||
               how.late_sums > 0) {
        return "barriers and code of their own, and what is left to others, are for time steps with tiles of their own";
    }
    if (how.tensor_copies) {
        if (std::string why = no_boxes(s, layout, how); !why.empty()) {
            return why;
        }
    }
    if (how.group_copies && (how.stage_groups() == 1 || !how.prefetch || how.ahead < 2)) {
        return "what comes in and goes out is shared by several stage groups with planes copied ahead";
    }
    const offset3 reach = updated_reach(s);
    const int beyond = groups_beyond(s, how.stream_axis, how.filtered_lines);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t halo = static_cast<std::int64_t>(how.steps) * reach[axis];
        if (how.steps > 1 && reach[axis] > 0 && layout.size[axis] <= halo) {
            return fmt::format("the grid has no more than {} points along {}", halo, s.axes[axis]);
        }
        if (how.shuffle && how.cyclic[axis] > 1) {
            return "lanes are neighbours in one run only";
        }
        const auto width = static_cast<std::int64_t>(how.tile(static_cast<int>(axis)));
        if (axis != along && tiles_overlap(how, axis) && width <= overlap_of(how, axis, reach[axis], beyond).both()) {
            return fmt::format("a tile of {} points along {} has none that is written", width, s.axes[axis]);
        }
    }
    return "";
}

} // namespace gst
