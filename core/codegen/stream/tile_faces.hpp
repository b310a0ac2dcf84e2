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

} // namespace gst::streaming
