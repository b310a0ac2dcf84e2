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

/// Orders the terms of each plane by the rows along axis `inner` that they read last, `across` being the axis from row
/// to row. Sums within a plane become terms of their own where nothing else needs them. As with all partial sums, the
/// error bounds are those of sums in any order (interpreter.hpp).
void order_terms(const stencil& s, term_order order, std::size_t inner, std::size_t across, plane_terms& sum);

} // namespace gst
