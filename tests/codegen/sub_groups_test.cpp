#include "core/base/random.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stream_rules.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/device_case.hpp"
#include "tests/codegen/emulated_lanes.hpp"
#include "tests/codegen/mutate.hpp"
#include "tests/dsl/stencils_of.hpp"
#include "tests/first_seed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

using namespace gst;
using namespace gst::testing;

namespace {

/// Weights that are all different, of a star or a box.
stencil weighted(const char* shape, int dimensions, int reach, const char* kind) {
    return stencil_of(fmt::format("stencil ends({}) {{\nfield u {{ all: {} }}\nconst w = random(3)\n"
                                  "u[t+1] = sum(o in {}({})) {{ w[o] * u[o] }}\n}}\n",
                                  dimensions == 2 ? "x, y" : "x, y, z", kind, shape, reach));
}

/// Five points, two time steps, and rows of work-items that are two sub-groups.
program_case two_sub_groups(std::uint64_t lanes) {
    program_case c;
    c.s = weighted("star", 2, 1, "fixed");
    c.size = {101, 23, 1};
    c.how.stream_axis = 1;
    c.how.stream_length = 12;
    c.how.local = c.how.shuffle = true;
    c.how.lanes = lanes;
    c.how.work_group = {2 * lanes, 1, 1};
    c.how.block = {4, 1, 1};
    c.how.vector_width = 2;
    c.how.steps = 2;
    c.steps = 5;
    return c;
}

bool fits(const program& p, std::uint64_t local_bytes) {
    return std::ranges::all_of(p.call, [&](const program_operation& o) {
        const auto* run = std::get_if<launch>(&o);
        return run == nullptr || run->local_bytes <= local_bytes;
    });
}

/// A program whose rows of work-items are several sub-groups; nothing when what was drawn is no such program.
std::optional<program_case> random_case(random_source& rng, const test_device& on) {
    const auto chosen = [&](const auto&... all) {
        const std::common_type_t<decltype(all)...> list[] = {all...};
        return list[rng.below(std::size(list))];
    };
    program_case c;
    const int dimensions = chosen(2, 2, 3);
    const int reach = chosen(1, 1, 2, 3);
    const char* shape = chosen("star", "star", "box");
    c.s = weighted(shape, dimensions, reach, chosen("fixed", "constant(0.25)", "clamp", "mirror", "periodic"));
    c.noise = rng.next();
    c.how.shuffle = true;
    c.how.local = true;
    c.how.lanes = static_cast<std::uint64_t>(on.info.language.sub_group);
    c.how.work_group[0] = c.how.lanes * chosen(2U, 3U);
    c.how.vector_width = chosen(1, 1, 2);
    c.how.block[0] = static_cast<std::uint64_t>(c.how.vector_width) * chosen(1U, 2U, 3U);
    c.how.steps = chosen(1, 2, 2, 3, 4);
    c.how.stream_axis = dimensions == 2 ? 1 : chosen(1, 2);
    const auto along = static_cast<std::size_t>(c.how.stream_axis);
    c.size = {static_cast<std::int64_t>(20 + rng.below(150)), static_cast<std::int64_t>(14 + rng.below(9)), 1};
    if (dimensions == 3) {
        c.size[2] = static_cast<std::int64_t>(14 + rng.below(5));
        const std::size_t across = along == 2 ? 1 : 2;
        c.how.work_group[across] = chosen(2U, 4U);
        c.how.block[across] = chosen(1U, 3U, 5U);
    }
    c.how.stream_length = 1 + rng.below(static_cast<std::uint64_t>(c.size[along]));
    c.how.work_group[along] = c.how.steps % 2 == 0 ? chosen(1U, 2U) : 1U;
    c.how.planes = chosen(1, 2);
    c.how.retiming = rng.below(2) == 0;
    c.how.skewing = c.how.steps > 1 && rng.below(2) == 0;
    c.how.split_barriers = c.how.steps > 1 && !c.how.retiming && !c.how.skewing;
    c.how.prefetch = rng.below(2) == 0;
    c.how.ahead = c.how.prefetch ? chosen(1, 3) : 1;
    c.steps = 2 * c.how.steps + 1;
    const std::uint64_t work_items = c.how.work_group[0] * c.how.work_group[1] * c.how.work_group[2];
    return work_items <= 256 && no_streaming(c.s, make_layout(c.size, reach_of(c.s), padded_rows), c.how).empty()
               ? std::optional(c)
               : std::nullopt;
}

} // namespace

