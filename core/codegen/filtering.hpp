#pragma once

#include "core/base/visibility.hpp"
#include "core/codegen/minimal_filter.hpp"
#include "core/codegen/retime.hpp"

#include <string>
#include <tuple>

/// Where minimal filtering applies: lines of points of a streaming kernel with partial sums, filtered together.
namespace gst {

/// What is filtered in the planes of a streaming kernel: rows, along the tile's axis that is not x, or in two
/// dimensions, where a plane is one row, the columns of that row, or the rows of one that lies along y.
struct line_axes {
    std::size_t axis;   ///< along which they follow each other
    std::size_t beside; ///< the plane's other axis
    const char* name;   ///< of several: rows or columns
};
GST_API line_axes filtered_lines_of(const stencil& s, int stream_axis);

/// Field, level and the offset along the plane's other axis of reads that differ in the filtered line only.
using filtered_reads = std::tuple<std::uint32_t, int, int>;
/// By reads: what becomes of the weights of their lines, G w, per part of the filter; empty where all are 0.
using filtered_weights = std::map<filtered_reads, std::vector<std::vector<double>>>;

/// How an update is computed with a minimal filter.
struct filtered_update {
    std::map<int, filtered_weights> planes; ///< per plane, as plane_terms
    /// By how much the bound of the filtered sum exceeds that of the plain one, both of the first order in the rounding
    /// error and for data of one magnitude, all partial sums of the plain sum being half of the whole on average (N. J.
    /// Higham, Accuracy and Stability of Numerical Algorithms, SIAM 2002, ch. 3). From 1 to 10.
    int error_factor = 1;
    double operations = 0; ///< per point: products, and additions in and around them
};

/// The update with `outputs` lines filtered together, given its terms by plane along `axis`; else why not, in words.
struct filtering {
    std::optional<decomposed_filter> filter;
    filtered_update how;
    std::string why_not;
};
filtering filter_lines(const stencil& s, const update& u, const plane_terms& terms, int axis, int outputs);

} // namespace gst
