#include "core/codegen/generate.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/streaming_case.hpp"

#include <fmt/format.h>

#include <regex>
#include <string>
#include <tuple>
#include <utility>

using namespace gst;
using namespace gst::testing;

namespace {

/// A program's text without what it says of itself.
std::string code_of(const program_case& c, const dialect& language) {
    return std::regex_replace(program_of(c, language).modules.front().text, std::regex("//[^\n]*"), "");
}

} // namespace

TEST_CASE("work-groups that take equal shares of all tiles", "[device][stream]") {
    test_device on = open_test_device();
    const auto groups_of = [](const program_case& c) {
        const lowered_kernel k = lower_stream(c.s, {0}, make_layout(c.size, reach_of(c.s), c.alignment), c.how);
        std::uint64_t groups = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            groups *= k.launch.global[axis] / k.launch.local[axis];
        }
        return groups;
    };
    // Parts of several tiles behind whole ones, whole ones alone, and so many shares that some have no plane.
    for (const auto& [kind, shares] :
         {std::pair{"fixed", 4U}, {"fixed", 5U}, {"fixed", 3U}, {"clamp", 2U}, {"mirror", 500U}, {"periodic", 7U}}) {
        program_case c = streaming_case(fmt::format("stencil shares(x, y) {{\nfield u {{ all: {0} }}\nu[t+1] = 0.1*u + "
                                                    "0.11*u[x-1] + 0.12*u[x+1] + 0.13*u[y-1] + 0.14*u[y+1] + "
                                                    "0.001*round(0.4*y)\n}}\n",
                                                    kind),
                                        {61, 13, 1}, 1);
        c.how.equal_shares = true;
        c.how.multiprocessors = shares;
        c.how.work_group[0] = 8;
        c.how.block[0] = 2;
        c.how.steps = 2;
        c.how.vector_width = 1;
        c.how.prefetch = true;
        c.how.ahead = shares < 4 ? 3 : 1;
        c.steps = 5;
        CAPTURE(kind, shares);
        CHECK(groups_of(c) == shares);
        program_case blocks = c; // of all planes: as many as tiles
        blocks.how.equal_shares = false;
        blocks.how.stream_length = static_cast<std::uint64_t>(c.size[1]);
        CHECK(groups_of(blocks) == 6);
        check_case(on, c);
        const std::string even = code_of(c, on.info.language);
        for (const int percent : {15, 100}) {
            c.how.edge_percent = percent;
            CHECK(groups_of(c) == shares);
            CHECK((code_of(c, on.info.language) == even) == (6 % shares == 0)); // whole tiles are as they were
            check_case(on, c);
        }
        if (shares == 5) { // parts of one tile
            c.size = {11, 31, 1};
            CHECK(code_of(c, on.info.language).find("tile < last_tile") != std::string::npos);
            check_case(on, c);
        }
    }
    // Stage groups that share their copies.
    program_case c = streaming_case("stencil shares(x, y) {\nfield u { all: fixed }\nu[t+1] = 0.2*u + 0.3*u[x-1] + "
                                    "0.15*u[x+1] + 0.25*u[y-1] + 0.05*u[y+1]\n}\n",
                                    {67, 41, 1}, 1);
    c.how.work_group = {16, 2, 1};
    c.how.steps = 4;
    c.how.planes = 2;
    c.how.prefetch = c.how.group_copies = c.how.equal_shares = true;
    c.how.ahead = 2;
    c.how.multiprocessors = 2;
    c.how.groups_at_once = 2;
    c.steps = 9;
    CHECK(groups_of(c) == 4);
    check_case(on, c);
    for (bool schedule::*other : {&schedule::tapering, &schedule::edge_blocks, &schedule::loops}) {
        program_case wrong = c;
        wrong.how.*other = true;
        const array_layout layout = make_layout(wrong.size, reach_of(wrong.s), wrong.alignment);
        CHECK(no_streaming(wrong.s, layout, wrong.how).starts_with("equal shares"));
    }
}

