#include "core/stencil/bound_algebra.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace gst {

using ir::binary_op;

std::optional<double> bound_algebra::literal(node_id id) const {
    const auto* n = std::get_if<ir::number>(&target_.nodes[id].op);
    return n != nullptr ? std::optional(n->value) : std::nullopt;
}

node_id bound_algebra::real(node_id value) {
    if (auto n = literal(value)) {
        return constant(*n, type(value));
    }
    return builder_.convert(value, bound_type(type(value)));
}

node_id bound_algebra::magnitude(node_id value) {
    if (auto n = literal(value)) {
        return constant(std::fabs(*n), type(value));
    }
    return builder_.call(ir::function::absolute, real(value));
}

node_id bound_algebra::combine(binary_op op, node_id a, node_id b) {
    const scalar common = std::max(type(a), type(b));
    const auto left = literal(a);
    const auto right = literal(b);
    if (left && right) {
        if (op == binary_op::add) {
            return constant(*left + *right, common);
        }
        if (op == binary_op::multiply) {
            return constant(*left * *right, common);
        }
    }
    if (op == binary_op::multiply && left == 1.0) {
        return builder_.convert(b, common);
    }
    if ((op == binary_op::multiply || op == binary_op::divide) && right == 1.0) {
        return builder_.convert(a, common);
    }
    return builder_.binary(op, builder_.convert(a, common), builder_.convert(b, common));
}

bound bound_algebra::sum(bound a, bound b) {
    return a && b ? combine(binary_op::add, *a, *b) : a ? a : b;
}

bound bound_algebra::larger(bound a, bound b) {
    if (a && b && *a != *b) { // (a + b + |a - b|) / 2, for the maximum of a number and a NaN is the number
        node_id apart = builder_.call(ir::function::absolute, combine(binary_op::subtract, *a, *b));
        node_id twice = combine(binary_op::add, combine(binary_op::add, *a, *b), apart);
        return combine(binary_op::multiply, constant(0.5, type(twice)), twice);
    }
    return a ? a : b;
}

bound bound_algebra::product(node_id factor, bound e) {
    return e && literal(factor) != 0.0 ? bound(combine(binary_op::multiply, factor, *e)) : std::nullopt;
}

bound bound_algebra::choose(node_id condition, bound a, bound b) {
    if (a == b) {
        return a;
    }
    const scalar common = std::max(a ? type(*a) : scalar::f32, b ? type(*b) : scalar::f32);
    return builder_.select(condition, node_for(a, common), node_for(b, common));
}

node_id bound_algebra::node_for(bound e, scalar s) {
    return e ? builder_.convert(*e, bound_type(s)) : constant(0, s);
}

bound bound_algebra::where_finite(node_id value, node_id e, scalar s) {
    node_id most = combine(binary_op::add, magnitude(value), e);
    node_id fits = combine(binary_op::less_equal, most, constant(greatest_of(s), type(most)));
    return choose(fits, e, constant(std::numeric_limits<double>::infinity(), type(e)));
}

node_id bound_algebra::units(node_id value, double count, scalar s) {
    return combine(binary_op::multiply, constant(count * epsilon_of(s), s), magnitude(value));
}

node_id bound_algebra::rounding(node_id value, double count, scalar s) {
    return combine(binary_op::add, units(value, count, s), constant(underflow_of(s), s));
}

double underflow_of(scalar s) {
    switch (s) {
    case scalar::f16:
        return 0x1p-24;
    case scalar::f32:
        return 0x1p-126;
    case scalar::f64:
        return 0x1p-1022;
    case scalar::boolean:
    case scalar::i32:
        break;
    }
    return 0;
}

double greatest_of(scalar s) {
    assert(is_real(s));
    return s == scalar::f16   ? 65504
           : s == scalar::f32 ? std::numeric_limits<float>::max()
                              : std::numeric_limits<double>::max();
}

} // namespace gst
