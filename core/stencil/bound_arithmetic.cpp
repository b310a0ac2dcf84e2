#include "core/stencil/bound_rules.hpp"

#include <cmath>
#include <limits>

/// The rules of operations on two operands. v is the result, ea and eb bound the operands' errors.
namespace gst {

using ir::binary_op;
using ir::function;

doubt bound_rules::comparison(const ir::binary& n) {
    bound e = b_.sum(error(n.a), error(n.b));
    if (!e) {
        return {};
    }
    // In i32 a difference that wraps around may look small, never large: at worst the comparison is called unsure.
    node_id apart = b_.type(n.a) == scalar::i32
                        ? b_.real(b_.nodes().call(function::absolute, b_.nodes().binary(binary_op::subtract, n.a, n.b)))
                        : b_.magnitude(b_.combine(binary_op::subtract, b_.real(n.a), b_.real(n.b)));
    return {{}, b_.nodes().unary(ir::unary_op::logical_not, beyond(apart, *e))};
}

doubt bound_rules::logic(const ir::binary& n) {
    const auto a = doubts_[n.a].unsure;
    const auto b = doubts_[n.b].unsure;
    if (n.op != binary_op::logical_and && n.op != binary_op::logical_or) {
        return {{}, either(a, b)}; // = and ≠ of booleans
    }
    // One operand's doubt matters where the other may be true (and), or false (or).
    auto matters = [&](std::optional<node_id> doubtful, node_id other, std::optional<node_id> other_unsure) {
        if (!doubtful) {
            return doubtful;
        }
        node_id open = n.op == binary_op::logical_and ? other : b_.nodes().unary(ir::unary_op::logical_not, other);
        return std::optional(b_.nodes().binary(binary_op::logical_and, *doubtful, *either(open, other_unsure)));
    };
    return {{}, either(matters(a, n.b, b), matters(b, n.a, a))};
}

bound bound_rules::product(const ir::binary& n) {
    bound left = b_.product(b_.magnitude(n.a), error(n.b));
    bound right = b_.product(b_.magnitude(n.b), error(n.a));
    bound both = error(n.a) ? b_.product(*error(n.a), error(n.b)) : bound{};
    return b_.sum(b_.sum(left, right), both);
}

/// (ea + |a/b| eb) / (|b| - eb)
bound bound_rules::quotient(node_id ratio, const ir::binary& n) {
    bound over = b_.sum(error(n.a), b_.product(b_.magnitude(ratio), error(n.b)));
    if (!over) {
        return {};
    }
    const auto divisor = b_.literal(n.b);
    if (divisor && *divisor != 0 && std::isfinite(1 / *divisor)) {
        return b_.product(b_.constant(1 / std::fabs(*divisor), b_.type(n.b)), over);
    }
    return b_.combine(binary_op::divide, *over, least_magnitude(n.b));
}

/// a - b trunc(a/b): off by ea + |trunc(a/b)| eb unless the truncation may jump.
bound bound_rules::remainder(const ir::binary& n) {
    if (!error(n.a) && !error(n.b)) {
        return {};
    }
    node_id ratio = b_.combine(binary_op::divide, b_.real(n.a), b_.real(n.b));
    bound ratio_error = b_.sum(quotient(ratio, n), b_.rounding(ratio, 3, b_.type(ratio)));
    node_id far = beyond(distance_to_truncation_jump(ratio), *ratio_error);
    bound smooth = b_.sum(error(n.a), b_.product(b_.magnitude(ratio), error(n.b)));
    node_id twice = b_.combine(binary_op::multiply, b_.constant(2, b_.type(n.b)), greatest_magnitude(n.b));
    return b_.choose(far, smooth, b_.sum(twice, error(n.a)));
}

/// |v| (exp(d) - 1) ≤ |v| d exp(d), where d bounds the change of b ln|a|. Where a may be 0 and b is a positive literal,
/// both results lie within ± (|a| + ea)^b.
bound bound_rules::power(node_id id, const ir::binary& n) {
    bound change;
    if (error(n.a)) {
        node_id relative = b_.combine(binary_op::divide, *error(n.a), least_magnitude(n.a));
        change = b_.product(greatest_magnitude(n.b), relative);
    }
    if (error(n.b)) {
        node_id logarithm = b_.nodes().call(function::logarithm, b_.magnitude(n.a));
        change = b_.sum(change, b_.product(b_.magnitude(logarithm), error(n.b)));
    }
    if (!change) {
        return {};
    }
    node_id growth = b_.combine(binary_op::multiply, *change, b_.nodes().call(function::exponential, *change));
    node_id near = b_.combine(binary_op::multiply, b_.magnitude(id), growth);
    const auto exponent = b_.literal(n.b);
    if (!exponent || *exponent <= 0) {
        return near;
    }
    node_id most = b_.combine(binary_op::power, greatest_magnitude(n.a), b_.constant(*exponent, b_.type(n.b)));
    node_id across = b_.combine(binary_op::add, b_.magnitude(id), most);
    node_id small = b_.combine(binary_op::less, least_magnitude(n.a), *error(n.a));
    return b_.choose(small, across, near);
}

bool bound_rules::multiplies_exactly(const ir::binary& n) const {
    auto power_of_two = [&](node_id id) {
        const auto value = b_.literal(id);
        int exponent = 0;
        return value && std::fabs(std::frexp(*value, &exponent)) == 0.5;
    };
    return n.op == binary_op::multiply && (power_of_two(n.a) || power_of_two(n.b));
}

bound bound_rules::real_arithmetic(node_id id, const ir::binary& n) {
    const scalar type = b_.type(id);
    switch (n.op) {
    case binary_op::add: // exact where the result is tiny; flushed sums are counted when the value is stored
    case binary_op::subtract:
        return order_ == summation::any_order ? sum_in_any_order(id)
                                              : b_.sum(b_.sum(error(n.a), error(n.b)), b_.units(id, 1, type));
    case binary_op::multiply:
        if (multiplies_exactly(n)) {
            return b_.sum(product(n), b_.constant(underflow_of(type), type));
        }
        return b_.sum(product(n), b_.rounding(as_distributed(id), 1, type));
    case binary_op::divide:
        return b_.sum(quotient(id, n), b_.rounding(as_distributed(id), type == scalar::f32 ? 2.5 : 1, type));
    case binary_op::remainder:
        return remainder(n);
    case binary_op::power:
        return b_.sum(power(id, n), b_.rounding(id, 16, type));
    default: // minimum, maximum
        return b_.larger(error(n.a), error(n.b));
    }
}

/// Exact operands give the same i32 everywhere. With others a result that may wrap around may be anything.
bound bound_rules::i32_arithmetic(const ir::binary& n) {
    bound e = b_.sum(error(n.a), error(n.b));
    if (!e) {
        return {};
    }
    node_id without_wrapping = 0;
    switch (n.op) {
    case binary_op::add:
    case binary_op::subtract:
        without_wrapping = b_.combine(n.op, b_.real(n.a), b_.real(n.b));
        break;
    case binary_op::multiply:
        e = product(n);
        without_wrapping = b_.combine(n.op, b_.real(n.a), b_.real(n.b));
        break;
    case binary_op::divide: {
        node_id ratio = b_.combine(binary_op::divide, b_.real(n.a), b_.real(n.b));
        return b_.sum(quotient(ratio, n), b_.constant(1, scalar::i32));
    }
    case binary_op::remainder:
        return b_.combine(binary_op::multiply, b_.constant(2, scalar::i32), greatest_magnitude(n.b));
    default: // minimum, maximum
        return b_.larger(error(n.a), error(n.b));
    }
    if (!e) {
        return {};
    }
    node_id most = b_.combine(binary_op::add, b_.magnitude(without_wrapping), *e);
    node_id fits = b_.combine(binary_op::less, most, b_.constant(0x1p31 - 0x1p10, scalar::i32));
    return b_.choose(fits, e, b_.constant(std::numeric_limits<double>::infinity(), scalar::i32));
}

} // namespace gst
