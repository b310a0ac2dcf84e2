#include "tests/catch.hpp"
#include "tests/stencil/pointwise.hpp"
#include "tests/stencil/random_stencil.hpp"
#include "tests/stencil/same.hpp"

#include <fmt/format.h>

#include <set>

using namespace gst;
using namespace gst::testing;

TEST_CASE("the interpreter computes what the IR says, bit for bit, on random stencils") {
    for (std::uint64_t seed = 1; seed <= 600; ++seed) {
        random_source rng(first_seed() + seed);
        random_stencil_options options;
        options.singular = rng.below(4) == 0;
        const stencil s = random_stencil(rng, options);
        const extent3 size = random_grid(s, rng, 600);
        const std::vector<double> parameters = random_parameters(s, rng);
        interpreter_state expected = random_state(s, size, seed);
        interpreter_state state = expected;
        const int steps = 1 + static_cast<int>(rng.below(4));
        run_pointwise(s, expected, parameters, steps);
        interpret(s, state, parameters, steps);
        INFO("seed " << first_seed() + seed << ", grid " << size[0] << " x " << size[1] << " x " << size[2] << ", "
                     << s.nodes.size() << " nodes");
        REQUIRE(state.step == steps);
        REQUIRE(interior_difference(s, expected, state) == "");
    }
}

TEST_CASE("the number of threads and the number of calls do not change the result") {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        random_source rng(first_seed() + 1000 + seed);
        const stencil s = random_stencil(rng);
        extent3 size{1, 1, 1};
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(s.dimensions); ++axis) {
            size[axis] = s.dimensions == 1 ? 30011 : s.dimensions == 2 ? 173 : 31;
        }
        const std::vector<double> parameters = random_parameters(s, rng);
        interpreter_state alone = random_state(s, size, seed);
        interpreter_state team = alone;
        interpreter_state parts = alone;
        interpret(s, alone, parameters, 3, 1);
        interpret(s, team, parameters, 3, 3);
        interpret(s, parts, parameters, 1, 2);
        interpret(s, parts, parameters, 2, 2);
        INFO("seed " << first_seed() + 1000 + seed);
        REQUIRE(difference(s, alone, team) == "");
        REQUIRE(difference(s, alone, parts) == "");
    }
}

TEST_CASE("random stencils say all that the IR can say") {
    std::set<std::string> seen;
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        random_source rng(seed);
        const stencil s = random_stencil(rng);
        for (const node& n : s.nodes) {
            const std::size_t kind = n.op.index();
            int op = 0;
            if (const auto* u = std::get_if<ir::unary>(&n.op)) {
                op = static_cast<int>(u->op);
            } else if (const auto* b = std::get_if<ir::binary>(&n.op)) {
                op = static_cast<int>(b->op);
            } else if (const auto* c = std::get_if<ir::call>(&n.op)) {
                op = static_cast<int>(c->f);
            }
            seen.insert(fmt::format("{} {}", kind, op));
        }
        for (const field& f : s.fields) {
            seen.insert(fmt::format("stored {} computed {}", name_of(f.type), name_of(f.compute)));
            seen.insert(fmt::format("history {}", f.history));
            seen.insert(f.coefficient ? "coefficient" : "updated");
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(s.dimensions); ++axis) {
                for (std::size_t side = 0; side < 2; ++side) {
                    seen.insert(fmt::format("{} {} {}", name_of(f.faces[axis][side].kind), axis, side));
                }
            }
        }
        seen.insert(fmt::format("{} dimensions, {} updates", s.dimensions, s.updates.size()));
    }
    // 11 kinds of node with 2 unary, 16 binary operations and 12 functions; 1 + 6 pairs of types; levels; boundaries on
    // faces
    CHECK(seen.size() == (11 - 3 + 2 + 16 + 12) + 7 + 3 + 2 + 5 * 6 + 9);
}
