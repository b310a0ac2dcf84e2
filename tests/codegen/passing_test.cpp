#include "core/codegen/stream_rules.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/device_case.hpp"
#include "tests/dsl/stencils_of.hpp"

#include <fmt/format.h>

#include <tuple>

using namespace gst;
using namespace gst::testing;

namespace {

/// A field of which earlier time levels are read, at neighbours, too, and coefficients with neighbours.
std::string waves(const char* kind, const char* coefficients) {
    return fmt::format("stencil waves(x, y) {{\nfield p {{ all: {0} }}\ncoef c\ncoef k {{ all: {1} }}\n"
                       "p[t+1] = 0.3*p + 0.11*c*p[x-1] - 0.12*p[t-1, y-1] + 0.13*k[y+1]*p[y-1] + 0.14*p[t-2, x+1] + "
                       "0.05*k[x-1]*k[y-1] + 0.07*p[y+1] + 0.001*t\n}}\n",
                       kind, coefficients);
}

/// A level and a coefficient of which the update needs the point itself alone.
std::string centre(const char* kind) {
    return fmt::format("stencil centre(x, y) {{\nfield p {{ all: {0} }}\ncoef c\np[t+1] = 1.2*p - 0.6*p[t-1] + "
                       "c*(0.02*p[x-1] + 0.03*p[x+1] - 0.12*p + 0.04*p[y-1] + 0.05*p[y+1])\n}}\n",
                       kind);
}

/// In three dimensions.
std::string flow(const char* kind) {
    return fmt::format("stencil flow(x, y, z) {{\nfield p {{ all: {0} }}\ncoef k {{ all: {0} }}\np[t+1] = 0.3*p + "
                       "0.11*k[y-1]*p[x-1] - 0.12*p[t-1, z-1] + 0.13*k[x+1]*p[y-1] + 0.14*p[t-1, y+1] + 0.07*p[z+1]\n"
                       "}}\n",
                       kind);
}

program_case passing_case(const std::string& text, int axis, int steps) {
    program_case c;
    c.s = stencil_of(text);
    c.size = {27, 15, c.s.dimensions == 3 ? 14 : 1};
    c.noise = 5;
    const std::size_t inner = axis == 0 ? 1 : 0;
    const std::size_t across = axis == 2 ? 1 : 2;
    c.how.stream_axis = axis;
    c.how.stream_length = 8;
    c.how.local = true;
    c.how.steps = steps;
    c.how.work_group[inner] = 8;
    c.how.block[inner] = 2;
    if (c.s.dimensions == 3) {
        c.how.work_group[across] = 5;
        c.how.block[across] = 2;
    }
    c.how.vector_width = axis == 0 ? 1 : 2;
    c.steps = 2 * steps + 1;
    return c;
}

program_case halo_case(const device_info& on, const char* kind, int axis) {
    program_case c = passing_case(flow(kind), axis, 2);
    c.how.work_group[0] = static_cast<std::uint64_t>(on.language.sub_group);
    c.how.work_group[axis == 2 ? 1 : 2] = 3;
    c.how.shuffle = c.how.coefficients = true;
    c.how.prefetch = c.how.halo = true;
    c.how.halo_columns = axis == 2;
    c.how.ahead = 1 + axis;
    return c;
}

constexpr const char* kinds[] = {"fixed", "constant(0.25)", "clamp", "mirror", "periodic"};

} // namespace

TEST_CASE("earlier time levels and coefficients pass through several time steps", "[device][stream]") {
    test_device on = open_test_device();
    int n = 0;
    for (const char* kind : kinds) {
        for (const int axis : {1, 0}) {
            program_case c = passing_case(n % 4 < 2 ? waves(kind, kind) : centre(kind), axis, 2 + n % 3);
            c.how.coefficients = n % 5 != 3;
            c.how.planes = 1 + n % 2;
            c.how.skewing = n % 3 == 1;
            c.how.prefetch = n % 4 > 0;
            c.how.ahead = c.how.prefetch ? n % 4 : 1;
            c.how.split_barriers = axis == 1;
            c.how.work_group[static_cast<std::size_t>(axis)] = c.how.steps % 2 == 0 ? 2 : 1; // stage groups
            REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
            check_case(on, c);
            ++n;
        }
    }
    program_case c = passing_case(flow("mirror"), 2, 2);
    c.how.coefficients = true;
    check_case(on, c);
    for (const char* faces : {"x: fixed; y: periodic", "x: periodic; y: constant(0.25)", "x: mirror; y: periodic"}) {
        c = passing_case(fmt::format("stencil corners(x, y) {{\nfield u {{ {0} }}\ncoef k {{ {0} }}\nu[t+1] = 0.4*u + "
                                     "0.2*u[x-1] + 0.2*u[y+1] + 0.1*k[x-1, y-1] - 0.1*k[x+1, y+1]\n}}\n",
                                     faces),
                         1, 2);
        c.how.coefficients = true;
        REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
        check_case(on, c);
    }
}

