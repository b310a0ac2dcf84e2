#include "tests/catch.hpp"
#include "tests/stencil/formula.hpp"
#include "tests/stencil/pointwise.hpp"
#include "tests/stencil/random_stencil.hpp"
#include "tests/stencil/same.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace gst;
using namespace gst::testing;
using ir::binary_op;

namespace {

/// The stencil with every real computed and stored as f64, its literals as they were.
stencil in_f64(const stencil& s) {
    stencil wide = s;
    wide.nodes.clear();
    for (field& f : wide.fields) {
        if (is_real(f.type)) {
            f.type = f.compute = scalar::f64;
        }
    }
    stencil_builder b(wide);
    std::vector<node_id> moved;
    for (const node& n : s.nodes) {
        node w = with_operands(n, moved);
        w.type = is_real(n.type) ? scalar::f64 : n.type;
        if (auto* x = std::get_if<ir::number>(&w.op)) {
            x->value = nearest_of(n.type, x->value);
        }
        const auto* k = std::get_if<ir::convert>(&w.op);
        moved.push_back(k != nullptr ? b.convert(k->a, w.type) : b.add(w));
    }
    for (update& u : wide.updates) {
        u.value = moved[u.value];
    }
    verify(wide);
    return wide;
}

/// u + 0.1 (left + right - 2 u) in f32.
stencil heat() {
    sketch k(1, {field_named("u")});
    formula u = k.read(0);
    formula left = k.read(0, {-1, 0, 0});
    formula around = left + k.read(0, {1, 0, 0});
    k.update(0, u + 0.1 * (around - 2 * u));
    return k.done();
}

/// The stencil with every real a + b + c … added in a random order.
stencil with_sums_in_another_order(const stencil& s, random_source& rng) {
    stencil other = s;
    other.nodes.clear();
    stencil_builder b(other);
    std::vector<node_id> moved;
    for (const node& n : s.nodes) {
        std::vector<std::pair<node_id, bool>> terms; // with whether it is subtracted
        std::vector<std::pair<node_id, bool>> open;
        auto split = [&](const node& sum, bool negative) {
            const auto* o = std::get_if<ir::binary>(&sum.op);
            bool splits =
                o != nullptr && is_real(sum.type) && (o->op == binary_op::add || o->op == binary_op::subtract);
            if (splits) {
                open.emplace_back(o->b, negative != (o->op == binary_op::subtract));
                open.emplace_back(o->a, negative);
            }
            return splits;
        };
        if (!split(n, false)) {
            moved.push_back(b.add(with_operands(n, moved)));
            continue;
        }
        while (!open.empty()) {
            auto [term, negative] = open.back();
            open.pop_back();
            if (!split(s.nodes[term], negative)) {
                terms.emplace_back(moved[term], negative);
            }
        }
        rng.shuffle(terms);
        node_id sum = terms[0].second ? b.unary(ir::unary_op::negate, terms[0].first) : terms[0].first;
        for (std::size_t i = 1; i < terms.size(); ++i) {
            sum = b.binary(terms[i].second ? binary_op::subtract : binary_op::add, sum, terms[i].first);
        }
        moved.push_back(sum);
    }
    for (update& u : other.updates) {
        u.value = moved[u.value];
    }
    verify(other);
    return other;
}

/// The state of a stencil with other types; the companion's error fields start with 0.
interpreter_state state_for(const stencil& s, const interpreter_state& from) {
    interpreter_state state = make_state(s, from.levels[0][0].size);
    for (std::size_t i = 0; i < from.levels.size(); ++i) {
        state.levels[i] = from.levels[i];
    }
    return state;
}

struct comparison {
    std::size_t points = 0;
    std::size_t unbounded = 0;
    std::vector<double> ratios; ///< |difference| / (slack × bound) where the bound is finite and not 0
    std::string first_wrong;
};

/// Compares the interiors of the newest levels with the companion's and its bounds.
void compare(const stencil& s, const error_companion& companion, const interpreter_state& reference,
             const interpreter_state& other, double slack, comparison& sum) {
    const extent3 size = reference.levels[0][0].size;
    for (std::size_t i = 0; i < s.fields.size(); ++i) {
        for (std::int64_t z = 0; z < size[2]; ++z) {
            for (std::int64_t y = 0; y < size[1]; ++y) {
                for (std::int64_t x = 0; x < size[0]; ++x) {
                    const double value = reference.levels[i][0].at(x, y, z);
                    const double exact = other.levels[i][0].at(x, y, z);
                    const int e = companion.error_field[i];
                    const double bound = e < 0 ? 0 : reference.levels[static_cast<std::size_t>(e)][0].at(x, y, z);
                    ++sum.points;
                    if (!std::isfinite(bound)) {
                        ++sum.unbounded;
                    } else if (!same(value, exact)) {
                        const double off = std::fabs(value - exact);
                        if (!(off <= slack * bound) && sum.first_wrong.empty()) {
                            sum.first_wrong = fmt::format("{} at ({}, {}, {}): {} and {} differ by {}, bound {}",
                                                          s.fields[i].name, x, y, z, value, exact, off, bound);
                        }
                        sum.ratios.push_back(off / (slack * bound));
                    }
                }
            }
        }
    }
}

std::string summary(std::string_view what, comparison& sum) {
    std::ranges::sort(sum.ratios);
    auto quantile = [&](double q) {
        return sum.ratios.empty()
                   ? 0
                   : sum.ratios[static_cast<std::size_t>(q * static_cast<double>(sum.ratios.size() - 1))];
    };
    return fmt::format(
        "{}: {} points, {:.2f} % without a bound, error / bound: median {:.3g}, 99 % {:.3g}, greatest {:.3g}", what,
        sum.points, 100.0 * static_cast<double>(sum.unbounded) / static_cast<double>(sum.points), quantile(0.5),
        quantile(0.99), quantile(1));
}

/// Runs random stencils with their bounds, and calls run(s, parameters, state, steps) for the values to compare with.
template<class Run>
comparison over_random_stencils(std::uint64_t first, int count, const random_stencil_options& options, double slack,
                                Run run, summation order = summation::as_written) {
    comparison sum;
    for (int i = 0; i < count; ++i) {
        const std::uint64_t seed = first + static_cast<std::uint64_t>(i);
        random_source rng(seed);
        const stencil s = random_stencil(rng, options);
        const extent3 size = random_grid(s, rng, 200);
        const std::vector<double> parameters = random_parameters(s, rng);
        const interpreter_state start = random_state(s, size, seed);
        const int steps = 1 + static_cast<int>(rng.below(8));

        const error_companion companion = with_error_bounds(s, order);
        verify(companion.program);
        interpreter_state plain = start;
        interpreter_state bounded = state_for(companion.program, start);
        interpret(s, plain, parameters, steps);
        interpret(companion.program, bounded, parameters, steps);
        INFO("seed " << seed << ", " << steps << " steps");
        REQUIRE(interior_difference(s, plain, bounded) == "");
        compare(s, companion, bounded, run(s, parameters, start, steps, rng), slack, sum);
        REQUIRE(sum.first_wrong == "");
    }
    return sum;
}

} // namespace

