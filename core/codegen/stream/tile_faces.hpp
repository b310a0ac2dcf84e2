#pragma once

#include "core/codegen/stream/tile_axis.hpp"
#include "core/stencil/stencil.hpp"

/// Points of a tile beyond the faces of the grid.
namespace gst::streaming {

/// Whether points beyond one of the axis' faces that a time step reads are copies of others.
bool has_copied_faces(const field& f, const tile_axis& t);

/// Whether point i lies beyond a face of this kind; null where it never does or lies farther beyond it than a time
/// step reaches: what such a point holds is not needed.
value outside_faces(const field& f, const tile_axis& t, std::int64_t i, bool (*of_kind)(const boundary&));

/// Where along an axis of the tile the point lies that point i copies.
value copied_place(const field& f, const tile_axis& t, std::int64_t i);

/// A work-item's first point along an axis, and where it lies in the tile.
struct first_point {
    value at, own;
};
/// Where along an axis of the tile a point lies, or a copy of it beyond a clamped or mirrored face.
struct image {
    value exists; ///< null: it does
    value place;  ///< in the tile
};
/// Those of the work-item's points i to i + count - 1. Throws std::logic_error where copies of several were to lie next
/// to each other.
std::vector<image> images(const field& f, const tile_axis& t, const first_point& first, std::int64_t i,
                          std::int64_t count);

} // namespace gst::streaming
