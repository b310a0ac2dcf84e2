#include "core/base/random.hpp"
#include "core/codegen/generate.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stream/tile_axis.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/streaming_case.hpp"
#include "tests/dsl/stencils_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

using namespace gst;
using namespace gst::testing;

TEST_CASE("temporal blocking of tiles with the halo of the first time step", "[device][stream]") {
    test_device on = open_test_device_with_lanes();
    int n = 0, wholes = 0;
    for (const char* kind : {"fixed", "constant(0.25)", "clamp", "mirror", "periodic"}) {
        for (const int along : {2, 1}) {
            const program_case c = blocks_with_halo(on.info, kind, {37, 17, 17}, along, n++);
            REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
            wholes += c.how.tensor_copies ? 1 : 0;
            check_case(on, c);
        }
    }
    CHECK(wholes == 3);
}

namespace {

/// Whether a tile lies in the grid, and what it holds beside its points reaches beyond a face.
bool holds_points_beyond(const program_case& c, std::size_t axis) {
    const std::int64_t reach = reach_of(c.s)[axis], size = c.size[axis];
    const streaming::tile_axis t = streaming::make_tile(c.how, axis, size, reach, overlap_of(c.how, axis, reach, 0));
    for (std::int64_t first = -t.halo; first < size; first += t.step) {
        const std::int64_t behind = size - first - t.width;
        if (first >= 0 && behind >= 0 && (first < reach || behind < reach)) {
            return true;
        }
    }
    return false;
}

} // namespace

TEST_CASE("tiles in the grid whose halo reaches beyond a periodic face", "[device][stream]") {
    test_device on = open_test_device_with_lanes();
    int tried = 0;
    for (const auto& [axis, n] : {std::pair{1, 0}, std::pair{0, 1}}) { // rows, and columns of tiles that have these
        for (std::int64_t size = 13; size < 140 && tried < 2 * (2 - axis); ++size) {
            extent3 all{4 * on.info.language.sub_group + 5, 17, 9}; // a tile in the grid along the other axis, too
            all[static_cast<std::size_t>(axis)] = size;
            program_case c = blocks_with_halo(on.info, "periodic", all, 2, n);
            c.s = stencil_of("stencil even(x, y, z) {\nfield u { all: periodic }\nu[t+1] = 0.1*u + 0.11*u[x-2] + "
                             "0.12*u[x+2] + 0.13*u[y-2] + 0.14*u[y+2] + 0.15*u[z-1] + 0.07*u[z+1]\n}\n");
            REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
            if (holds_points_beyond(c, static_cast<std::size_t>(axis))) {
                CAPTURE(axis, size);
                check_case(on, c);
                ++tried;
            }
        }
    }
    CHECK(tried == 4);
}

TEST_CASE("passes that end between the halves of a barrier", "[device][stream]") {
    test_device on = open_test_device_with_lanes();
    int n = 0;
    for (const char* kind : {"fixed", "constant(0.25)", "periodic"}) {
        for (const int along : {2, 1}) {
            const program_case c = halves_with_halo(on.info, kind, {37, 17, 17}, along, n++);
            REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
            check_case(on, c);

            const std::string text = generate(c.s, c.size, c.alignment, c.how, cuda_dialect()).modules.front().text;
            const std::string passes = text.substr(text.find("for (int pass = "));
            const auto count = [&](const std::string& in, const std::string& what) {
                int found = 0;
                for (std::size_t at = 0; (at = in.find(what, at)) != std::string::npos; ++at) {
                    ++found;
                }
                return found;
            };
            const int loops = count(passes, "for (int pass = ");
            CHECK(count(passes, "gst_await_phase(arrivals, pass % 2)") == loops);
            const std::string once = text.substr(text.find("gst_prepare_arrivals(arrivals"));
            const int tiles = count(once, "for (int edge = ") + count(once, "for (int inner = ");
            CHECK(count(once, "gst_arrive(arrivals)") == loops + std::max(tiles, 1));
            CHECK(count(passes, "__syncthreads()") == 0);
        }
    }
    const program_case c = halves_with_halo(on.info, "mirror", {37, 17, 17}, 2, 0);
    CHECK(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how) ==
          "points of u beyond a clamped or mirrored face are copied between time steps");
}

