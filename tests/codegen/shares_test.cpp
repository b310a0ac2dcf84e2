#include "core/codegen/generate.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/streaming_case.hpp"

#include <fmt/format.h>

#include <regex>
#include <string>
#include <utility>

using namespace gst;
using namespace gst::testing;

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
         {std::pair{"fixed", 4U}, {"fixed", 3U}, {"clamp", 2U}, {"mirror", 500U}, {"periodic", 7U}}) {
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

TEST_CASE("work-groups without a tile relieve those at the edge of the grid", "[device][stream]") {
    test_device on = open_test_device();
    struct shares_case {
        const char* kind;
        extent3 size;
        unsigned shares;
        bool relieves;
    };
    const auto check = [&](program_case c, bool relieves) {
        c.how.equal_shares = true;
        c.steps = 5;
        CAPTURE(to_string(c.how));
        REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
        const std::string text = generate(c.s, c.size, c.alignment, c.how, cuda_dialect()).modules.front().text;
        // Planes that are computed twice have the right values: those that tiles at the edge and others keep.
        std::smatch kept;
        const bool gives = std::regex_search(
            text, kept,
            std::regex(
                R"(const int last = [^;]*\? (\d+) \+ min\(share_to - edge_in_turn \* (\d+), (\d+)\) : [^;]*\? (\d+) : (\d+)\);)"));
        REQUIRE(gives == relieves);
        if (gives) {
            CHECK(kept[1] == kept[4]);
            CHECK(kept[2] == kept[3]);
            CHECK(std::stoi(kept[1]) + std::stoi(kept[2]) == c.size[2]);
            CHECK(std::stoi(kept[5]) == c.size[2]);
        }
        check_case(on, c);
    };
    // Five by two tiles, all of them at the edge; four by four; and so many work-groups that equal shares of all gain.
    for (const shares_case& l : std::vector<shares_case>{{"fixed", {61, 11, 60}, 11, true},
                                                         {"periodic", {50, 25, 90}, 17, true},
                                                         {"mirror", {50, 25, 91}, 17, true},
                                                         {"clamp", {50, 25, 60}, 18, false}}) {
        for (const int steps : {1, 2}) {
            program_case c = streaming_case(
                fmt::format("stencil edges(x, y, z) {{\nfield u {{ all: {} }}\nu[t+1] = 0.3*u + 0.1*u[x-1] + "
                            "0.12*u[x+1] + 0.13*u[y-1] + 0.14*u[y+1] + 0.05*u[z-1] + 0.06*u[z+1]\n}}\n",
                            l.kind),
                l.size, 2);
            c.how.steps = steps;
            c.how.block = {1, 1, 1};
            c.how.vector_width = 1;
            for (const std::size_t axis : {0, 1}) { // 13 × 7 points are written
                c.how.work_group[axis] =
                    static_cast<std::uint64_t>((axis == 0 ? 13 : 7) + 2 * overlapping_steps(c.how, axis));
            }
            c.how.multiprocessors = l.shares;
            c.how.retiming = l.shares == 11;
            CAPTURE(l.kind, steps);
            check(c, l.relieves);
            if (steps == 1) { // tiles that do not overlap reach beyond the last points alone
                c.how.local = false;
                c.how.work_group = {13, 7, 1};
                check(c, false);
            }
        }
    }
    for (const int n : {0, 5}) { // tiles of their own
        program_case c = stage_tiles_case(2, n);
        c.size[2] = 120;
        c.how.multiprocessors = 11;
        c.size[0] = static_cast<std::int64_t>(c.how.tile(0)) * 5 - 1;
        c.size[1] = static_cast<std::int64_t>(c.how.tile(1)) * 2 - 1;
        check(c, true);
    }
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
