#include "core/codegen/emit.hpp"
#include "core/codegen/generate.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/device_case.hpp"
#include "tests/codegen/local_races.hpp"
#include "tests/codegen/mutate.hpp"
#include "tests/codegen/streaming_case.hpp"
#include "tests/dsl/stencils_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
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

TEST_CASE("time steps with tiles of their own that complete sums with what no tile holds", "[device][stream]") {
    test_device on = open_test_device();
    const std::vector<int> some{14, 2, 3, 6, 15, 7, 8, 22}, all{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 18, 22};
    for (const int n : std::getenv("GST_TEST_LONG") ? all : some) {
        const program_case c = completed_case(n % 5 < 3 ? 2 : 1, n);
        CAPTURE(n, to_string(c.how));
        REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how) == "");
        check_case(on, c);
    }
}

TEST_CASE("time steps with tiles of their own at clamped, mirrored and periodic faces", "[device][stream]") {
    test_device on = open_test_device();
    for (int n = 0; n < 9; ++n) {
        const int along = n % 5 < 3 ? 2 : 1;
        const int completed[] = {18, 3, 22};
        const program_case one = n < 6 ? stage_tiles_case(along, n) : completed_case(along, completed[n - 6]);
        program_case c = with_other_faces(one, n);
        c.size[0] = n % 2 == 0 ? 40 : 37; // whole vectors between periodic faces, or not
        CAPTURE(n, to_string(c.how));
        REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how) == "");
        check_case(on, c);
    }
}

TEST_CASE("time steps with tiles of their own that end or begin at a periodic face, or near it", "[device][stream]") {
    test_device on = open_test_device();
    // Tiles of four rows, some of which end there, and of two, one of which begins there.
    for (const auto& [rows, tile] :
         {std::pair{16, 4}, std::pair{17, 4}, std::pair{18, 4}, std::pair{19, 4}, std::pair{17, 2}, std::pair{18, 2}}) {
        program_case c = stage_tiles_case(2, 0);
        c.s = stencil_of("stencil even(x, y, z) {\nfield u { all: periodic }\nu[t+1] = 0.1*u + 0.11*u[x-1] + "
                         "0.12*u[x+1] + 0.13*u[y-2] + 0.14*u[y+2] + 0.15*u[z-1] + 0.07*u[z+1]\n}\n");
        c.how.work_group = {static_cast<std::uint64_t>(32 / tile), static_cast<std::uint64_t>(tile), 1};
        c.size = {140, rows, 9}; // a tile in the grid along x
        CAPTURE(rows, tile);
        REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how) == "");
        check_case(on, c);
    }
}

TEST_CASE("random programs whose time steps have tiles of their own", "[device][stream]") {
    test_device on = open_test_device();
    const std::uint64_t programs = std::getenv("GST_TEST_LONG") ? 200 : 12;
    std::uint64_t fit = 0; // in the device's local memory
    for (std::uint64_t n = 0; n < programs; ++n) {
        CAPTURE(n);
        const program_case c = random_stage_tiles(n);
        const lowered_program p = lower(c.s, c.size, c.alignment, c.how);
        if (nest::local_places(p.modules.front().front()).back() <= on.info.local_bytes) {
            check_case(on, c);
            ++fit;
        }
    }
    CHECK(fit * 2 > programs);
}

namespace {

/// The first race of a program's first kernel in its first and last work-groups, or "".
std::string first_race(const lowered_kernel& k) {
    const auto groups = [&](std::size_t axis) {
        return static_cast<std::int64_t>(k.launch.global[axis] / k.launch.local[axis]);
    };
    std::string race = local_race(k.kernel, {0, 0, 0});
    return race.empty() ? local_race(k.kernel, {groups(0) - 1, groups(1) - 1, groups(2) - 1}) : race;
}

/// The race of the first work-group where the first local array whose name ends with `words` has a plane less than
/// `slots`.
std::string race_short_of_a_plane(const nest::kernel& k, const std::string& words, std::int64_t slots) {
    const auto short_one = std::find_if(k.locals.begin(), k.locals.end(),
                                        [&](const nest::local_array& a) { return a.name.ends_with(words); });
    REQUIRE(short_one != k.locals.end());
    REQUIRE(short_one->elements % slots == 0);
    return local_race(k, {0, 0, 0}, [&](const std::string& array, std::int64_t at) {
        return array == short_one->name ? at % (short_one->elements / slots * (slots - 1)) : at;
    });
}

/// Removes what `which` says from a block and all in it; how many.
template<class Which>
int drop(nest::block& b, Which&& which) {
    auto dropped = static_cast<int>(std::erase_if(b, which));
    for (nest::statement& one : b) {
        for (nest::block* inner : inner_blocks(one)) {
            dropped += drop(*inner, which);
        }
    }
    return dropped;
}

/// Lets `first` say which work-items are of the first part; how often.
int divide(nest::block& b, const nest::value& first) {
    int parts = 0;
    for (nest::statement& one : b) {
        if (auto* p = std::get_if<nest::in_parts>(&one.what)) {
            p->first = first;
            ++parts;
        }
        for (nest::block* inner : inner_blocks(one)) {
            parts += divide(*inner, first);
        }
    }
    return parts;
}

} // namespace

