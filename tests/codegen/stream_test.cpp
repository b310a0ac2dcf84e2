#include "core/codegen/emit.hpp"
#include "core/codegen/lower.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/device_case.hpp"
#include "tests/codegen/mutate.hpp"
#include "tests/codegen/streaming_case.hpp"

#include <fmt/format.h>

#include <iostream>

using namespace gst;
using namespace gst::testing;

namespace {

/// A program without the last barrier of each pass.
void execute_without_barriers(test_device& on, const program_case& c) {
    lowered_program p = lower(c.s, c.size, c.alignment, c.how);
    REQUIRE(drop_last_barriers(p.modules.front().front().body) > 0);
    execute(on, spell(p, on.info.language), c.s, start_of(c), c.parameters, c.steps);
}

/// A program with barriers in halves, with a whole one in the place of the second half, then of the first.
void execute_in_either_half(test_device& on, const program_case& c) {
    lowered_program p = lower(c.s, c.size, c.alignment, c.how);
    execute(on, spell(p, on.info.language), c.s, start_of(c), c.parameters, c.steps);
    CHECK(wait_at_arrivals(p.modules.front().front().body) > 0);
    execute(on, spell(p, on.info.language), c.s, start_of(c), c.parameters, c.steps);
}

constexpr const char* star2d = "stencil star(x, y) {\nfield u\nu[t+1] = 0.2*u + 0.21*u[x-1] + 0.22*u[x+1] + "
                               "0.13*u[y-1] + 0.14*u[y+1]\n}\n";
constexpr const char* box2d = "stencil box(x, y) {\nfield u\nconst w = random(3)\nu[t+1] = sum(o in box(1)) { w[o] * "
                              "u[o] }\n}\n";

} // namespace

TEST_CASE("streaming one step", "[device][stream]") {
    test_device on = open_test_device();
    for (const char* text : {star2d, box2d}) {
        for (const int axis : {1, 0}) {
            for (const bool retiming : {false, true}) {
                program_case c = streaming_case(text, {37, 23, 1}, axis);
                c.how.retiming = retiming;
                c.how.prefetch = axis == 0;
                c.how.planes = retiming ? 2 : 3;
                check_case(on, c);
                c.how.local = false; // neighbours straight from memory
                check_case(on, c);
            }
        }
    }
}

TEST_CASE("quotients of roots are one function where the root is used once", "[device][stream]") {
    test_device on = open_test_device();
    for (const char* type : {"f32", "f64"}) {
        const std::string once =
            fmt::format("stencil roots(x, y) {{\nfield u: {}\nu[t+1] = 1/sqrt(0.01 + u*u) + 0.3*u[x-1]/sqrt(1 + "
                        "u[y+1]*u[y+1]) - u[x+1]/sqrt(max(u[y-1], 0))\n}}\n",
                        type);
        const std::string twice = fmt::format(
            "stencil roots(x, y) {{\nfield u: {}\nlet r = sqrt(1 + u*u)\nu[t+1] = u[x-1]/r + r\n}}\n", type);
        for (const std::string& text : {once, twice}) {
            program_case c = streaming_case(text, {37, 23, 1}, 1);
            c.how.retiming = false;
            check_case(on, c);
            c.how = {};
            c.how.work_group = {8, 2, 1};
            c.how.block = {2, 1, 1};
            c.how.vector_width = 2;
            check_case(on, c);
            const std::string program = program_of(c, on.info.language).modules.front().text;
            CHECK((program.find("rsqrt(") != std::string::npos) == (text == once));
            CHECK((program.find(" sqrt(") != std::string::npos) == (text == twice));
            // The first root is of 0.01 and more, the second one of 1 and more, the last one may be of 0.
            const std::string on_cuda = program_of(c, cuda_dialect()).modules.front().text;
            const auto times = [&](const std::string& words) {
                std::size_t n = 0;
                for (std::size_t at = on_cuda.find(words); at != std::string::npos; at = on_cuda.find(words, at + 1)) {
                    ++n;
                }
                return n;
            };
            const std::size_t others = times(" rsqrt(");
            CHECK((others > 0) == (text == once));
            if (text == once && std::string(type) == "f64") {
                CHECK(times(" gst_rsqrt_of_normal(") == 2 * others + 1); // and where it is defined
            }
        }
    }
}

