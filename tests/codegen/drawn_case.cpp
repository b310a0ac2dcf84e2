#include "tests/codegen/drawn_case.hpp"

#include "core/base/random.hpp"
#include "core/codegen/filtering.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/stream_schedule.hpp"
#include "tests/first_seed.hpp"
#include "tests/stencil/random_stencil.hpp"

#include <fmt/format.h>

#include <array>
#include <variant>
#include <vector>

namespace gst::testing {

namespace {

/// A random power of two up to `most`.
std::uint64_t power_of_two(random_source& rng, std::uint64_t most) {
    std::uint64_t v = 1;
    while (v * 2 <= most && rng.below(2) == 1) {
        v *= 2;
    }
    return v;
}

/// A schedule that streams; with temporal blocking where the stencil allows.
schedule random_streaming(random_source& rng, const stencil& s, extent3 size, const device_info& device) {
    for (;;) {
        schedule h;
        h.stream_axis = static_cast<int>(rng.below(static_cast<std::uint64_t>(s.dimensions)));
        const auto along = static_cast<std::size_t>(h.stream_axis);
        h.steps = rng.below(2) == 0 ? 1 : 2 + static_cast<int>(rng.below(7));
        h.stream_length = 1 + rng.below(static_cast<std::uint64_t>(size[along]));
        h.planes = 1 + static_cast<int>(rng.below(rng.below(8) == 0 ? 6 : 2));
        h.retiming = rng.below(2) == 0;
        h.tapering = rng.below(2) == 0;
        h.edge_blocks = h.steps > 1 && !h.tapering && rng.below(2) == 0;
        h.equal_shares = !h.tapering && !h.edge_blocks && rng.below(2) == 0;
        h.rest_blocks = h.tapering || h.edge_blocks || h.equal_shares ? 1 : 1 + static_cast<int>(rng.below(4));
        h.stream_length = h.rest_blocks > 1 ? static_cast<std::uint64_t>(size[along]) : h.stream_length;
        h.multiprocessors = 1 + static_cast<unsigned>(rng.below(7));
        h.edge_percent = h.equal_shares && s.dimensions == 2 ? static_cast<int>(rng.below(3) * rng.below(60)) : 0;
        h.skewing = h.steps > 1 && rng.below(2) == 0;
        h.split_barriers = h.steps > 1 && rng.below(2) == 0;
        h.prefetch = rng.below(2) == 0;
        h.ahead = h.prefetch ? 1 + static_cast<int>(rng.below(4)) : 1;
        h.local = h.steps > 1 || rng.below(2) == 0;
        h.shuffle = device.language.sub_group > 0 && along != 0 && rng.below(2) == 0;
        h.halo = (h.steps > 1) == h.shuffle && h.local && h.ahead > 1 && rng.below(2) == 0;
        h.tensor_copies = h.halo && along != 0 && rng.below(2) == 0;
        h.constant = rng.below(3) == 0;
        h.most_constants = h.constant ? static_cast<int>(rng.below(4)) : 0;
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(s.dimensions); ++axis) {
            if (axis != along) {
                h.work_group[axis] = power_of_two(rng, 16);
                h.cyclic[axis] = h.shuffle ? 1 : 1 + rng.below(4) / 3;
                h.block[axis] = h.cyclic[axis] > 1 ? 1 : 1 + rng.below(axis == 0 ? 2 : 3);
            }
        }
        std::uint64_t rows = 1; // of a stage group, in a sub-group
        if (h.shuffle) {
            const auto lanes = static_cast<std::uint64_t>(device.language.sub_group);
            rows = s.dimensions == 3 && rng.below(2) == 0 ? 2 * power_of_two(rng, lanes / 4) : 1;
            h.work_group[0] = lanes / rows;
            if (rows > 1) {
                h.work_group[along == 1 ? 2 : 1] = rows * power_of_two(rng, 64 / rows);
            }
        }
        if (h.split_barriers && rng.below(2) == 0) { // with points between the halves
            h.retiming = h.skewing = false;
            const std::size_t across = along == 0 ? 1 : along == 1 && s.dimensions == 3 ? 2 : along - 1;
            h.block[across] = 3 + rng.below(2);
            h.cyclic[across] = 1;
        }
        if (h.retiming && s.dimensions > 1 && rng.below(2) == 0) {
            h.filtered_lines = rng.below(2) == 0 ? 2 : 4;
            const std::size_t axis = filtered_lines_of(s, h.stream_axis).axis;
            h.block[axis] = static_cast<std::uint64_t>(h.filtered_lines) * (1 + rng.below(2));
            h.cyclic[axis] = 1;
            if (!no_filtering(s, h.stream_axis, h.filtered_lines, h.steps > 1).empty()) {
                h.filtered_lines = 1;
            }
        }
        h.terms = static_cast<term_order>(rng.below(4));
        h.halo_columns = h.halo && h.steps > 1 && h.filtered_lines == 1 && rng.below(2) == 0;
        std::vector<int> divisors;
        for (int g = 1; g <= std::min(h.steps, 4); ++g) {
            if (h.steps % g == 0 && (g == 1 || !(h.halo || (along == 1 && rows > 1)))) {
                divisors.push_back(g);
            }
        }
        h.work_group[along] = static_cast<std::uint64_t>(divisors[rng.below(divisors.size())]);
        h.group_copies = h.stage_groups() > 1 && h.ahead > 1 && rng.below(2) == 0;
        if (device.type == "gpu") { // compilers for processors take minutes
            h.unrolled_passes = 1 + static_cast<int>(rng.below(2) * rng.below(3));
        }
        h.vector_width = along == 0 ? 1 : static_cast<int>(power_of_two(rng, 4));
        if (along != 0) {
            h.block[0] *= static_cast<std::uint64_t>(h.vector_width);
        }
        h.streaming_stores = rng.below(2) == 0 && (device.type == "cpu" || device.backend == "cuda");
        h.loops = device.type == "cpu" && h.steps > 1 && h.stream_axis == s.dimensions - 1 && rng.below(3) == 0;
        if (h.loops) {
            h.planes = h.ahead = h.unrolled_passes = 1;
            h.edge_percent = 0;
            h.rest_blocks = 1;
            h.group_copies = h.edge_blocks = h.equal_shares = false;
            h.retiming = h.skewing = h.split_barriers = h.prefetch = h.shuffle = false;
            h.vector_arithmetic = rng.below(2) == 0 && device.language.vector_arithmetic;
            h.cache_prefetch = rng.below(2) == 0;
            h.work_group = h.cyclic = {1, 1, 1};
            for (std::size_t axis = 0; axis < along; ++axis) {
                h.block[axis] = 1 + rng.below(2 * static_cast<std::uint64_t>(size[axis]));
            }
            h.block[0] = static_cast<std::uint64_t>(round_up(static_cast<std::int64_t>(h.block[0]), h.vector_width));
        }
        if (along != 0 && rng.below(8) == 0 && no_stage_tiles(s, h.stream_axis).empty()) {
            h.stage_tiles = h.halo = h.halo_columns = h.tensor_copies = h.local = h.prefetch = true;
            h.shuffle = h.skewing = h.split_barriers = h.loops = h.group_copies = false;
            h.steps = 2;
            h.planes = std::min(h.planes, 2);
            h.filtered_lines = 1;
            h.ahead = 2 + static_cast<int>(rng.below(3));
            h.stage_rows = 1 + static_cast<int>(rng.below(4));
            h.arrival = rng.below(2) == 0 ? 5 + static_cast<int>(rng.below(6)) : 0;
            h.half_loads = rng.below(2) == 0;
            h.rematerialization = rng.below(2) == 0;
            h.late_sums = h.retiming ? static_cast<int>(rng.below(3)) : 0;
            h.left_terms = rng.below(2) == 0 && no_left_terms(s, h.stream_axis).empty();
            h.left_arrays = static_cast<int>(rng.below(arrays_to_leave(s, h.stream_axis, h.left_terms).size() + 1));
            if (device.language.words.contains("await at")) { // in others it is the same program
                h.code = static_cast<stage_code>(rng.below(3));
            }
            h.work_group = {8, 8, 8};
            h.work_group[along] = 1;
            h.cyclic = {1, 1, 1};
        }
        if (!h.retiming || h.filtered_lines > 1) {
            h.terms = term_order::as_written;
        }
        h.coefficients = !h.retiming && !h.loops && !h.stage_tiles && no_coefficient_planes(s, h.steps > 1).empty() &&
                         rng.below(2) == 0;
        if (no_streaming(s, make_layout(size, reach_of(s), padded_rows), h).empty()) {
            return h;
        }
    }
}

/// A schedule that both the grid and the device allow, often with work-groups that the grid does not fill.
schedule random_schedule(random_source& rng, extent3 size, const device_info& device) {
    schedule s;
    std::uint64_t work_items = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto power = [&](std::uint64_t most) { return power_of_two(rng, most); };
        const auto n = static_cast<std::uint64_t>(size[axis]);
        s.work_group[axis] = power(std::min<std::uint64_t>(n, 64 / work_items));
        work_items *= s.work_group[axis];
        s.block[axis] = power(n / s.work_group[axis]);
        s.cyclic[axis] = power(n / (s.work_group[axis] * s.block[axis]));
    }
    while (s.vector_width * 2 <= 16 && static_cast<std::uint64_t>(s.vector_width) * 2 <= s.block[0] &&
           rng.below(3) > 0) {
        s.vector_width *= 2;
    }
    s.local = rng.below(3) == 0;
    s.image = device.images && rng.below(4) == 0;
    s.image_width = 8192;
    s.vector_arithmetic = rng.below(2) == 0 && device.language.vector_arithmetic;
    // NVIDIA's OpenCL compiler aborts on some of them, see make_workload.
    s.streaming_stores = rng.below(2) == 0 && (device.type == "cpu" || device.backend == "cuda");
    s.cache_prefetch = rng.below(2) == 0;
    s.constant = rng.below(3) == 0;
    s.most_constants = s.constant ? static_cast<int>(rng.below(4)) : 0;
    return s;
}

