#include "core/codegen/retime.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <deque>
#include <set>
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

std::optional<double> constant(const stencil& s, node_id n) {
    const node& here = s.nodes[n];
    if (const auto* literal = std::get_if<ir::number>(&here.op)) {
        return literal->value;
    }
    const auto* u = std::get_if<ir::unary>(&here.op);
    const auto a = u != nullptr && u->op == ir::unary_op::negate ? constant(s, u->a) : std::nullopt;
    return a ? std::optional(-*a) : std::nullopt;
}

/// Adds the terms of the sum nodes[n] of one type.
void add_terms_of(const stencil& s, node_id n, bool negative, scalar type, std::vector<sum_term>& out) {
    const node& here = s.nodes[n];
    const auto* u = std::get_if<ir::unary>(&here.op);
    const auto* b = std::get_if<ir::binary>(&here.op);
    if (here.type == type && u != nullptr && u->op == ir::unary_op::negate) {
        add_terms_of(s, u->a, !negative, type, out);
    } else if (here.type == type && b != nullptr && (b->op == ir::binary_op::add || b->op == ir::binary_op::subtract)) {
        add_terms_of(s, b->a, negative, type, out);
        add_terms_of(s, b->b, negative != (b->op == ir::binary_op::subtract), type, out);
    } else {
        out.push_back({n, negative});
    }
}

/// The terms of a sum, those that are linear as one product per read.
std::vector<sum_term> weighted(stencil& s, scalar type, const std::vector<sum_term>& terms) {
    std::vector<sum_term> all;
    for (const sum_term& t : terms) {
        add_terms_of(s, t.node, t.negative, type, all);
    }
    const auto linear =
        std::stable_partition(all.begin(), all.end(), [&](const sum_term& t) { return !linear_form_of(s, {t}, type); });
    const linear_form form = *linear_form_of(s, {linear, all.end()}, type);
    all.erase(linear, all.end());
    stencil_builder builder(s);
    for (const auto& [read, weight] : form) {
        const auto& [field, level, at] = read;
        const node_id element = builder.read(field, level, at);
        const bool is_one = std::abs(weight) == 1;
        all.push_back(
            {is_one ? element : builder.binary(ir::binary_op::multiply, builder.number(weight, type), element),
             is_one && weight < 0});
    }
    return all;
}

/// Where a read's term comes.
std::tuple<bool, int, int, int> rank(term_order order, int column, int row) {
    if (order == term_order::own_row_first) {
        return {row != 0, row, 0, column};
    }
    return {row == 0, order == term_order::last_row_first ? -row : row, std::abs(column), column};
}

} // namespace

std::optional<plane_terms> terms_by_plane(stencil& s, node_id root, int axis,
                                          const std::function<bool(const ir::read&)>& streams) {
    plane_terms out;
    return splitter(s, axis, streams).split(root, false, out) ? std::optional(std::move(out)) : std::nullopt;
}

std::optional<linear_form> linear_form_of(const stencil& s, const std::vector<sum_term>& terms, scalar type) {
    linear_form out;
    std::map<node_id, double, std::greater<>> weights; // of nodes whose users are all done: these come later
    for (const sum_term& t : terms) {
        weights[t.node] += t.negative ? -1 : 1;
    }
    while (!weights.empty()) {
        const auto [n, weight] = *weights.begin();
        weights.erase(weights.begin());
        const node& here = s.nodes[n];
        if (here.type != type) {
            return std::nullopt;
        }
        if (const auto* r = std::get_if<ir::read>(&here.op)) {
            if (s.fields[r->field].coefficient) {
                return std::nullopt;
            }
            out[{r->field, r->level, r->at}] += weight;
            continue;
        }
        if (const auto* u = std::get_if<ir::unary>(&here.op); u != nullptr && u->op == ir::unary_op::negate) {
            weights[u->a] -= weight;
            continue;
        }
        const auto* b = std::get_if<ir::binary>(&here.op);
        const bool adds = b != nullptr && (b->op == ir::binary_op::add || b->op == ir::binary_op::subtract);
        const bool multiplies = b != nullptr && b->op == ir::binary_op::multiply;
        if (adds) {
            weights[b->a] += weight;
            weights[b->b] += b->op == ir::binary_op::add ? weight : -weight;
        } else if (const auto factor = multiplies ? constant(s, b->a) : std::nullopt) {
            weights[b->b] += weight * *factor;
        } else if (const auto other = multiplies ? constant(s, b->b) : std::nullopt) {
            weights[b->a] += weight * *other;
        } else if (const auto divisor =
                       b != nullptr && b->op == ir::binary_op::divide ? constant(s, b->b) : std::nullopt;
                   divisor && *divisor != 0) {
            weights[b->a] += weight / *divisor;
        } else {
            return std::nullopt;
        }
    }
    return out;
}

void order_terms(stencil& s, scalar type, term_order order, std::size_t inner, std::size_t across, plane_terms& sum) {
    if (order == term_order::as_written) {
        return;
    }
    for (auto& [plane, terms] : sum) {
        terms = weighted(s, type, terms);
        const auto last_read = [&](const sum_term& t) {
            std::optional<std::tuple<bool, int, int, int>> last;
            for (const node_id n : reachable(s, t.node)) {
                if (const auto* r = std::get_if<ir::read>(&s.nodes[n].op)) {
                    last = std::max(last, std::optional(rank(order, r->at[inner], r->at[across])));
                }
            }
            return last;
        };
        std::stable_sort(terms.begin(), terms.end(),
                         [&](const sum_term& a, const sum_term& b) { return last_read(a) < last_read(b); });
    }
}

} // namespace gst
