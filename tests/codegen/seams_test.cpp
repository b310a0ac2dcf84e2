#include "core/codegen/generate.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream/tile_axis.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/device_case.hpp"
#include "tests/codegen/local_races.hpp"
#include "tests/codegen/mutate.hpp"
#include "tests/codegen/streaming_case.hpp"
#include "tests/dsl/stencils_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string>

using namespace gst;
using namespace gst::testing;

namespace {

/// Calls visit(box) for the boxes that a block copies.
template<class Visit>
void for_boxes(nest::block& b, Visit&& visit) {
    for (nest::statement& one : b) {
        if (auto* box = std::get_if<nest::copy_box>(&one.what)) {
            visit(*box);
        }
        for (nest::block* inner : inner_blocks(one)) {
            for_boxes(*inner, visit);
        }
    }
}

nest::kernel kernel_of(const program_case& c) {
    REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how) == "");
    return lower(c.s, c.size, c.alignment, c.how).modules.front().front();
}

/// Parts of a tile that the first box of a pass announces, itself included; 0: no tile comes in parts.
int parts_of(nest::kernel k) {
    int parts = 0;
    for_boxes(k.body, [&](const nest::copy_box& b) {
        parts = std::max(parts, b.tensor.ends_with("_in_parts") ? b.counted : 0);
    });
    return parts;
}

/// Time steps with tiles of their own whose first tile lies across the seam of one periodic axis or of two.
program_case seam_case(int n) {
    const int along = n % 4 == 3 ? 1 : 2;
    const char across = along == 2 ? 'y' : 'z', axis = "xyz"[along];
    const char* type = n % 2 == 0 ? "f32" : "f64";
    const char* other = n / 2 % 3 == 0 ? "mirror" : n / 2 % 3 == 1 ? "fixed" : "clamp";
    const bool x = n % 3 != 1, y = n % 3 != 0; // which are periodic
    const char* ends = n % 5 == 0 ? "periodic" : "fixed";
    const std::string faces =
        fmt::format("x: {}; {}: {}; {}: {}", x ? "periodic" : other, across, y ? "periodic" : other, axis, ends);
    const bool two = n / 3 % 4 == 3; // fields, of which less fits in local memory
    const std::string star = fmt::format("(0.1*u[x-{0}] + 0.11*u[x+1] + 0.12*u[{1}-2] + 0.13*u[{1}+{0}] + 0.14*u[{2}-1]"
                                         " + 0.15*u[{2}+{0}] - 0.06*u)",
                                         1 + n % (two ? 2 : 4), across, axis);
    const std::array texts{
        fmt::format("u[t+1] = 0.3*u + {}\n", star),
        fmt::format("u[t+1] = 0.6*u - 0.3*u[t-1] + k*{}\n", star),
        fmt::format("u[t+1] = 0.2*u + {0} + 0.05*u[x-1, {1}+1] + 0.07*u[x+1, {1}-1]\n", star, across),
        fmt::format("u[t+1] = 0.2*v + {0}\nv[t+1] = 0.5*v + 0.1*v[x-1] + 0.2*u[{1}+1]\n", star, across),
    };
    const std::string text = texts[static_cast<std::size_t>(n / 3) % texts.size()];
    const bool corners = text.find(", ") != std::string::npos;
    const std::string coef = text.find("k*") != std::string::npos ? fmt::format("coef k: {}\n", type) : "";
    program_case c = stage_tiles_case(along, 0);
    const std::string all = corners ? "all: periodic" : faces;
    c.s = stencil_of(fmt::format("stencil seam(x, y, z) {{\nfield u: {} {{ {} }}\n{}{}{}}}\n", type, all,
                                 two ? fmt::format("field v: f64 {{ {} }}\n", all) : "", coef, text));
    const std::size_t rows = along == 2 ? 1 : 2;
    c.size = {n % 4 == 0 ? 64 : n % 4 == 1 ? 24 : 56, 19, 19}; // tiles that end where the grid does, one, and others
    c.size[rows] = n % 2 == 0 ? 32 : 27;
    c.how.vector_width = 1 << n % 3;
    c.how.work_group = {n % 2 == 0 ? 8U : 16U, 1, 1};
    c.how.work_group[rows] = 8;
    c.how.block = {n % 2 == 0 ? 4U : 2U, 1, 1};
    c.how.vector_width = std::min(c.how.vector_width, static_cast<int>(c.how.block[0]));
    c.how.block[rows] = n % 3 == 0 && !two ? 3 : 2;
    c.how.stage_rows = n % 4 == 2 ? 1 : 1 + n % 3; // a seam between rows of either group
    c.how.retiming = !coef.empty() || n % 2 == 0;
    c.how.late_sums = c.how.retiming ? n / 4 % 3 : 0;
    c.how.left_terms = !coef.empty() && n / 2 % 2 == 1;
    c.how.left_arrays = coef.empty() ? 0 : c.how.left_terms ? n % 2 : n % 3;
    c.how.arrival = n % 2 == 0 ? 4 : 0;
    c.how.planes = two || c.how.left_terms ? 1 : 1 + n % 2; // what a GPU's local memory holds
    c.how.code = static_cast<stage_code>(n % 3);
    c.how.rematerialization = n / 2 % 2 == 1;
    c.how.equal_shares = n % 4 == 1;
    c.how.rest_blocks = n % 4 == 3 ? 2 : 1;
    c.how.multiprocessors = c.how.rest_blocks > 1 ? 5 : c.how.multiprocessors; // of which all tiles are the rest
    c.how.stream_length = c.how.equal_shares      ? 1
                          : c.how.rest_blocks > 1 ? static_cast<std::uint64_t>(c.size[static_cast<std::size_t>(along)])
                                                  : 9;
    return c;
}

} // namespace

