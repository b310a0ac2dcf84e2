#include "core/codegen/generate.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/minimal_filter.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "core/codegen/tile_overlap.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/drawn_case.hpp"
#include "tests/dsl/stencils_of.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace gst;
using namespace gst::testing;

namespace {

/// A box with random weights of either sign.
stencil box(int reach, const char* type = "f32", const char* kind = "fixed") {
    return stencil_of(fmt::format("stencil box(x, y, z) {{\nfield u: {} {{ all: {} }}\nconst w = random(7)\nu[t+1] = "
                                  "sum(o in box({})) {{ (w[o] - 0.3) * u[o] }}\n}}\n",
                                  type, kind, reach));
}

/// The same in two dimensions.
stencil flat_box(int reach, const char* type = "f32", const std::string& faces = "all: fixed") {
    return stencil_of(fmt::format("stencil box(x, y) {{\nfield u: {} {{ {} }}\nconst w = random(7)\nu[t+1] = "
                                  "sum(o in box({})) {{ (w[o] - 0.3) * u[o] / {} }}\n}}\n",
                                  type, faces, reach, reach * reach));
}

/// Some columns of many rows.
stencil columns(int reach, const char* type) {
    std::string sum;
    for (int y = -reach; y <= reach; ++y) {
        for (const char* beside : {"", "x-1, ", "x+1, z+1, ", "z-1, "}) {
            sum += fmt::format("{}{:.3f}*u[{}y{:+}]", sum.empty() ? "" : " + ",
                               std::sin(static_cast<double>(sum.size())) / 3, beside, y);
        }
    }
    return stencil_of(fmt::format("stencil columns(x, y, z) {{\nfield u: {}\nu[t+1] = {}\n}}\n", type, sum));
}

program_case filtered_case(stencil s, int axis, int rows) {
    program_case c;
    c.s = std::move(s);
    c.size = {19, 17, 18};
    c.noise = 11;
    c.how.stream_axis = axis;
    c.how.stream_length = 10;
    c.how.retiming = true;
    c.how.filtered_lines = rows;
    c.how.local = true;
    const std::size_t inner = axis == 0 ? 1 : 0;
    const std::size_t across = axis == 2 ? 1 : 2;
    c.how.work_group[inner] = 4;
    c.how.block[inner] = 4;
    c.how.work_group[across] = 3;
    c.how.block[across] = 4;
    c.how.vector_width = axis == 0 ? 1 : 2;
    return c;
}

/// Columns of a row filtered together, or rows where planes are columns.
program_case flat_case(stencil s, int axis, int outputs) {
    program_case c = filtered_case(std::move(s), axis, outputs);
    const std::size_t lines = axis == 0 ? 1 : 0;
    c.size = {41, 37, 1};
    c.how.work_group = {1, 1, 1};
    c.how.work_group[lines] = 8;
    c.how.block = {1, 1, 1};
    c.how.block[lines] = 4;
    return c;
}

/// Two steps, with neighbours from local memory and straight from memory.
void check_single_steps(test_device& on, program_case c) {
    c.steps = 2;
    for (const bool local : {true, false}) {
        c.how.local = local;
        check_case(on, c);
    }
}

} // namespace