TEST_CASE("temporal blocking", "[device][stream]") {
    test_device on = open_test_device();
    struct way {
        int steps, groups, planes;
        bool retiming, prefetch;
        int ahead;
    };
    for (const char* text : {star2d, box2d}) {
        for (const way& w : {way{2, 1, 1, false, false, 1}, way{3, 1, 2, true, true, 3}, way{4, 2, 2, true, true, 1},
                             way{3, 3, 1, false, true, 2}, way{6, 2, 1, true, false, 1}}) {
            program_case c = streaming_case(text, {67, 41, 1}, 1);
            c.how.work_group[0] = 16;
            c.how.steps = w.steps;
            c.how.work_group[1] = static_cast<std::uint64_t>(w.groups);
            c.how.planes = w.planes;
            c.how.retiming = w.retiming;
            c.how.prefetch = w.prefetch;
            c.how.ahead = w.ahead;
            c.how.skewing = w.ahead > 1;
            c.steps = 2 * w.steps + 1;
            check_case(on, c);
        }
    }
}

TEST_CASE("runs of a work-item that lie a work-group apart, and numbers from constant memory", "[device][stream]") {
    test_device on = open_test_device();
    for (const char* kind : {"fixed", "clamp", "mirror", "periodic"}) {
        for (const int steps : {1, 2}) {
            const std::string text =
                fmt::format("stencil runs(x, y, z) {{\nfield u {{ all: {0} }}\ncoef k\nu[t+1] = 0.1*u + 0.11*u[x-1] + "
                            "0.12*k*u[x+1] + 0.13*u[y-1] + 0.14*u[y+1] + 0.15*k[y+1]*u[z-1] + 0.07*u[z+1] + 0.001*x - "
                            "0.002*y\n}}\n",
                            kind);
            program_case c = streaming_case(text, {37, 15, 5}, 2);
            c.how.steps = steps;
            c.how.retiming = steps == 1;
            c.how.prefetch = steps == 2;
            c.how.ahead = 2;
            c.how.work_group = {4, 4, 1};
            c.how.block = {2, 1, 1};
            c.how.cyclic = {2, 2, 1};
            c.how.vector_width = 2;
            c.how.constant = true;
            c.steps = steps + 1;
            check_case(on, c);
            if (steps == 1) {
                c.how.local = false; // neighbours straight from memory
                check_case(on, c);
            }
        }
    }
}

TEST_CASE("barriers in halves", "[device][stream]") {
    test_device on = open_test_device();
    for (const char* kind : {"fixed", "mirror", "periodic"}) {
        // The second field is called what a prefix of the first one's names could be.
        const std::string text = fmt::format(
            "stencil halves(x, y) {{\nfield u {{ all: {0} }}\nfield u_inner {{ all: {0} }}\ncoef k\n"
            "u[t+1] = 0.1*u + 0.11*u[x-1] + 0.12*k*u[x+1] + 0.13*u[y-1] + 0.14*u_inner[y+1]\n"
            "u_inner[t+1] = 0.2*u_inner + 0.21*u_inner[x-1] + 0.05*k[y+1]*u[x+1] + 0.17*u_inner[y-1] + 0.01*x\n}}\n",
            kind);
        for (const int groups : {1, 2}) {
            program_case c = streaming_case(text, {37, 15, 1}, 1);
            c.how.split_barriers = true;
            c.how.steps = 2;
            c.how.planes = groups;
            c.how.work_group[1] = static_cast<std::uint64_t>(groups);
            c.how.vector_width = 2;
            c.steps = 3;
            const lowered_program p = lower(c.s, c.size, c.alignment, c.how);
            CHECK(outline(p.modules.front().front()).find("arrive\n") != std::string::npos);
            check_case(on, c);
        }
    }
}

