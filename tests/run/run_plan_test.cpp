#include "core/base/random.hpp"
#include "core/run/run_plan.hpp"
#include "tests/catch.hpp"

#include <random>

using namespace gst;

TEST_CASE("without events the run is one slice") {
    CHECK(next_slice({.steps = 100}, 0) == run_slice{100, false, false, false, true});
    CHECK(next_slice({.steps = 100}, 100) == run_slice{0, false, false, false, true});
    CHECK(next_slice({.steps = 0}, 0) == run_slice{0, false, false, false, true});
}

TEST_CASE("a run stops where the next event is due, and for several at once") {
    const run_plan plan{.steps = 10, .output_every = 4, .residual_every = 2, .checkpoint_every = 8};
    CHECK(next_slice(plan, 0) == run_slice{2, true, false, false, false});
    CHECK(next_slice(plan, 2) == run_slice{2, true, true, false, false});
    CHECK(next_slice(plan, 6) == run_slice{2, true, true, true, false});
    CHECK(next_slice(plan, 8) == run_slice{2, true, false, false, true});
    CHECK(next_slice({.steps = 7, .output_every = 5, .output_at_end = true, .checkpoint_at_end = true}, 5) ==
          run_slice{2, false, true, true, true});
}

TEST_CASE("wherever a run is taken up again, it meets the events of an uninterrupted one") {
    const std::uint64_t seed = std::random_device{}();
    INFO("seed " << seed);
    random_source rng(seed);
    for (int i = 0; i < 200; ++i) {
        const auto any = [&] { return static_cast<std::int64_t>(rng.below(7)); };
        const run_plan plan{
            .steps = 1 + any() * 5, .output_every = any(), .residual_every = any(), .checkpoint_every = any()};
        const auto begin = static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(plan.steps)));
        std::int64_t done = begin;
        while (done < plan.steps) {
            const run_slice slice = next_slice(plan, done);
            REQUIRE(slice.steps > 0);
            for (std::int64_t t = done + 1; t <= done + slice.steps; ++t) {
                const auto due = [&](std::int64_t every) { return every > 0 && t % every == 0; };
                const bool here = t == done + slice.steps;
                CHECK(due(plan.output_every) == (here && slice.output));
                CHECK(due(plan.residual_every) == (here && slice.residual));
                CHECK(due(plan.checkpoint_every) == (here && slice.checkpoint));
            }
            done += slice.steps;
            CHECK(slice.last == (done == plan.steps));
        }
        CHECK(done == plan.steps);
    }
}