TEST_CASE("barriers of their own keep two time steps apart in local memory") {
    const auto lowered = [](const program_case& c) {
        CAPTURE(to_string(c.how));
        const array_layout layout = make_layout(c.size, reach_of(c.s), c.alignment);
        REQUIRE(no_streaming(c.s, layout, c.how).empty());
        std::vector<std::size_t> all(c.s.updates.size());
        std::iota(all.begin(), all.end(), 0);
        return lower_stream(c.s, all, layout, c.how);
    };
    int pairs = 0;
    for (int n = 0; n < 12; ++n) {
        const int along = n % 5 < 3 ? 2 : 1;
        std::vector<program_case> cases{stage_tiles_case(along, n), random_stage_tiles(static_cast<std::uint64_t>(n))};
        if (n % 3 == 0) {
            cases.push_back(completed_case(along, n));
        } else if (n % 3 == 1) {
            cases.push_back(with_other_faces(stage_tiles_case(along, n), n));
        }
        for (program_case& c : cases) {
            c.how.arrival = n % 4 == 3 ? 0 : 1 + n * 3 % 10;
            c.how.code = static_cast<stage_code>(n % 3);
            CAPTURE(n, to_string(c.how));
            const lowered_kernel k = lowered(c);
            CHECK(first_race(k) == "");
            const bool swaps = emit({k.kernel}, cuda_dialect(), false).find("const int swaps = ") != std::string::npos;
            CHECK((c.how.half_loads || !swaps));
            pairs += swaps ? 1 : 0;
        }
    }
    CHECK(pairs > 0); // of halves of vectors: the cases that are run on devices have them, too
    const program_case example = stage_tiles_case(2, 0);
    const auto groups = stage_groups_of(example.how, updated_reach(example.s));
    const std::int64_t first = groups[0].count(),
                       second = groups[1].first; // its work-items, and the second one's first
    REQUIRE(first % stage_alignment != 0);
    const auto with = [&](bool sums, bool shares, stage_code code) {
        program_case c = example;
        c.how.arrival = 5;
        c.how.code = code;
        c.how.retiming = sums;
        c.how.equal_shares = shares;
        c.how.multiprocessors = 1; // all tiles
        return lowered(c);
    };
    for (const bool sums : {false, true}) {
        for (int n = 0; n < 6; ++n) {
            const bool shares = n % 2 == 1;
            const auto code = static_cast<stage_code>(n / 2);
            CAPTURE(sums, shares, static_cast<int>(code));
            const lowered_kernel right = with(sums, shares, code);
            CHECK(first_race(right) == "");
            const auto broken = [&](auto&& which) {
                lowered_kernel k = right;
                REQUIRE(drop(k.kernel.body, which) > 0);
                return first_race(k);
            };
            const auto arrives = [](int barrier) {
                return [barrier](const nest::statement& s) {
                    const auto* a = std::get_if<nest::arrive_at>(&s.what);
                    return a != nullptr && a->barrier == barrier;
                };
            };
            CHECK(broken(arrives(1)) == "some wait for ever");
            CHECK(broken(arrives(2)) == "some wait for ever");
            const auto last_await = [](const nest::statement& s) {
                const auto* a = std::get_if<nest::await_at>(&s.what);
                return a != nullptr && !a->all_pass;
            };
            CHECK_THAT(broken(last_await),
                       Catch::Matchers::ContainsSubstring(shares ? "may come before" : "of them awaited"));
            const auto divided = [&](const nest::value& condition) { // where the parts have code of their own
                lowered_kernel k = right;
                REQUIRE((divide(k.kernel.body, condition) > 0) == (code != stage_code::shared));
                return first_race(k);
            };
            const nest::value last = nest::number(second - 1), item = nest::var("item");
            const bool own = code != stage_code::shared;
            CHECK(divided(nest::less(item, nest::number(second))) == "");
            CHECK(divided(nest::less(item, last)) ==
                  (own ? fmt::format("work-item {} is in another part than others of its sub-group", second - 1) : ""));
            CHECK(divided(nest::less(last, item)) == (own ? "the work-item that copies is in the second part" : ""));
            // Work-items beyond the first group's rows end, and no others do.
            const auto ends = [&](std::int64_t begin, std::int64_t behind) {
                lowered_kernel k = right;
                const nest::value local = nest::make(nest::work_item{nest::id::local, 0}, nest::type::index);
                const nest::value beyond = nest::less(nest::number(begin - 1), local);
                k.kernel.body.insert(k.kernel.body.begin(),
                                     {nest::end_idle{nest::both(beyond, nest::less(local, nest::number(behind)))}});
                return first_race(k);
            };
            CHECK(ends(first, second) == "");
            CHECK(ends(first - 1, second) == fmt::format("work-item {} has ended, and writes", first - 1));
            CHECK(ends(second - 32, second) ==
                  fmt::format("work-item {} ends with all of its sub-group, or is the one that copies", second - 1));
            CHECK(ends(0, 1) == "work-item 0 ends with all of its sub-group, or is the one that copies");
            // A plane of local memory less than the second time step needs that is a pass behind.
            const std::int64_t slots = sums ? 3 : 3 + 2; // queues: neighbours of results two planes back
            CHECK_THAT(race_short_of_a_plane(right.kernel, "_stage", slots),
                       Catch::Matchers::ContainsSubstring("_stage behind"));
        }
    }
}