// PoCL takes minutes to compile emulated shuffles, at whose barriers it cuts the program into pieces; Oclgrind, and
// GPUs that have lanes, run these.
TEST_CASE("rows of several sub-groups compute what the interpreter computes", "[.races]") {
    test_device on = open_test_device_with_lanes();
    const bool emulated = on.info.type == "cpu";
    test_device blind = open_test_device();
    blind.info.language = with_blind_lanes(on.info.language, on.info.language.sub_group);
    random_source rng(first_seed());
    int left = std::getenv("GST_TEST_LONG") ? 100 : 24;
    while (left > 0) {
        const std::optional<program_case> c = random_case(rng, on);
        if (c && fits(program_of(*c, on.info.language), on.info.local_bytes)) {
            check_case(on, *c);
            if (emulated) { // and races that the barriers of emulated shuffles would hide
                execute(blind, program_of(*c, blind.info.language), c->s, start_of(*c), c->parameters, c->steps);
            }
            --left;
        }
    }
}

TEST_CASE("ends that are read without a barrier", "[.ends-race]") {
    test_device on = open_test_device();
    on.info.language = with_blind_lanes(on.info.language, 8);
    const program_case c = two_sub_groups(8);
    lowered_program p = lower(c.s, c.size, c.alignment, c.how);
    REQUIRE(drop_last_barriers(p.modules.front().front().body) > 0);
    execute(on, spell(p, on.info.language), c.s, start_of(c), {}, c.steps);
}

TEST_CASE("sub-groups of a row show each other the ends of their rows", "[device][stream]") {
    test_device on = open_test_device_with_lanes();
    const auto lanes = static_cast<std::uint64_t>(on.info.language.sub_group);
    program_case c = two_sub_groups(lanes);
    const auto text = [&] { return program_of(c, on.info.language).modules.front().text; };
    CHECK(text().find("u_t_ends[") != std::string::npos);
    CHECK(text().find("u_t_tiles") == std::string::npos); // no rows of others are needed
    check_case(on, c);
    c.how.work_group[0] = lanes; // one sub-group has nobody to show anything to
    CHECK(text().find("u_t_ends") == std::string::npos);
    c.how.work_group = {2 * lanes, 1, 1};
    c.s = stencil_of("stencil rows(x, y, z) {\nfield u\nu[t+1] = 0.3*u[y-1] + 0.2*u[y+1] + 0.1*u[z-1]\n}\n");
    c.how.stream_axis = 2;
    c.how.work_group[1] = 8;
    c.size = {101, 23, 13};
    CHECK(text().find("u_t_tiles[") != std::string::npos);
    CHECK(text().find("u_t_ends") == std::string::npos); // nor where nothing is read along x
    c.s = weighted("star", 2, 1, "fixed");
    c.how.stream_axis = 1;
    c.size = {101, 23, 1};
    c.how.work_group = {lanes + 1, 1, 1};
    const array_layout layout = make_layout(c.size, reach_of(c.s), padded_rows);
    CHECK(no_streaming(c.s, layout, c.how) == "a row of work-items does not fill its sub-groups");
    c.how.work_group[0] = 2 * lanes;
    CHECK(no_streaming(c.s, layout, c.how).empty());
    c.s = stencil_of(fmt::format(
        "stencil far(x, y) {{\nfield u\nu[t+1] = 0.3*u[x-{0}] + 0.2*u[x+{0}] + 0.1*u[y-1]\n}}\n", lanes + 1));
    c.how.work_group[0] = 16 * lanes;
    c.how.block[0] = static_cast<std::uint64_t>(c.how.vector_width = 1);
    CHECK(no_streaming(c.s, make_layout({1000, 23, 1}, reach_of(c.s), padded_rows), c.how) ==
          "neighbours along x are farther away than the next sub-group");
    c.how.block[0] = 2;
    CHECK(no_streaming(c.s, make_layout({1000, 23, 1}, reach_of(c.s), padded_rows), c.how).empty());
    // Two arrays, each of which is read along one axis.
    c = two_sub_groups(lanes);
    c.s = stencil_of("stencil two(x, y, z) {\nfield u\nfield v\nu[t+1] = 0.3*u[x-1] + 0.2*u[x+1] + 0.1*v[z-1]\n"
                     "v[t+1] = 0.3*v[y-1] + 0.2*v[y+1] + 0.1*u\n}\n");
    c.how.stream_axis = 2;
    c.how.work_group[1] = 8;
    c.size = {101, 23, 13};
    CHECK(text().find("u_t_ends[") != std::string::npos);
    CHECK(text().find("v_t_tiles[") != std::string::npos);
    CHECK(text().find("u_t_tiles") == std::string::npos);
    CHECK(text().find("v_t_ends") == std::string::npos);
}
