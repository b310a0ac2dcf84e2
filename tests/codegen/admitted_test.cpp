#include "core/base/random.hpp"
#include "core/codegen/generate.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/presets.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"
#include "tests/first_seed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <tuple>

using namespace gst;

namespace {

device_limits some_device() {
    device_limits limits;
    limits.work_group = 64;
    limits.work_items = {64, 64, 64};
    limits.local_bytes = 32768;
    limits.image_width = 8192;
    limits.sub_group = 8;
    return limits;
}

/// A GPU of today.
device_limits some_gpu(std::uint64_t local_bytes) {
    device_limits limits;
    limits.work_group = 1024;
    limits.work_items = {1024, 1024, 64};
    limits.local_bytes = local_bytes;
    limits.sub_group = limits.lanes = 32;
    limits.registers = 65536;
    limits.bounded_work_items = 1024;
    return limits;
}

bool launches_fit(const program& p, const device_limits& limits) {
    return std::all_of(p.call.begin(), p.call.end(), [&](const program_operation& o) {
        const auto* l = std::get_if<launch>(&o);
        for (std::size_t axis = 0; l && axis < 3; ++axis) {
            if (limits.work_groups[axis] > 0 && l->global[axis] / l->local[axis] > limits.work_groups[axis]) {
                return false;
            }
        }
        return true;
    });
}

} // namespace

TEST_CASE("admitted are the configurations that launch no more work-groups than the device can") {
    const stencil s = stencil_of("stencil s(x, y, z) {\nfield u\nu[t+1] = 0.3*u[x-1] + 0.2*u[y+1] + 0.1*u[z-1] + "
                                 "0.1*u[x+1, y-1]\n}\n");
    const extent3 size{40, 30, 20};
    const array_layout layout = make_layout(size, reach_of(s), padded_rows);
    random_source rng(testing::first_seed());
    for (const char* preset : {"garvey", "garvey_full", "gest", "full"}) {
        const space all = make_space(preset, s, size);
        device_limits limits = some_device();
        const space any_number = admitted(all, s, layout, limits);
        limits.work_groups = {0, 7, 3};
        limits.multiprocessors = 2;
        const space few = admitted(all, s, layout, limits);
        CHECK(few.count() > 0);
        CHECK(few.count() < any_number.count());
        schedule given;
        given.image_width = 8192;
        given.multiprocessors = 2;
        for (int i = 0; i < 300; ++i) {
            const configuration c = (i % 2 == 0 ? any_number : few).sample(rng);
            INFO(preset << ": " << all.to_string(c) << ", GST_TEST_SEED=" << testing::first_seed());
            const lowered_program p = lower(s, size, padded_rows, schedule_of(all, c, given));
            CHECK(launches_fit(p.rest, limits) == few.contains(c));
        }
    }
}

TEST_CASE("tiles of which the rest is cut lie along x, where so many may be launched") {
    const stencil s = stencil_of("stencil s(x, y, z) {\nfield u\nu[t+1] = 0.3*u[x-1] + 0.2*u[y+1] + 0.1*u[z-1]\n}\n");
    const extent3 size{40, 30, 20};
    const array_layout layout = make_layout(size, reach_of(s), padded_rows);
    device_limits limits = some_device();
    limits.multiprocessors = 2;
    const space cut = make_space("full", s, size).restricted({{"RB", {value(std::int64_t{2})}}});
    schedule given;
    given.multiprocessors = 2;
    random_source rng(testing::first_seed());
    for (const std::uint64_t most : {20U, 700U, 2000U}) { // 600 points at most across z, 800 across y, 1200 across x
        limits.work_groups = {most, 0, 0};
        const space some = admitted(cut, s, layout, limits);
        CHECK((some.count() > 0) == (most > 600));
        for (int i = 0; i < 100 && some.count() > 0; ++i) {
            const configuration c = some.sample(rng);
            INFO(some.to_string(c) << ", GST_TEST_SEED=" << testing::first_seed());
            CHECK(launches_fit(lower(s, size, padded_rows, schedule_of(cut, c, given)).rest, limits));
        }
    }
}