TEST_CASE("only the first tile of a periodic axis reaches beyond a seam") {
    int seams = 0;
    for (const auto& [lanes, points, reach, more, block, size] : {std::tuple{8, 4, 2, 4, 4, 64},
                                                                  {8, 4, 2, 4, 4, 61},
                                                                  {16, 2, 4, 4, 2, 100},
                                                                  {12, 2, 4, 4, 2, 512},
                                                                  {5, 3, 1, 1, 2, 47},
                                                                  {8, 2, 3, 3, 3, 18},
                                                                  {2, 2, 4, 4, 2, 100}}) {
        streaming::tile_axis second;
        second.size = size;
        second.group = lanes;
        second.block = second.points = points;
        second.step = second.width = std::int64_t{lanes} * points;
        second.tiles = (size + second.step - 1) / second.step;
        second.reach = reach;
        streaming::tile_axis first = second;
        first.halo = more;
        first.block = block;
        CAPTURE(lanes, points, reach, more, block, size);
        CHECK(streaming::seams_of(first, second, reach, 1).empty()); // of no periodic axis
        second.periodic = first.periodic = true;
        for (const std::int64_t seam : streaming::seams_of(first, second, reach, 1)) {
            CAPTURE(seam);
            ++seams;
            CHECK(seam % points == 0);
            CHECK((seam + more) % block == 0);
            std::set<std::int64_t> written;
            for (std::int64_t tile = 0; tile < second.tiles; ++tile) {
                const std::int64_t from = tile * second.step - seam, to = std::min(from + second.step, size - seam);
                for (std::int64_t at = from; at < to; ++at) {
                    CHECK(written.insert((at + size) % size).second);
                }
                CHECK((tile == 0 ? from + size : from) - more - reach >= 0);
                CHECK(to + more + reach <= size);
            }
            CHECK(std::ssize(written) == size);
        }
        for (const std::int64_t seam : streaming::seams_of(first, second, reach, 4)) {
            CHECK(seam % 4 == 0);
            CHECK(size % 4 == 0);
        }
    }
    CHECK(seams > 10);
}

TEST_CASE("tiles that lie across a seam come in parts", "[device][stream]") {
    test_device on = open_test_device();
    const int cases = std::getenv("GST_TEST_LONG") ? 48 : 12;
    for (int n = 0; n < cases; ++n) {
        const program_case c = seam_case(n);
        CAPTURE(n, to_string(c.how), c.size[0], c.size[1], c.size[2]);
        const bool both = n / 3 % 4 == 2;
        CHECK(parts_of(kernel_of(c)) == (both || n % 3 == 2 ? 4 : 2));
        check_case(on, c);
    }
}

TEST_CASE("the parts of a tile lie apart in local memory") {
    for (int n = 0; n < 12; ++n) {
        program_case c = seam_case(n);
        c.how.equal_shares = false;
        c.how.rest_blocks = 1;
        c.how.stream_length = 9;
        CAPTURE(n, to_string(c.how));
        nest::kernel k = kernel_of(c);
        CHECK(local_race(k, {0, 0, 0}) == ""); // of the tile across the seam
        const auto tile = std::find_if(k.locals.begin(), k.locals.end(),
                                       [](const nest::local_array& a) { return a.name.ends_with("_halo"); });
        REQUIRE(tile != k.locals.end());
        std::set<std::pair<std::string, std::int64_t>> taken;
        std::int64_t announced = 0;
        for_boxes(k.body, [&](const nest::copy_box& b) {
            const auto to = nest::literal(b.to); // those before the first pass
            if (!to || !b.tensor.ends_with("_in_parts")) {
                return;
            }
            if (b.counted > 0) {
                CHECK(announced == 0); // parts of one plane follow each other
                announced = b.counted;
            }
            --announced;
            CHECK(*to * static_cast<std::int64_t>(size_of(tile->stored)) % 128 == 0);
            for (std::int64_t i = 0; i < b.shape.box[0] * b.shape.box[1] * b.shape.box[2]; ++i) {
                CHECK(taken.insert({b.local, *to + i}).second);
            }
            CHECK(*to + b.shape.box[0] * b.shape.box[1] * b.shape.box[2] <= tile->elements);
        });
        CHECK(announced == 0);
        CHECK(!taken.empty());
    }
}

TEST_CASE("faces along a seam's axis of a field that is not read along it", "[device][stream]") {
    test_device on = open_test_device();
    const std::array faces{"clamp", "mirror"};
    for (int n = 0; n < 4; ++n) {
        const char* across = n < 2 ? "y" : "x";
        const char* other = n < 2 ? "x" : "y";
        program_case c = stage_tiles_case(2, 0);
        c.s = stencil_of(fmt::format("stencil beside(x, y, z) {{\nfield u {{ all: fixed; {0}: periodic }}\n"
                                     "field v {{ all: fixed; {0}: {2} }}\n"
                                     "u[t+1] = 0.2*v + 0.1*u[{1}-1] + 0.1*u[{1}+1] + 0.13*u[{0}-1] + 0.1*u[{0}+1] + "
                                     "0.1*u[z-1] + 0.1*u[z+1]\nv[t+1] = 0.5*v + 0.1*v[{1}-1] + 0.2*u[{0}+1]\n}}\n",
                                     across, other, faces[static_cast<std::size_t>(n) % 2]));
        c.size = {64, 32, 9};
        c.how.work_group = {8, 8, 1};
        c.how.block = {4, 2, 1};
        c.how.vector_width = 4;
        c.how.stage_rows = 1;
        CAPTURE(n, to_string(c.how));
        REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how) == "");
        CHECK(parts_of(kernel_of(c)) == 2);
        check_case(on, c);
    }
}