TEST_CASE("rows are filtered together where that takes fewer products", "[stream]") {
    const auto why = [](const char* updates, int rows, const char* fields = "field u") {
        return no_filtering(stencil_of(fmt::format("stencil s(x, y, z) {{\n{}\n{}\n}}\n", fields, updates)), 2, rows,
                            true);
    };
    const char* row = "0.1*u[y-1] + 0.2*u + 0.3*u[y+1]";
    CHECK(why("u[t+1] = sum(o in box(1)) { 0.03*u[o] }", 4).empty());
    CHECK(why("u[t+1] = sum(o in box(1)) { 0.03*u[o] }", 2).empty());
    CHECK(why("u[t+1] = sum(o in box(3)) { 0.03*u[o] }", 2).empty());
    CHECK(why(fmt::format("u[t+1] = -({} - u[x+1, y-1]/3 - u[x+1]*0.25 + 0.5*u[x+1, y+1])", row).c_str(), 2).empty());
    CHECK(why("u[t+1] = sum(o in box(3)) { 0.03*u[o] }", 4).empty());
    CHECK(no_filtering(flat_box(1), 1, 2, true).empty());
    CHECK(no_filtering(flat_box(4), 1, 4, true).empty());
    const auto flat = [](const char* updates) {
        return no_filtering(stencil_of(fmt::format("stencil s(x, y) {{\nfield u\n{}\n}}\n", updates)), 1, 2, true);
    };
    CHECK(flat("u[t+1] = 0.2*(u[y-1] + 0.3*u + u[y+1])") == "u reads no neighbouring columns");
    CHECK(flat("u[t+1] = 0.2*(u[x-1] + 0.3*u[x+1])") == "it would take u no fewer products");
    CHECK(why("u[t+1] = 0.2*(u[y-1] + 0.3*u[y+1])", 2) == "it would take u no fewer products");
    CHECK(why("u[t+1] = 0.2*(u + u[x-1] + u[x+1] + u[z-1] + u[z+1])", 2) == "u reads no neighbouring rows");
    const char* not_linear = "u is no sum of what it reads, of one type, with numbers as weights";
    CHECK(why("u[t+1] = sum(o in box(1)) { 0.03*u[o] } + 0.5", 4) == not_linear);
    CHECK(why("u[t+1] = sum(o in box(1)) { 0.03*u[o]*u[o] }", 4) == not_linear);
    CHECK(why("u[t+1] = sum(o in box(1)) { k*u[o] }", 4, "field u\ncoef k") == not_linear);
    CHECK(why("u[t+1] = sum(o in box(1)) { k*u[o] }", 4, "field u\nparam k = 0.1") == not_linear);
    CHECK(why("u[t+1] = sum(o in box(1)) { 0.03*u[o] + 0.1*v }\nv[t+1] = sum(o in box(2)) { 0.1*u[o] }", 2,
              "field u\nfield v") == "v has fewer rows beyond the grid than other fields");
    // Arrays of which work-items do not show each other rows.
    CHECK(why("u[t+1] = sum(o in box(1)) { 0.03*u[o] } - 0.2*u[t-1]", 2) == "u is not read in several rows");
    CHECK(
        why("u[t+1] = sum(o in box(1)) { 0.03*u[o] } + 0.1*v[z-1] + 0.1*v[z+1]\nv[t+1] = sum(o in box(1)) { 0.1*v[o] }",
            2, "field u\nfield v") == "v is not read in several rows");
    CHECK(why("u[t+1] = sum(o in box(1)) { 0.03*u[o] } - 0.2*u[t-1, x-1] - 0.1*u[t-1, x+1]", 2) ==
          "u is not read in several rows");
    // Weights so uneven that a point's own values do not bound the error.
    const char* inexact = "the sums of u would be too inexact";
    CHECK(why("u[t+1] = 0.0001*(u[y-1] + u + u[x-1, y-1] + u[x-1]) + 0.4*(u[y+1] + u[x-1, y+1])", 4) == inexact);
    CHECK(why("u[t+1] = 0.25*u[y-1] + 0.5*u + 0.25*u[y+1]", 4) == inexact);
    CHECK(why("u[t+1] = 0.9*u + sum(o in box(1)) { 0.003*u[o] }", 2) == inexact);
    CHECK(why("u[t+1] = sum(o in box(1)) { 0.03*u[o] }", 4, "field u: f16") ==
          "u is not stored in the type that it is computed in, f32 or f64");
}

