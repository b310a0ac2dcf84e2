#include "tests/stencil/pointwise.hpp"

#include <algorithm>
#include <cmath>

namespace gst::testing {
namespace {

using ir::binary_op;
using ir::function;

double wrap(std::int64_t x) {
    return static_cast<double>(static_cast<std::int32_t>(static_cast<std::uint32_t>(static_cast<std::uint64_t>(x))));
}

double to_i32(double x) {
    return std::isnan(x) ? 0 : std::clamp(std::trunc(x), -0x1p31, 0x1p31 - 1) + 0.0; // no -0
}

double on_integers(binary_op op, double a, double b) {
    auto x = static_cast<std::int64_t>(a);
    auto y = static_cast<std::int64_t>(b);
    switch (op) {
    case binary_op::add:
        return wrap(x + y);
    case binary_op::subtract:
        return wrap(x - y);
    case binary_op::multiply:
        return wrap(x * y);
    case binary_op::divide:
        return y == 0 ? 0 : wrap(x / y);
    case binary_op::remainder:
        return y == 0 ? 0 : wrap(x % y);
    case binary_op::minimum:
        return std::min(a, b);
    case binary_op::maximum:
        return std::max(a, b);
    case binary_op::logical_and:
        return a != 0 && b != 0;
    default: // logical_or
        return a != 0 || b != 0;
    }
}

double on_reals(binary_op op, double a, double b, scalar type) {
    switch (op) {
    case binary_op::add:
        return a + b;
    case binary_op::subtract:
        return a - b;
    case binary_op::multiply:
        return a * b;
    case binary_op::divide:
        return a / b;
    case binary_op::remainder:
        return std::fmod(a, b);
    case binary_op::minimum:
        return std::fmin(a, b);
    case binary_op::maximum:
        return std::fmax(a, b);
    default: // power
        return type == scalar::f64 ? std::pow(a, b)
                                   : static_cast<double>(std::pow(static_cast<float>(a), static_cast<float>(b)));
    }
}

bool compare(binary_op op, double a, double b) {
    switch (op) {
    case binary_op::less:
        return a < b;
    case binary_op::less_equal:
        return a <= b;
    case binary_op::greater:
        return a > b;
    case binary_op::greater_equal:
        return a >= b;
    case binary_op::equal:
        return a == b;
    default: // not_equal
        return a != b;
    }
}

template<class Real>
double called(function f, Real a) {
    switch (f) {
    case function::absolute:
        return std::fabs(a);
    case function::square_root:
        return std::sqrt(a);
    case function::exponential:
        return std::exp(a);
    case function::logarithm:
        return std::log(a);
    case function::sine:
        return std::sin(a);
    case function::cosine:
        return std::cos(a);
    case function::tangent:
        return std::tan(a);
    case function::arc_tangent:
        return std::atan(a);
    case function::hyperbolic_tangent:
        return std::tanh(a);
    case function::floor:
        return std::floor(a);
    case function::ceiling:
        return std::ceil(a);
    case function::round:
        return std::round(a);
    }
    return 0;
}

/// Units in the last place that a program's result may be off by, beyond the rounding to nearest.
double freedom(const node& n) {
    if (const auto* b = std::get_if<ir::binary>(&n.op)) {
        return b->op == binary_op::power ? 15 : b->op == binary_op::divide && n.type == scalar::f32 ? 2 : 0;
    }
    if (const auto* c = std::get_if<ir::call>(&n.op)) {
        switch (c->f) {
        case function::square_root:
        case function::exponential:
        case function::logarithm:
            return 2;
        case function::sine:
        case function::cosine:
            return 3;
        case function::tangent:
        case function::arc_tangent:
        case function::hyperbolic_tangent:
            return 4;
        default:
            return 0;
        }
    }
    return 0;
}

class point {
  public:
    point(const stencil& s, const interpreter_state& state, const std::vector<field_values>& next,
          const std::vector<field_values>& given, const std::vector<double>& parameters, random_source* wobble)
        : s_(s), state_(state), next_(next), given_(given), parameters_(parameters), wobble_(wobble),
          values_(s.nodes.size()) {}

    double value(const std::vector<node_id>& order, extent3 at) {
        at_ = at;
        for (node_id id : order) {
            const node& n = s_.nodes[id];
            double exact = std::visit([&](const auto& op) { return of(op, n.type); }, n.op);
            values_[id] = nearest_of(n.type, off(n, exact));
        }
        return values_[order.back()];
    }

