#include "core/codegen/retime.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <set>
#include <tuple>
#include <utility>

namespace gst {

namespace {

/// Whether it is a sum or difference of real numbers, or a negative.
bool is_sum(const stencil& s, const sum_term& t) {
    const node& here = s.nodes[t.node];
    const auto* u = std::get_if<ir::unary>(&here.op);
    const auto* b = std::get_if<ir::binary>(&here.op);
    return is_real(here.type) && ((u != nullptr && u->op == ir::unary_op::negate) ||
                                  (b != nullptr && (b->op == ir::binary_op::add || b->op == ir::binary_op::subtract)));
}

/// The terms of such a sum.
std::vector<sum_term> terms_of(const stencil& s, const sum_term& t) {
    if (const auto* u = std::get_if<ir::unary>(&s.nodes[t.node].op)) {
        return {{u->a, !t.negative}};
    }
    const auto& b = std::get<ir::binary>(s.nodes[t.node].op);
    return {{b.a, t.negative}, {b.b, t.negative != (b.op == ir::binary_op::subtract)}};
}

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
        if (is_sum(s_, {n, negative})) {
            const std::vector<sum_term> terms = terms_of(s_, {n, negative});
            return std::all_of(terms.begin(), terms.end(),
                               [&](const sum_term& t) { return split(t.node, t.negative, out); });
        }
        const auto* b = std::get_if<ir::binary>(&here.op);
        if (!b || !is_real(here.type)) {
            return false;
        }
        switch (b->op) {
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

bool reads_nothing(const stencil& s, node_id root) {
    const std::vector<node_id> all = reachable(s, root);
    return std::none_of(all.begin(), all.end(),
                        [&](node_id n) { return std::holds_alternative<ir::read>(s.nodes[n].op); });
}

/// How often nodes are used by terms and by what these are computed from.
std::map<node_id, int> uses_in(const stencil& s, const std::vector<sum_term>& terms) {
    std::map<node_id, int> uses;
    for (const sum_term& t : terms) {
        ++uses[t.node];
        for (const node_id n : reachable(s, t.node)) {
            for_each_operand(s.nodes[n], [&](node_id operand) { ++uses[operand]; });
        }
    }
    return uses;
}

/// Takes a result apart into sums of what streams and what the point itself has.
class result_parts {
  public:
    result_parts(const stencil& s, const std::function<bool(const ir::read&)>& streams) : s_(s) {
        for (const node& n : s.nodes) { // operands come before their users
            reads all;
            if (const auto* r = std::get_if<ir::read>(&n.op)) {
                all = {r->at != offset3{}, !streams(*r)};
            }
            for_each_operand(n, [&](node_id operand) {
                all.neighbours = all.neighbours || reads_[operand].neighbours;
                all.others = all.others || reads_[operand].others;
            });
            reads_.push_back(all);
        }
    }

    bool take(const sum_term& t) {
        if (++taken_ > most_taken) {
            return false;
        }
        if (!reads_[t.node].neighbours) {
            own_.push_back(t);
            return true;
        }
        if (is_sum(s_, t)) {
            const std::vector<sum_term> terms = terms_of(s_, t);
            return std::all_of(terms.begin(), terms.end(), [&](const sum_term& one) { return take(one); });
        }
        if (!reads_[t.node].others) {
            plain_.push_back(t);
            return true;
        }
        return take_scaled(t);
    }

    /// The terms of the sum; what is added to it is in `out`. Nothing where there are two sums, none, or very many
    /// terms.
    std::vector<sum_term> divide(completed_sum& out) {
        if (!scaled_.empty()) {
            out.scales = scales_;
            out.others = own_;
            return plain_.empty() ? scaled_ : std::vector<sum_term>();
        }
        std::vector<sum_term> sum = plain_;
        std::vector<sum_term> open(own_.rbegin(), own_.rend());
        while (!open.empty()) {
            const sum_term top = open.back();
            open.pop_back();
            if (++taken_ > most_taken) {
                return {};
            }
            if (!reads_[top.node].others) {
                sum.push_back(top);
            } else if (is_sum(s_, top)) {
                const std::vector<sum_term> terms = terms_of(s_, top);
                open.insert(open.end(), terms.rbegin(), terms.rend());
            } else {
                out.others.push_back(top);
            }
        }
        return sum;
    }

  private:
    /// Values that are used again are taken again, so that there can be as many terms as there are paths to them.
    static constexpr int most_taken = 20000;

    struct reads {
        bool neighbours = false; ///< some are of other points
        bool others = false;     ///< some do not stream
    };

    /// Factors of the point alone around a sum of what streams.
    bool take_scaled(sum_term t) {
        std::vector<completed_sum::scale> scales;
        while (reads_[t.node].others) {
            const node& here = s_.nodes[t.node];
            const auto* b = std::get_if<ir::binary>(&here.op);
            const bool times = b != nullptr && b->op == ir::binary_op::multiply;
            if (!is_real(here.type) || !(times || (b != nullptr && b->op == ir::binary_op::divide))) {
                return false;
            }
            const bool first = times && !reads_[b->a].neighbours;
            if (!first && reads_[b->b].neighbours) {
                return false;
            }
            scales.insert(scales.begin(), {b->op, first ? b->a : b->b});
            t.node = first ? b->b : b->a;
        }
        if (!scaled_.empty() && scales != scales_) {
            return false;
        }
        scales_ = std::move(scales);
        scaled_.push_back(t);
        return true;
    }

    const stencil& s_;
    std::vector<reads> reads_; ///< per node, of all that it is computed from
    int taken_ = 0;
    std::vector<sum_term> plain_, scaled_; ///< without and with factors
    std::vector<completed_sum::scale> scales_;
    std::vector<sum_term> own_; ///< of the point alone
};

/// Appends the terms of a sum, factors that read nothing distributed over sums that are needed nowhere else: a product
/// per read keeps fewer values at a time than a factor of a sum, in as many instructions. Appends nodes to `s`.
void add_distributed(stencil& s, const sum_term& t, const std::map<node_id, int>& uses, std::vector<sum_term>& out) {
    const auto used_once = [&](node_id n) { return uses.at(n) == 1; };
    if (is_sum(s, t) && used_once(t.node)) {
        for (const sum_term& one : terms_of(s, t)) {
            add_distributed(s, one, uses, out);
        }
        return;
    }
    const auto* b = std::get_if<ir::binary>(&s.nodes[t.node].op);
    const bool times = b != nullptr && b->op == ir::binary_op::multiply && is_real(s.nodes[t.node].type);
    std::vector<sum_term> parts;
    node_id factor = 0;
    if (times && used_once(t.node) && (reads_nothing(s, b->a) || reads_nothing(s, b->b))) {
        factor = reads_nothing(s, b->a) ? b->a : b->b;
        add_distributed(s, {factor == b->a ? b->b : b->a, t.negative}, uses, parts);
    }
    if (parts.size() < 2) {
        out.push_back(t);
        return;
    }
    stencil_builder builder(s);
    for (const sum_term& one : parts) {
        out.push_back({builder.binary(ir::binary_op::multiply, factor, one.node), one.negative});
    }
}

/// The terms, with those of sums of real numbers in the place of sums that are needed nowhere else.
std::vector<sum_term> single_terms(const stencil& s, const std::vector<sum_term>& terms) {
    const std::map<node_id, int> uses = uses_in(s, terms);
    std::vector<sum_term> out;
    std::vector<sum_term> open(terms.rbegin(), terms.rend());
    while (!open.empty()) {
        const sum_term top = open.back();
        open.pop_back();
        if (uses.at(top.node) == 1 && is_sum(s, top)) {
            const std::vector<sum_term> parts = terms_of(s, top);
            open.insert(open.end(), parts.rbegin(), parts.rend());
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

std::optional<completed_sum> sum_to_complete(stencil& s, node_id root, int axis,
                                             const std::function<bool(const ir::read&)>& streams) {
    result_parts parts(s, streams);
    if (!parts.take({root, false})) {
        return std::nullopt;
    }
    completed_sum out;
    splitter planes(s, axis, streams);
    for (const sum_term& t : parts.divide(out)) {
        if (!planes.split(t.node, t.negative, out.sum)) {
            return std::nullopt;
        }
    }
    std::vector<sum_term> all;
    for (const auto& [plane, terms] : out.sum) {
        all.insert(all.end(), terms.begin(), terms.end());
    }
    const std::map<node_id, int> uses = uses_in(s, all);
    for (auto& [plane, terms] : out.sum) {
        for (const sum_term& t : std::exchange(terms, {})) {
            add_distributed(s, t, uses, terms);
        }
    }
    return out.sum.empty() ? std::nullopt : std::optional(std::move(out));
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