TEST_CASE("every value differs from that of f64 arithmetic by less than its bound") {
    random_stencil_options linear;
    linear.expressions = false;
    linear.types = {scalar::f32};
    auto exactly = [](const stencil& s, const std::vector<double>& parameters, const interpreter_state& start,
                      int steps, random_source&) {
        const stencil wide = in_f64(s);
        interpreter_state state = state_for(wide, start);
        interpret(wide, state, parameters, steps);
        return state;
    };
    comparison weighted = over_random_stencils(first_seed() + 2000, 100, linear, 1, exactly);
    WARN(summary("weighted sums, f32 against f64", weighted));
    CHECK(weighted.unbounded == 0);
    CHECK(weighted.ratios[weighted.ratios.size() / 2] > 0.005);

    comparison all = over_random_stencils(first_seed() + 3000, 400, {}, 1, exactly);
    WARN(summary("all features, against f64", all));
    over_random_stencils(508029232, 1, {}, 1, exactly); // an infinite f16 of infinite bound is compared
    // Of the same stencils every time: the share of others varies.
    const comparison same_stencils = over_random_stencils(3000, 400, {}, 1, exactly);
    CHECK(same_stencils.unbounded * 10 < same_stencils.points);
}

TEST_CASE("programs that contract and use all the freedom of OpenCL C stay within twice the bound") {
    auto freely = [](const stencil& s, const std::vector<double>& parameters, const interpreter_state& start, int steps,
                     random_source& rng) {
        interpreter_state state = start;
        run_pointwise(s, state, parameters, steps, &rng);
        return state;
    };
    comparison all = over_random_stencils(first_seed() + 5000, 400, {}, 2, freely);
    WARN(summary("all features, perturbed", all));
}