TEST_CASE("random programs whose passes end between the halves of a barrier", "[device][stream]") {
    test_device on = open_test_device_with_lanes();
    const std::uint64_t programs = std::getenv("GST_TEST_LONG") ? 200 : 12;
    for (std::uint64_t n = 0; n < programs; ++n) {
        CAPTURE(n);
        check_case(on, random_halves(on.info, n));
    }
}

TEST_CASE("with sums instead of planes, points beyond the grid keep what the tile with its halo has",
          "[device][stream]") {
    test_device on = open_test_device_with_lanes();
    int n = 0;
    for (const char* along : {"fixed", "periodic"}) {
        for (const int steps : {2, 3}) {
            program_case c = streaming_case(
                fmt::format(
                    "stencil kept(x, y, z) {{\nfield u: {} {{ x: fixed; y-: constant(0.25); y+: fixed; z: {} }}\n"
                    "u[t+1] = 0.3*u + 0.1*u[x-1] + 0.12*u[y+1] + 0.13*u[z-2] + 0.14*u[z+1] + 0.05*u[y-1]\n}}\n",
                    n % 2 == 0 ? "f32" : "f64", along),
                {19, 11, 13}, 2);
            c.how.work_group = {static_cast<std::uint64_t>(on.info.language.sub_group), 8, 1};
            c.how.block = {2, 1, 1};
            c.how.vector_width = 2;
            c.how.retiming = c.how.shuffle = c.how.prefetch = c.how.halo = true;
            c.how.ahead = 2;
            c.how.steps = steps;
            c.how.skewing = n != 1;
            c.how.halo_columns = n % 3 == 0;
            c.how.planes = 1 + (n + 1) % 2;
            c.steps = steps + 1;
            CAPTURE(to_string(c.how));
            REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
            check_case(on, c);
            ++n;
        }
    }
}

TEST_CASE("a sub-group of several rows of a tile", "[device][stream]") {
    test_device on = open_test_device_with_lanes();
    for (const int axis : {2, 1}) {
        for (const int steps : {1, 2}) {
            program_case c = streaming_case(
                fmt::format("stencil rows(x, y, z) {{\nfield u {{ x-: fixed; x+: {}; y: fixed }}\nu[t+1] = 0.3*u + "
                            "0.1*u[x-{}] + 0.12*u[x+1] + 0.13*u[y-1] + 0.14*u[z+1]\n}}\n",
                            steps == 1 ? "clamp" : "constant(0.25)", 3 - steps),
                {23, 11, 9}, axis);
            const auto lanes = static_cast<std::uint64_t>(on.info.language.sub_group);
            const std::uint64_t rows = steps == 1 ? lanes / 2 : 2;
            c.how.work_group = {lanes / rows, 1, 1};
            c.how.work_group[axis == 2 ? 1 : 2] = 8;
            c.how.block = {static_cast<std::uint64_t>(2 * steps), 1, 1};
            c.how.vector_width = 2;
            c.how.shuffle = true;
            c.how.steps = steps;
            c.steps = 3;
            CAPTURE(to_string(c.how));
            REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
            check_case(on, c);
        }
    }
}