TEST_CASE("the untuned default runs on grids that are long along any axis") {
    const stencil s = stencil_of("stencil s(x, y, z) {\nfield u\nu[t+1] = 0.3*u[x-1] + 0.2*u[y+1] + 0.1*u[z-1]\n}\n");
    device_limits limits;
    limits.work_groups = {2147483647, 65535, 65535};
    for (const extent3 size :
         {extent3{1000000, 1, 1}, extent3{1, 1000000, 1}, extent3{1, 1, 1000000}, extent3{7, 65535, 65536}}) {
        const program p = lower(s, size, padded_rows, default_schedule(size)).rest;
        CHECK(launches_fit(p, limits));
        const auto& l = std::get<launch>(p.call.front());
        for (std::size_t axis = 0; axis < 3; ++axis) { // and reaches the last point
            const std::uint64_t covered = l.global[axis] * default_schedule(size).block[axis];
            CHECK(covered >= static_cast<std::uint64_t>(size[axis]));
        }
    }
}

TEST_CASE("temporal blocking in straight code is searched on processors where nothing else is asked for") {
    const stencil s = stencil_of("stencil s(x, y, z) {\nfield u\nu[t+1] = 0.3*u[x-1] + 0.2*u[y+1] + 0.1*u[z-1]\n}\n");
    const extent3 size{40, 30, 20};
    const array_layout layout = make_layout(size, reach_of(s), padded_rows);
    const auto blocked = [](const space& all) { return all.restricted({{"useTB", {value(true)}}}); };
    device_limits processor = some_device();
    processor.processor = true;
    for (const char* preset : {"gest", "full"}) {
        CAPTURE(preset);
        const space all = make_space(preset, s, size);
        const space on_processor = admitted(all, s, layout, processor);
        CHECK(on_processor.count() > 0);
        CHECK((blocked(on_processor).count() > 0) == (std::string(preset) == "full")); // in loops
        CHECK(admitted(blocked(all), s, layout, processor).count() > 0);
        const space elsewhere = admitted(all, s, layout, some_device());
        CHECK(blocked(elsewhere).count() > 0);
        if (std::string(preset) == "full") {
            const auto with_loops = [](const space& some, bool on) {
                return some.restricted({{"useLoops", {value(on)}}});
            };
            CHECK(blocked(with_loops(on_processor, false)).count() == 0);
            CHECK(admitted(blocked(with_loops(all, false)), s, layout, processor).count() > 0);
            const auto streaming = [](const space& some) { return some.restricted({{"useStreaming", {value(true)}}}); };
            CHECK(streaming(with_loops(on_processor, false)).count() == 0);
            CHECK(admitted(streaming(with_loops(all, false)), s, layout, processor).count() > 0);
            CHECK(with_loops(on_processor, true).count() > 0);
            CHECK(with_loops(elsewhere, true).count() == 0);
        }
    }
}

