#include "tests/codegen/streaming_case.hpp"

#include "core/base/random.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/dsl/stencils_of.hpp"
#include "tests/first_seed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace gst::testing {

namespace {

/// The boundary of a field: faces that keep their values, periodic axes and, where asked for, faces that are copied
/// between time steps, but along the axis `along`.
std::string random_faces(random_source& rng, int along, bool copied) {
    constexpr std::array kinds{"fixed", "constant(0.25)", "clamp", "mirror"};
    std::string faces;
    for (int axis = 0; axis < 3; ++axis) {
        const std::uint64_t some = copied && axis != along ? kinds.size() : 2;
        const auto one = [&] { return kinds[rng.below(some)]; };
        faces += rng.below(3) == 0 ? fmt::format("{}: periodic; ", "xyz"[axis])
                                   : fmt::format("{0}-: {1}; {0}+: {2}; ", "xyz"[axis], one(), one());
    }
    return faces;
}

/// A stencil of one or two fields, with neighbours across the axis `along`; it reads so far `beside`.
std::string random_neighbours(random_source& rng, int along, int beside, bool copied_faces) {
    const bool two = rng.below(2) == 0;
    const bool coefficient = rng.below(3) == 0;
    const bool earlier = rng.below(4) == 0;
    const char* across = along == 2 ? "y" : "z";
    const auto one_of = [&](const auto& all) { return all[rng.below(std::size(all))]; };
    const auto signed_steps = [&](const char* axis, int most) {
        const int by = static_cast<int>(rng.below(2 * static_cast<std::uint64_t>(most) + 1)) - most;
        return by == 0 ? std::string() : fmt::format("{}{:+}", axis, by);
    };
    const auto at = [&](const std::string& name, std::vector<std::string> steps) {
        std::erase(steps, "");
        return steps.empty() ? name : fmt::format("{}[{}]", name, fmt::join(steps, ", "));
    };
    const char* const axis = along == 2 ? "z" : "y";
    const bool lanes = rng.below(2) == 0; // Oclgrind's wait for each other
    const auto neighbour = [&](const std::string& name) {
        return at(name, {lanes ? signed_steps("x", beside) : "", signed_steps(across, beside), signed_steps(axis, 2)});
    };
    std::string out = "stencil halves(x, y, z) {\n";
    const std::string faces = random_faces(rng, along, copied_faces);
    constexpr std::array types{"f32", "f64", "f16 compute f32"};
    const std::vector<char> fields = two ? std::vector{'u', 'v'} : std::vector{'u'};
    for (const char field : fields) {
        const bool others = field == 'v' && rng.below(3) == 0;
        out += fmt::format("field {}: {} {{ {} }}\n", field, one_of(types),
                           others ? random_faces(rng, along, copied_faces) : faces);
    }
    out += coefficient ? "coef k\n" : "";
    for (const char field : fields) {
        out += fmt::format("{0}[t+1] = 0.3*{0} + 0.1*u[{1}{2}1]", field, across, rng.below(2) == 0 ? '+' : '-');
        for (std::uint64_t more = 1 + rng.below(3); more > 0; --more) {
            const std::string read = neighbour(two && rng.below(2) == 0 ? "v" : "u");
            const std::string times = coefficient && rng.below(2) == 0 ? neighbour("k") + "*" : "";
            out += fmt::format(" + 0.0{}*{}{}", 1 + 2 * rng.below(5), times, read);
        }
        out += earlier && field == 'u' ? fmt::format(" - 0.2*u[t-1{}]", rng.below(2) == 0 ? ", y-1" : "") : "";
        out += "\n";
    }
    return out + "}\n";
}

/// A stencil whose sums of neighbours are completed by what its points have of coefficients or earlier time levels.
std::string random_completed(random_source& rng, int along, int beside) {
    const auto one_of = [&](const auto& all) { return all[rng.below(std::size(all))]; };
    const bool two = rng.below(3) == 0;
    constexpr std::array types{"f32", "f64"};
    constexpr std::array factors{"", "k*", "0.5*k*", "-k*0.7*"};
    constexpr std::array divisors{"", "/(d + 2)", "/3"};
    std::string out = "stencil completed(x, y, z) {\n";
    const std::string faces = random_faces(rng, along, true);
    const char* type = one_of(types); // sums are not converted
    const std::vector<char> fields = two ? std::vector{'u', 'v'} : std::vector{'u'};
    for (const char field : fields) {
        const bool others = field == 'v' && rng.below(3) == 0;
        out += fmt::format("field {}: {} {{ {} }}\n", field, type, others ? random_faces(rng, along, true) : faces);
    }
    out += fmt::format("coef k: {0}\ncoef d: {0}\n", type);
    const auto neighbours = [&] {
        std::string sum;
        for (std::uint64_t more = 2 + rng.below(4); more > 0; --more) {
            const int axis = static_cast<int>(rng.below(3));
            const int most = axis == 0 ? beside : 2;
            const auto far = static_cast<int>(1 + rng.below(static_cast<std::uint64_t>(most)));
            const char sign = rng.below(2) == 0 ? '-' : '+';
            sum += fmt::format("{} 0.0{}*{}[{}{}{}]", sum.empty() ? "" : " +", 1 + 2 * rng.below(5), one_of(fields),
                               "xyz"[axis], sign, far);
        }
        return sum + fmt::format(" + 0.02*u[{}-1, {}+1]", along == 2 ? "y" : "z", "xyz"[along]);
    };
    for (const char field : fields) {
        const std::string factor = one_of(factors), divisor = one_of(divisors);
        out += fmt::format("{0}[t+1] = 0.3*{0} {1} {2}({3}){4}{5}{6}\n", field, rng.below(2) == 0 ? "+" : "-", factor,
                           neighbours(), divisor, rng.below(2) == 0 ? fmt::format(" - 0.2*{}[t-1]", field) : "",
                           rng.below(2) == 0 ? " + 0.1*k*u" : "");
        // The same factor again is the same sum.
        out += rng.below(2) == 0 ? "" : fmt::format("    + {}(0.03*u[x-1]){}\n", factor, divisor);
    }
    return out + "}\n";
}

} // namespace

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

