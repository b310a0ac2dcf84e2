#include "core/base/random.hpp"
#include "core/codegen/rotation.hpp"
#include "tests/catch.hpp"

#include <map>
#include <set>
#include <stdexcept>

using namespace gst;

TEST_CASE("a field has a buffer per kept level and per level that a call writes") {
    CHECK(buffers_for(1, false, 1) == 2);
    CHECK(buffers_for(1, false, 5) == 2);
    CHECK(buffers_for(3, false, 1) == 4);
    CHECK(buffers_for(3, false, 2) == 5);
    CHECK(buffers_for(3, false, 5) == 6);
    CHECK(buffers_for(1, true, 3) == 1);
}

TEST_CASE("calls and single steps find every level where it was written") {
    const int kept = GENERATE(1, 2, 3);
    const int steps = GENERATE(1, 2, 3, 4, 5);
    const int buffers = buffers_for(kept, false, steps);
    const std::uint64_t seed = 100 * static_cast<std::uint64_t>(kept) + static_cast<std::uint64_t>(steps);
    INFO("kept " << kept << ", steps " << steps << ", seed " << seed);
    random_source rng(seed);
    for (int run = 0; run < 20; ++run) {
        rotation r(kept, buffers);
        // The plain meaning: the time whose level a buffer holds.
        std::map<std::size_t, int> time_of;
        for (int age = 0; age < kept; ++age) {
            time_of[static_cast<std::size_t>(age)] = -age;
        }
        int t = 0;
        for (int list = 0; list < 50; ++list) {
            const int n = rng.below(2) == 0 ? 1 : steps;
            std::set<std::size_t> used;
            for (int level = 1 - kept; level <= 0; ++level) {
                const std::size_t b = r.buffer_of(level, n);
                REQUIRE(time_of.at(b) == t + level);
                REQUIRE(r.held(-level) == b);
                used.insert(b);
            }
            for (int level = n - std::min(n, kept) + 1; level <= n; ++level) {
                const std::size_t b = r.buffer_of(level, n);
                REQUIRE(b < static_cast<std::size_t>(buffers));
                REQUIRE(used.insert(b).second); // neither read nor written twice
                time_of[b] = t + level;
            }
            for (const int level : {-kept, n - std::min(n, kept), n + 1}) {
                if (level != 0) {
                    REQUIRE_THROWS_AS(r.buffer_of(level, n), std::out_of_range);
                }
            }
            r.advance(n);
            t += n;
            // After one step the level that was kept before is still there, for the residual.
            const int held = n <= kept ? kept + n : kept;
            for (int age = 0; age < held; ++age) {
                REQUIRE(time_of.at(r.held(age)) == t - age);
            }
            REQUIRE_THROWS_AS(r.held(held), std::out_of_range);
        }
    }
}

TEST_CASE("a coefficient stays where it is") {
    rotation r(1, buffers_for(1, true, 4));
    CHECK(r.buffer_of(0, 4) == 0);
    r.advance(4);
    r.advance(1);
    CHECK(r.buffer_of(0, 1) == 0);
    CHECK(r.held(0) == 0);
    CHECK_THROWS_AS(r.buffer_of(1, 1), std::out_of_range);
}
