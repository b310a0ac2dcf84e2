#pragma once

#include "core/codegen/schedule.hpp"
#include "core/codegen/stream/values.hpp"
#include "core/codegen/tile_overlap.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace gst::streaming {

/// a / b, rounded down.
std::int64_t floor_div(std::int64_t a, std::int64_t b);

/// A tile across the streaming axis, along one axis.
struct tile_axis {
    std::size_t axis = 0;
    std::int64_t size = 1;   ///< points of the grid
    std::int64_t group = 1;  ///< work-items of a stage group
    std::int64_t block = 1;  ///< neighbouring points of a work-item: a run
    std::int64_t runs = 1;   ///< of a work-item, group · block apart
    std::int64_t points = 1; ///< per work-item: runs · block
    std::int64_t width = 1;  ///< group · points
    std::int64_t reach = 0;  ///< of one time step
    std::int64_t halo = 0;   ///< points before those that the tile writes
    std::int64_t step = 1;   ///< points that are: tiles lie this far apart
    std::int64_t tiles = 1;
    /// The first tile begins so many points nearer to the grid: it has so many points less before those that it writes
    /// and more behind them. With them, points beyond the low face of the first tile and beyond the high face of the
    /// last one are the same of a work-item's points.
    std::int64_t first_shift = 0;
    bool periodic = false; ///< points beyond the grid are computed as the points that they stand for
    /// Of a periodic axis, where it is not 0: the first tile begins so many points before the grid's first one, so that
    /// the others, with all that their points need, lie in the grid.
    std::int64_t seam = 0;
    value first;        ///< coordinate of the tile's first point
    value own;          ///< of the work-item's first point
    value written_from; ///< which of the tile's points is the first one that it writes
    value own_end;      ///< behind the last point that the tile writes
    std::string name;

    /// How far a work-item's point i lies from its first one.
    std::int64_t shift(std::int64_t i) const { return i / block * (group * block) + i % block; }
    /// Which of the work-item's points lies so far from its first one; -1: none.
    std::int64_t point(std::int64_t at) const;
};

/// The tile of a schedule along an axis with `size` points.
tile_axis make_tile(const schedule& how, std::size_t axis, std::int64_t size, std::int64_t reach,
                    const tile_overlap& overlap);

/// The tile's first_shift, a multiple of `alignment`; 0 where there is none.
std::int64_t shift_of_first(const tile_axis& t, std::int64_t alignment);

/// The seams that two tiles can have of which one is computed from the other, which has `first.halo` points more before
/// it and reads `beside` more, nearest to its middle first: multiples of `alignment` between work-items' points of
/// either.
std::vector<std::int64_t> seams_of(const tile_axis& first, const tile_axis& second, std::int64_t beside,
                                   std::int64_t alignment);

/// Rows and columns of the work-item's points in memory, where the tile reaches beyond the grid.
struct positions {
    plane load;  ///< of an element that exists; the one that the point stands for along a periodic axis
    plane piece; ///< of a vector of elements that exist, per vector; where vectors are loaded
    plane point; ///< of a point of the grid
};

} // namespace gst::streaming