program_case random_halves(const device_info& on, std::uint64_t number) {
    random_source rng = random_source(first_seed() * 1000003 + number).fork("halves");
    for (;;) {
        const int along = 1 + static_cast<int>(rng.below(2));
        const std::size_t across = along == 2 ? 1 : 2;
        const auto some = [&](std::uint64_t from, std::uint64_t to) { return from + rng.below(to - from + 1); };
        const auto length = [&] { return static_cast<std::int64_t>(some(9, 21)); };
        program_case c =
            streaming_case(random_neighbours(rng, along, 1, false), {length() + 8, length(), length()}, along);
        c.noise = rng.next();
        schedule& how = c.how;
        how.stream_length = some(3, static_cast<std::uint64_t>(c.size[static_cast<std::size_t>(along)]));
        how.vector_width = static_cast<int>(some(1, 2));
        how.work_group = {static_cast<std::uint64_t>(on.language.sub_group), 1, 1};
        how.work_group[across] = some(3, 6);
        how.block = {2, 1, 1};
        how.block[across] = some(1, 3);
        how.shuffle = how.prefetch = how.halo = how.split_barriers = true;
        how.ahead = static_cast<int>(some(2, 4));
        how.steps = static_cast<int>(some(2, 4));
        how.skewing = rng.below(4) > 0;
        how.retiming = rng.below(2) == 0;
        how.filtered_lines = how.retiming && rng.below(3) == 0 ? 2 : 1;
        how.terms =
            how.retiming && how.filtered_lines == 1 ? static_cast<term_order>(rng.below(4)) : term_order::as_written;
        how.halo_columns = rng.below(2) == 0;
        how.coefficients = !how.retiming && rng.below(2) == 0;
        how.edge_blocks = rng.below(3) == 0;
        how.tapering = !how.edge_blocks && rng.below(3) == 0;
        how.tensor_copies = rng.below(2) == 0;
        c.steps = how.steps + static_cast<int>(rng.below(static_cast<std::uint64_t>(how.steps) + 1));
        if (no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), how).empty()) {
            return c;
        }
    }
}

