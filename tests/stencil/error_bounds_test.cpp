#include "tests/catch.hpp"
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
        scalar type = is_real(n.type) ? scalar::f64 : n.type;
        if (const auto* x = std::get_if<ir::number>(&n.op)) {
            moved.push_back(b.number(nearest_of(n.type, x->value), type));
        } else if (const auto* u = std::get_if<ir::unary>(&n.op)) {
            moved.push_back(b.unary(u->op, moved[u->a]));
        } else if (const auto* o = std::get_if<ir::binary>(&n.op)) {
            moved.push_back(b.binary(o->op, moved[o->a], moved[o->b]));
        } else if (const auto* c = std::get_if<ir::call>(&n.op)) {
            moved.push_back(b.call(c->f, moved[c->a]));
        } else if (const auto* t = std::get_if<ir::select>(&n.op)) {
            moved.push_back(b.select(moved[t->condition], moved[t->a], moved[t->b]));
        } else if (const auto* k = std::get_if<ir::convert>(&n.op)) {
            moved.push_back(b.convert(moved[k->a], type));
        } else {
            moved.push_back(b.add({n.op, type}));
        }
    }
    for (update& u : wide.updates) {
        u.value = moved[u.value];
    }
    verify(wide);
    return wide;
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
                                Run run) {
    comparison sum;
    for (int i = 0; i < count; ++i) {
        const std::uint64_t seed = first_seed() + first + static_cast<std::uint64_t>(i);
        random_source rng(seed);
        const stencil s = random_stencil(rng, options);
        const extent3 size = random_grid(s, rng, 200);
        const std::vector<double> parameters = random_parameters(s, rng);
        const interpreter_state start = random_state(s, size, seed);
        const int steps = 1 + static_cast<int>(rng.below(8));

        const error_companion companion = with_error_bounds(s);
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
    comparison weighted = over_random_stencils(2000, 100, linear, 1, exactly);
    WARN(summary("weighted sums, f32 against f64", weighted));
    CHECK(weighted.unbounded == 0);
    CHECK(weighted.ratios[weighted.ratios.size() / 2] > 0.005);

    comparison all = over_random_stencils(3000, 400, {}, 1, exactly);
    WARN(summary("all features, against f64", all));
    CHECK(all.unbounded * 10 < all.points);
}

TEST_CASE("programs that contract and use all the freedom of OpenCL C stay within twice the bound") {
    auto freely = [](const stencil& s, const std::vector<double>& parameters, const interpreter_state& start, int steps,
                     random_source& rng) {
        interpreter_state state = start;
        run_pointwise(s, state, parameters, steps, &rng);
        return state;
    };
    comparison all = over_random_stencils(5000, 400, {}, 2, freely);
    WARN(summary("all features, perturbed", all));
}
