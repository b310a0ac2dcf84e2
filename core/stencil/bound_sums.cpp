#include "core/stencil/bound_rules.hpp"

#include <algorithm>

/// Sums whose terms may be added in any order.
namespace gst {

using ir::binary_op;

bool bound_rules::is_real_sum(node_id id) const {
    const auto* n = std::get_if<ir::binary>(&target_.nodes[id].op);
    return n != nullptr && (n->op == binary_op::add || n->op == binary_op::subtract) && is_real(b_.type(id));
}

std::vector<bool> bound_rules::find_partial_sums() const {
    std::vector<int> uses(target_.nodes.size(), 0);
    std::vector<int> in_sums(target_.nodes.size(), 0);
    std::vector<bool> alive(target_.nodes.size(), false);
    for (const update& u : target_.updates) {
        ++uses[u.value];
        for (node_id id : reachable(target_, u.value)) {
            alive[id] = true;
        }
    }
    for (node_id id = 0; id < target_.nodes.size(); ++id) {
        if (alive[id]) {
            for_each_operand(target_.nodes[id], [&](node_id operand) {
                ++uses[operand];
                in_sums[operand] += is_real_sum(id) ? 1 : 0;
            });
        }
    }
    std::vector<bool> found(target_.nodes.size(), false);
    for (node_id id = 0; id < target_.nodes.size(); ++id) {
        found[id] = is_real_sum(id) && uses[id] == 1 && in_sums[id] == 1;
    }
    return found;
}

bound bound_rules::magnitude_of_summands(node_id id) {
    return summands_[id].magnitude ? summands_[id].magnitude : bound(b_.magnitude(id));
}

// Of two factors that are sums one is distributed over the other; both magnitudes are no less than that.
summands bound_rules::summands_of(node_id id) {
    constexpr int most = 1 << 20;
    if (!is_real(b_.type(id))) {
        return {};
    }
    if (const auto* u = std::get_if<ir::unary>(&target_.nodes[id].op)) {
        return u->op == ir::unary_op::negate ? summands_[u->a] : summands{};
    }
    const auto* binary = std::get_if<ir::binary>(&target_.nodes[id].op);
    if (binary == nullptr) {
        return {};
    }
    const ir::binary n = *binary; // a copy: nodes are appended
    const summands &a = summands_[n.a], &b = summands_[n.b];
    if (is_real_sum(id)) {
        return {b_.sum(magnitude_of_summands(n.a), magnitude_of_summands(n.b)), std::min(a.terms + b.terms, most)};
    }
    if (n.op == binary_op::multiply && std::max(a.terms, b.terms) > 1) {
        return {b_.product(*magnitude_of_summands(n.a), magnitude_of_summands(n.b)), std::max(a.terms, b.terms)};
    }
    if (n.op == binary_op::divide && a.terms > 1) {
        return {b_.combine(binary_op::divide, *magnitude_of_summands(n.a), b_.magnitude(n.b)), a.terms};
    }
    return {};
}

/// Every partial sum, in whatever order, is at most the sum of all terms' magnitudes.
bound bound_rules::sum_in_any_order(node_id id) {
    std::vector<node_id> open{id};
    bound errors;
    while (!open.empty()) {
        const node_id top = open.back();
        open.pop_back();
        if (top == id || partial_sums_[top]) {
            const auto n = std::get<ir::binary>(target_.nodes[top].op);
            open.push_back(n.b);
            open.push_back(n.a);
        } else {
            errors = b_.sum(errors, error(top));
        }
    }
    const summands& all = summands_[id];
    return b_.sum(errors, b_.units(*all.magnitude, all.terms - 1, b_.type(id)));
}

} // namespace gst