TEST_CASE("tiles at the grid's edge share their planes among one block more", "[device][stream]") {
    test_device on = open_test_device();
    const auto blocks_along = [](const program_case& c) {
        const lowered_kernel k = lower_stream(c.s, {0}, make_layout(c.size, reach_of(c.s), c.alignment), c.how);
        const auto along = static_cast<std::size_t>(c.how.stream_axis);
        return k.launch.global[along] / k.launch.local[along];
    };
    for (const char* kind : {"fixed", "clamp", "periodic"}) {
        const std::string text = fmt::format("stencil edges(x, y) {{\nfield u {{ all: {0} }}\nu[t+1] = 0.1*u + "
                                             "0.11*u[x-1] + 0.12*u[x+1] + 0.13*u[y-1] + "
                                             "0.14*u[y+1] + 0.001*y\n}}\n",
                                             kind);
        // At the edge six blocks of three planes, of which the last one has none; five of three; two of seven.
        for (const auto& [planes, blocks] : {std::pair{3, 6}, {4, 5}, {13, 2}}) {
            program_case c = streaming_case(text, {61, 13, 1}, 1);
            c.how.stream_length = static_cast<std::uint64_t>(planes);
            c.how.work_group[0] = 8;
            c.how.block[0] = 2;
            c.how.steps = 2;
            c.how.vector_width = 2;
            c.how.edge_blocks = true;
            c.steps = 5;
            CHECK(blocks_along(c) == static_cast<std::uint64_t>(blocks));
            check_case(on, c);
            c.how.edge_blocks = false;
            CHECK(blocks_along(c) == static_cast<std::uint64_t>(blocks) - 1);
            c.how.edge_blocks = c.how.tapering = true;
            CHECK(!no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
        }
    }
}

TEST_CASE("the first tile begins where a work-item's points beyond its face are those beyond the other one") {
    int shifted = 0;
    for (std::uint64_t n = 0; n < 4000; ++n) {
        random_source rng(n);
        const auto drawn = [&](std::uint64_t from, std::uint64_t to) { return from + rng.below(to - from + 1); };
        schedule how;
        how.work_group[0] = drawn(4, 32);
        how.block[0] = drawn(1, 7);
        how.cyclic[0] = n % 10 == 0 ? 2 : 1;
        const auto reach = static_cast<std::int64_t>(drawn(1, 3));
        const auto steps = static_cast<int>(drawn(1, 5));
        const std::int64_t alignment = n % 3 == 0 ? 2 : 1;
        if (static_cast<std::int64_t>(how.tile(0)) <= 2 * (steps * reach + 1)) {
            continue;
        }
        const std::int64_t overlap = round_up(steps * reach, alignment);
        const streaming::tile_axis t =
            streaming::make_tile(how, 0, static_cast<std::int64_t>(drawn(20, 300)), reach, {overlap, overlap});
        const std::int64_t shift = streaming::shift_of_first(t, alignment);
        CAPTURE(n, t.size, t.width, t.block, t.halo, t.tiles, shift);
        REQUIRE(shift % alignment == 0);
        REQUIRE((shift == 0 || t.runs == 1));
        if (shift == 0) {
            continue;
        }
        ++shifted;
        const std::int64_t first = shift - t.halo;                 // coordinates of the first tile's first point
        const std::int64_t last = (t.tiles - 1) * t.step - t.halo; // and of the last one's
        REQUIRE(t.tiles > 1);
        REQUIRE(first <= -reach);                    // what time steps read beyond the face
        REQUIRE(first + t.width - t.halo >= t.step); // what it writes needs nothing behind it
        std::set<std::int64_t> low, high;
        for (std::int64_t i = 0; i < reach; ++i) {
            low.insert((-1 - i - first) % t.block);
            high.insert((t.size + i - last) % t.block);
        }
        REQUIRE(low == high);
    }
    REQUIRE(shifted > 500);
}

TEST_CASE("tiles and blocks of planes that begin near the faces of the grid", "[device][stream]") {
    test_device on = open_test_device();
    int n = 0;
    for (const char* kind : {"fixed", "constant(0.25)", "fixed", "mirror", "fixed", "constant(0.5)"}) {
        const bool plane = n != 1 && n != 3;
        const bool clamped = n == 2; // a second field's faces
        std::string text =
            fmt::format("stencil near(x, y{0}) {{\nfield u: f64 {{ all: {1} }}\n{2}u[t+1] = 0.1*u + 0.11*u[x-{3}] + "
                        "0.12*u[x+1] + 0.13*u[y-1] + 0.14*u[y+2]{4}{5} + 0.001*y\n",
                        plane ? "" : ", z", kind, clamped ? "field v: f64 { all: clamp }\n" : "", plane ? 2 : 1,
                        plane ? "" : " + 0.15*u[z-1]", clamped ? " + 0.05*v[x+1]" : "");
        text += clamped ? "v[t+1] = 0.5*v + 0.2*u[x-2] + 0.1*v[y-1]\n}\n" : "}\n";
        program_case c = streaming_case(text, plane ? extent3{78, 53, 1} : extent3{13, 27, 19}, plane ? 1 : 2);
        c.how.work_group = {plane ? 16U : 8U, plane ? 1U : 10U, 1};
        c.how.block = {plane ? 3U : 1U, plane ? 1U : 2U, 1};
        c.how.vector_width = 1;
        if (clamped) {
            c.size[0] = 76;
            c.how.block[0] = 4;
            c.how.vector_width = 2;
        }
        c.how.steps = 2;
        c.how.planes = n == 4 ? 2 : 1;
        c.how.retiming = n == 4;
        c.how.edge_blocks = n < 2;
        if (n == 5) {
            c.how.work_group[1] = 2; // stage groups
            c.how.group_copies = true;
            c.how.ahead = 2;
        }
        c.how.prefetch = n == 1 || n == 5;
        c.how.stream_length = plane ? 11 : 7;
        c.steps = 2 * c.how.steps + 1;
        CAPTURE(kind, to_string(c.how));
        const array_layout layout = make_layout(c.size, reach_of(c.s), c.alignment);
        REQUIRE(no_streaming(c.s, layout, c.how).empty());
        const std::size_t axis = plane ? 0 : 1; // with runs of points
        const streaming::tile_axis t =
            streaming::make_tile(c.how, axis, c.size[axis], 2, overlap_of(c.how, axis, 2, 0));
        REQUIRE(streaming::shift_of_first(t, c.how.vector_width) > 0); // and used where faces keep their values
        check_case(on, c);
        ++n;
    }
}

TEST_CASE("stage groups that share what comes in and goes out", "[device][stream]") {
    test_device on = open_test_device();
    int kinds = 0;
    for (const char* kind : {"fixed", "constant(0.25)", "clamp", "mirror", "periodic"}) {
        const std::string wave =
            fmt::format("stencil wave(x, y) {{\nfield u {{ all: {0} }}\nfield v: f64 {{ all: {0} }}\ncoef k\n"
                        "u[t+1] = 0.1*u + 0.11*u[x-1] + 0.12*k*u[x+1] + 0.13*v[y-1] + 0.2*u[t-1] + 0.001*x\n"
                        "v[t+1] = 0.5*v[y-1] + 0.3*u[x-1, y+1]*k\n}}\n",
                        kind);
        const std::string box =
            fmt::format("stencil box(x, y, z) {{\nfield u {{ all: {0} }}\nu[t+1] = 0.1*u + 0.11*u[x-1, z+1] + "
                        "0.12*u[x+1] + 0.13*u[y-1, z-1] + 0.15*u[z-1] + 0.07*u[y+1, z+1]\n}}\n",
                        kind);
        for (const int axis : {0, 1, 2}) {
            const bool plane = axis < 2;
            const int n = kinds + axis; // which of the variants
            program_case c = streaming_case(plane ? wave : box, plane ? extent3{37, 29, 1} : extent3{37, 14, 11},
                                            plane ? axis : 1 + n % 2);
            const auto along = static_cast<std::size_t>(c.how.stream_axis);
            c.how.work_group[along] = 2 + static_cast<std::uint64_t>(n % 2);
            c.how.steps = (plane ? 2 : 1) * c.how.stage_groups();
            if (along == 0) {
                c.how.work_group[1] = 16;
            } else {
                // Points in a row, vectors and runs: an even number of vectors is interleaved in local memory.
                constexpr int variants[][3]{{2, 2, 1}, {4, 2, 1}, {3, 1, 1}, {4, 1, 1}, {2, 1, 2}};
                const auto& [points, width, runs] = variants[(n + kinds) % 5];
                c.how.work_group[0] = 16;
                c.how.block[0] = static_cast<std::uint64_t>(points);
                c.how.cyclic[0] = static_cast<std::uint64_t>(runs);
                c.how.vector_width = width;
            }
            c.how.group_copies = c.how.prefetch = true;
            c.how.ahead = 2 + n % 3;
            c.how.planes = 1 + n / 2 % 3;
            c.how.skewing = n % 4 == 1;
            c.how.coefficients = plane && n % 3 > 0;
            c.steps = c.how.steps + 1;
            REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
            check_case(on, c);
        }
        ++kinds;
    }
}

TEST_CASE("tiles that cannot be copied as wholes", "[stream]") {
    const auto why = [](const std::string& type, const auto& change) {
        program_case c = streaming_case(
            fmt::format("stencil tiles(x, y, z) {{\nfield u : {}\nu[t+1] = 0.3*u + 0.1*u[x-1] + 0.12*u[y+1] + "
                        "0.13*u[z-1]\n}}\n",
                        type),
            {64, 32, 16}, 2);
        c.how.prefetch = c.how.halo = c.how.tensor_copies = true;
        c.how.ahead = 2;
        change(c);
        return no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how);
    };
    CHECK(why("f32", [](program_case&) {}) == "");
    CHECK(why("f64", [](program_case& c) { c.how.vector_width = 2; }) == "");
    CHECK(why("f16", [](program_case&) {}) == "u is f16, which local memory holds as f32");
    CHECK(why("f32", [](program_case& c) { c.how.halo = false; }).starts_with("tiles without their halo"));
    CHECK(why("f32", [](program_case& c) { c.alignment = raw_rows; }) == "rows of memory are no multiples of 16 bytes");
    CHECK(why("f32", [](program_case& c) {
              c.how.work_group = {1, 8, 1};
              c.how.block = {1, 4, 1};
              c.how.vector_width = 1;
              c.how.stream_axis = 0;
          }) == "rows of boxes lie along x");
    CHECK(why("f32", [](program_case& c) {
              c.how.block[0] = 3;
              c.how.work_group[0] = 7;
              c.how.vector_width = 1;
          }) == "tiles that write 21 points along x do not all begin at multiples of 16 bytes");
    CHECK(why("f32", [](program_case& c) { c.how.work_group[1] = 90; }) ==
          "a tile with its halo is copied as a whole up to 256 points along an axis");
}