TEST_CASE("values that are used again and again are followed once", "[stream]") {
    std::string lets = "let a0 = 0.5*u + 0.25*u[y-1] + 0.25*u[y+1]\n";
    for (int i = 1; i <= 60; ++i) { // 2^60 paths
        lets += fmt::format("let a{0} = 0.5*a{1} + 0.5*(a{1}*0.5)\n", i, i - 1);
    }
    const stencil s = stencil_of("stencil again(x, y, z) {\nfield u\n" + lets + "u[t+1] = a60\n}\n");
    CHECK(no_filtering(s, 2, 2, true).empty());
    CHECK(no_filtering(s, 2, 4, true) == "the sums of u would be too inexact");
    CHECK(no_retiming(s, 1, true) == "u is no sum of terms that each read one plane");
}

TEST_CASE("lines filtered together, at every kind of boundary", "[device][stream]") {
    test_device on = open_test_device();
    for (const char* kind : {"fixed", "constant(0.25)", "clamp", "mirror", "periodic"}) {
        const bool copied = std::string(kind) == "clamp" || std::string(kind) == "mirror";
        for (const int axis : {2, 1, 0}) {
            for (const int rows : {2, 4}) {
                program_case c = filtered_case(box(1, axis == 1 ? "f64" : "f32", kind), axis, rows);
                c.how.prefetch = rows == 2;
                check_single_steps(on, c);
                if (!copied) {
                    c.how.steps = 2;
                    c.how.skewing = axis == 2;
                    c.how.constant = rows == 4;
                    c.steps = 5;
                    check_case(on, c);
                }
            }
        }
    }
}

TEST_CASE("rows filtered together, whose columns come from other lanes", "[device][stream]") {
    test_device on = open_test_device_with_lanes();
    const auto lanes = static_cast<std::uint64_t>(on.info.language.sub_group);
    program_case c = filtered_case(columns(1, "f32"), 2, 2);
    c.how.shuffle = true;
    c.how.work_group[0] = lanes;
    c.how.block = {2, 2, 1};
    check_case(on, c); // lanes at the tile's ends load what they lack
    c.how.steps = 2;
    c.how.skewing = c.how.prefetch = c.how.tapering = true;
    c.how.ahead = 2;
    c.how.work_group[1] = 4;
    c.steps = 3;
    const std::string program = program_of(c, on.info.language).modules.front().text;
    CHECK(program.find("s0r0_u_t_filtered0_m1_0 = ") != std::string::npos);
    CHECK(program.find("shuffle") != std::string::npos);
    check_case(on, c);
}

TEST_CASE("more rows filtered together", "[device][stream]") {
    test_device on = open_test_device();
    for (const auto& [reach, rows] : {std::pair{2, 2}, {2, 4}, {3, 2}, {3, 4}}) {
        for (const char* type : {"f32", "f64"}) {
            program_case c = filtered_case(columns(reach, type), 2, rows);
            c.how.work_group[1] = 8;
            c.how.block = {2, static_cast<std::uint64_t>(rows), 1};
            check_case(on, c);
            c.how.prefetch = c.how.halo = true;
            c.how.ahead = 2;
            check_case(on, c);
        }
    }
    const stencil two = stencil_of("stencil two(x, y, z) {\nfield u\nfield v\nconst w = random(3)\n"
                                   "u[t+1] = sum(o in box(1)) { w[o]*u[o] } - 0.06*v[y-1] + 0.04*v - 0.05*v[y+1]\n"
                                   "v[t+1] = sum(o in box(1)) { 0.03*v[o] } + 0.06*u[y-1] - 0.05*u[y+1]\n}\n");
    program_case c = filtered_case(two, 2, 2);
    c.how.block = {2, 2, 1};
    c.how.work_group = {8, 8, 1};
    c.how.steps = 2;
    c.steps = 4;
    REQUIRE(no_filtering(c.s, 2, 2, true).empty());
    check_case(on, c);
}