program_case stage_tiles_case(int along, int n) {
    const char across = along == 2 ? 'y' : 'z';
    const char* text = n % 3 < 2
                           ? "stencil stages(x, y, z) {{\nfield u: {0} {{ x-: constant(0.25); x+: fixed; y: fixed; "
                             "z-: fixed; z+: constant(0.5) }}\nu[t+1] = 0.3*u + 0.1*u[x-{1}] + "
                             "0.11*u[x+1] + 0.12*u[{2}-2] + 0.13*u[{2}+1] + 0.14*u[{3}-1] + 0.15*u[{3}+2]{4}\n}}\n"
                           : "stencil stages(x, y, z) {{\nfield u: {0} {{ all: fixed }}\nfield v: f64 {{ all: "
                             "fixed }}\nu[t+1] = 0.3*u + 0.1*v[x-{1}, {2}+1] + 0.12*v[{2}-1, {3}+1]\nv[t+1] = "
                             "0.4*v + 0.2*u[{2}-1] + 0.11*u[{3}-1]{4}\n}}\n";
    // Planes of queues but the newest are read by others.
    program_case c = streaming_case(fmt::format(fmt::runtime(text), n % 2 == 0 ? "f32" : "f64", 1 + n % 3, across,
                                                "xyz"[along], n % 4 == 3 ? fmt::format("*u[{}-1]", across) : ""),
                                    {37, 19, 17}, along);
    const std::size_t rows = along == 2 ? 1 : 2;
    c.how.work_group = {8, 1, 1};
    c.how.work_group[rows] = n % 2 == 0 || n % 3 == 2 ? 4 : 8;
    c.how.block = {n % 4 == 1 ? 2U : 4U, 1, 1};
    c.how.block[rows] = 1 + static_cast<std::uint64_t>(n % 3);
    c.how.vector_width = n % 4 == 2 ? 1 : static_cast<int>(c.how.block[0]);
    c.how.steps = 2;
    c.how.stage_tiles = c.how.halo = c.how.halo_columns = c.how.tensor_copies = c.how.prefetch = true;
    c.how.stage_rows = 1 + n % 4;
    c.how.arrival = n % 2 == 1 ? 5 + n / 2 % 6 : 0;
    c.how.code = static_cast<stage_code>(n / 2 % 3);
    c.how.half_loads = n % 3 != 2;
    c.how.rematerialization = n % 4 > 1;
    c.how.ahead = 2 + n % 3;
    c.how.retiming = n % 4 < 2;
    c.how.late_sums = c.how.retiming ? n / 4 % 3 : 0;
    c.how.terms = c.how.retiming ? static_cast<term_order>((n / 4 * 2 + n % 2) % 4) : term_order::as_written;
    c.how.planes = 1 + n % 7 / 3;
    c.how.equal_shares = n % 5 == 4;
    c.how.multiprocessors = 3;
    c.steps = 5;
    return c;
}

