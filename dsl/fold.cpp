#include "dsl/fold.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

namespace gst::dsl {

double fold(ir::binary_op op, double a, double b) {
    switch (op) {
    case ir::binary_op::add:
        return a + b;
    case ir::binary_op::subtract:
        return a - b;
    case ir::binary_op::multiply:
        return a * b;
    case ir::binary_op::divide:
        return a / b;
    case ir::binary_op::remainder:
        return std::fmod(a, b);
    case ir::binary_op::minimum:
        return std::fmin(a, b);
    case ir::binary_op::maximum:
        return std::fmax(a, b);
    case ir::binary_op::power:
        return std::pow(a, b);
    default:
        throw std::logic_error("not an operator on numbers that gives a number");
    }
}

double fold(ir::function f, double a) {
    switch (f) {
    case ir::function::absolute:
        return std::abs(a);
    case ir::function::square_root:
        return std::sqrt(a);
    case ir::function::exponential:
        return std::exp(a);
    case ir::function::logarithm:
        return std::log(a);
    case ir::function::sine:
        return std::sin(a);
    case ir::function::cosine:
        return std::cos(a);
    case ir::function::tangent:
        return std::tan(a);
    case ir::function::arc_tangent:
        return std::atan(a);
    case ir::function::hyperbolic_tangent:
        return std::tanh(a);
    case ir::function::floor:
        return std::floor(a);
    case ir::function::ceiling:
        return std::ceil(a);
    case ir::function::round:
        return std::round(a);
    }
    throw std::logic_error("not a function");
}

bool fold_comparison(ir::binary_op op, double a, double b) {
    switch (op) {
    case ir::binary_op::less:
        return a < b;
    case ir::binary_op::less_equal:
        return a <= b;
    case ir::binary_op::greater:
        return a > b;
    case ir::binary_op::greater_equal:
        return a >= b;
    case ir::binary_op::equal:
        return a == b;
    case ir::binary_op::not_equal:
        return a != b;
    default:
        throw std::logic_error("not a comparison");
    }
}

namespace {

double rounded_to_half(double value) {
    constexpr double smallest_normal = 0x1p-14;
    const double magnitude = std::abs(value);
    const int exponent = magnitude < smallest_normal ? -14 : std::ilogb(magnitude);
    const double unit = std::ldexp(1.0, exponent - 10);
    const double near = std::nearbyint(value / unit) * unit;
    return std::abs(near) > 65504.0 ? std::copysign(std::numeric_limits<double>::infinity(), value) : near;
}

} // namespace

double rounded(double value, scalar type) {
    if (type == scalar::f32) {
        return static_cast<double>(static_cast<float>(value));
    }
    return type == scalar::f16 && std::isfinite(value) ? rounded_to_half(value) : value;
}

} // namespace gst::dsl