TEST_CASE("earlier time levels and coefficients in tiles with the halo of the first time step", "[device][stream]") {
    test_device on = open_test_device_with_lanes();
    for (const auto& [kind, axis, halves] :
         {std::tuple{"periodic", 2, false}, {"clamp", 1, false}, {"periodic", 1, true}, {"fixed", 2, true}}) {
        program_case c = halo_case(on.info, kind, axis);
        c.how.split_barriers = halves;
        REQUIRE(no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty());
        check_case(on, c);
    }
}

TEST_CASE("earlier time levels in loops of one work-item", "[device][stream]") {
    test_device on = open_test_device();
    int n = 0;
    for (const char* kind : kinds) {
        for (const std::string& text : {waves(kind, "mirror"), centre(kind), flow(kind), waves(kind, "fixed")}) {
            const bool whole_rows = n % 2 == 0;
            program_case c = passing_case(text, 1, 2 + n % 3);
            c.how.stream_axis = c.s.dimensions - 1;
            c.how.loops = true;
            c.how.vector_width = n % 4 < 2 ? 4 : 1;
            c.how.vector_arithmetic = on.info.language.vector_arithmetic && n % 3 == 0;
            c.how.work_group = {1, 1, 1};
            c.how.block = {whole_rows ? 28U : 12U, c.s.dimensions == 2 ? 1U : whole_rows ? 15U : 9U, 1};
            check_case(on, c);
            ++n;
        }
    }
}

TEST_CASE("planes of coefficients pass through one time step", "[device][stream]") {
    test_device on = open_test_device();
    for (const char* kind : kinds) {
        for (const int axis : {1, 0}) {
            program_case c = passing_case(waves(kind, "fixed"), axis, 1);
            c.how.coefficients = true;
            check_case(on, c);
            c.how.prefetch = c.how.halo = true;
            c.how.ahead = 2;
            check_case(on, c);
            c.how.local = c.how.halo = false; // neighbours straight from memory
            c.how.planes = 2;
            check_case(on, c);
        }
    }
}

TEST_CASE("where planes of coefficients cannot pass", "[stream]") {
    const auto why = [](const std::string& declarations, const std::string& update, bool several) {
        return no_coefficient_planes(
            stencil_of("stencil s(x, y) {\n" + declarations + "\nu[t+1] = " + update + "\n}\n"), several);
    };
    const std::string u = "field u { all: periodic }\ncoef k";
    const std::string neighbours = "0.1*u[x-1] + 0.2*u[y+1]";
    CHECK(why(u, neighbours + " + k", true).empty());
    CHECK(why(u, neighbours + " + k", false) == "no neighbours are read of a coefficient");
    CHECK(why(u, neighbours + " + k[x-1] + k", false).empty());
    CHECK(why(u, neighbours + " + k[x-1]", true) == "k is not periodic along x as what is updated is");
    CHECK(why(u + " { all: periodic }", neighbours + " + k[x-1]", true).empty());
    CHECK(why(u + " { all: periodic }", neighbours + " + k[x-2]", true) ==
          "k is read farther along x than what is updated");
    CHECK(why("field u", neighbours, true) == "no coefficient is read");
    CHECK(why("field u { x: periodic }\ncoef k { x: periodic }", neighbours + " + k[x-1, y-1]", true) ==
          "k is read at corners between a periodic face and a fixed one");
    CHECK(why("field u { y: periodic }\ncoef k { y: periodic }", neighbours + " + k[x-1, y-1]", true).empty());
    CHECK(why("field u { x: periodic }\ncoef k { x: periodic }", neighbours + " + k[x-1, y-1]", false).empty());
}

// tests/codegen/races.sh runs these under Oclgrind.
TEST_CASE("small programs of what no update computes", "[.races]") {
    test_device on = open_test_device();
    const auto run = [](test_device& device, program_case c) {
        c.size = {11, 7, c.s.dimensions == 3 ? 7 : 1};
        c.how.stream_length = 4;
        execute(device, program_of(c, device.info.language), c.s, start_of(c), c.parameters, c.how.steps);
    };
    int programs = 0;
    for (const char* kind : kinds) {
        for (const std::string& text : {waves(kind, kind), centre(kind)}) {
            program_case c = passing_case(text, 1, 2);
            c.how.coefficients = true;
            c.how.prefetch = programs % 4 < 2;
            c.how.ahead = c.how.prefetch ? 2 : 1;
            c.how.work_group[1] = programs % 2 == 0 ? 1 : 2; // stage groups
            run(on, c);
            ++programs;
        }
    }
    test_device lanes = open_test_device_with_lanes();
    for (const int axis : {2, 1}) {
        run(lanes, halo_case(lanes.info, "fixed", axis));
        ++programs;
    }
    CHECK(programs == 12);
}