TEST_CASE("rows of work-items, or several of them, are sub-groups where these read each other's registers") {
    const auto one = [](std::int64_t n) { return std::vector<value>{value(n)}; };
    const extent3 size{128, 128, 64};
    device_limits limits = some_device();
    limits.split_barriers = true;
    const stencil s = stencil_of("stencil s(x, y, z) {\nfield u\nu[t+1] = 0.3*u[x-1] + 0.2*u[x+1] + 0.1*u[z-1]\n}\n");
    const space all = make_space("full", s, size);
    const space shuffled = all.restricted({{"useShuffle", {value(true)}}, {"SD", one(3)}, {"TBz", one(1)}});
    const auto count = [&](const std::map<std::string, std::vector<value>>& values) {
        return admitted(shuffled.restricted(values), s, make_layout(size, reach_of(s), padded_rows), limits).count();
    };
    for (const bool blocked : {false, true}) {
        const std::vector<value> is_blocked{value(blocked)};
        CHECK(count({{"useTB", is_blocked}, {"TBx", one(8)}}) > 0);
        CHECK(count({{"useTB", is_blocked}, {"TBx", one(16)}}) == 0);
        CHECK(count({{"useTB", is_blocked}, {"TBx", one(4)}, {"TBy", one(2)}}) > 0); // two rows each
        CHECK(count({{"useTB", is_blocked}, {"TBx", one(4)}, {"TBy", one(6)}}) > 0);
        CHECK(count({{"useTB", is_blocked}, {"TBx", one(4)}, {"TBy", one(1)}}) == 0);
        CHECK(count({{"useTB", is_blocked}, {"TBx", one(4)}, {"TBy", one(3)}}) == 0);
        CHECK(count({{"useTB", is_blocked}, {"TBx", one(3)}, {"TBy", one(8)}}) == 0);
        // Of planes along y stage groups lie between the rows of a sub-group.
        const auto along_y = [&](std::int64_t x, std::int64_t groups, std::int64_t z) {
            const space some = all.restricted({{"useShuffle", {value(true)}},
                                               {"SD", one(2)},
                                               {"useTB", is_blocked},
                                               {"TBx", one(x)},
                                               {"TBy", one(groups)},
                                               {"TBz", one(z)}});
            return admitted(some, s, make_layout(size, reach_of(s), padded_rows), limits).count() > 0;
        };
        CHECK(along_y(4, 1, 2));
        CHECK(!along_y(4, 1, 3));
        CHECK(!along_y(4, 2, 2));
        CHECK(along_y(8, 2, 1) == blocked);
        CHECK(!along_y(16, 1, 1));
    }
    CHECK(count({{"useSplitBarriers", {value(true)}}}) == 0); // nobody is waited for
}

TEST_CASE("where a pass may end between the halves of a barrier") {
    const auto count = [](const std::string& reads, const std::string& faces,
                          std::map<std::string, std::vector<value>> values) {
        const stencil s = stencil_of(
            fmt::format("stencil s(x, y, z) {{\nfield u {{ all: {} }}\nu[t+1] = 0.3*u + {}\n}}\n", faces, reads));
        values["useSplitBarriers"] = values["useHalo"] = {value(true)};
        return make_space("full", s, {128, 128, 64}).restricted(values).count();
    };
    const std::vector<value> yes{value(true)}, no{value(false)};
    const std::string star = "0.1*u[x-1] + 0.2*u[y+1] + 0.1*u[z-1]";
    const std::string box = "0.1*u[x-1, z+1] + 0.2*u[y+1, z+1]";
    CHECK(count(star, "fixed", {{"useRetiming", no}, {"useSkewing", no}}) > 0);
    CHECK(count(star, "periodic", {{"useRetiming", yes}, {"useSkewing", yes}}) > 0);
    CHECK(count(star, "fixed", {{"useRetiming", yes}, {"useSkewing", no}}) == 0);
    CHECK(count(box, "fixed", {{"useSkewing", yes}, {"SD", {value(std::int64_t{3})}}}) > 0);
    CHECK(count(box, "fixed", {{"useSkewing", no}, {"SD", {value(std::int64_t{3})}}}) == 0);
    CHECK(count(star, "fixed", {{"useShares", yes}}) == 0);
    CHECK(count(star, "fixed", {{"SD", {value(std::int64_t{3})}}, {"UFz", {value(std::int64_t{2})}}}) == 0);
    CHECK(count(star, "mirror", {}) == 0);
    const stencil plane = stencil_of("stencil s(x, y) {\nfield u\nu[t+1] = 0.3*u + 0.1*u[x+1, y+1]\n}\n");
    CHECK(make_space("full", plane, {128, 128, 1}).restricted({{"useSplitBarriers", yes}}).count() == 0);
}