TEST_CASE("where copies of points lie beyond faces is computed in each pass, not kept from pass to pass") {
    for (const auto& [faces, renewed] :
         {std::pair{"y: mirror", "y"}, std::pair{"x: clamp; y: periodic", "x"}, std::pair{"x: periodic", ""}}) {
        program_case c = stage_tiles_case(2, 0);
        c.s = stencil_of(fmt::format("stencil copies(x, y, z) {{\nfield u {{ {} }}\nu[t+1] = 0.1*u + 0.11*u[x-1] + "
                                     "0.12*u[y+2] + 0.15*u[z-1]\n}}\n",
                                     faces));
        CAPTURE(faces);
        const std::string text = generate(c.s, c.size, c.alignment, c.how, cuda_dialect()).modules.front().text;
        const std::size_t pass = text.find("for (int pass = ");
        REQUIRE(pass != std::string::npos);
        for (const std::string axis : {"x", "y"}) {
            const std::string words = fmt::format("const int u_t_shown0_{0}_at = gst_renewed({0}0);", axis);
            CHECK((text.find(words, pass) != std::string::npos) == (axis == renewed));
            CHECK(text.find(words) >= pass);
            CHECK((text.find(fmt::format("_{}_own = gst_renewed(", axis), pass) != std::string::npos) ==
                  (axis == renewed));
        }
    }
}

TEST_CASE("tiles that reach beyond periodic faces are read when all work-items' copies have arrived") {
    for (const int n : {0, 1, 3}) {
        program_case c = with_other_faces(stage_tiles_case(2, n), 0);
        c.how.arrival = n == 0 ? 0 : 5;
        c.how.equal_shares = false;
        CAPTURE(n, to_string(c.how));
        const array_layout layout = make_layout(c.size, reach_of(c.s), c.alignment);
        REQUIRE(no_streaming(c.s, layout, c.how) == "");
        lowered_kernel k = lower_stream(c.s, {0}, layout, c.how);
        CHECK(first_race(k) == "");
        REQUIRE(drop(k.kernel.body,
                     [](const nest::statement& s) { return std::holds_alternative<nest::await_copies>(s.what); }) > 0);
        CHECK_THAT(first_race(k), Catch::Matchers::ContainsSubstring("_halo behind"));
    }
}