TEST_CASE("sums added in another order stay within twice the bound for any order") {
    auto shuffled = [](const stencil& s, const std::vector<double>& parameters, const interpreter_state& start,
                       int steps, random_source& rng) {
        const stencil other = with_sums_in_another_order(s, rng);
        interpreter_state state = state_for(other, start);
        run_pointwise(other, state, parameters, steps, &rng);
        return state;
    };
    comparison all = over_random_stencils(first_seed() + 7000, 300, {}, 2, shuffled, summation::any_order);
    WARN(summary("all features, sums in another order", all));
}

TEST_CASE("factors distributed over a difference stay within twice the bound for any order") {
    sketch k(1, {field_named("u")});
    const formula slope = k.read(0, {1, 0, 0}) - k.read(0, {-1, 0, 0});
    k.update(0, 0.3 * slope / 7 / 1.1);
    const stencil s = k.done();
    const auto first_bound = [&](summation order, interpreter_state& state) {
        const error_companion companion = with_error_bounds(s, order);
        state = random_state(companion.program, {400, 1, 1}, 5);
        std::ranges::fill(state.levels[1][0].data, 0);
        const std::vector<double> before = state.levels[0][0].data;
        interpret(companion.program, state, {}, 1);
        return before;
    };
    interpreter_state written, any;
    const std::vector<double> u = first_bound(summation::as_written, written);
    REQUIRE(first_bound(summation::any_order, any) == u);
    const auto part = [&](std::size_t x) { return 0.3F * static_cast<float>(u[x]) / 7.0F / 1.1F; };
    bool too_far = false;
    for (std::size_t x = 1; x <= 400; ++x) {
        const double off = std::fabs(any.levels[0][0].data[x] - static_cast<double>(part(x + 1) - part(x - 1)));
        REQUIRE(off <= 2 * any.levels[1][0].data[x]);
        too_far = too_far || off > 2 * written.levels[1][0].data[x];
    }
    CHECK(too_far);

    sketch half(1, {field_named("h", scalar::f16)});
    half.update(0, 100 * (half.read(0, {1, 0, 0}) - half.read(0, {-1, 0, 0})));
    const error_companion bounds = with_error_bounds(half.done(), summation::any_order);
    interpreter_state state = random_state(bounds.program, {8, 1, 1}, 5);
    std::ranges::fill(state.levels[0][0].data, 1000);
    interpret(bounds.program, state, {}, 1);
    CHECK(state.levels[0][0].at(3) == 0);
    CHECK(std::isinf(state.levels[1][0].at(3))); // 100 * 1000 is no f16
}

TEST_CASE("a heat step written with fused operations stays within the bound") {
    const stencil s = heat();
    const error_companion companion = with_error_bounds(s);
    interpreter_state state = random_state(companion.program, {50, 1, 1}, 5);
    std::ranges::fill(state.levels[1][0].data, 0);
    std::vector<float> u(state.levels[0][0].data.begin(), state.levels[0][0].data.end());
    for (int step = 1; step <= 8; ++step) {
        interpret(companion.program, state, {}, 1);
        std::vector<float> next = u;
        for (std::size_t x = 1; x <= 50; ++x) {
            next[x] = std::fma(0.1F, std::fma(-2.0F, u[x], u[x - 1] + u[x + 1]), u[x]);
        }
        u = next;
        bool differs = false;
        for (std::size_t x = 1; x <= 50; ++x) {
            const double off = std::fabs(state.levels[0][0].data[x] - static_cast<double>(u[x]));
            REQUIRE(off <= 2 * state.levels[1][0].data[x]);
            REQUIRE(state.levels[1][0].data[x] < step * 1e-6);
            differs = differs || off > 0;
        }
        CHECK(differs);
    }
}