TEST_CASE("time steps with tiles of their own need work-items for the first one, too") {
    const stencil s = stencil_of("stencil s(x, y, z) {\nfield u\nu[t+1] = sum(o in star(3)) { 0.05*u[o] }\n}\n");
    const extent3 size{512, 512, 512};
    const array_layout layout = make_layout(size, reach_of(s), padded_rows);
    const auto one = [](std::int64_t n) { return std::vector<value>{value(n)}; };
    const std::vector<value> yes{value(true)};
    const auto count = [&](const stencil& of, std::map<std::string, std::vector<value>> values,
                           const std::function<void(device_limits&)>& change = {}) {
        values.insert({{"useStageTiles", yes},
                       {"SD", one(3)},
                       {"BMx", one(4)},
                       {"VX", one(4)},
                       {"BMy", one(4)},
                       {"TBx", one(16)},
                       {"TBy", one(8)},
                       {"PD", one(4)},
                       {"SR", one(3)},
                       {"MB", one(1)},
                       {"AR", one(0)},
                       {"LS", one(0)},
                       {"useLeftTerms", {value(false)}},
                       {"useRetiming", yes}});
        device_limits limits = some_gpu(232448);
        limits.tensor_copies = limits.split_barriers = true;
        if (change) {
            change(limits);
        }
        return admitted(make_space("full", of, size).restricted(values), of, layout, limits).count();
    };
    CHECK(count(s, {}) > 0); // 18 × 13 and 16 × 8 work-items
    CHECK(count(s, {}, [](device_limits& d) { d.work_group = 384; }) > 0);
    CHECK(count(s, {}, [](device_limits& d) { d.work_group = 383; }) == 0);
    CHECK(count(s, {}, [](device_limits& d) { d.local_bytes = 49152; }) == 0);
    CHECK(count(s, {}, [](device_limits& d) { d.tensor_copies = false; }) == 0);
    CHECK(count(s, {{"UFz", one(2)}}) > 0);
    CHECK(count(s, {{"AR", one(8)}}) > 0);
    CHECK(count(s, {{"AR", one(8)}}, [](device_limits& d) { d.split_barriers = false; }) == 0);
    CHECK(count(s, {{"OC", one(1)}}) > 0);
    CHECK(count(s, {{"OC", one(1)}}, [](device_limits& d) { d.split_barriers = false; }) == 0);
    for (const char* kept : {"z: fixed", "z: periodic"}) { // nothing is kept beyond periodic faces
        const stencil periodic =
            stencil_of(fmt::format("stencil s(x, y, z) {{\nfield u {{ x: periodic; y: periodic; {} "
                                   "}}\nu[t+1] = sum(o in star(3)) {{ 0.05*u[o] }}\n}}\n",
                                   kept));
        const std::uint64_t bytes = 4 * ((4 + (kept == std::string("z: fixed") ? 3 : 0)) * 76 * 44 + 2 * 70 * 38);
        CAPTURE(kept, bytes);
        for (const std::uint64_t most : {bytes, bytes - 1}) {
            CHECK((count(periodic, {{"UFz", one(1)}}, [&](device_limits& d) { d.local_bytes = most; }) > 0) ==
                  (most == bytes));
        }
    }
    for (const auto& [planes, arrival] : {std::pair{1, 0}, {2, 0}, {1, 10}}) { // planes per pass
        // Of 76 × 44 points those of four passes and three that points beyond faces keep, of 70 × 38 those of two or,
        // where the second time step may begin later, of three.
        const std::uint64_t bytes = 4 * ((4 * planes + 3) * 76 * 44 + (arrival > 0 ? 3 : 2) * planes * 70 * 38);
        CAPTURE(planes, arrival, bytes);
        for (const std::uint64_t most : {bytes, bytes - 1}) {
            CHECK((count(s, {{"UFz", one(planes)}, {"AR", one(arrival)}},
                         [&](device_limits& d) { d.local_bytes = most; }) > 0) == (most == bytes));
        }
    }
    for (const auto& [lanes, rows, of_first] : {std::tuple{16, 4, 3}, {8, 2, 5}, {12, 3, 1}, {32, 1, 2}}) {
        schedule how;
        how.stage_tiles = true;
        how.stream_axis = 2;
        how.work_group = {static_cast<std::uint64_t>(lanes), 8, 1};
        how.block = {4, static_cast<std::uint64_t>(rows), 1};
        how.stage_rows = of_first;
        const std::uint64_t items = launched_work_group(how, {3, 3, 3})[0];
        CAPTURE(lanes, rows, of_first, items);
        for (const std::uint64_t most : {items, items - 1}) {
            CHECK((count(s, {{"TBx", one(lanes)}, {"BMy", one(rows)}, {"SR", one(of_first)}},
                         [&](device_limits& d) { d.work_group = most; }) > 0) == (most == items));
        }
    }
    CHECK(count(s, {{"SR", one(8)}, {"TBy", one(16)}, {"BMy", one(4)}}) == 0); // registers
    CHECK(count(s, {{"SR", one(8)}, {"TBy", one(16)}, {"BMy", one(4)}, {"LS", one(1)}}) > 0);
    CHECK(count(s, {{"LS", one(1)}}) > 0);
    CHECK(count(s, {{"LS", one(1)}, {"useRetiming", {value(false)}}}) == 0);
    CHECK(count(s, {{"useLeftTerms", yes}}) == 0);
    CHECK(count(s, {{"TBy", one(5)}}) == 0); // no whole sub-groups
    CHECK(count(s, {{"PD", one(1)}}) == 0);
    CHECK(count(s, {{"useShuffle", yes}}) == 0);
    CHECK(count(s, {{"TD", one(3)}}) == 0);
    const auto with = [](const std::string& field, const std::string& more) {
        return stencil_of(
            fmt::format("stencil s(x, y, z) {{\nfield u {}\ncoef k\nu[t+1] = sum(o in star(3)) {{ 0.05*u[o] "
                        "}}{}\n}}\n",
                        field, more));
    };
    CHECK(no_stage_tiles(s, 2).empty());
    CHECK(no_stage_tiles(s, 0) == "rows of boxes lie along x");
    CHECK(no_stage_tiles(with("{ all: periodic }", ""), 2).empty());
    CHECK(no_stage_tiles(with("{ x+: mirror; z-: clamp }", ""), 1).empty());
    CHECK(no_stage_tiles(with("{ x+: mirror; z-: clamp }", ""), 2) ==
          "u is clamped or mirrored along z, plane by plane");
    for (const char* completes : {" + k", " + 0.1*u[t-1]", " - k*u[t-2]/(k + 3) + 0.1*k*u"}) {
        CHECK(no_stage_tiles(with("", completes), 2) == "");
        CHECK(count(with("", completes), {}) > 0);
        CHECK(count(with("", completes), {{"useRetiming", {value(false)}}}) == 0);
    }
    for (const auto& [completes, planes, left] :
         {std::tuple{" + k*u", 3, 0}, {" + k - u[t-1]", 0, 0}, {" + k*u", 3, 1}, {" + k - u[t-1]", 0, 2}}) {
        // As above, and those planes of the first time step's results that sums are completed with; of what it leaves
        // five planes of 64 × 32 points.
        const std::uint64_t bytes = 4 * ((4 + 3) * 76 * 44 + (2 + planes) * 70 * 38 + left * 5 * 64 * 32);
        CAPTURE(completes, left, bytes);
        for (const std::uint64_t most : {bytes, bytes - 1}) {
            CHECK((count(with("", completes), {{"UFz", one(1)}, {"LA", one(left)}},
                         [&](device_limits& d) { d.local_bytes = most; }) > 0) == (most == bytes));
        }
    }
    using pinned = std::tuple<const char*, std::int64_t, bool, int>;
    for (const auto& [completes, late, terms, planes] : {pinned{" + k*u", 0, true, 0},
                                                         {" + k*u", 1, true, 0},
                                                         {" + k*u", 2, true, 3},
                                                         {" + k - u[t-1]", 2, false, 3},
                                                         {" + k - u[t-1]", 0, true, 0}}) {
        const std::uint64_t bytes = 4 * ((4 + 3) * 76 * 44 + (2 + planes) * 70 * 38 + (terms ? 5 : 0) * 64 * 32);
        CAPTURE(completes, late, terms, bytes);
        for (const std::uint64_t most : {bytes, bytes - 1}) {
            CHECK((count(with("", completes),
                         {{"UFz", one(1)}, {"LA", one(0)}, {"LS", one(late)}, {"useLeftTerms", {value(terms)}}},
                         [&](device_limits& d) { d.local_bytes = most; }) > 0) == (most == bytes));
        }
    }
    CHECK(count(with("", " + k - u[t-1]"), {{"LA", one(1)}, {"useLeftTerms", yes}}) == 0); // nothing scales
    CHECK(count(with("", " + k - u[t-2]"), {{"useLeftTerms", yes}}) == 0);
    CHECK(count(with("", " + k - u[t-1]"), {{"LA", one(2)}}) > 0);
    for (const int left : {0, 1}) { // no faces that keep anything, but what is left does: three planes and five
        const stencil periodic = with("{ all: periodic }", " - u[t-1]");
        const std::uint64_t bytes = 4 * ((4 + 3 * left) * 76 * 44 + 2 * 70 * 38 + left * 5 * 64 * 32);
        for (const std::uint64_t most : {bytes, bytes - 1}) {
            CHECK((count(periodic, {{"UFz", one(1)}, {"LA", one(left)}},
                         [&](device_limits& d) { d.local_bytes = most; }) > 0) == (most == bytes));
        }
    }
    CHECK(count(with("", " + k - u[t-1]"), {{"LA", one(3)}}) == 0); // u and k
    CHECK(count(with("", " + k - u[t-2]"), {{"LA", one(2)}}) == 0); // u[t-1] is none of the first time step's
    CHECK(count(s, {{"LA", one(1)}}) == 0);
    CHECK(no_stage_tiles(with("", " + k[x+1]"), 2) == "neighbours of k are read, which no tile holds");
    CHECK(no_stage_tiles(with("", " + 0.1*u[t-1, x+1]"), 2) ==
          "neighbours of u at time levels before t are read, which no tile holds");
    const char* no_sum = "u is no sum of what tiles hold that the point's own values complete";
    CHECK(no_stage_tiles(with("", " + k*u[x+1]"), 2) == no_sum); // two sums
    CHECK(no_stage_tiles(with("", " + max(k, u[x+1])"), 2) == no_sum);
    CHECK(no_stage_tiles(with("", " + k/u[x+1]"), 2) == no_sum);
    CHECK(no_stage_tiles(with("", " + k*u*(u[z+1] + u[z-1])"), 2) == // no useRetiming
          "u is no sum of terms that each read one plane");
    CHECK(no_stage_tiles(with("", " + 0.1*x"), 2) == "updates depend on where a point lies");
    CHECK(count(with("{ all: periodic }", ""), {}) > 0);
    CHECK(count(with("{ all: mirror }", ""), {}) == 0);
}

