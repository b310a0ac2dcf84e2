#include "core/codegen/tile_overlap.hpp"

#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

namespace gst {

namespace {

/// Time steps by whose reach tiles overlap; 0 where they do not.
int overlapping_steps(const schedule& how, std::size_t axis) {
    if (how.shuffle && axis == 0 && how.steps == 1) {
        return 0;
    }
    return !how.local || how.stage_tiles                      ? 0
           : how.halo && (axis != 0 || has_halo_columns(how)) ? how.steps - 1
                                                              : how.steps;
}

} // namespace

bool has_halo_columns(const schedule& how) {
    return how.halo && (!how.shuffle || how.halo_columns);
}

bool tiles_overlap(const schedule& how, std::size_t axis) {
    return overlapping_steps(how, axis) > 0;
}

std::string tiles_apart_or(std::size_t axis, bool full) {
    return fmt::format("not useShared or {}{}{}", full ? "useStageTiles or " : "",
                       axis == 0 ? "(useShuffle and TD == 1) or " : "", full ? "(useHalo and TD == 1) or " : "");
}

std::string overlapping_degree(std::size_t axis, bool full) {
    return !full ? "TD" : fmt::format("(TD - {} - 2 * useStageTiles)", axis == 0 ? "useHaloColumns" : "useHalo");
}

tile_overlap overlap_of(const schedule& how, std::size_t axis, std::int64_t reach, std::int64_t groups_beyond) {
    const std::int64_t alignment = axis == 0 ? how.vector_width : 1;
    const std::int64_t needed = overlapping_steps(how, axis) * reach;
    const bool shows_groups = needed > 0 && axis == 0 && how.shuffle && how.filtered_lines > 1;
    return {round_up(needed, alignment), round_up(needed + (shows_groups ? groups_beyond : 0), alignment)};
}

std::string overlapping_points(const stencil& s, std::size_t axis, bool full) {
    const std::string needed = fmt::format("{} * {}", overlapping_degree(axis, full), updated_reach(s)[axis]);
    if (axis > 0) {
        return "2 * " + needed;
    }
    std::string more;
    for (const std::int64_t outputs : filtered_line_numbers) {
        if (const int points = full ? groups_beyond(s, 1, static_cast<int>(outputs)) : 0; points > 0) {
            more += fmt::format(" + {} * (useShuffle and MF == {})", points, outputs);
        }
    }
    const std::string before = fmt::format("({} + VX - 1) // VX * VX", needed);
    return more.empty() ? "2 * (" + before + ")" : fmt::format("{} + ({}{} + VX - 1) // VX * VX", before, needed, more);
}

} // namespace gst
