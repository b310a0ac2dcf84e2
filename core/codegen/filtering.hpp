#pragma once

#include "core/codegen/minimal_filter.hpp"
#include "core/codegen/retime.hpp"

#include <string>
#include <tuple>

/// Where minimal filtering applies: rows of a streaming kernel with partial sums, filtered together.
namespace gst {

/// Field, level and the offset along the tile's rows of reads that differ in the row only.
using column = std::tuple<std::uint32_t, int, int>;
/// By column: what becomes of the weights of its rows, G w.
using filtered_columns = std::map<column, std::vector<double>>;

/// How an update is computed with a minimal filter.
struct filtered_update {
    std::map<int, filtered_columns> planes; ///< per plane, as plane_terms
    /// By how much the bound of the filtered sum exceeds that of the plain one, both of the first order in the rounding
    /// error and for data of one magnitude, all partial sums of the plain sum being half of the whole on average (N. J.
    /// Higham, Accuracy and Stability of Numerical Algorithms, SIAM 2002, ch. 3). From 1 to 10.
    int error_factor = 1;
    double operations = 0; ///< per point: products, and additions in and around them
};

/// The update with `rows` rows filtered together, given its terms by plane along `axis`; else why not, in words.
struct filtering {
    std::optional<minimal_filter> filter;
    filtered_update how;
    std::string why_not;
};
filtering filter_rows(const stencil& s, const update& u, const plane_terms& terms, int axis, int rows);

} // namespace gst