  private:
    double of(const ir::number& n, scalar) const { return n.value; }
    double of(const ir::parameter& p, scalar) const { return parameters_[p.index]; }
    double of(const ir::coordinate& c, scalar) const {
        return static_cast<double>(at_[static_cast<std::size_t>(c.axis)]);
    }
    double of(const ir::grid_size& g, scalar) const {
        return static_cast<double>(given_[0].size[static_cast<std::size_t>(g.axis)]);
    }
    double of(const ir::step_number&, scalar) const { return static_cast<double>(state_.step); }
    double of(const ir::read& r, scalar) const {
        extent3 p = at_;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            p[axis] += r.at[axis];
        }
        const field_values& level =
            r.level == 1 ? next_[r.field] : state_.levels[r.field][static_cast<std::size_t>(-r.level)];
        halo_source from = resolve_halo(s_.fields[r.field], level.size, p);
        bool inside = true;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            inside = inside && from.point[axis] >= 0 && from.point[axis] < level.size[axis];
        }
        return from.is_constant ? from.constant
                                : (inside ? level : given_[r.field]).at(from.point[0], from.point[1], from.point[2]);
    }
    double of(const ir::unary& u, scalar type) const {
        double a = values_[u.a];
        return u.op == ir::unary_op::logical_not ? a == 0
               : type == scalar::i32             ? wrap(-static_cast<std::int64_t>(a))
                                                 : -a;
    }
    double of(const ir::binary& n, scalar type) {
        double a = values_[n.a];
        double b = values_[n.b];
        if (n.op >= binary_op::less && n.op <= binary_op::not_equal) {
            return compare(n.op, a, b);
        }
        if (wobble_ != nullptr && is_real(type) && (n.op == binary_op::add || n.op == binary_op::subtract)) {
            if (const auto* p = std::get_if<ir::binary>(&s_.nodes[n.a].op);
                p != nullptr && p->op == binary_op::multiply && wobble_->below(2) == 0) {
                return std::fma(values_[p->a], values_[p->b], n.op == binary_op::add ? b : -b);
            }
        }
        return is_real(type) ? on_reals(n.op, a, b, type) : on_integers(n.op, a, b);
    }
    double of(const ir::call& c, scalar type) const {
        double a = values_[c.a];
        if (type == scalar::i32) {
            return wrap(std::abs(static_cast<std::int64_t>(a)));
        }
        return type == scalar::f64 ? called(c.f, a) : called(c.f, static_cast<float>(a));
    }
    double of(const ir::select& c, scalar) const { return values_[c.condition] != 0 ? values_[c.a] : values_[c.b]; }
    double of(const ir::convert& c, scalar type) const {
        return type == scalar::i32 ? to_i32(values_[c.a]) : values_[c.a];
    }

    double off(const node& n, double exact) {
        if (wobble_ == nullptr || !is_real(n.type)) {
            return exact;
        }
        double flushed = n.type == scalar::f64 ? 0x1p-1022 : 0x1p-126;
        if (n.type != scalar::f16 && std::fabs(exact) < flushed && wobble_->below(2) == 0) {
            return 0;
        }
        return exact * (1 + wobble_->uniform(-1, 1) * freedom(n) * epsilon_of(n.type) / 2);
    }

    const stencil& s_;
    const interpreter_state& state_;
    const std::vector<field_values>& next_;
    const std::vector<field_values>& given_;
    const std::vector<double>& parameters_;
    random_source* wobble_;
    std::vector<double> values_;
    extent3 at_{};
};

} // namespace

double nearest_of(scalar type, double x) {
    switch (type) {
    case scalar::f16: {
        if (x == 0 || !std::isfinite(x)) {
            return x;
        }
        double quantum = std::ldexp(1, std::max(std::ilogb(x), -14) - 10);
        double rounded = std::nearbyint(x / quantum) * quantum;
        return std::fabs(rounded) > 65504 ? std::copysign(HUGE_VAL, x) : rounded;
    }
    case scalar::f32:
        return static_cast<double>(static_cast<float>(x));
    case scalar::i32:
        return to_i32(x);
    default:
        return x;
    }
}

void run_pointwise(const stencil& s, interpreter_state& state, const std::vector<double>& parameters, int steps,
                   random_source* wobble) {
    std::vector<field_values> given;
    for (const auto& levels : state.levels) {
        given.push_back(levels[0]);
    }
    for (int step = 0; step < steps; ++step) {
        std::vector<field_values> next = given;
        for (std::size_t i = 0; i < next.size(); ++i) {
            next[i] = state.levels[i][0];
        }
        for (const update& u : s.updates) {
            point p(s, state, next, given, parameters, wobble);
            const std::vector<node_id> order = reachable(s, u.value);
            field_values made = next[u.field];
            for (std::int64_t z = 0; z < made.size[2]; ++z) {
                for (std::int64_t y = 0; y < made.size[1]; ++y) {
                    for (std::int64_t x = 0; x < made.size[0]; ++x) {
                        made.at(x, y, z) = nearest_of(s.fields[u.field].type, p.value(order, {x, y, z}));
                    }
                }
            }
            next[u.field] = std::move(made);
        }
        for (std::size_t i = 0; i < next.size(); ++i) {
            state.levels[i].insert(state.levels[i].begin(), std::move(next[i]));
            state.levels[i].pop_back();
        }
        ++state.step;
    }
}

} // namespace gst::testing