TEST_CASE("points beyond the grid keep their values from one time step to the next, the last of which needs none",
          "[device][stream]") {
    test_device on = open_test_device();
    const std::string text = "stencil kept(x, y) {\nfield u { x: fixed; y-: constant(0.5); y+: fixed }\n"
                             "u[t+1] = 0.1*u + 0.11*u[x-1] + 0.12*u[x+1] + 0.13*u[y-1] + 0.14*u[y+1]\n}\n";
    for (const bool retiming : {false, true}) {
        for (const int groups : {1, 3}) {
            program_case c = streaming_case(text, {37, 15, 1}, 1);
            c.how.retiming = retiming;
            c.how.steps = 3;
            c.how.planes = groups;
            c.how.work_group[1] = static_cast<std::uint64_t>(groups);
            c.steps = 4;
            check_case(on, c);
            const std::string program = program_of(c, on.info.language).modules.front().text;
            CHECK(program.find("s0r0_u_t_kept") != std::string::npos);
            CHECK(program.find("s2r0_u_t_kept") == std::string::npos); // a group's steps are those of all
        }
    }
}

TEST_CASE("barriers in the loops around tiles at the grid's edge", "[device][stream]") {
    // PoCL 3.1 computed this wrongly when LLVM had made branches of these loops.
    test_device on = open_test_device();
    for (const std::int64_t alignment : {padded_rows, raw_rows}) {
        program_case c =
            streaming_case("stencil edges(x, y, z) {\nfield u { x-: constant(-1.4375); x+: fixed; y: fixed; "
                           "z-: constant(0.625); z+: clamp }\nu[t+1] = -0.09983387014733458 * u[x+1, y-2] "
                           "+ u[t-2, x-1] / 4\n}\n",
                           {129, 23, 1}, 2);
        c.alignment = alignment;
        c.how.stream_length = 1;
        c.how.planes = 2;
        c.how.prefetch = true;
        c.how.ahead = 4;
        c.how.work_group = {2, 4, 1};
        c.how.block = {4, 1, 1};
        c.how.cyclic = {1, 2, 1};
        c.how.vector_width = 2;
        check_case(on, c);
    }
}

TEST_CASE("temporal blocking at every kind of boundary", "[device][stream]") {
    test_device on = open_test_device();
    for (const char* kind : {"fixed", "constant(0.25)", "clamp", "mirror", "periodic"}) {
        for (const int axis : {1, 0}) {
            const std::string box = fmt::format(
                "stencil box(x, y) {{\nfield u {{ x: {0}; y: {0} }}\nu[t+1] = 0.1*u + 0.11*u[x-1] + 0.12*u[x+2] + "
                "0.13*u[y-1] + 0.14*u[y+1] + 0.15*u[x-1, y-1] + 0.07*u[x+1, y+2] + 0.08*u[x-2, y+1]\n}}\n",
                kind);
            program_case c = streaming_case(box, {37, 29, 1}, axis);
            c.how.work_group[axis == 0 ? 1 : 0] = 16;
            c.how.steps = 3;
            c.steps = 4;
            check_case(on, c);
            c.how.skewing = true;
            check_case(on, c);
            const bool copied = std::string(kind) == "clamp" || std::string(kind) == "mirror";
            if (!copied) {
                c.how.retiming = true;
                check_case(on, c);
            }
        }
    }
}

