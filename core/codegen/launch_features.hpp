#pragma once

#include "core/base/feature.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/schedule.hpp"

namespace gst {

/// The features of a stencil under one schedule, always in the same order: Han's characteristics of a kernel with its
/// launch configuration, from which follows whether local memory pays – the region to be cached (the smallest box
/// around all that a work-group reads), its reuse, coalescing, and what the kernel computes and reads beside it. They
/// are of one update: the one whose region is the largest. Temporal blocking counts as the time steps of one launch.
GST_API features launch_features(const stencil& s, const array_layout& layout, const schedule& how);

/// The share that is used of the memory segments of 128 bytes that the first 32 work-items of a work-group touch with
/// one read of `width` elements each; 1 is coalesced. Rows begin at a segment, and do not share one.
GST_API double coalescing(const schedule& how, std::size_t element_bytes);

} // namespace gst