program_case completed_case(int along, int n) {
    const char across = along == 2 ? 'y' : 'z';
    const std::string sum = fmt::format("(0.1*u[x-1] + 0.11*u[x+2] + 0.12*u[{0}-2] + 0.13*u[{0}+1] + 0.14*u[{1}-1] + "
                                        "0.15*u[{1}+2] - 0.06*u)",
                                        across, "xyz"[along]);
    const char* type = (n / 5 + n) % 2 == 0 ? "f32" : "f64";
    const std::string faces = "x-: constant(0.25); x+: fixed; y: fixed; z-: fixed; z+: constant(0.5)";
    const std::string one = fmt::format("stencil completed(x, y, z) {{\nfield u: {} {{ {} }}\n", type, faces);
    const std::array texts{
        one + fmt::format("coef k: {}\nu[t+1] = 0.6*u - 0.3*u[t-1] + k*{}\n}}\n", type, sum), // waves
        one + fmt::format("u[t+1] = {} - 0.3*u[t-2]\n}}\n", sum),
        one + fmt::format("coef k: {0}\ncoef d: f64\nu[t+1] = u*(1.1 - k) - (0.3*{1})*k/(d + 2)\n}}\n", type, sum),
        fmt::format("stencil completed(x, y, z) {{\nfield u: f32 {{ {0} }}\nfield v: f64 {{ {0} }}\ncoef k: f64\n"
                    "u[t+1] = 0.3*u*v - 0.1*u[t-1] + 0.2*v[t-1] + k*{1}\n"
                    "v[t+1] = 0.4*v - (k*(0.2*u[{2}-1]) - k*(0.11*v[{3}-1, x+1]))\n}}\n",
                    faces, sum, across, "xyz"[along]),
        one + fmt::format("u[t+1] = {} - 0.3*u[t-1]\n}}\n", sum),
        // What the first time step may leave to the second one: older levels, of which it has newer ones, the number of
        // a time step, and a type that is computed with.
        one + fmt::format("coef k: {0}\nu[t+1] = k*{1} - 0.3*u[t-1] - 0.1*u[t-2] + 0.01*t*k\n}}\n", type, sum),
        fmt::format("stencil completed(x, y, z) {{\nfield u: f32 compute f64 {{ {0} }}\ncoef k: {1}\n"
                    "u[t+1] = {2}*k + 0.4*u - 0.2*u[t-1]\n}}\n",
                    faces, type, sum),
        fmt::format("stencil completed(x, y, z) {{\nfield u, v: {0} {{ {1} }}\ncoef k: {0}\n"
                    "u[t+1] = 0.2*v - 0.1*u[t-1] + k*{2}\nv[t+1] = 0.3*u - 0.2*v[t-1] + 0.1*v[x-1]\n}}\n",
                    type, faces, sum),
        // Nothing is read along the axis: planes that are computed beyond the grid are not told from others.
        one +
            fmt::format("coef k: {0}\nu[t+1] = 0.5*u - 0.3*u[t-1] + k*(0.2*u[x-1] + 0.1*u[{1}+2])\n}}\n", type, across),
    };
    program_case c = stage_tiles_case(along, n);
    c.s = stencil_of(texts[static_cast<std::size_t>(n) % texts.size()]);
    c.how.retiming = true;
    c.how.late_sums = n / 3 % 3;
    c.how.terms = static_cast<term_order>(n / 2 % 4);
    c.how.planes = n % texts.size() == texts.size() - 1 ? 4 : c.how.planes;
    c.how.left_terms = n / 2 % 2 == 1 && no_left_terms(c.s, along).empty();
    c.how.left_arrays = std::min(n % 4, static_cast<int>(arrays_to_leave(c.s, along, c.how.left_terms).size()));
    return c;
}

program_case with_other_faces(program_case c, int n) {
    using kind = boundary_kind;
    constexpr std::array<std::array<kind, 4>, 4> all{{{kind::periodic, kind::periodic, kind::periodic, kind::periodic},
                                                      {kind::clamp, kind::mirror, kind::mirror, kind::clamp},
                                                      {kind::mirror, kind::mirror, kind::periodic, kind::periodic},
                                                      {kind::periodic, kind::periodic, kind::clamp, kind::mirror}}};
    const auto along = static_cast<std::size_t>(c.how.stream_axis);
    const auto set = [&](std::size_t axis, kind low, kind high) {
        for (field& f : c.s.fields) {
            f.faces[axis][0] = f.coefficient ? f.faces[axis][0] : boundary{low};
            f.faces[axis][1] = f.coefficient ? f.faces[axis][1] : boundary{high};
        }
    };
    const auto& across = all[static_cast<std::size_t>(n) % all.size()];
    set(0, across[0], across[1]);
    set(along == 2 ? 1 : 2, across[2], across[3]);
    if (n % 2 == 0 || !no_temporal_blocking(c.s).empty()) { // corners with faces that keep their values
        set(along, kind::periodic, kind::periodic);
    }
    return c;
}

