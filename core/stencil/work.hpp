#pragma once

#include "core/stencil/stencil.hpp"

namespace gst {

GST_API double points_of(extent3 size);

/// The least memory traffic of one step, in bytes: each value that the updates read from an array of an earlier step,
/// once, and each that they write, once. What a copy of as many bytes takes is the bandwidth limit of a sweep.
GST_API double least_traffic(const stencil& s, extent3 size);

} // namespace gst
