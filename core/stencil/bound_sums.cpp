#include "core/stencil/bound_rules.hpp"

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

/// Every partial sum, in whatever order, is at most the sum of all terms' magnitudes.
bound bound_rules::sum_in_any_order(node_id id) {
    std::vector<node_id> open{id};
    bound errors;
    bound magnitudes;
    int terms = 0;
    while (!open.empty()) {
        const node_id top = open.back();
        open.pop_back();
        if (top == id || partial_sums_[top]) {
            const auto n = std::get<ir::binary>(target_.nodes[top].op);
            open.push_back(n.b);
            open.push_back(n.a);
        } else {
            errors = b_.sum(errors, error(top));
            magnitudes = b_.sum(magnitudes, b_.magnitude(top));
            ++terms;
        }
    }
    const bound total = b_.sum(errors, b_.units(*magnitudes, terms - 1, b_.type(id)));
    return b_.type(id) == scalar::f16 ? b_.where_finite(*magnitudes, *total, scalar::f16) : total;
}

} // namespace gst
