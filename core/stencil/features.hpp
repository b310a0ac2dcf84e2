#pragma once

#include "core/base/feature.hpp"
#include "core/stencil/stencil.hpp"

#include <set>

namespace gst {

/// What the features of a stencil are computed from. All counts are per grid point and time step, over all updates;
/// what two updates read or compute alike counts twice.
struct GST_API access_summary {
    std::set<offset3> pattern; ///< distinct offsets, over all arrays that are read
    offset3 low{};             ///< least and greatest offset per axis, the centre included
    offset3 high{};
    std::size_t reads = 0;           ///< distinct elements: (field, level, offset)
    std::size_t unaligned_reads = 0; ///< of them off the centre along x
    std::size_t arrays = 0;          ///< distinct (field, level)
    std::size_t additions = 0;       ///< subtractions included
    std::size_t multiplications = 0;
    std::size_t operations =
        0; ///< every operation of arithmetic, comparison or function; literals and conversions none
};
GST_API access_summary accesses_of(const stencil& s);

/// Whether it is arithmetic, a comparison or a function.
GST_API bool is_operation(const node& n);

/// The axis that differs from the other two: the pattern stays the same when these are exchanged, and changes when it
/// is exchanged with one of them (Garvey §6.1, "unique dimension"). -1: there is none. An axis along which nothing is
/// read counts like any other: of a flat pattern in x and y it is z.
GST_API int unique_axis(const std::set<offset3>& pattern);

/// The static features of a stencil and the sizes of its grid, always in the same order.
GST_API features stencil_features(const stencil& s, extent3 size);

} // namespace gst