TEST_CASE("temporal blocking in loops of one work-item", "[device][stream]") {
    test_device on = open_test_device();
    const auto in_loops = [](program_case& c, int steps, range3 tile, int width) {
        c.how.loops = true;
        c.how.steps = steps;
        c.how.work_group = {1, 1, 1};
        c.how.block = tile;
        c.how.vector_width = width;
        c.steps = 2 * steps + 1;
    };
    for (const char* kind : {"fixed", "constant(0.25)", "clamp", "mirror", "periodic"}) {
        const std::string box =
            fmt::format("stencil box(x, y) {{\nfield u {{ x: {0}; y: {0} }}\nu[t+1] = 0.1*u + 0.11*u[x-1] + "
                        "0.12*u[x+2] + 0.13*u[y-1] + 0.14*u[y+1] + 0.15*u[x-1, y-1] + 0.07*u[x+1, y+2] + "
                        "0.08*u[x-2, y+1]\n}}\n",
                        kind);
        const std::string star = fmt::format(
            "stencil star(x, y, z) {{\nfield u {{ all: {0} }}\nfield v: f64 {{ all: {0} }}\ncoef k\nu[t+1] = 0.1*u + "
            "0.11*u[x-1] + 0.12*k*u[x+1] + 0.13*u[y-1] + 0.14*v[y+1] + 0.15*u[z-1] + 0.07*u[z+1] + 0.001*x - "
            "0.002*z + 0.0001*t\nv[t+1] = 0.5*v[z-1] + 0.3*u[x-1] * k[y+1]\n}}\n",
            kind);
        for (const int width : {1, 4}) {
            for (const std::uint64_t tile : {20, 40}) { // a part of the rows, and all of them
                program_case c = streaming_case(box, {37, 29, 1}, 1);
                in_loops(c, 3, {tile, 1, 1}, width);
                check_case(on, c);
                c.alignment = raw_rows;
                c.how.vector_arithmetic = c.how.cache_prefetch = on.info.language.vector_arithmetic;
                check_case(on, c);
                c = streaming_case(star, {36, 19, 11}, 2);
                for (const std::uint64_t rows : {10, 20}) {
                    in_loops(c, 2, {tile, rows, 1}, width);
                    check_case(on, c);
                }
            }
        }
    }
}

TEST_CASE("temporal blocking in three dimensions", "[device][stream]") {
    test_device on = open_test_device();
    for (const char* kind : {"fixed", "mirror", "periodic"}) {
        for (const int axis : {2, 1}) {
            const std::string star = fmt::format(
                "stencil star(x, y, z) {{\nfield u {{ all: {0} }}\nfield v {{ all: {0} }}\ncoef k\nu[t+1] = 0.1*u + "
                "0.11*u[x-1] + 0.12*k*u[x+1] + 0.13*u[y-1] + 0.14*v[y+1] + 0.15*u[z-1] + 0.07*u[z+1] + 0.001*x - "
                "0.002*z\nv[t+1] = 0.5*v[z-1] + 0.3*u[x-1] * k[y+1]\n}}\n",
                kind);
            program_case c = streaming_case(star, {29, 19, 17}, axis);
            c.how.steps = 2;
            c.how.planes = 2;
            c.how.skewing = axis == 2;
            c.steps = 3;
            check_case(on, c);
        }
    }
}

namespace {

/// A small program of every scheme of temporal blocking, with faces of one kind.
std::vector<program_case> blocked_cases(const char* kind) {
    std::vector<program_case> out;
    const auto text = [&](const char* reads) {
        return fmt::format("stencil blocked(x, y) {{\nfield u {{ x: {0}; y: {0} }}\nu[t+1] = 0.3*u + 0.11*u[x-1] + "
                           "0.12*u[x+1] + 0.13*u[y-1] + {1}\n}}\n",
                           kind, reads);
    };
    const std::string plus = text("0.14*u[y+1]");
    const std::string diagonal = text("0.14*u[x+1, y+1]");
    const bool copied = std::string(kind) == "clamp" || std::string(kind) == "mirror";
    const auto add = [&](const std::string& of, int axis) -> schedule& {
        program_case c = streaming_case(of, axis == 0 ? extent3{7, 21, 1} : extent3{21, 7, 1}, axis);
        c.how.stream_length = 4;
        c.how.work_group[axis == 0 ? 1 : 0] = 4;
        c.how.steps = 2;
        c.steps = 3;
        out.push_back(std::move(c));
        return out.back().how;
    };
    add(plus, 1);
    add(plus, 0).planes = 2;
    schedule& groups = add(plus, 1);
    groups.work_group[1] = 2;
    groups.prefetch = true;
    schedule& skewed = add(diagonal, 1);
    skewed.skewing = true;
    schedule& copies = add(diagonal, 1);
    copies.retiming = !copied;
    copies.skewing = copies.prefetch = true;
    copies.ahead = 2;
    schedule& lanes = add(plus, 1);
    lanes.shuffle = true;
    lanes.work_group = {8, 2, 1};
    lanes.block[0] = 1;
    lanes.vector_width = 1;
    schedule& halves = add(plus, 1);
    halves.split_barriers = true;
    halves.work_group = {4, 2, 1};
    halves.block[0] = 4;
    halves.vector_width = 1;
    for (const std::uint64_t tile : {12, 24}) {
        schedule& looped = add(diagonal, 1);
        looped.loops = true;
        looped.work_group[0] = 1;
        looped.block[0] = tile;
    }
    return out;
}

} // namespace

