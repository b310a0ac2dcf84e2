#include "core/codegen/generate.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/device_case.hpp"
#include "tests/codegen/mutate.hpp"
#include "tests/codegen/streaming_case.hpp"

#include <cstdlib>
#include <string>

using namespace gst;
using namespace gst::testing;

TEST_CASE("time steps with work-items and tiles of their own", "[device][stream]") {
    test_device on = open_test_device();
    for (int n = 0; n < 12; ++n) {
        const program_case c = stage_tiles_case(n % 5 < 3 ? 2 : 1, n);
        CAPTURE(n, to_string(c.how));
        REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
        check_case(on, c);
    }
}

TEST_CASE("random programs whose time steps have tiles of their own", "[device][stream]") {
    test_device on = open_test_device();
    const std::uint64_t programs = std::getenv("GST_TEST_LONG") ? 200 : 12;
    for (std::uint64_t n = 0; n < programs; ++n) {
        CAPTURE(n);
        check_case(on, random_stage_tiles(n));
    }
}

// As late as barriers of their own let the second time step begin its passes. Those that are early race, if at all, at
// a whole barrier, too.
TEST_CASE("the second of two time steps a pass behind the first one", "[device][stream]") {
    test_device on = open_test_device();
    for (int n = 0; n < 5; ++n) {
        program_case c = stage_tiles_case(n % 5 < 3 ? 2 : 1, n);
        c.how.arrival = 5;
        c.steps = 4;
        CAPTURE(n, to_string(c.how));
        lowered_program p = lower(c.s, c.size, c.alignment, c.how);
        REQUIRE(run_a_pass_behind(p.modules.front().front().body) > 0);
        CHECK(wrong_of(on, c, with_options(spell(p, on.info.language), quick_to_compile(on.info))) == "");
    }
}

TEST_CASE("the work-items of time steps with tiles of their own") {
    program_case c = stage_tiles_case(2, 0);
    c.how.work_group = {16, 8, 1};
    c.how.block = {4, 4, 1};
    c.how.stage_rows = 3;
    const auto groups = stage_groups_of(c.how, {3, 3, 3});
    CHECK(groups[0].before_x == 4); // whole work-items
    CHECK(groups[0].before == 3);
    CHECK(groups[0].lanes == 18);
    CHECK(groups[0].rows == 13); // 39 rows, of which 38 are needed
    CHECK(groups[1].first == 256);
    CHECK(groups[1].count() == 128);
    CHECK(launched_work_group(c.how, {3, 3, 3}) == range3{384, 1, 1});
    const lowered_kernel k = lower_stream(c.s, {0}, make_layout({128, 64, 32}, reach_of(c.s), c.alignment), c.how);
    CHECK(k.launch.local[0] == k.kernel.work_group[0]);
    CHECK(k.launch.global[0] == 2 * k.launch.local[0]);
    CHECK(k.launch.global[1] == 2);
}
