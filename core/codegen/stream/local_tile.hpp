#pragma once

#include "core/codegen/stream/tile_axis.hpp"

#include <cstdint>

namespace gst::streaming {

/// How the points of a plane lie in local memory where work-items show them to their neighbours: the rows that
/// neighbours see, whole.
class local_tile {
  public:
    /// `shuffle`: neighbours along x are not read here. The axes may be made later.
    local_tile(const tile_axis& x, const tile_axis& y, bool shuffle) : x_(x), y_(y), shuffle_(shuffle) {}

    /// Rows of a work-item that its neighbours see.
    std::int64_t shared_rows() const;
    /// Where a row is among them, -1: nowhere.
    std::int64_t row_place(std::int64_t y) const;
    /// Where the row that lies so far from the work-item's first one is, in shared rows from there.
    std::int64_t row(std::int64_t y) const;
    /// Elements of a tile.
    std::int64_t elements() const;
    /// Elements before and behind every tile, for what work-items at its rim read and do not need.
    std::int64_t guard() const;

  private:
    const tile_axis& x_;
    const tile_axis& y_;
    bool shuffle_;
};

} // namespace gst::streaming
