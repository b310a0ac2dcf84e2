#include "core/space/arithmetic.hpp"
#include "core/space/expression_tree.hpp"

#include <array>
#include <stdexcept>

namespace gst {

double compute(operation o, const std::vector<double>& x) {
    const auto fold = [&](auto f) {
        double r = x[0];
        for (std::size_t i = 1; i < x.size(); ++i) {
            r = f(r, x[i]);
        }
        return r;
    };
    const auto both = [&](bool holds) {
        return std::isnan(x[0]) || std::isnan(x[1]) ? undefined : static_cast<double>(holds);
    };
    switch (o) {
    case operation::add:
        return fold([](double a, double b) { return a + b; });
    case operation::multiply:
        return fold([](double a, double b) { return a * b; });
    case operation::minimum:
        return fold(minimum);
    case operation::maximum:
        return fold(maximum);
    case operation::negate:
        return 0.0 - x[0];
    case operation::divide:
        return divide(x[0], x[1]);
    case operation::floor_divide:
        return floor_divide(x[0], x[1]);
    case operation::modulo:
        return modulo(x[0], x[1]);
    case operation::power:
        return power(x[0], x[1]);
    case operation::less:
        return both(x[0] < x[1]);
    case operation::less_equal:
        return both(x[0] <= x[1]);
    case operation::equal:
        return both(x[0] == x[1]);
    case operation::not_equal:
        return both(x[0] != x[1]);
    case operation::absolute:
        return std::abs(x[0]);
    case operation::floor:
        return std::floor(x[0]);
    case operation::ceiling:
        return std::ceil(x[0]);
    case operation::log2:
        return log2_of(x[0]);
    case operation::square_root:
        return square_root(x[0]);
    case operation::exponential:
        return std::exp(x[0]);
    case operation::logarithm:
        return logarithm_of(x[0]);
    case operation::sine:
        return std::sin(x[0]);
    case operation::cosine:
        return std::cos(x[0]);
    case operation::tangent:
        return std::tan(x[0]);
    case operation::arc_tangent:
        return std::atan(x[0]);
    case operation::hyperbolic_tangent:
        return std::tanh(x[0]);
    case operation::round:
        return std::round(x[0]);
    case operation::divides:
        return divides(x[0], x[1]);
    case operation::ceil_divide:
        return ceil_divide(x[0], x[1]);
    case operation::logical_and:
    case operation::logical_or:
    case operation::logical_not:
    case operation::member:
        break;
    }
    throw std::logic_error("this operation is not one of numbers");
}

std::string_view name_of(operation o) {
    static constexpr std::array<std::string_view, 32> names{
        "+",   "*",   "min", "max", "and", "or",   "in",   "-",     "not",     "/",       "//",
        "%",   "**",  "<",   "<=",  "==",  "!=",   "abs",  "floor", "ceil",    "log2",    "sqrt",
        "exp", "log", "sin", "cos", "tan", "atan", "tanh", "round", "divides", "ceil_div"};
    return names[static_cast<std::size_t>(o)];
}

} // namespace gst
