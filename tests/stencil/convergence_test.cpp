#include "core/stencil/interpreter.hpp"
#include "tests/catch.hpp"
#include "tests/stencil/formula.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

using namespace gst;
using namespace gst::testing;

/// Known solutions of partial differential equations: the interpreter's results approach them at the order of the
/// scheme.
namespace {

constexpr double pi = std::numbers::pi;

double order(double coarse, double fine) {
    return std::log2(coarse / fine);
}

/// u_t = u_xx + u_yy on the unit square, 0 at its edge, from sin(πx) sin(πy): greatest error at time 0.05.
double heat_error(std::int64_t n) {
    sketch k(2, {field_named("u", scalar::f64, {boundary_kind::constant, 0})});
    formula u = k.read(0);
    k.update(0, u + 0.2 * (k.read(0, {-1, 0, 0}) + k.read(0, {1, 0, 0}) + k.read(0, {0, -1, 0}) + k.read(0, {0, 1, 0}) -
                           4 * u));
    const stencil s = k.done();
    const double h = 1.0 / static_cast<double>(n + 1);
    const auto steps = static_cast<std::int64_t>(std::round(0.05 / (0.2 * h * h)));
    interpreter_state state = make_state(s, {n, n, 1});
    auto mode = [&](std::int64_t x, std::int64_t y) {
        return std::sin(pi * h * static_cast<double>(x + 1)) * std::sin(pi * h * static_cast<double>(y + 1));
    };
    auto each = [&](auto f) {
        for (std::int64_t y = 0; y < n; ++y) {
            for (std::int64_t x = 0; x < n; ++x) {
                f(state.levels[0][0].at(x, y), mode(x, y));
            }
        }
    };
    each([](double& value, double exact) { value = exact; });
    interpret(s, state, {}, steps);
    const double decay = std::exp(-2 * pi * pi * 0.2 * h * h * static_cast<double>(steps));
    double worst = 0;
    each([&](double value, double exact) { worst = std::max(worst, std::fabs(value - decay * exact)); });
    return worst;
}

/// u_t + u_x = 0 on a periodic line, upwind, one tenth of a turn, Courant number 1/2.
double advection_error(std::int64_t n) {
    sketch k(1, {field_named("u", scalar::f64, {boundary_kind::periodic})});
    k.update(0, k.read(0) - 0.5 * (k.read(0) - k.read(0, {-1, 0, 0})));
    const stencil s = k.done();
    interpreter_state state = make_state(s, {n, 1, 1});
    auto wave = [&](std::int64_t x, double shift) {
        return std::sin(2 * pi * (static_cast<double>(x) / static_cast<double>(n) - shift));
    };
    for (std::int64_t x = 0; x < n; ++x) {
        state.levels[0][0].at(x) = wave(x, 0);
    }
    interpret(s, state, {}, n / 5);
    double worst = 0;
    for (std::int64_t x = 0; x < n; ++x) {
        worst = std::max(worst, std::fabs(state.levels[0][0].at(x) - wave(x, 0.1)));
    }
    return worst;
}

/// p_tt = p_xx with mirrored ends, order 8 in space, from cos(2πx); dt = h⁴-small, so that the error in space shows.
double wave_error(std::int64_t cells) {
    const double h = 1.0 / static_cast<double>(cells);
    const double dt = h * h * h * h * 4;
    const double weights[] = {-205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560};
    sketch k(1, {field_named("p", scalar::f64, {boundary_kind::mirror})});
    formula lap = weights[0] * k.read(0);
    for (int r = 1; r <= 4; ++r) {
        lap = lap + weights[r] * (k.read(0, {r, 0, 0}) + k.read(0, {-r, 0, 0}));
    }
    k.update(0, 2 * k.read(0) - k.read(0, {}, -1) + (dt * dt / (h * h)) * lap);
    const stencil s = k.done();
    interpreter_state state = make_state(s, {cells + 1, 1, 1});
    const auto steps = static_cast<std::int64_t>(std::round(0.1 / dt));
    auto exact = [&](std::int64_t x, double t) {
        return std::cos(2 * pi * h * static_cast<double>(x)) * std::cos(2 * pi * t);
    };
    for (std::int64_t x = 0; x <= cells; ++x) {
        state.levels[0][0].at(x) = exact(x, 0);
        state.levels[0][1].at(x) = exact(x, -dt);
    }
    interpret(s, state, {}, steps);
    double worst = 0;
    for (std::int64_t x = 0; x <= cells; ++x) {
        worst = std::max(worst, std::fabs(state.levels[0][0].at(x) - exact(x, dt * static_cast<double>(steps))));
    }
    return worst;
}

} // namespace

TEST_CASE("the heat equation converges at order 2") {
    CHECK(order(heat_error(15), heat_error(31)) == Approx(2).margin(0.1));
}

TEST_CASE("upwind advection converges at order 1") {
    CHECK(order(advection_error(320), advection_error(640)) == Approx(1).margin(0.05));
}

TEST_CASE("the wave equation of order 8 in space converges at order 8") {
    CHECK(order(wave_error(10), wave_error(20)) == Approx(8).margin(0.3));
}