bool has_half_arithmetic(const stencil& s) {
    for (const node& n : s.nodes) {
        if (n.type == scalar::f16 && !std::holds_alternative<ir::read>(n.op)) {
            return true;
        }
    }
    return false;
}

std::string technique_of(const schedule& how) {
    if (how.stream_axis >= 0) {
        return fmt::format("streaming {}{}", how.retiming ? "partial sums" : "queues", how.local ? ", shared" : "");
    }
    const char* loads = how.image               ? "images"
                        : how.vector_width == 1 ? "scalars"
                        : how.vector_arithmetic ? "vector arithmetic"
                                                : "vector loads";
    return how.local ? std::string(how.image ? "local memory from images" : "local memory") : std::string(loads);
}

/// What a case exercises; any two of these may interact.
std::set<std::string> features_of(const program_case& c) {
    std::set<std::string> out{technique_of(c.how), fmt::format("rows at multiples of {}", c.alignment),
                              fmt::format("{} dimensions", c.s.dimensions)};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto add = [&](bool holds, const char* what) {
            if (holds) {
                out.insert(fmt::format("{} {}", what, "xyz"[axis]));
            }
        };
        const std::uint64_t tile = c.how.work_group[axis] * c.how.block[axis] * c.how.cyclic[axis];
        add(c.how.block[axis] > 1, "block");
        add(c.how.cyclic[axis] > 1, "cyclic");
        add(c.how.work_group[axis] > 1, "work-group");
        add(static_cast<std::uint64_t>(c.size[axis]) % tile != 0, "partial");
        add(c.how.stream_axis == static_cast<int>(axis), "streaming");
    }
    for (const field& f : c.s.fields) {
        out.insert(fmt::format("{}{}", name_of(f.type), f.coefficient ? " coefficient" : ""));
        out.insert(f.history > 0 ? "history" : "one level");
        for (std::size_t axis = 0; axis < 3; ++axis) {
            for (const boundary& b : f.faces[axis]) {
                if (f.halo[axis] > 0 && !f.coefficient) {
                    out.insert(fmt::format("{}", name_of(b.kind)));
                }
            }
        }
    }
    if (c.s.updates.size() > 1) {
        out.insert("stages");
    }
    if (c.how.constant) {
        out.insert(c.how.most_constants > 0 ? "constant memory and literals" : "constant memory");
    }
    if (c.how.stream_axis >= 0) {
        out.insert(c.how.steps > 1 ? "several steps" : "one step");
        const auto add = [&](bool holds, const char* what) {
            if (holds) {
                out.insert(what);
            }
        };
        add(c.how.planes > 1, "several planes");
        add(c.how.unrolled_passes > 1, "unrolled passes");
        add(c.how.skewing, "skewing");
        add(c.how.split_barriers && c.how.halo, "split passes");
        add(c.how.split_barriers && !c.how.halo && !c.how.retiming &&
                no_split_barriers(c.s, c.how.stream_axis, c.how.shuffle).empty(),
            "split barriers");
        add(c.how.halo, "halo tiles");
        add(c.how.halo_columns, "halo columns");
        add(c.how.tensor_copies, "tensor copies");
        add(c.how.stage_tiles, c.how.arrival > 0 ? "stage tiles with arrivals" : "stage tiles");
        add(c.how.code != stage_code::shared, "code of stage groups");
        add(c.how.coefficients, "coefficient planes");
        add(c.how.tapering, "tapering");
        add(c.how.edge_blocks, "edge blocks");
        add(c.how.rest_blocks > 1, "blocks of the rest");
        add(c.how.equal_shares, c.how.edge_percent > 0 ? "equal shares, more at the edges" : "equal shares");
        add(c.how.filtered_lines > 1, "filtered lines");
        add(c.how.terms != term_order::as_written, "ordered terms");
        add(c.how.loops, "loops");
        add(c.how.prefetch, c.how.ahead > 1 ? "prefetch by copies" : "prefetch");
        add(c.how.shuffle, "shuffle");
        add(c.how.shuffle && c.how.work_group[0] < 32, "rows of a sub-group"); // of a GPU
        add(c.how.stage_groups() > 1, "stage groups");
        add(c.how.group_copies, "shared copies");
        add(c.how.vector_width > 1, "vectors");
    }
    if (c.how.streaming_stores && c.how.vector_width > 1) {
        out.insert("streaming stores");
    }
    if (c.how.cache_prefetch && c.how.vector_width > 1 && (c.how.stream_axis < 0 || c.how.loops)) {
        out.insert("cache prefetch");
    }
    return out;
}