// tests/codegen/races.sh runs these under Oclgrind.

TEST_CASE("small programs with temporal blocking", "[.races]") {
    test_device on = open_test_device();
    int programs = 0;
    for (const char* kind : {"fixed", "constant(0.25)", "clamp", "mirror", "periodic"}) {
        for (const program_case& c : blocked_cases(kind)) {
            execute(on, program_of(c, on.info.language), c.s, start_of(c), c.parameters, c.steps);
            ++programs;
        }
    }
    test_device lanes = open_test_device_with_lanes();
    for (const int along : {2, 1}) {
        for (int n = 0; n < 4; ++n) {
            const program_case c = blocks_with_halo(lanes.info, "fixed", {19, 9, 9}, along, n);
            execute(lanes, program_of(c, lanes.info.language), c.s, start_of(c), c.parameters, c.steps);
            execute_in_either_half(lanes, halves_with_halo(lanes.info, "fixed", {19, 11, 11}, along, n));
            programs += 3;
        }
    }
    for (std::uint64_t n = 0; n < 6; ++n) {
        execute_in_either_half(lanes, random_halves(lanes.info, n));
        programs += 2;
    }
    for (int n = 0; n < 6; ++n) {
        for (program_case c : {stage_tiles_case(n % 2 + 1, n), random_stage_tiles(static_cast<std::uint64_t>(n))}) {
            c.steps = 2;
            execute(on, program_of(c, on.info.language), c.s, start_of(c), c.parameters, c.steps);
            ++programs;
        }
    }
    for (const int n : {0, 22}) { // which read what no tile holds, near faces
        program_case c = completed_case(2, n);
        c.steps = 2;
        execute(on, program_of(c, on.info.language), c.s, start_of(c), c.parameters, c.steps);
        ++programs;
    }
    CHECK(programs == 95);
    std::cout << programs << " programs with temporal blocking on " << on.info.name << "\n";
}

TEST_CASE("temporal blocking without a barrier", "[.streaming-race]") {
    test_device on = open_test_device();
    execute_without_barriers(on, blocked_cases("fixed")[2]); // what stage groups hand on
}

TEST_CASE("time steps with tiles of their own without a barrier", "[.stages-race]") {
    test_device on = open_test_device();
    execute_without_barriers(on, stage_tiles_case(2, 0)); // the only one of a pass
}

TEST_CASE("passes that end between the halves of a barrier without it", "[.halves-race]") {
    test_device on = open_test_device_with_lanes();
    const program_case c = halves_with_halo(on.info, "fixed", {19, 11, 11}, 2, 3);
    lowered_program p = lower(c.s, c.size, c.alignment, c.how);
    REQUIRE(wait_at_arrivals(p.modules.front().front().body) > 0);
    REQUIRE(drop_last_barriers(p.modules.front().front().body) > 0);
    execute(on, spell(p, on.info.language), c.s, start_of(c), c.parameters, c.steps);
}

TEST_CASE("tiles with their halo without a barrier", "[.halo-race]") {
    test_device on = open_test_device_with_lanes();
    execute_without_barriers(on, blocks_with_halo(on.info, "fixed", {19, 9, 9}, 2, 1)); // the only one of a pass
}
