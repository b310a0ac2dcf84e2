#include "tests/codegen/streaming_case.hpp"

#include "core/codegen/layout.hpp"
#include "core/codegen/stream_rules.hpp"
#include "tests/dsl/stencils_of.hpp"

#include <fmt/format.h>

namespace gst::testing {

program_case streaming_case(const std::string& text, extent3 size, int axis) {
    program_case c;
    c.s = stencil_of(text);
    c.size = size;
    c.noise = 7;
    c.how.stream_axis = axis;
    c.how.stream_length = static_cast<std::uint64_t>(size[static_cast<std::size_t>(axis)] / 2 + 1);
    c.how.work_group = {8, 1, 1};
    c.how.block = {4, 1, 1};
    c.how.vector_width = 4;
    c.how.local = true;
    if (c.s.dimensions == 3) {
        const std::size_t across = axis == 2 ? 1 : 2;
        c.how.work_group[across] = 4;
        c.how.block[across] = 3;
    }
    if (axis == 0) {
        c.how.work_group = {1, 8, 1};
        c.how.block = {1, 4, 1};
        c.how.vector_width = 1;
        if (c.s.dimensions == 3) {
            c.how.work_group[2] = 4;
            c.how.block[2] = 3;
        }
    }
    return c;
}

program_case blocks_with_halo(const device_info& on, const std::string& kind, extent3 size, int along, int n) {
    const std::size_t across = along == 2 ? 1 : 2;
    const bool columns = n / 2 % 2 != n % 2;
    program_case c = streaming_case(
        fmt::format("stencil halo(x, y, z) {{\nfield u {{ all: {0} }}\ncoef k\nu[t+1] = 0.1*u + 0.11*u[x-1, {1}+1] + "
                    "0.12*k*u[x+1] + 0.13*u[{1}-2] + 0.15*u[{2}-1] + 0.07*u[{3}{2}+1] + 0.001*x - 0.002*z\n}}\n",
                    kind, "xyz"[across], "xyz"[along], columns ? "x+1, " : ""),
        size, along);
    c.how.work_group = {static_cast<std::uint64_t>(on.language.sub_group), 1, 1};
    c.how.work_group[across] = 5;
    c.how.block = {2, 1, 1};
    c.how.block[across] = 2;
    c.how.vector_width = columns && along == 1 ? 1 : 2; // of 16 points of a row 12 are written, or 14
    c.how.shuffle = c.how.prefetch = c.how.halo = true;
    c.how.halo_columns = columns;
    c.how.ahead = 2 + n % 2;
    c.how.steps = 2;
    c.how.skewing = n % 3 > 0;
    c.how.retiming = kind != "clamp" && kind != "mirror" && n % 4 < 2;
    c.steps = 3;
    c.how.tensor_copies = n % 7 < 2; // of those that can be copied as wholes some: they are long to compile
    c.how.tensor_copies =
        c.how.tensor_copies && no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty();
    return c;
}

program_case halves_with_halo(const device_info& on, const std::string& kind, extent3 size, int along, int n) {
    program_case c = blocks_with_halo(on, kind, size, along, n);
    // Queues, of which rows of several planes are shown, the newest known two passes before, one, or just now; without
    // neighbours along x, as emulated lanes wait for each other.
    const char across = along == 2 ? 'y' : 'z';
    if (n % 4 == 2) {
        c.s = stencil_of(fmt::format("stencil two(x, y, z) {{\nfield u {{ all: {0} }}\nfield v: f64 {{ all: {0} }}\n"
                                     "u[t+1] = 0.3*u + 0.1*v[{1}+1, {2}+1] + 0.12*v[{1}-1, {2}-1]\n"
                                     "v[t+1] = 0.4*v + 0.2*u[{1}-1] + 0.11*u[{2}-1]\n}}\n",
                                     kind, across, "xyz"[along]));
    } else if (n % 4 == 3) {
        c.s = stencil_of(
            fmt::format("stencil far(x, y, z) {{\nfield u {{ all: {0} }}\ncoef k\nu[t+1] = 0.3*u + 0.1*u[{2}+1] + "
                        "0.12*k[{1}+1]*u[{1}+1] + 0.13*u[{1}-1, {2}-1] + 0.14*u[{2}-2]\n}}\n",
                        kind, across, "xyz"[along]));
        c.how.coefficients = true;
    }
    c.how.skewing = c.how.split_barriers = true;
    c.how.steps = 2 + n / 2 % 2;
    c.steps = c.how.steps + 1;
    return c;
}

} // namespace gst::testing