TEST_CASE("processors get less straight code than other devices") {
    const stencil s = stencil_of("stencil s(x, y, z) {\nfield u\nu[t+1] = sum(o in box(2)) { 0.008*u[o] }\n}\n");
    const extent3 size{64, 64, 64};
    const array_layout layout = make_layout(size, reach_of(s), padded_rows);
    const space wide =
        make_space("full", s, size).restricted({{"useStreaming", {value(false)}}, {"VX", {value(std::int64_t{16})}}});
    device_limits limits = some_device();
    CHECK(admitted(wide, s, layout, limits).count() > 0);
    limits.processor = true;
    CHECK(admitted(wide, s, layout, limits).count() == 0);
}

TEST_CASE("processors choose between literals and constant memory for all numbers at once") {
    const stencil s = stencil_of("stencil s(x, y) {\nfield u: f64\nconst w = random(25)\n"
                                 "u[t+1] = sum(o in box(2)) { w[o] * u[o] }\n}\n");
    const extent3 size{64, 64, 1};
    const array_layout layout = make_layout(size, reach_of(s), padded_rows);
    const space some = make_space("full", s, size).restricted({{"CN", {value(std::int64_t{8})}}});
    device_limits limits = some_device();
    CHECK(admitted(some, s, layout, limits).count() > 0);
    limits.processor = true;
    CHECK(admitted(some.restricted({{"useConstant", {value(true)}}}), s, layout, limits).count() == 0);
}

