#include "core/stencil/least_value.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gst {

namespace {

constexpr double unknown = -std::numeric_limits<double>::infinity();

double least_of(const stencil& s, const ir::binary& b, const std::vector<double>& least) {
    const double of_a = least[b.a], of_b = least[b.b];
    switch (b.op) {
    case ir::binary_op::add:
        return of_a >= 0 && of_b >= 0 ? of_a + of_b : unknown; // others may cancel but for what was rounded
    case ir::binary_op::multiply:
        return b.a == b.b ? 0 : of_a >= 0 && of_b >= 0 ? of_a * of_b : unknown;
    case ir::binary_op::minimum:
        return std::min(of_a, of_b);
    case ir::binary_op::maximum: { // the other operand, where one is a NaN: only literals are known not to be
        const auto* a = std::get_if<ir::number>(&s.nodes[b.a].op);
        const auto* c = std::get_if<ir::number>(&s.nodes[b.b].op);
        return a != nullptr ? a->value : c != nullptr ? c->value : std::min(of_a, of_b);
    }
    default:
        return unknown;
    }
}

bool is_never_negative(ir::function f) {
    return f == ir::function::absolute || f == ir::function::square_root || f == ir::function::exponential;
}

} // namespace

std::vector<double> least_values(const stencil& s) {
    std::vector<double> least;
    least.reserve(s.nodes.size());
    for (const node& n : s.nodes) {
        double of = unknown;
        if (n.type == scalar::f64) {
            if (const auto* number = std::get_if<ir::number>(&n.op)) {
                of = std::isnan(number->value) ? unknown : number->value;
            } else if (const auto* b = std::get_if<ir::binary>(&n.op)) {
                of = least_of(s, *b, least);
            } else if (const auto* c = std::get_if<ir::call>(&n.op); c != nullptr && is_never_negative(c->f)) {
                of = 0;
            } else if (const auto* q = std::get_if<ir::select>(&n.op)) {
                of = std::min(least[q->a], least[q->b]);
            }
        }
        least.push_back(of);
    }
    return least;
}

} // namespace gst