std::vector<feature_pair> pairs_of(const program_case& c) {
    const std::set<std::string> all = features_of(c);
    std::vector<feature_pair> out;
    for (auto a = all.begin(); a != all.end(); ++a) {
        for (auto b = std::next(a); b != all.end(); ++b) {
            out.emplace_back(*a, *b);
        }
    }
    return out;
}

} // namespace

program_case make_case(std::uint64_t number, const device_info& device, std::int64_t most_points) {
    program_case c;
    c.number = number;
    c.drawn = fmt::format("GST_TEST_CASE={} GST_TEST_POINTS={}", number, most_points);
    random_source rng(first_seed() * 1000003 + number);
    do {
        c.s = rng.below(8) == 0 ? random_lines(rng) : random_stencil(rng);
    } while (has_half_arithmetic(c.s) && !device.f16);
    c.size = random_grid(c.s, rng, most_points);
    c.parameters = random_parameters(c.s, rng);
    const bool streams = c.s.dimensions > 1 && rng.below(2) == 0;
    c.how = streams ? random_streaming(rng, c.s, c.size, device) : random_schedule(rng, c.size, device);
    c.alignment = std::array{raw_rows, std::int64_t{4}, std::int64_t{8}, padded_rows}[rng.below(4)];
    if (c.how.tensor_copies && !no_streaming(c.s, make_layout(c.size, reach_of(c.s), c.alignment), c.how).empty()) {
        if (c.how.stage_tiles) { // which are copied no other way
            c.alignment = padded_rows;
        } else {
            c.how.tensor_copies = false;
        }
    }
    c.noise = rng.next();
    c.first_step = static_cast<std::int64_t>(rng.below(5));
    c.steps = 1 + static_cast<int>(rng.below(4));
    if (c.how.steps > 1) { // at least one call, often a remainder
        c.steps += c.how.steps;
    }
    return c;
}