TEST_CASE("the compiler is told of the work-groups that are to have registers, where it can be") {
    const stencil s = stencil_of("stencil s(x, y, z) {\nfield u\nu[t+1] = sum(o in star(1)) { 0.1*u[o] }\n}\n");
    const extent3 size{64, 64, 64};
    const array_layout layout = make_layout(size, reach_of(s), padded_rows);
    const auto one = [](std::int64_t n) { return std::vector<value>{value(n)}; };
    const auto some = [&](std::int64_t groups, bool all_registers, bool shares, std::int64_t blocks = 1) {
        return make_space("full", s, size)
            .restricted({{"useStreaming", {value(true)}},
                         {"useTB", {value(false)}},
                         {"RB", one(blocks)},
                         {"useShares", {value(shares)}},
                         {"SD", one(3)},
                         {"TBx", one(32)},
                         {"TBy", one(2)},
                         {"BMx", one(2)},
                         {"MB", one(groups)},
                         {"useAllRegisters", {value(all_registers)}}});
    };
    device_limits told = some_gpu(65536), untold = told;
    untold.bounded_work_items = 0;
    device_limits some_told = told;
    const auto admits = [&](const space& of, const device_limits& limits) {
        return admitted(of, s, layout, limits).count() > 0;
    };
    for (const auto& [groups, all_registers, bounds] :
         {std::tuple{1, false, "(64)"}, {1, true, "(64, 1)"}, {2, false, "(64, 2)"}}) {
        CAPTURE(bounds);
        const space of = some(groups, all_registers, false);
        random_source rng(1);
        const schedule how = schedule_of(of, admitted(of, s, layout, told).sample(rng), default_schedule(size));
        const std::string text = generate(s, size, padded_rows, how, cuda_dialect()).modules.front().text;
        CHECK(text.find(std::string("__launch_bounds__") + bounds) != std::string::npos);
        CHECK(admits(of, untold) == (std::string(bounds) == "(64)"));
        some_told.bounded_work_items = 63;
        CHECK(admits(of, some_told) == admits(of, untold));
        some_told.bounded_work_items = 64;
        CHECK(admits(of, some_told));
    }
    CHECK(some(2, true, false).count() == 0); // of one work-group alone
    some_told.bounded_work_items = 63;
    for (const device_limits& limits : {untold, some_told}) {
        CHECK(admits(some(2, false, true), limits));     // shares of MB work-groups
        CHECK(admits(some(2, false, false, 3), limits)); // rounds of as many
    }
}