program_case random_stage_tiles(std::uint64_t number) {
    random_source rng = random_source(first_seed() * 1000003 + number).fork("stage tiles");
    for (;;) {
        const int along = 1 + static_cast<int>(rng.below(2));
        const std::size_t across = along == 2 ? 1 : 2;
        const auto some = [&](std::uint64_t from, std::uint64_t to) { return from + rng.below(to - from + 1); };
        const auto length = [&] { return static_cast<std::int64_t>(some(9, 25)); };
        const int beside = 1 + static_cast<int>(rng.below(3));
        const bool completed = rng.below(3) == 0;
        program_case c = streaming_case(completed ? random_completed(rng, along, beside)
                                                  : random_neighbours(rng, along, beside, true),
                                        {2 * length(), length(), length()}, along);
        if (rng.below(2) == 0) { // a seam of a periodic axis lies between vectors
            c.size[0] = round_up(c.size[0], 8);
        }
        c.noise = rng.next();
        schedule& how = c.how;
        how.stream_length = some(3, static_cast<std::uint64_t>(c.size[static_cast<std::size_t>(along)]));
        how.vector_width = 1 << some(0, 3);
        how.work_group = {some(1, 12), 1, 1};
        how.work_group[across] = some(1, 12);
        how.block = {static_cast<std::uint64_t>(how.vector_width) * some(1, 2), 1, 1};
        how.block[across] = some(1, 4);
        how.steps = 2;
        how.stage_tiles = how.halo = how.halo_columns = how.tensor_copies = how.prefetch = true;
        how.stage_rows = static_cast<int>(some(1, 6));
        how.arrival = rng.below(2) == 0 ? static_cast<int>(some(1, 10)) : 0;
        how.code = static_cast<stage_code>(rng.below(3));
        how.half_loads = rng.below(2) == 0;
        how.rematerialization = rng.below(2) == 0;
        how.ahead = static_cast<int>(some(2, 4));
        how.planes = rng.below(2) == 0 ? 1 : static_cast<int>(some(2, 3));
        how.retiming = completed || rng.below(2) == 0;
        how.late_sums = how.retiming ? static_cast<int>(rng.below(3)) : 0;
        how.terms = how.retiming ? static_cast<term_order>(rng.below(4)) : term_order::as_written;
        how.left_terms = rng.below(2) == 0 && no_left_terms(c.s, along).empty();
        how.left_arrays = static_cast<int>(rng.below(arrays_to_leave(c.s, along, how.left_terms).size() + 1));
        how.constant = rng.below(4) == 0;
        how.most_constants = how.constant ? static_cast<int>(rng.below(6)) : 0;
        how.edge_blocks = rng.below(4) == 0;
        how.tapering = !how.edge_blocks && rng.below(4) == 0;
        how.equal_shares = !how.edge_blocks && !how.tapering && rng.below(3) == 0;
        if (!how.edge_blocks && !how.tapering && !how.equal_shares && rng.below(2) == 0) {
            how.rest_blocks = static_cast<int>(some(2, 4));
            how.stream_length = static_cast<std::uint64_t>(c.size[static_cast<std::size_t>(along)]);
        }
        how.multiprocessors = static_cast<unsigned>(some(1, 7));
        if (rng.below(2) == 0) { // one or two work-groups have no tile
            const auto tiles = [&](std::size_t axis) {
                const std::uint64_t points = how.tile(static_cast<int>(axis));
                return (static_cast<std::uint64_t>(c.size[axis]) + points - 1) / points;
            };
            how.multiprocessors = static_cast<unsigned>(tiles(0) * tiles(across) + some(1, 2));
        }
        c.steps = static_cast<int>(some(2, 5));
        if (how.tile(0) * how.tile(static_cast<int>(across)) * static_cast<std::uint64_t>(how.planes) > 512) {
            continue; // local memory
        }
        if (no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), how).empty()) {
            return c;
        }
    }
}

} // namespace gst::testing
