#include "core/codegen/generate.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/catch.hpp"
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