TEST_CASE("registers are estimated for the work-groups that a multiprocessor is to hold") {
    const stencil s = stencil_of("stencil s(x, y, z) {\nfield u\nu[t+1] = sum(o in star(1)) { 0.1*u[o] }\n}\n");
    const extent3 size{128, 128, 128};
    const array_layout layout = make_layout(size, reach_of(s), padded_rows);
    const device_limits limits = some_gpu(65536);
    const auto one = [](std::int64_t n) { return std::vector<value>{value(n)}; };
    const space all = make_space("full", s, size)
                          .restricted({{"useStreaming", {value(true)}},
                                       {"useTB", {value(false)}},
                                       {"SD", one(3)},
                                       {"UFz", one(1)},
                                       {"TBx", one(32)},
                                       {"TBy", one(8)},
                                       {"BMx", one(4)},
                                       {"BMy", one(8)}});
    // 256 work-items with three planes of 32 points, and 20 registers more: 29,696 of 81,920, 5 / 4 of those there are.
    for (const std::int64_t groups : {1, 2, 3, 4}) {
        CAPTURE(groups);
        const space some = all.restricted({{"MB", one(groups)}});
        REQUIRE(some.count() > 0);
        CHECK((admitted(some, s, layout, limits).count() > 0) == (groups <= 2));
        device_limits other = limits;
        other.registers = 0;
        CHECK(admitted(some, s, layout, other).count() > 0);
    }
}