TEST_CASE("lines filtered together in two dimensions", "[device][stream]") {
    test_device on = open_test_device();
    int n = 0;
    for (const char* kind : {"fixed", "constant(0.25)", "clamp", "mirror", "periodic"}) {
        const bool copied = std::string(kind) == "clamp" || std::string(kind) == "mirror";
        for (const int axis : {1, 0}) {
            for (int reach = 1; reach <= 4; ++reach) {
                const int outputs = reach == 1 || n % 3 == 0 ? 2 : 4; // four of so few products are too inexact
                CAPTURE(kind, axis, reach, outputs);
                program_case c =
                    flat_case(flat_box(reach, n % 2 == 0 ? "f32" : "f64", fmt::format("all: {}", kind)), axis, outputs);
                REQUIRE(no_filtering(c.s, axis, outputs, false).empty());
                c.how.vector_width = axis == 1 ? 1 << n % 3 : 1;
                c.how.prefetch = n % 2 == 0;
                c.how.planes = 1 + n % 2;
                ++n;
                check_single_steps(on, c);
                if (!copied) {
                    c.how.steps = 2;
                    c.how.skewing = n % 2 == 0;
                    c.how.constant = n % 3 == 0;
                    c.how.most_constants = n % 2 == 0 ? 7 : 0;
                    c.how.work_group[axis == 0 ? 1 : 0] = 16;
                    c.steps = 5;
                    check_case(on, c);
                    c.how.prefetch = c.how.halo = true;
                    c.how.skewing = false;
                    c.how.steps = 1;
                    c.how.ahead = 2;
                    check_case(on, c);
                }
            }
        }
    }
}

// Across the streaming axis, which is periodic: along it partial sums know no copies of planes, and at corners points
// are either copied or kept.
TEST_CASE("lines filtered together in several time steps, between faces whose points are copies", "[device][stream]") {
    test_device on = open_test_device();
    int n = 0;
    for (const char* kind : {"clamp", "mirror"}) {
        for (const int axis : {1, 0}) {
            for (int reach = 1; reach <= 4; ++reach) {
                const int outputs = reach == 1 || n % 3 == 0 ? 2 : 4;
                const std::string faces = fmt::format("{}: {}; {}: periodic", "yx"[axis], kind, "xy"[axis]);
                program_case c = flat_case(flat_box(reach, n % 2 == 0 ? "f32" : "f64", faces), axis, outputs);
                c.how.vector_width = axis == 1 ? 1 << n % 3 : 1;
                c.how.prefetch = n % 2 == 0;
                c.how.planes = 1 + n % 2;
                c.how.skewing = n % 3 == 1;
                c.how.steps = 2;
                c.how.work_group[axis == 0 ? 1 : 0] = 16;
                c.steps = 5;
                CAPTURE(faces, axis, reach, to_string(c.how));
                REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how) == "");
                check_case(on, c);
                ++n;
            }
        }
    }
}

TEST_CASE("columns filtered together, by stage groups whose neighbours are lanes", "[device][stream]") {
    test_device on = open_test_device_with_lanes();
    const auto shuffled = [&](stencil s, int outputs, std::uint64_t columns) {
        program_case c = flat_case(std::move(s), 1, outputs);
        c.how.shuffle = c.how.prefetch = true;
        c.how.work_group[0] = static_cast<std::uint64_t>(on.info.language.sub_group);
        c.how.block[0] = columns;
        return c;
    };
    for (const int reach : {2, 3, 4}) { // of 3 and 4, what a filter makes of a group comes from the next lane
        program_case c = shuffled(flat_box(reach, reach == 3 ? "f64" : "f32"), 4, 8);
        c.how.ahead = 2;
        c.how.steps = 2;
        c.how.work_group[1] = 2; // stage groups
        c.steps = 6;
        c.size = {151, 33, 1};
        for (const bool together : {false, true}) {
            for (const int width : {1, 4}) {
                c.how.group_copies = together;
                c.how.vector_width = width;
                check_case(on, c);
            }
        }
    }
    // What a filter makes of a group comes from lanes farther on: of two columns from the lane after the next one.
    for (const auto& [reach, columns] : {std::pair{4, 2}, {5, 2}, {5, 4}}) {
        program_case c = shuffled(flat_box(reach), 2, static_cast<std::uint64_t>(columns));
        c.size = {71, 33, 1};
        CAPTURE(reach, columns);
        REQUIRE(no_filtering(c.s, 1, 2, true).empty());
        for (const int steps : {1, 2}) {
            c.how.steps = steps;
            c.steps = 3 * steps;
            if (steps == 1 || static_cast<std::int64_t>(c.how.tile(0)) >
                                  overlap_of(c.how, 0, reach, groups_beyond(c.s, 1, 2)).both()) {
                const std::string program = program_of(c, on.info.language).modules.front().text;
                const int last = (columns + decomposed_filter(2, 2 * reach + 1).beyond()) / 2 - 1; // group of columns
                CHECK((steps == 1 || program.find(fmt::format("filtered{}_part0_0", last)) != std::string::npos));
                check_case(on, c);
            }
        }
    }
}