TEST_CASE("a kernel that needs no tile with its halo awaits none", "[stream]") {
    // Without temporal blocking each update has a kernel of its own; here one of two reads neighbours along y.
    program_case c = streaming_case("stencil pair(x, y, z) {\nfield a\nfield b\na[t+1] = 0.5*a + 0.1*b[y-1]\n"
                                    "b[t+1] = 0.5*b + 0.1*a[z-1]\n}\n",
                                    {64, 32, 16}, 2);
    c.how.prefetch = c.how.halo = c.how.tensor_copies = true;
    c.how.ahead = 2;
    REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
    const std::string text = generate(c.s, c.size, c.alignment, c.how, cuda_dialect()).modules.front().text;
    const std::string of_a = text.substr(text.find(" pair_a("), text.find(" pair_b(") - text.find(" pair_a("));
    const std::string of_b = text.substr(text.find(" pair_b("));
    for (const char* word : {"gst_prepare_boxes(", "gst_copy_box<", "gst_await_phase("}) {
        CAPTURE(word);
        CHECK(of_a.find(word) != std::string::npos);
        CHECK(of_b.find(word) == std::string::npos);
    }
}

// On a GPU whose local memory has a long queue of reads copies came before reads of the pass before.
TEST_CASE("partial sums of single steps, several passes in a row, in tiles that are copied as wholes",
          "[device][stream]") {
    test_device on = open_test_device();
    for (int n = 0; n < 6; ++n) {
        const int along = 1 + n % 2;
        program_case c =
            streaming_case(fmt::format("stencil one(x, y, z) {{\nfield a: {}\na[t+1] = 0.4*a + 0.1*a[x-1] + "
                                       "0.11*a[x+1] + 0.12*a[y-1] + 0.13*a[y+1] + 0.14*a[z-1] + "
                                       "0.15*a[z+1]\n}}\n",
                                       n % 3 < 2 ? "f64" : "f32"),
                           {96, 80, 60}, along);
        c.how.work_group = {static_cast<std::uint64_t>(4 + 4 * (n % 3)), 1, 1};
        c.how.work_group[along == 2 ? 1 : 2] = 10;
        c.how.block = {8, 1, 1};
        c.how.block[along == 2 ? 1 : 2] = 2;
        c.how.vector_width = 4;
        c.how.retiming = c.how.prefetch = c.how.halo = c.how.tensor_copies = true;
        c.how.ahead = 2 + n % 3;
        c.how.unrolled_passes = n % 2 == 0 ? 4 : 6;
        c.how.stream_length = 60;
        CAPTURE(n, to_string(c.how));
        REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
        check_case(on, c);
    }
}

TEST_CASE("what is copied over boxes comes behind the reads that are still on their way", "[stream]") {
    program_case c =
        streaming_case("stencil one(x, y, z) {\nfield a\na[t+1] = 0.5*a + 0.1*a[y-1]\n}\n", {64, 32, 16}, 2);
    c.how.prefetch = c.how.halo = c.how.tensor_copies = true;
    c.how.ahead = 2;
    const std::string text = generate(c.s, c.size, c.alignment, c.how, cuda_dialect()).modules.front().text;
    const std::size_t copy = text.find("gst_copy_box(");
    REQUIRE(copy != std::string::npos);
    const std::size_t fence = text.find("fence.proxy.async.shared::cta", copy);
    CHECK(fence < text.find("mbarrier.arrive.expect_tx", copy));
    CHECK(fence < text.find("cp.async.bulk.tensor", copy));
}