TEST_CASE("planes that complete sums stay in local memory until then") {
    const auto lowered = [](const program_case& c) {
        const array_layout layout = make_layout(c.size, reach_of(c.s), c.alignment);
        REQUIRE(no_streaming(c.s, layout, c.how) == "");
        return lower_stream(c.s, {0}, layout, c.how).kernel;
    };
    for (const auto& [n, planes, arrival] : {std::tuple{0, 1, 5}, {2, 1, 5}, {0, 2, 5}, {2, 2, 0}}) {
        program_case c = completed_case(2, n);
        c.how.arrival = arrival;
        c.how.planes = planes;
        c.how.left_arrays = c.how.late_sums = 0;
        c.how.left_terms = false;
        CAPTURE(n, to_string(c.how));
        const std::int64_t slots = (arrival > 0 ? 3 : 2) * planes + 2; // two planes back
        const nest::kernel all = lowered(c);
        CHECK(first_race({all, {}}) == "");
        CHECK_THAT(race_short_of_a_plane(all, "_stage", slots), Catch::Matchers::ContainsSubstring("_stage behind"));
        c.how.left_arrays = static_cast<int>(arrays_to_leave(c.s, c.how.stream_axis, c.how.left_terms).size());
        const nest::kernel left = lowered(c);
        CHECK(first_race({left, {}}) == "");
        CHECK_THAT(race_short_of_a_plane(left, "_left", slots), Catch::Matchers::ContainsSubstring("_left behind"));
        c.how.late_sums = 2; // with planes ahead, too
        const nest::kernel late = lowered(c);
        CHECK(first_race({late, {}}) == "");
        CHECK_THAT(race_short_of_a_plane(late, "_stage", slots), Catch::Matchers::ContainsSubstring("_stage behind"));
        if (no_left_terms(c.s, 2).empty()) { // then none of the first one's planes stays for that
            c.how.late_sums = 1;
            c.how.left_terms = true;
            c.how.left_arrays = static_cast<int>(arrays_to_leave(c.s, 2, true).size());
            const bool scales = planes_to_complete(c.s, 2, true) > 0;
            const nest::kernel terms = lowered(c);
            CHECK(first_race({terms, {}}) == "");
            CHECK_THAT(race_short_of_a_plane(terms, "_stage", scales ? slots : slots - 2),
                       Catch::Matchers::ContainsSubstring("_stage behind"));
            CHECK_THAT(race_short_of_a_plane(terms, "_left", slots),
                       Catch::Matchers::ContainsSubstring("_left behind"));
        }
    }
    // What is left of the first time step's tiles stays in these, whatever else does.
    program_case c = with_other_faces(completed_case(2, 4), 0);
    c.how.late_sums = 0;
    c.how.left_terms = false;
    c.how.left_arrays = 1;
    REQUIRE(planes_to_complete(c.s, 2, false) == 0);
    CHECK(first_race({lowered(c), {}}) == "");
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

TEST_CASE("which schedules with tiles of their own cannot be had") {
    const program_case c = stage_tiles_case(2, 0);
    const auto why = [&](auto&& change) {
        schedule how = c.how;
        change(how);
        return no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), how);
    };
    CHECK(why([](schedule&) {}) == "");
    const std::string wholes = "the tiles that the first time step reads are copied as wholes, with their halo";
    CHECK(why([](schedule& how) { how.tensor_copies = false; }) == wholes);
    CHECK(why([](schedule& how) { how.halo_columns = false; }) == wholes);
    CHECK(why([](schedule& how) { how.steps = 4; }) == "tiles of their own are for two time steps");
    CHECK(why([](schedule& how) { how.arrival = 11; }) ==
          "the first time step arrives after up to ten tenths of its reads");
    CHECK(why([](schedule& how) { how.left_arrays = 1; }) ==
          "the first time step has points of 0 arrays that complete the second one's sums");
    CHECK(why([](schedule& how) { how.left_terms = true; }) == "nothing is added to sums that are complete");
    CHECK(why([](schedule& how) { how.late_sums = 3; }) ==
          "planes ahead are read for partial sums of one or both time steps");
    CHECK(why([](schedule& how) {
              how.late_sums = 1;
              how.retiming = false;
          }) == "planes ahead are read for partial sums of one or both time steps");
    CHECK(why([](schedule& how) {
              how.stage_tiles = how.halo = how.halo_columns = how.tensor_copies = false;
              how.code = stage_code::loops;
              how.arrival = 0;
          }) ==
          "barriers and code of their own, and what is left to others, are for time steps with tiles of their own");
}