TEST_CASE("tiles overlap by what the space and the generator say", "[stream]") {
    int farther = 0;
    for (const int reach : {1, 3, 4, 5}) {
        const stencil s = flat_box(reach);
        const expression text = expression::parse(overlapping_points(s, 0, true));
        for (const int outputs : {1, 2, 4}) {
            for (const int width : {1, 2, 4}) {
                for (const int steps : {2, 3, 4, 7}) {
                    for (const bool shuffle : {false, true}) {
                        schedule how;
                        how.stream_axis = 1;
                        how.local = true;
                        how.steps = steps;
                        how.shuffle = shuffle;
                        how.filtered_lines = outputs;
                        how.vector_width = width;
                        const int beyond = groups_beyond(s, 1, outputs);
                        const tile_overlap overlap = overlap_of(how, 0, reach, beyond);
                        CAPTURE(reach, to_string(how), text.text());
                        CHECK(overlap.before == round_up(steps * reach, width));
                        CHECK(overlap.behind == round_up(steps * reach + (shuffle ? beyond : 0), width));
                        farther += overlap.behind > overlap.before ? 1 : 0;
                        const std::map<std::string, value> parameters{
                            {"TD", std::int64_t{steps}}, {"VX", std::int64_t{width}}, {"MF", std::int64_t{outputs}},
                            {"useShuffle", shuffle},     {"useStageTiles", false},    {"useHaloColumns", false}};
                        const value points = text.evaluate([&](const auto& name) { return parameters.at(name); });
                        CHECK(points == value(overlap.both()));
                    }
                }
            }
        }
        CHECK(groups_beyond(s, 1, 4) == (reach == 3 ? 1 : 0)); // of radius 5 in parts that share nothing
        CHECK(groups_beyond(s, 1, 2) == (reach == 5 ? 1 : 0));
        CHECK(groups_beyond(s, 0, 4) == 0); // rows
    }
    CHECK(farther > 10);
}

namespace {

/// The first random programs whose lines are filtered together, none of those that are drawn of everything.
std::vector<program_case> random_filtered(const device_info& device, std::size_t count, std::int64_t most_points) {
    std::vector<program_case> out;
    for (std::uint64_t number = 1'000'000; out.size() < count; ++number) {
        program_case c = make_case(number, device, most_points);
        if (c.how.filtered_lines > 1) {
            out.push_back(std::move(c));
        }
    }
    return out;
}

} // namespace

TEST_CASE("random programs whose lines are filtered together", "[device][stream]") {
    test_device on = open_test_device();
    for (const program_case& c : random_filtered(on.info, std::getenv("GST_TEST_LONG") ? 200 : 12, usual_points)) {
        CAPTURE(c.drawn, to_string(c.how));
        check_case(on, c);
    }
}

// tests/codegen/races.sh runs these under Oclgrind.
TEST_CASE("small programs whose lines are filtered together", "[.races]") {
    test_device on = open_test_device();
    for (const program_case& c : random_filtered(on.info, 60, 150)) {
        execute(on, program_of(c, on.info.language), c.s, start_of(c), c.parameters, c.steps);
    }
}