program_case with_calls(program_case c, int number) {
    c.per_call = 2 + number % 3;
    for (field& f : c.s.fields) { // every level that a call computes gets a buffer
        f.history = f.coefficient ? 0 : std::max(f.history, c.per_call - 1);
    }
    c.steps = 1 + number % 9;
    c.drawn += fmt::format(" GST_TEST_CALLS={}", number);
    return c;
}

std::optional<program_case> case_picker::next(int wanted) {
    if (picked_ < wanted) {
        std::optional<program_case> best;
        std::size_t most = 0;
        for (int i = 0; i < 12; ++i) {
            const std::uint64_t number = drawn_++;
            program_case c = make_case(number, device_);
            std::size_t fresh = 0;
            for (const feature_pair& p : pairs_of(c)) {
                seen_.emplace(p, number);
                fresh += covered_.count(p) == 0 ? 1 : 0;
            }
            if (!best || fresh > most) {
                best = std::move(c);
                most = fresh;
            }
        }
        return picked(std::move(*best));
    }
    for (const auto& [pair, number] : seen_) {
        if (covered_.count(pair) == 0) {
            return picked(make_case(number, device_));
        }
    }
    return std::nullopt;
}

program_case case_picker::picked(program_case c) {
    ++picked_;
    for (const feature_pair& p : pairs_of(c)) {
        covered_.insert(p);
    }
    return c;
}

} // namespace gst::testing
