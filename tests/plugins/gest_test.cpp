#include "plugins/search/gest.hpp"
#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"

#include <algorithm>

using namespace gst;
using namespace gst::test;
using gest::group;

TEST_CASE("GeST's groups: the weakest pairs open groups, the strongest fill them, leftovers join the smallest") {
    enum : std::size_t { a, b, c, d, e, f };
    const std::vector<gest::correlation> pairs{{c, d, 0.8}, {c, f, 0.05}, {a, b, 0.9}, {a, e, 0.1}};
    CHECK(gest::grouped({a, b, c, d, e, f}, {}, pairs, 3) == std::vector<group>{{a, e}, {b, d}, {c, f}});
}

TEST_CASE("GeST's groups: the number of groups is looked at before each opening, and initial groups count") {
    // (2, 3) is the weakest: 2 opens the last group that is allowed, 3 none.
    CHECK(gest::grouped({0, 1, 2, 3}, {{0, 1}}, {{2, 3, 0.9}}, 2) == std::vector<group>{{0, 1}, {2, 3}});
    CHECK(gest::grouped({0, 1, 2}, {{0}, {1}}, {{1, 2, 0.5}}, 2) == std::vector<group>{{0}, {1, 2}});
    CHECK(gest::grouped({0, 1, 2}, {}, {}, 5) == std::vector<group>{{0, 1, 2}});
}

TEST_CASE("GeST's first ratios are proportional to the combinations, none under the least") {
    const std::vector<double> kept = gest::first_ratios({60, 30, 10}, 0.1);
    CHECK(kept[0] == Approx(0.6));
    CHECK(kept[2] == Approx(0.1));
    const std::vector<double> raised = gest::first_ratios({98, 1, 1}, 0.1); // .98 .1 .1, over their sum
    CHECK(raised[0] == Approx(0.98 / 1.18));
    CHECK(raised[1] == Approx(0.1 / 1.18));
}

TEST_CASE("GeST's reward: those that did not improve give, those that did are set to equal shares of the rest") {
    const auto is = [](const std::vector<double>& found, const std::vector<double>& expected) {
        REQUIRE(found.size() == expected.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            CHECK(found[i] == Approx(expected[i]));
        }
    };
    is(gest::rewarded({0.5, 0.2, 0.2, 0.1}, {true, true, false, false}, 0.1, 0.1), {0.4, 0.4, 0.1, 0.1});
    is(gest::rewarded({0.5, 0.2, 0.2, 0.1}, {false, false, false, true}, 0.1, 0.1), {0.4, 0.1, 0.1, 0.4});
    is(gest::rewarded({0.5, 0.2, 0.2, 0.1}, {false, false, false, false}, 0.1, 0.1), {0.5, 0.2, 0.2, 0.1});
}

TEST_CASE("GeST traced: samples, groups, then one group at a time around a best that moves within the iteration") {
    parameter x = numbers("TBx", {1, 2, 4, 8});
    x.purpose = role::thread_block;
    parameter m = numbers("CMx", {1, 2, 4, 8});
    m.purpose = role::cyclic_merge;
    const space where = with({x, m});
    // TBx counts most: the best is (8, 8).
    const timing time = [](const configuration& c) { return std::optional(100.0 - 10 * c[0] - c[1]); };
    const tuned t =
        run({"gest", {{"samples", std::int64_t{1}}, {"iteration", 8.0}, {"restart", false}}, 3}, where, time);
    REQUIRE(t.measured.size() >= 7);
    CHECK(t.trace == std::vector<std::string>{"group: TBx", "group: CMx"});
    CHECK(t.stages == std::vector<std::string>{"sampling", "grouping", "sampling"});
    // Both groups have four combinations: half of the iteration each. The three unseen values of TBx first …
    const configuration start = t.measured[0];
    for (std::size_t i = 1; i <= 3; ++i) {
        CHECK(t.measured[i][1] == start[1]);
    }
    // … then, from the best of them, the three unseen values of CMx: the end of the grid along both, and nothing more
    // is unseen around it.
    for (std::size_t i = 4; i <= 6; ++i) {
        CHECK(t.measured[i][0] == 3);
    }
    CHECK(t.batches[0] == 1);
    CHECK(t.batches[1] == 3);
    CHECK(t.batches[2] == 3);
    CHECK(t.best->which == configuration{3, 3});
}
