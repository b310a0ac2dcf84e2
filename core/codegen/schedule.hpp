#pragma once

#include "core/codegen/program.hpp"
#include "core/space/space.hpp"

#include <string>

namespace gst {

/// Values of schedule::rest_blocks.
inline constexpr int most_rest_blocks = 8;

/// The order in which the terms that a plane adds to a sum are added, as compilers keep it: with it goes the order of
/// the loads.
enum class term_order {
    as_written,     ///< point by point
    own_row_first,  ///< term by term: those of the row that is computed, then the other rows
    own_row_last,   ///< term by term: the other rows, then the own one, each from its middle outward
    last_row_first, ///< the same, the other rows from the last to the first
};

/// What stage groups with tiles of their own have for themselves, in languages in which either may pass barriers at
/// another place: code with fewer variables, in which compilers find registers for more of them.
enum class stage_code {
    shared, ///< nothing, each takes its way at a branch in each pass
    loops,  ///< the loops of passes
    tiles,  ///< all that is done with a tile
};

/// The decisions of one configuration, in the code generator's terms: what each work-group and work-item computes and
/// how points are loaded. Per axis, a work-group covers work_group · block · cyclic points; a work-item computes
/// `cyclic` runs, work_group · block apart, of `block` neighbouring points (Garvey §4.1–4.3).
struct schedule {
    range3 work_group{1, 1, 1};
    range3 block{1, 1, 1};
    range3 cyclic{1, 1, 1};
    int vector_width = 1; ///< points per vector load and store along x; divides block[0]
    /// The work-group shares points through local memory: a cooperative copy of its box (Garvey §4.4) or, when
    /// streaming, of the plane.
    bool local = false;
    range3 unroll{0, 0, 0};         ///< points of a block that are straight code; 0: as many as stay readable
    bool image = false;             ///< reads come from a 2-D image over the buffer (Garvey §4.6)
    std::uint64_t image_width = 0;  ///< texels per image row, a power of two
    bool constant = false;          ///< the updates' numbers come from constant memory instead of being literals
    int most_constants = 0;         ///< of them so many of a type, those that code meets first; 0: all
    bool vector_arithmetic = false; ///< compute on vectors where the update allows, instead of lane by lane
    bool streaming_stores = false;  ///< whole vectors are written past the caches
    bool cache_prefetch = false;    ///< without streaming: vectors that come next along the outermost axis are fetched

    // Streaming: a work-group moves plane by plane along one axis (2.5-D blocking). Along it, work_group counts stage
    // groups (1 with stage_tiles), block and cyclic are 1.
    int stream_axis = -1;            ///< -1: no streaming
    std::uint64_t stream_length = 0; ///< planes that a work-group computes (concurrent streaming, GeST's SB)
    /// Blocks of planes become shorter, from stream_length on: the last work-groups leave few multiprocessors idle
    /// (trapezoid self-scheduling, T. H. Tzen and L. M. Ni, IEEE TPDS 4(1), 1993).
    bool tapering = false;
    /// Tiles that reach beyond the grid, whose planes take longer, are shared by one work-group more than others.
    bool edge_blocks = false;
    /// groups_at_once work-groups for each multiprocessor take equal shares of all tiles instead of blocks of one's
    /// planes: as many whole tiles as each can have, then of the planes of the others, laid end to end.
    bool equal_shares = false;
    /// With equal shares, in two dimensions: by so many per cent a plane counts more in the first tile and in the last
    /// one, which reach beyond the grid, so that work-groups that have its planes have fewer.
    int edge_percent = 0;
    /// Tiles that are left when each multiprocessor has had as many whole ones as each can have, groups_at_once at a
    /// time, are cut into so many blocks of planes.
    int rest_blocks = 1;          ///< up to most_rest_blocks
    unsigned multiprocessors = 1; ///< of the device; follows from it
    int steps = 1;                ///< degree of temporal blocking: time steps per launch
    int planes = 1;               ///< planes per pass of the streaming loop
    /// Passes that compilers are asked to make straight code of, so that queues of planes rotate by name.
    int unrolled_passes = 1;
    bool retiming = false;                     ///< partial sums per plane of the result instead of a queue of planes
    term_order terms = term_order::as_written; ///< with retiming
    /// With retiming: a work-item's rows, in two dimensions its columns, that a minimal filter takes together.
    int filtered_lines = 1;
    bool prefetch = false; ///< the next planes are loaded while these are computed with
    int ahead = 1; ///< passes that prefetching runs ahead; of more than one through asynchronous copies to local memory
    bool loops = false; ///< with temporal blocking: one work-item computes the tile, in loops instead of straight code
    bool skewing = false; ///< time steps lie one plane farther apart where that saves barriers
    /// With temporal blocking: points that need no other work-item's are computed while the others arrive at a barrier.
    bool split_barriers = false;
    /// With planes copied ahead: local memory holds the tile with the halo of one time step, which work-items copy
    /// together, so that tiles overlap by what the other time steps reach; with shuffles across the rows alone.
    bool halo = false;
    /// With shuffles: the halo has columns, too, from which the first time step's neighbours along x come.
    bool halo_columns = false;
    /// With tiles with their halo: they are copied as wholes, boxes of tensors, by the device instead of by work-items.
    bool tensor_copies = false;
    /// With two time steps: each has work-items of its own, a stage group. Those of the first one compute what the
    /// second one reads, so that tiles do not overlap; work_group, block and tile are the second one's. Planes come as
    /// with tensor_copies.
    bool stage_tiles = false;
    int stage_rows = 1; ///< rows of a work-item of the first stage group
    /// With tiles of their own: tenths of its reads of local memory after which the first stage group lets the second
    /// one begin its pass; 0: both begin at a barrier.
    int arrival = 0;
    /// With tiles of their own: vectors of which half is needed are loaded from local memory as halves of two, in turn.
    bool half_loads = false;
    /// With tiles of their own: a work-item's place, and all that follows from it, is computed in each pass instead of
    /// being kept in registers from pass to pass (rematerialization; P. Briggs et al., PLDI 1992), where the language
    /// has values that compilers do not know.
    bool rematerialization = false;
    /// With tiles of their own and partial sums: in so many of the two time steps, the first one first, a result's
    /// plane and those ahead of it, which lie in local memory, are read when it is made; only what planes behind it add
    /// is kept as sums, about half as many.
    int late_sums = 0;
    /// With tiles of their own: what is added to the second time step's sums when they are complete is computed by the
    /// first stage group, which has all of it, and left in local memory.
    bool left_terms = false;
    /// With tiles of their own: of so many arrays that complete sums the first stage group leaves the points that the
    /// second one needs in local memory, so that these are not loaded again.
    int left_arrays = 0;
    /// With tiles of their own: what each stage group has for itself, where the language lets a part of a work-group
    /// await the others from another place in the code.
    stage_code code = stage_code::shared;
    /// With planes copied ahead to several stage groups: all work-items copy those that come in and write those that go
    /// out, each its share, by way of local memory, instead of the first and the last stage group.
    bool group_copies = false;
    bool coefficients = false;   ///< planes of coefficients pass through the kernel, too
    bool shuffle = false;        ///< neighbours along x come from other lanes' registers
    unsigned groups_at_once = 1; ///< work-groups per multiprocessor that registers are kept free for
    bool all_registers = false; ///< the compiler is told of one, too; else it takes as many registers as it thinks best