TEST_CASE("a companion has the stencil's fields first and bounds only what is rounded") {
    sketch k(1, {field_named("cell", scalar::i32), field_named("u"), field_named("moved"), field_named("c"),
                 field_named("v", scalar::f64, {boundary_kind::constant, 3})});
    k.s.fields[3].coefficient = true;
    k.update(0, k.read(0, {-1, 0, 0}) + k.read(0, {1, 0, 0}));
    k.update(1, k.read(1) * k.read(3));
    k.update(2, k.read(2, {1, 0, 0}));
    k.update(4, k.read(4) + k.read(1, {-1, 0, 0}, 1).convert(scalar::f64));
    const stencil s = k.done();
    const error_companion companion = with_error_bounds(s);
    verify(companion.program);
    CHECK(companion.error_field == std::vector<int>{-1, 5, -1, -1, 6});
    CHECK(std::vector<field>(companion.program.fields.begin(), companion.program.fields.begin() + 5) == s.fields);
    CHECK(std::vector<node>(companion.program.nodes.begin(),
                            companion.program.nodes.begin() + static_cast<std::ptrdiff_t>(s.nodes.size())) == s.nodes);
    CHECK(companion.program.fields[5].name == "u__error");
    CHECK(companion.program.fields[6].type == scalar::f64);
    CHECK(companion.program.fields[6].faces[0][1] == boundary{boundary_kind::constant, 0});
}

TEST_CASE("an i32 that a real value reaches has an error field") {
    sketch k(1, {field_named("n", scalar::i32), field_named("u")});
    k.update(1, 0.3 * k.read(1));
    k.update(0, (10 * k.read(1, {}, 1)).convert(scalar::i32));
    const error_companion companion = with_error_bounds(k.done());
    CHECK(companion.error_field == std::vector<int>{2, 3});
    CHECK(companion.program.fields[2].type == scalar::f32);
    interpreter_state state = make_state(companion.program, {2, 1, 1});
    state.levels[1][0].data = {1, 1.05};
    interpret(companion.program, state, {}, 1);
    CHECK(state.levels[0][0].data == std::vector<double>{3, 3});
    CHECK(state.levels[2][0].data[0] == Approx(1).epsilon(1e-3));
    CHECK(state.levels[2][0].data[1] == 0); // 3.0000001 may be 2.9999999; 3.15 may not
}

TEST_CASE("a comparison that the bounds leave open adds the distance between both branches") {
    sketch k(1, {field_named("u"), field_named("v")});
    k.update(0, k.read(0) * k.number(0.3, scalar::f32));
    formula u = k.read(0, {}, 1);
    k.update(1, u.with(binary_op::less, u.number(0.3)).choose(u.number(-5), u.number(7)));
    const error_companion companion = with_error_bounds(k.done());
    interpreter_state state = make_state(companion.program, {3, 1, 1});
    state.levels[0][0].data = {0.9, 1, 1.1};
    interpret(companion.program, state, {}, 1);
    CHECK(state.levels[1][0].data == std::vector<double>{-5, 7, 7});
    const std::vector<double>& bound = state.levels[static_cast<std::size_t>(companion.error_field[1])][0].data;
    CHECK(bound[0] < 1e-30);
    CHECK(bound[1] == Approx(12).epsilon(1e-3));
    CHECK(bound[2] < 1e-30);
}

TEST_CASE("the companion of heat stays small") {
    const stencil s = heat();
    CHECK(with_error_bounds(s).program.nodes.size() <= 4 * s.nodes.size());
}

TEST_CASE("a minimum has no bound where one operand has none") {
    sketch k(1, {field_named("u"), field_named("v")});
    formula u = k.read(0);
    k.update(0, 0.3 * u);
    formula now = k.read(0, {}, 1);
    formula ratio = now / (now - now.number(0.3));
    k.update(1, ratio.with(binary_op::minimum, 3 * now));
    const error_companion companion = with_error_bounds(k.done());
    interpreter_state state = make_state(companion.program, {2, 1, 1});
    state.levels[0][0].data = {1, 2};
    interpret(companion.program, state, {}, 1);
    const std::vector<double>& bound = state.levels[static_cast<std::size_t>(companion.error_field[1])][0].data;
    CHECK_FALSE(std::isfinite(bound[0]));
    CHECK(bound[1] < 1e-5);
}