TEST_CASE("tiles beyond whole rounds are cut into blocks of planes", "[device][stream]") {
    test_device on = open_test_device();
    const auto lowered = [](const program_case& c) {
        return lower_stream(c.s, {0}, make_layout(c.size, reach_of(c.s), c.alignment), c.how);
    };
    const auto groups_of = [&](const program_case& c) {
        const lowered_kernel k = lowered(c);
        CHECK(k.launch.global[1] == k.launch.local[1]); // all along x, where most can be launched
        return k.launch.global[0] / k.launch.local[0];
    };
    // Of 6 tiles: a round of four and two in blocks; whole rounds; all in blocks; fewer blocks than asked for.
    for (const auto& [kind, at_once, blocks, groups] : {std::tuple{"fixed", 4U, 3, 4 + 2 * 3},
                                                        {"mirror", 4U, 2, 4 + 2 * 2},
                                                        {"clamp", 3U, 4, 6},
                                                        {"periodic", 7U, 3, 6 * 3},
                                                        {"constant(0.5)", 5U, 8, 5 + 1 * 7}}) {
        program_case c = streaming_case(fmt::format("stencil rest(x, y) {{\nfield u {{ all: {0} }}\nu[t+1] = 0.1*u + "
                                                    "0.11*u[x-1] + 0.12*u[x+1] + 0.13*u[y-1] + 0.14*u[y+1] + "
                                                    "0.001*round(0.4*y)\n}}\n",
                                                    kind),
                                        {61, 13, 1}, 1);
        c.how.work_group[0] = 8;
        c.how.block[0] = 2;
        c.how.vector_width = 2;
        c.how.steps = 2;
        c.how.stream_length = 13;
        c.how.rest_blocks = blocks;
        c.how.multiprocessors = at_once;
        c.steps = 5;
        CAPTURE(kind, at_once, blocks);
        CHECK(groups_of(c) == static_cast<std::uint64_t>(groups));
        check_case(on, c);
    }
    program_case c = stage_tiles_case(2, 1); // two rows of three tiles, of which the rest begins amid the second one
    c.how.rest_blocks = 2;
    c.how.stream_length = static_cast<std::uint64_t>(c.size[2]);
    c.how.multiprocessors = 4;
    REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
    CHECK(groups_of(c) == 4 + 2 * 2);
    test_device lanes = open_test_device_with_lanes();
    check_case(lanes, c);
    for (bool schedule::*other :
         {&schedule::tapering, &schedule::edge_blocks, &schedule::loops, &schedule::equal_shares}) {
        program_case wrong = c;
        wrong.how.*other = true;
        CHECK_THAT(no_streaming(wrong.s, make_layout(wrong.size, reach_of(wrong.s), wrong.alignment), wrong.how),
                   Catch::Matchers::StartsWith("tiles beyond whole rounds"));
    }
    c.how.stream_length -= 1;
    CHECK_THAT(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how),
               Catch::Matchers::StartsWith("tiles beyond whole rounds"));
}

TEST_CASE("work-groups with equal shares copy one tile after the other as a whole", "[device][stream]") {
    test_device on = open_test_device_with_lanes();
    for (const auto& [steps, kind] : {std::pair{1, "fixed"}, {2, "fixed"}, {2, "periodic"}}) {
        program_case c = streaming_case(
            fmt::format("stencil shares(x, y, z) {{\nfield u: f32 {{ all: {} }}\nu[t+1] = 0.3*u + 0.1*u[x-2] + "
                        "0.12*u[x+1] + 0.13*u[y-1] + 0.14*u[y+2] + 0.05*u[z-1]\n}}\n",
                        kind),
            {61, 25, 11}, 2);
        c.how.work_group = {static_cast<std::uint64_t>(on.info.language.sub_group), 4, 1};
        c.how.block = {2, 2, 1};
        c.how.vector_width = 2;
        c.how.steps = steps;
        c.how.prefetch = c.how.halo = c.how.tensor_copies = c.how.equal_shares = true;
        c.how.shuffle = c.how.halo_columns = steps > 1;
        c.how.ahead = 3;
        c.how.multiprocessors = 3;
        c.steps = 5;
        CAPTURE(kind, to_string(c.how));
        REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
        check_case(on, c);
        const std::string text = generate(c.s, c.size, c.alignment, c.how, cuda_dialect()).modules.front().text;
        CHECK(std::regex_search(text, std::regex(R"(__syncthreads\(\);\s+gst_end_boxes\(arrived_boxes, 3\);\s+)"
                                                 R"(gst_prepare_boxes\(arrived_boxes, 3, 1\);)")));
    }
}

TEST_CASE("compilers can tell that no pass is negative, whatever planes a work-group has") {
    for (const bool shares : {false, true}) {
        program_case c = stage_tiles_case(2, 0);
        c.how.equal_shares = shares;
        CAPTURE(to_string(c.how));
        const std::string text = generate(c.s, c.size, c.alignment, c.how, cuda_dialect()).modules.front().text;
        CHECK(std::regex_search(text, std::regex(R"(int plain_from = max\(min\([^;]*, passes\), 0\);\s+)"
                                                 R"(const int plain_to = max\(min\([^;]*, passes\), plain_from\);)")));
    }
}
