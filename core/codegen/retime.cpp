#include "core/codegen/retime.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <set>
#include <tuple>
#include <utility>

namespace gst {

namespace {

class splitter {
  public:
    splitter(stencil& s, int axis, const std::function<bool(const ir::read&)>& streams)
        : s_(s), builder_(s), axis_(static_cast<std::size_t>(axis)), streams_(streams) {}

    bool split(node_id n, bool negative, plane_terms& out) {
        if (++splits_ > most_splits) {
            return false;
        }
        const std::set<int>& planes = planes_of(n);
        if (planes.size() <= 1) {
            out[planes.empty() ? 0 : *planes.begin()].push_back({n, negative});
            return true;
        }
        const node here = s_.nodes[n]; // a copy: nodes are appended
        if (const auto* u = std::get_if<ir::unary>(&here.op)) {
            return u->op == ir::unary_op::negate && split(u->a, !negative, out);
        }
        const auto* b = std::get_if<ir::binary>(&here.op);
        if (!b || !is_real(here.type)) {
            return false;
        }
        switch (b->op) {
        case ir::binary_op::add:
            return split(b->a, negative, out) && split(b->b, negative, out);
        case ir::binary_op::subtract:
            return split(b->a, negative, out) && split(b->b, !negative, out);
        case ir::binary_op::multiply:
            return distribute(*b, b->a, b->b, negative, out) || distribute(*b, b->b, b->a, negative, out);
        case ir::binary_op::divide:
            return distribute(*b, b->b, b->a, negative, out);
        default:
            return false;
        }
    }

  private:
    /// Values that are used again are split again, so that there can be as many terms as there are paths to them.
    static constexpr int most_splits = 20000;

    /// The planes that a node reads. Operands come before their users, and nodes are only appended.
    const std::set<int>& planes_of(node_id n) {
        for (auto m = static_cast<node_id>(planes_.size()); m <= n; ++m) {
            std::set<int> all;
            if (const auto* r = std::get_if<ir::read>(&s_.nodes[m].op); r && streams_(*r)) {
                all.insert(r->at[axis_]);
            }
            for_each_operand(s_.nodes[m], [&](node_id operand) {
                const std::set<int>& some = planes_[operand];
                all.insert(some.begin(), some.end());
            });
            planes_.push_back(std::move(all));
        }
        return planes_[n];
    }

    /// factor · sum, or sum / factor: the operation on the sum of each plane.
    bool distribute(const ir::binary& how, node_id factor, node_id sum, bool negative, plane_terms& out) {
        plane_terms parts;
        if (!planes_of(factor).empty() || !split(sum, false, parts)) {
            return false;
        }
        for (const auto& [plane, terms] : parts) {
            node_id total =
                terms.front().negative ? builder_.unary(ir::unary_op::negate, terms.front().node) : terms.front().node;
            for (std::size_t i = 1; i < terms.size(); ++i) {
                total = builder_.binary(terms[i].negative ? ir::binary_op::subtract : ir::binary_op::add, total,
                                        terms[i].node);
            }
            const node_id a = factor == how.a ? factor : total;
            const node_id b = factor == how.a ? total : factor;
            out[plane].push_back({builder_.binary(how.op, a, b), negative});
        }
        return true;
    }

    stencil& s_;
    stencil_builder builder_;
    std::size_t axis_;
    const std::function<bool(const ir::read&)>& streams_;
    int splits_ = 0;
    std::deque<std::set<int>> planes_; ///< of the nodes so far; references stay
};

/// The terms, with those of sums of real numbers in the place of sums that are needed nowhere else.
std::vector<sum_term> single_terms(const stencil& s, const std::vector<sum_term>& terms) {
    std::map<node_id, int> uses;
    for (const sum_term& t : terms) {
        ++uses[t.node];
        for (const node_id n : reachable(s, t.node)) {
            for_each_operand(s.nodes[n], [&](node_id operand) { ++uses[operand]; });
        }
    }
    std::vector<sum_term> out;
    std::vector<sum_term> open(terms.rbegin(), terms.rend());
    while (!open.empty()) {
        const sum_term top = open.back();
        open.pop_back();
        const node& here = s.nodes[top.node];
        const bool opens = is_real(here.type) && uses.at(top.node) == 1;
        const auto* u = std::get_if<ir::unary>(&here.op);
        const auto* b = std::get_if<ir::binary>(&here.op);
        if (opens && u != nullptr && u->op == ir::unary_op::negate) {
            open.push_back({u->a, !top.negative});
        } else if (opens && b != nullptr && (b->op == ir::binary_op::add || b->op == ir::binary_op::subtract)) {
            open.push_back({b->b, top.negative != (b->op == ir::binary_op::subtract)});
            open.push_back({b->a, top.negative});
        } else {
            out.push_back(top);
        }
    }
    return out;
}

using place = std::optional<std::tuple<bool, int, int, int>>; ///< none: nothing is read

/// Where the term of a read comes.
place place_of(term_order order, int column, int row) {
    if (order == term_order::own_row_first) {
        return std::tuple(row != 0, row, 0, column);
    }
    return std::tuple(row == 0, order == term_order::last_row_first ? -row : row, std::abs(column), column);
}

} // namespace

std::optional<plane_terms> terms_by_plane(stencil& s, node_id root, int axis,
                                          const std::function<bool(const ir::read&)>& streams) {
    plane_terms out;
    return splitter(s, axis, streams).split(root, false, out) ? std::optional(std::move(out)) : std::nullopt;
}

void order_terms(const stencil& s, term_order order, std::size_t inner, std::size_t across, plane_terms& sum) {
    if (order == term_order::as_written) {
        return;
    }
    for (auto& [plane, terms] : sum) {
        std::vector<std::pair<place, sum_term>> placed;
        for (const sum_term& t : single_terms(s, terms)) {
            place last;
            for (const node_id n : reachable(s, t.node)) {
                if (const auto* r = std::get_if<ir::read>(&s.nodes[n].op)) {
                    last = std::max(last, place_of(order, r->at[inner], r->at[across]));
                }
            }
            placed.emplace_back(last, t);
        }
        std::stable_sort(placed.begin(), placed.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        terms.clear();
        for (const auto& [where, term] : placed) {
            terms.push_back(term);
        }
    }
}

} // namespace gst
