#pragma once

#include "core/codegen/schedule.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

/// How far neighbouring tiles of a streaming kernel overlap.
namespace gst {

/// Whether tiles with their halo have columns beside their rows: without shuffles always.
bool has_halo_columns(const schedule& how);
/// Whether neighbouring tiles of a streaming kernel overlap along an axis across the streaming axis: work-items know
/// their neighbours' points by showing them to each other. Through registers alone (useShuffle) the lanes at a tile's
/// ends can load what they lack, as long as it is of the time step that lies in memory; where tiles hold their halo,
/// work-items copy it together.
bool tiles_overlap(const schedule& how, std::size_t axis);
/// Points of a tile that it does not write, as its time steps' results reach no farther, in whole vectors.
struct tile_overlap {
    std::int64_t before = 0;
    std::int64_t behind = 0; ///< lanes that show each other what a minimal filter makes of columns may lack more here
    std::int64_t both() const { return before + behind; }
};
/// Of a tile along an axis, given the reach of one time step along it and the stencil's groups_beyond.
GST_API tile_overlap overlap_of(const schedule& how, std::size_t axis, std::int64_t reach, std::int64_t groups_beyond);
/// The same in the parameters of the space, which has those of `full` or not: "<they do not overlap> or ", the number
/// of overlapping steps where they do, and the points of both ends.
std::string tiles_apart_or(std::size_t axis, bool full);
std::string overlapping_degree(std::size_t axis, bool full);
GST_API std::string overlapping_points(const stencil& s, std::size_t axis, bool full);

} // namespace gst