    /// Work-items form so many groups of which each computes steps / stage_groups time steps.
    int stage_groups() const {
        return stage_tiles       ? steps
               : stream_axis < 0 ? 1
                                 : static_cast<int>(work_group[static_cast<std::size_t>(stream_axis)]);
    }

    /// Whether work-groups are counted along one axis and have the tile that their number says.
    bool numbers_tiles() const { return equal_shares || rest_blocks > 1; }

    /// Work-groups that the device runs at once: those that take equal shares, a round of whole tiles.
    std::int64_t shares() const { return static_cast<std::int64_t>(multiprocessors) * groups_at_once; }

    std::uint64_t tile(int axis) const {
        const auto a = static_cast<std::size_t>(axis);
        return work_group[a] * block[a] * cyclic[a];
    }
    bool operator==(const schedule&) const = default;
};

/// Reads TBx…, BMx…, CMx…, VX, load (or useShared, useImage) of a configuration; parameters that the space does not
/// have are neutral. What no parameter decides is taken from `given`.
GST_API schedule schedule_of(const space& s, const configuration& c, schedule given);

/// How work-groups share the planes of a streaming axis: block k begins at k · longest - k (k - 1) / 2 · shorter. With
/// temporal blocking the first of equal blocks has some planes more, the last one as many less.
struct stream_blocks {
    std::int64_t count = 1;
    std::int64_t longest = 1; ///< planes of the first one
    std::int64_t shorter = 0; ///< planes that each has less than the one before it
    /// Planes of one, in the mean where they become shorter.
    double length(std::int64_t planes) const {
        return shorter > 0 ? static_cast<double>(planes) / static_cast<double>(count) : static_cast<double>(longest);
    }
};
/// Blocks that become shorter, from `longest` on.
GST_API stream_blocks tapered_blocks(std::int64_t longest, std::int64_t planes);
/// Of equal shares of all tiles, and of whole tiles: each tile as a whole.
GST_API stream_blocks blocks_of(const schedule& s, std::int64_t planes);

/// Whole tiles, as many as each place on the device can have, and the others, cut into schedule::rest_blocks.
struct rest_of_tiles {
    std::int64_t whole = 0;
    std::int64_t rest = 0;
    stream_blocks parts; ///< of each of the rest
    std::int64_t groups() const { return whole + rest * parts.count; }
};
GST_API rest_of_tiles rest_of(const schedule& s, std::int64_t tiles, std::int64_t planes);

/// One point per work-item (more where a device could not launch so many work-groups), work-groups of up to 256 along x
/// and y: the untuned default that speedups are measured against.
GST_API schedule default_schedule(extent3 size);

GST_API std::string to_string(const schedule& s);

} // namespace gst
