#pragma once

#include "core/codegen/schedule.hpp"
#include "core/stencil/stencil.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace gst {

/// A term of a sum.
struct sum_term {
    node_id node = 0;
    bool negative = false;
};

/// The terms of an update by the plane along `axis` that they read: its offset from the point that is computed.
using plane_terms = std::map<int, std::vector<sum_term>>;

/// Writes nodes[root] as a sum of which each term has reads that `streams` in one plane along `axis` only (retiming: a
/// streaming kernel adds each term when its plane arrives, GeST Table 1). Factors without such reads are distributed
/// over sums. Appends nodes to `s`. Nothing when there is no such sum, or only one of very many terms.
std::optional<plane_terms> terms_by_plane(stencil& s, node_id root, int axis,
                                          const std::function<bool(const ir::read&)>& streams);

/// A sum of neighbours, and what makes the result of it when it is complete, of values of the point alone.
struct completed_sum {
    struct scale {
        ir::binary_op op = ir::binary_op::multiply; ///< or divide, by
        node_id by = 0;
        bool operator==(const scale&) const = default;
    };
    plane_terms sum;
    std::vector<scale> scales;    ///< of the sum, in this order
    std::vector<sum_term> others; ///< added to it then
};

/// Writes nodes[root] so that all reads in the sum are ones that `streams`, and all others, of coefficients or earlier
/// time levels, are of the point itself. Appends nodes to `s`. Nothing when that is not possible with one sum.
std::optional<completed_sum> sum_to_complete(stencil& s, node_id root, int axis,
                                             const std::function<bool(const ir::read&)>& streams);

/// Orders the terms of each plane by the rows along axis `inner` that they read last, `across` being the axis from row
/// to row. Sums within a plane become terms of their own where nothing else needs them. As with all partial sums, the
/// error bounds are those of sums in any order (interpreter.hpp).
void order_terms(const stencil& s, term_order order, std::size_t inner, std::size_t across, plane_terms& sum);

} // namespace gst
