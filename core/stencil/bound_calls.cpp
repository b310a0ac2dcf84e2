#include "core/stencil/bound_rules.hpp"

#include <limits>

/// The rules of functions: the error carried over from the argument, and the units in the last place of OpenCL C 1.2
/// §7.4.
namespace gst {

using ir::binary_op;
using ir::function;

namespace {

double units_of(function f) {
    switch (f) {
    case function::square_root:
    case function::exponential:
    case function::logarithm:
        return 3;
    case function::sine:
    case function::cosine:
        return 4;
    case function::tangent:
    case function::arc_tangent:
    case function::hyperbolic_tangent:
        return 5;
    case function::absolute:
    case function::floor:
    case function::ceiling:
    case function::round:
        break;
    }
    return 0;
}

} // namespace

doubt bound_rules::rule(node_id id, const ir::call& c) {
    bound e = error(c.a) ? carried(id, c) : bound{};
    const double units = units_of(c.f);
    return {units == 0 ? e : b_.sum(e, b_.rounding(id, units, b_.type(id))), {}};
}

bound bound_rules::carried(node_id id, const ir::call& c) {
    const node_id e = *error(c.a);
    const scalar type = b_.type(e);
    // An argument that may be anything may be NaN, or infinite where the function has no value.
    auto at_most = [&](double limit) {
        const node_id finite = b_.combine(binary_op::less_equal, e, b_.constant(greatest_of(type), type));
        return b_.choose(finite, b_.combine(binary_op::minimum, e, b_.constant(limit, type)), e);
    };
    switch (c.f) {
    case function::absolute:
        return e;
    case function::square_root:
        return square_root(id, c.a);
    case function::exponential: // exp(e) - 1 ≤ e exp(e)
        return b_.combine(binary_op::multiply, b_.magnitude(id),
                          b_.combine(binary_op::multiply, e, b_.nodes().call(function::exponential, e)));
    case function::logarithm:
        return b_.combine(binary_op::divide, e, least_magnitude(c.a));
    case function::sine:
    case function::cosine:
    case function::hyperbolic_tangent:
        return at_most(2);
    case function::arc_tangent:
        return at_most(3.1416);
    case function::tangent:
        return tangent(id, c.a);
    case function::floor:
    case function::ceiling: {
        node_id a = b_.real(c.a);
        node_id nearest = b_.nodes().call(function::round, a);
        return jump(e, b_.magnitude(b_.combine(binary_op::subtract, a, nearest)));
    }
    case function::round: {
        node_id a = b_.real(c.a);
        node_id half = b_.combine(binary_op::add, b_.nodes().call(function::floor, a), b_.constant(0.5, type));
        return jump(e, b_.magnitude(b_.combine(binary_op::subtract, a, half)));
    }
    }
    return {};
}

/// Off by at most e / v and at most √e; unbounded where one program may see a negative number and another one not.
bound bound_rules::square_root(node_id id, node_id a) {
    const node_id e = *error(a);
    node_id smooth = b_.combine(binary_op::divide, e, b_.real(id));
    node_id off = b_.combine(binary_op::minimum, smooth, b_.nodes().call(function::square_root, e));
    if (never_negative(a)) {
        return off;
    }
    node_id positive = b_.combine(binary_op::greater_equal, b_.real(a), e);
    return b_.choose(positive, off, b_.constant(std::numeric_limits<double>::infinity(), b_.type(e)));
}

/// |tan(a + e) - tan(a)| ≤ t (1 + v²) / (1 - t |v|) with t = tan(e) ≤ 1.28 e for e < 0.78.
bound bound_rules::tangent(node_id id, node_id a) {
    const node_id e = *error(a);
    const scalar type = b_.type(e);
    const node_id one = b_.constant(1, type);
    node_id v = b_.magnitude(id);
    node_id t = b_.combine(binary_op::multiply, b_.constant(1.28, type), e);
    node_id slope = b_.combine(binary_op::add, one, b_.combine(binary_op::multiply, v, v));
    node_id below = b_.combine(binary_op::subtract, one, b_.combine(binary_op::multiply, t, v));
    node_id left = b_.combine(binary_op::maximum, below, b_.constant(0, type));
    node_id off = b_.combine(binary_op::divide, b_.combine(binary_op::multiply, t, slope), left);
    node_id small = b_.combine(binary_op::less, e, b_.constant(0.78, type));
    return b_.choose(small, off, b_.constant(std::numeric_limits<double>::infinity(), type));
}

bool bound_rules::never_negative(node_id id) const {
    const auto& op = target_.nodes[id].op;
    if (const auto* n = std::get_if<ir::number>(&op)) {
        return n->value >= 0;
    }
    if (const auto* c = std::get_if<ir::call>(&op)) {
        return c->f == function::absolute || c->f == function::square_root || c->f == function::exponential;
    }
    if (const auto* b = std::get_if<ir::binary>(&op)) {
        switch (b->op) {
        case binary_op::multiply:
            return b->a == b->b || (never_negative(b->a) && never_negative(b->b));
        case binary_op::add:
        case binary_op::divide:
        case binary_op::minimum:
            return never_negative(b->a) && never_negative(b->b);
        case binary_op::maximum:
            return never_negative(b->a) || never_negative(b->b);
        default:
            return false;
        }
    }
    return false;
}

} // namespace gst
