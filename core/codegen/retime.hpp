#pragma once

#include "core/codegen/schedule.hpp"
#include "core/stencil/stencil.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
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

/// Weights by read (field, level, offset): terms that are linear in what they read.
using linear_form = std::map<std::tuple<std::uint32_t, int, offset3>, double>;

/// The sum of the terms; nothing: it is not linear, with numbers as weights, in reads of one type.
std::optional<linear_form> linear_form_of(const stencil& s, const std::vector<sum_term>& terms, scalar type);

/// Orders the terms of each plane by the rows along axis `inner` that they read, `across` being the axis from row to
/// row. What is linear in them is written as one product per read first: as many operations where a processor
/// multiplies and adds at once, and each row is needed once only. Appends nodes to `s`.
void order_terms(stencil& s, scalar type, term_order order, std::size_t inner, std::size_t across, plane_terms& sum);

} // namespace gst
