#include "core/space/layer_program.hpp"

#include "core/space/arithmetic.hpp"

#include <algorithm>
#include <stdexcept>

namespace gst {

namespace {

/// A comparison as a value: undefined where an operand is.
double compared(bool holds, double a, double b) {
    return std::isnan(a) || std::isnan(b) ? undefined : static_cast<double>(holds);
}

double kleene(double a, double b, double decisive) {
    return a == decisive || b == decisive ? decisive : std::isnan(a) || std::isnan(b) ? undefined : 1 - decisive;
}

template<class F>
void each(double* out, const double* a, const double* b, std::size_t lanes, F f) {
    for (std::size_t i = 0; i < lanes; i += layer_program::lane_step) {
        for (std::size_t j = i; j < i + layer_program::lane_step; ++j) {
            out[j] = f(a[j], b[j]);
        }
    }
}

void execute(opcode what, double* out, const double* a, const double* b, std::size_t lanes) {
    const auto with = [&](auto f) { each(out, a, b, lanes, f); };
    switch (what) {
    case opcode::add:
        return with([](double x, double y) { return x + y; });
    case opcode::multiply:
        return with([](double x, double y) { return x * y; });
    case opcode::minimum:
        return with([](double x, double y) { return minimum(x, y); });
    case opcode::maximum:
        return with([](double x, double y) { return maximum(x, y); });
    case opcode::negate:
        return with([](double x, double) { return 0.0 - x; });
    case opcode::divide:
        return with([](double x, double y) { return divide(x, y); });
    case opcode::floor_divide:
        return with([](double x, double y) { return floor_divide(x, y); });
    case opcode::modulo:
        return with([](double x, double y) { return modulo(x, y); });
    case opcode::power:
        return with([](double x, double y) { return power(x, y); });
    case opcode::absolute:
        return with([](double x, double) { return std::abs(x); });
    case opcode::floor:
        return with([](double x, double) { return std::floor(x); });
    case opcode::ceiling:
        return with([](double x, double) { return std::ceil(x); });
    case opcode::log2:
        return with([](double x, double) { return log2_of(x); });
    case opcode::square_root:
        return with([](double x, double) { return square_root(x); });
    case opcode::exponential:
        return with([](double x, double) { return std::exp(x); });
    case opcode::logarithm:
        return with([](double x, double) { return logarithm_of(x); });
    case opcode::sine:
        return with([](double x, double) { return std::sin(x); });
    case opcode::cosine:
        return with([](double x, double) { return std::cos(x); });
    case opcode::tangent:
        return with([](double x, double) { return std::tan(x); });
    case opcode::arc_tangent:
        return with([](double x, double) { return std::atan(x); });
    case opcode::hyperbolic_tangent:
        return with([](double x, double) { return std::tanh(x); });
    case opcode::round:
        return with([](double x, double) { return std::round(x); });
    case opcode::divides:
        return with([](double x, double y) { return divides(x, y); });
    case opcode::ceil_divide:
        return with([](double x, double y) { return ceil_divide(x, y); });
    case opcode::less:
        return with([](double x, double y) { return compared(x < y, x, y); });
    case opcode::less_equal:
        return with([](double x, double y) { return compared(x <= y, x, y); });
    case opcode::equal:
        return with([](double x, double y) { return compared(x == y, x, y); });
    case opcode::not_equal:
        return with([](double x, double y) { return compared(x != y, x, y); });
    case opcode::both:
        return with([](double x, double y) { return kleene(x, y, 0); });
    case opcode::either:
        return with([](double x, double y) { return kleene(x, y, 1); });
    case opcode::is_less:
        return with([](double x, double y) { return x < y ? 1.0 : 0.0; });
    case opcode::is_less_equal:
        return with([](double x, double y) { return x <= y ? 1.0 : 0.0; });
    case opcode::is_equal:
        return with([](double x, double y) { return x == y ? 1.0 : 0.0; });
    case opcode::is_not_equal:
        return with([](double x, double y) { return (x < y ? 1.0 : 0.0) + (x > y ? 1.0 : 0.0); });
    case opcode::lower:
        return with([](double x, double y) { return x < y ? x : y; });
    case opcode::upper:
        return with([](double x, double y) { return x > y ? x : y; });
    case opcode::middle:
        return with([](double x, double y) { return (x + y) * 0.5; });
    case opcode::unless_open:
        return with([](double x, double y) { return x == 0.5 ? y : x; });
    case opcode::while_open:
        return with([](double x, double y) { return x == 0.5 ? y : 0.0; });
    case opcode::is_member:
    case opcode::is_not_member:
        break;
    }
    throw std::logic_error("membership has no second operand");
}

} // namespace

void layer_program::run(double* columns, std::size_t stride, std::size_t lanes) const {
    for (const instruction& i : code) {
        double* out = columns + i.out * stride;
        const double* a = columns + i.a * stride;
        if (i.what != opcode::is_member && i.what != opcode::is_not_member) {
            execute(i.what, out, a, columns + i.b * stride, lanes);
            continue;
        }
        const std::vector<double>& set = sets[i.b];
        const bool wanted = i.what == opcode::is_member;
        for (std::size_t j = 0; j < lanes; ++j) {
            const bool found = !std::isnan(a[j]) && std::binary_search(set.begin(), set.end(), a[j]);
            out[j] = found == wanted && !std::isnan(a[j]) ? 1 : 0;
        }
    }
}

} // namespace gst
