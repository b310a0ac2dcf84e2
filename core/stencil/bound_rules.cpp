#include "core/stencil/bound_rules.hpp"

namespace gst {

using ir::binary_op;
using ir::function;

bound_rules::bound_rules(stencil& target, const std::vector<int>& error_field, summation order)
    : target_(target), error_field_(error_field), order_(order), b_(target), doubts_(target.nodes.size()),
      summands_(target.nodes.size()),
      partial_sums_(order == summation::any_order ? find_partial_sums()
                                                  : std::vector<bool>(target.nodes.size(), false)) {}

void bound_rules::visit(node_id id) {
    if (order_ == summation::any_order) {
        summands_[id] = summands_of(id);
    }
    if (!partial_sums_[id]) {
        const node n = target_.nodes[id]; // a copy: rules append nodes
        doubts_[id] = std::visit([&](const auto& op) { return rule(id, op); }, n.op);
        if (n.type == scalar::f16 && doubts_[id].error) { // the others do not come near their greatest number
            doubts_[id].error = b_.where_finite(as_distributed(id), *doubts_[id].error, scalar::f16);
        }
    }
}

node_id bound_rules::least_magnitude(node_id b) {
    if (!error(b)) {
        return b_.magnitude(b);
    }
    node_id least = b_.combine(binary_op::subtract, b_.magnitude(b), *error(b));
    return b_.combine(binary_op::maximum, least, b_.constant(0, b_.type(least)));
}

node_id bound_rules::greatest_magnitude(node_id b) {
    return *b_.sum(b_.magnitude(b), error(b));
}

node_id bound_rules::beyond(node_id distance, node_id e) {
    node_id wide = b_.combine(binary_op::multiply, e, b_.constant(1 + 0x1p-14, b_.type(e)));
    // No number where both are infinite: nothing is known then.
    node_id more = b_.combine(binary_op::subtract, distance, wide);
    return b_.combine(binary_op::greater_equal, more, b_.constant(0, b_.type(more)));
}

node_id bound_rules::jump(node_id e, node_id distance) {
    return *b_.choose(beyond(distance, e), {}, b_.nodes().call(function::ceiling, e));
}

node_id bound_rules::distance_to_truncation_jump(node_id x) {
    node_id nearest = b_.nodes().call(function::round, x);
    node_id at_zero = b_.combine(binary_op::equal, nearest, b_.constant(0, b_.type(x)));
    node_id to_one = b_.combine(binary_op::subtract, b_.constant(1, b_.type(x)), b_.magnitude(x));
    node_id to_nearest = b_.magnitude(b_.combine(binary_op::subtract, x, nearest));
    return b_.nodes().select(at_zero, to_one, to_nearest);
}

std::optional<node_id> bound_rules::either(std::optional<node_id> a, std::optional<node_id> b) {
    return a && b ? b_.nodes().binary(binary_op::logical_or, *a, *b) : a ? a : b;
}

bool bound_rules::is_small_integer(node_id id) const {
    const auto& op = target_.nodes[id].op;
    return std::holds_alternative<ir::number>(op) || std::holds_alternative<ir::coordinate>(op) ||
           std::holds_alternative<ir::grid_size>(op) || std::holds_alternative<ir::step_number>(op);
}

// Both sides have the same literals, arguments and coordinates.
template<class Given>
doubt bound_rules::rule(node_id, const Given&) {
    return {};
}

doubt bound_rules::rule(node_id, const ir::read& r) {
    int field = error_field_[r.field];
    return field < 0 ? doubt{} : doubt{b_.nodes().read(static_cast<std::uint32_t>(field), r.level, r.at), {}};
}

doubt bound_rules::rule(node_id, const ir::unary& u) {
    return doubts_[u.a];
}

doubt bound_rules::rule(node_id id, const ir::binary& n) {
    if (n.op >= binary_op::logical_and || b_.type(n.a) == scalar::boolean) {
        return logic(n);
    }
    if (n.op >= binary_op::less) {
        return comparison(n);
    }
    return {b_.type(id) == scalar::i32 ? i32_arithmetic(n) : real_arithmetic(id, n), {}};
}

doubt bound_rules::rule(node_id, const ir::select& s) {
    const doubt condition = doubts_[s.condition];
    const doubt a = doubts_[s.a];
    const doubt b = doubts_[s.b];
    if (b_.type(s.a) == scalar::boolean) {
        auto literal_or = [&](std::optional<node_id> x) { return x ? *x : b_.nodes().number(0, scalar::boolean); };
        std::optional<node_id> chosen;
        if (a.unsure || b.unsure) {
            chosen = b_.nodes().select(s.condition, literal_or(a.unsure), literal_or(b.unsure));
        }
        if (condition.unsure) {
            auto differ = either(b_.nodes().binary(binary_op::not_equal, s.a, s.b), either(a.unsure, b.unsure));
            chosen = b_.nodes().select(*condition.unsure, *differ, literal_or(chosen));
        }
        return {{}, chosen};
    }
    bound chosen = b_.choose(s.condition, a.error, b.error);
    if (!condition.unsure) {
        return {chosen, {}};
    }
    node_id apart = b_.magnitude(b_.combine(binary_op::subtract, b_.real(s.a), b_.real(s.b)));
    return {b_.choose(*condition.unsure, b_.sum(b_.larger(a.error, b.error), apart), chosen), {}};
}

doubt bound_rules::rule(node_id id, const ir::convert& c) {
    const scalar from = b_.type(c.a);
    const scalar to = b_.type(id);
    if (from == scalar::boolean) {
        auto unsure = doubts_[c.a].unsure;
        return {unsure ? b_.choose(*unsure, b_.constant(1, to), {}) : bound{}, {}};
    }
    bound carried = error(c.a);
    if (to == scalar::i32) {
        return {carried ? jump(*carried, distance_to_truncation_jump(b_.real(c.a))) : bound{}, {}};
    }
    const bool rounds = from == scalar::i32 ? to != scalar::f64 && !is_small_integer(c.a) : to < from;
    bound total = rounds ? b_.sum(carried, b_.rounding(id, 1, to)) : carried;
    return {total ? bound(b_.node_for(total, to)) : total, {}};
}

} // namespace gst
