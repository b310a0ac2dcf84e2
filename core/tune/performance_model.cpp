#include "core/tune/performance_model.hpp"

#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/tile_overlap.hpp"
#include "core/stencil/work.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

namespace gst {

namespace {

// Of GPUs: cycles of a multiprocessor, and what it holds.
constexpr double clock = 1.9e9;                  ///< cycles per second
constexpr double issued_per_cycle = 4;           ///< instructions of 32 lanes
constexpr double instructions_per_operation = 1; ///< twice as many of 8 bytes
constexpr double by_shuffles = 0.7;              ///< of them, where neighbours come from registers
constexpr double instructions_per_read = 1;      ///< of 4 bytes, from memory; vectors take one
constexpr double instructions_per_local_read = 0.3;
constexpr double accesses_per_local_read = 0.4; ///< of the caches, beside one that comes from memory
constexpr double line = 128;                    ///< bytes that the caches answer with at a time
constexpr double cycles_per_line = 0.4;
constexpr double halo_traffic = 2;    ///< a byte that tiles read, neighbours' halos included, beside one that is moved
constexpr double peak_per_copy = 1.8; ///< bandwidth where nothing else is waited for, over that of a copy
constexpr double latency = 600;       ///< cycles of a pass that wait for memory; twice where a barrier follows
constexpr double dependent = 0.3;     ///< cycles of an instruction whose result the next one needs
constexpr double start = 700;         ///< cycles to start a work-group and to write its last points
constexpr double own_registers = 25;  ///< of a work-item
constexpr double kept = 0.85;         ///< registers per value of 4 bytes
constexpr double registers = multiprocessor_registers;
constexpr double most_registers = work_item_registers;
constexpr double most_work_items = 2048;
constexpr double most_work_groups = 32;
constexpr double box_per_tile = 1.5;  ///< local memory of a tile with its halo
constexpr double turns = 2;           ///< planes in local memory where one is shared at a time
constexpr double copies_per_step = 4; ///< of a tile in local memory, with temporal blocking
constexpr double unfit = 10;          ///< times as long as if it had the local memory

// Of processors.
constexpr double operations_per_byte = 10; ///< balance of the device: arithmetic that hides behind a byte of traffic
constexpr double cache_per_memory = 4;     ///< bytes that caches deliver for one of memory
// Rounded from a fit to 150 configurations of a 7-point stencil on 512³ through PoCL, with and without loops.
constexpr double allocated = 2;        ///< bytes of traffic for one that is written through the caches
constexpr double fetched_again = 1.5;  ///< reads of a sweep, whose planes leave the caches before they are needed again
constexpr double not_prefetched = 1.3; ///< traffic, beside that which waits for no memory
constexpr double row_start = 2000;     ///< operations while a row of a tile begins
// Work-items are loops that barriers cut, and images are function calls: operations per read, after a 7-point stencil
// through PoCL that took 10 times as long with local memory and 100 times as long with images.
constexpr double local_read = 250;
constexpr double image_read = 2500;
constexpr double group_start = 1e-6; ///< seconds to start a work-group

/// What a point costs.
struct point_cost {
    double in = 0, out = 0; ///< bytes, each array once
    double reads = 0;       ///< of all offsets
    double operations = 0;
    std::map<std::pair<int, int>, filtered_point> filtered{}; ///< along an axis, so many lines together
    double value = 4;                                         ///< bytes, on average
    double fields = 0;                                        ///< that are updated
    std::array<double, 3> completing{},
        scaling{};                 ///< by streaming axis: planes_to_complete, without and with left terms
    std::array<double, 3> terms{}; ///< and bytes_of_terms
};

point_cost cost_of(const stencil& s, extent3 size) {
    point_cost out;
    std::set<node_id> nodes;
    for (const update& u : s.updates) {
        out.out += static_cast<double>(size_of(s.fields[u.field].type));
        out.fields += 1;
        const auto some = reachable(s, u.value);
        nodes.insert(some.begin(), some.end());
    }
    for (const node_id n : nodes) {
        (std::holds_alternative<ir::read>(s.nodes[n].op) ? out.reads : out.operations) += 1;
    }
    for (int axis = 0; axis < s.dimensions; ++axis) {
        out.completing[static_cast<std::size_t>(axis)] = static_cast<double>(planes_to_complete(s, axis, false));
        out.scaling[static_cast<std::size_t>(axis)] = static_cast<double>(planes_to_complete(s, axis, true));
        out.terms[static_cast<std::size_t>(axis)] = static_cast<double>(bytes_of_terms(s, axis));
        for (const std::int64_t lines : filtered_line_numbers) {
            if (const auto point = filtered_point_of(s, axis, static_cast<int>(lines))) {
                out.filtered[{axis, static_cast<int>(lines)}] = *point;
            }
        }
    }
    out.value = out.out / out.fields;
    out.in = least_traffic(s, size) / points_of(size) - out.out;
    return out;
}

/// Work-groups, their tiles and what becomes of a pass.
struct launch_shape {
    double groups = 1;  ///< of the launch
    double tile = 1;    ///< points of a pass that a work-group loads
    double written = 1; ///< and those that it writes
    double handed = 0;  ///< that the first of two stage groups with tiles of their own hands on
    double of_item = 1; ///< points of a pass that a work-item computes
    double passes = 1;
    double planes_kept = 0; ///< of one time step, by a work-item
};

launch_shape shape_of(const schedule& how, extent3 size, offset3 reach, int groups_beyond) {
    launch_shape out;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto points = static_cast<double>(size[axis]);
        const auto r = static_cast<double>(reach[axis]);
        if (how.stream_axis == static_cast<int>(axis)) {
            const stream_blocks blocks = blocks_of(how, size[axis]);
            const double length = blocks.length(size[axis]);
            out.groups *= static_cast<double>(blocks.count);
            out.passes = length + 2 * r * how.steps;
            out.planes_kept = 2 * r + 1;
            continue;
        }
        const auto tile = static_cast<double>(how.tile(static_cast<int>(axis)));
        const double vector = axis == 0 ? how.vector_width : 1;
        const auto padded = [&](int steps) { return std::ceil(r * steps / vector) * vector; };
        const std::int64_t overlap =
            how.stream_axis >= 0 ? overlap_of(how, axis, reach[axis], groups_beyond).both() : 0;
        const double written = std::max(1.0, tile - static_cast<double>(overlap));
        const bool with_halo = how.halo && (axis != 0 || has_halo_columns(how));
        out.groups *= std::ceil(points / written);
        out.tile *= how.stream_axis < 0 && how.local ? tile + 2 * r
                    : with_halo                      ? tile + 2 * padded(how.stage_tiles ? how.steps : 1)
                                                     : tile;
        out.written *= written;
        out.of_item *= static_cast<double>(how.block[axis] * how.cyclic[axis]);
    }
    if (how.stage_tiles) { // in the mean of both stage groups
        const auto kept_ahead = static_cast<double>(reach[static_cast<std::size_t>(how.stream_axis)]);
        const auto groups = stage_groups_of(how, reach);
        const auto rows = static_cast<double>(how.block[how.stream_axis == 2 ? 1 : 2]);
        const auto first = static_cast<double>(groups[0].count()), second = static_cast<double>(groups[1].count());
        out.handed = static_cast<double>(groups[0].rows * how.stage_rows * groups[0].lanes) *
                     static_cast<double>(how.block[0]) * how.planes;
        const double rows_of_first = first * how.stage_rows, rows_of_second = second * rows;
        out.planes_kept -= how.late_sums == 0   ? 0
                           : how.late_sums == 1 ? kept_ahead * rows_of_first / (rows_of_first + rows_of_second)
                                                : kept_ahead;
        out.of_item *= (first * how.stage_rows / rows + second) / (static_cast<double>(groups[1].first) + second);
    }
    if (how.stream_axis >= 0 && how.equal_shares) { // groups are tiles: each share has some, and parts of others
        const auto along = static_cast<std::size_t>(how.stream_axis);
        const double tiles = out.groups / static_cast<double>(how.shares());
        const double filling = out.passes - static_cast<double>(size[along]);
        out.groups = static_cast<double>(how.shares());
        out.passes =
            tiles * static_cast<double>(size[along]) + (tiles == std::floor(tiles) ? tiles : 1 + tiles) * filling;
    }
    if (how.stream_axis >= 0 && how.rest_blocks > 1) { // groups are tiles: whole rounds, and rounds of parts of others
        const std::int64_t planes = size[static_cast<std::size_t>(how.stream_axis)];
        const rest_of_tiles tiles = rest_of(how, static_cast<std::int64_t>(out.groups), planes);
        if (tiles.rest > 0) {
            const auto at_once = static_cast<double>(how.shares());
            const double filling = out.passes - static_cast<double>(planes);
            const double rounds = std::ceil(static_cast<double>(tiles.groups() - tiles.whole) / at_once);
            out.groups = std::min(at_once, static_cast<double>(tiles.groups()));
            out.passes = static_cast<double>(tiles.whole) / at_once * out.passes +
                         rounds * (static_cast<double>(tiles.parts.longest) + filling);
        }
    }
    return out;
}

double estimate_on_gpu(const point_cost& one, extent3 size, offset3 reach, const schedule& how,
                       const roofline& device) {
    const auto found = one.filtered.find({how.stream_axis, how.filtered_lines});
    const filtered_point point = found == one.filtered.end() ? filtered_point{one.operations, 1} : found->second;
    const launch_shape shape = shape_of(how, size, reach, point.groups_beyond);
    const bool streams = how.stream_axis >= 0;
    const double steps = static_cast<double>(how.steps) / how.stage_groups();
    const double words = one.value / 4;
    const range3 work_group = launched_work_group(how, reach);
    const auto items = static_cast<double>(work_group[0] * work_group[1] * work_group[2]);
    const double warps = std::ceil(items / device.lanes);

    // Work-groups that a multiprocessor holds.
    const double values = streams ? shape.of_item * one.fields *
                                        (shape.planes_kept * point.sums * steps + how.planes * (how.prefetch ? 2 : 1))
                                  : shape.of_item * one.fields * 2 + (how.local ? 0 : one.reads / 2);
    const double wanted = own_registers + kept * values * words;
    // Of the points that a work-item shows others: with shuffles the rows at the ends of its own.
    const std::size_t across = how.stream_axis == 2 ? 1 : 2;
    const double shown =
        !how.shuffle ? 1
                     : std::min(1.0, 2.0 * static_cast<double>(reach[across]) / static_cast<double>(how.block[across]));
    const double copies = (!how.local        ? 0
                           : !streams        ? box_per_tile
                           : how.stage_tiles ? 0
                           : how.steps == 1  ? how.halo ? 0 : shown * turns
                                             : shown * copies_per_step * (how.halo ? how.steps - 1 : how.steps)) +
                          (how.prefetch && how.ahead > 1 ? how.ahead * how.planes : 0) +
                          (how.halo && !(how.retiming && how.steps == 1)
                               ? reach[static_cast<std::size_t>(how.stream_axis)] // planes that wait for others
                               : 0);
    const auto along = static_cast<std::size_t>(std::max(how.stream_axis, 0));
    const double read_back = // planes behind the newest one that the second of two stage groups reads
        !how.stage_tiles    ? 0
        : how.late_sums > 1 ? static_cast<double>(reach[along])
        : how.left_terms    ? one.scaling[along]
                            : one.completing[along];
    const double handed_on =
        static_cast<double>(passes_between(how)) + read_back / how.planes; // times what a pass does
    const double left = // planes of an array that the first of two stage groups leaves to the second one
        static_cast<double>(passes_between(how)) * how.planes +
        static_cast<double>(streams ? reach[static_cast<std::size_t>(how.stream_axis)] : 0);
    const double local = one.value * (one.fields * (shape.tile * copies + handed_on * shape.handed) +
                                      how.left_arrays * left * shape.written) +
                         (how.left_terms ? one.terms[along] * left * shape.written : 0);
    const double allowed = std::min(most_registers, registers / (items * how.groups_at_once)); // of a work-item
    double resident =
        std::min({most_work_groups, std::floor(most_work_items / items),
                  std::floor(registers / (std::clamp(wanted, std::min(32.0, allowed), allowed) * items))});
    if (local > 0 && device.local_bytes > 0) {
        resident = std::min(resident, std::floor(device.local_bytes / local));
    }
    const bool fits = resident >= 1 && (device.group_bytes == 0 || local <= device.group_bytes);
    resident = std::max(resident, 1.0);

    // A pass of one work-item, of one work-group.
    const double read = how.local ? instructions_per_local_read : instructions_per_read;
    const double instructions = shape.of_item * (point.operations * steps * instructions_per_operation *
                                                     (how.shuffle ? by_shuffles : 1) * words +
                                                 read * one.reads * words / how.vector_width);
    const double in_row = std::min(device.lanes, static_cast<double>(how.work_group[0])); // lanes that read one
    const double lines =
        device.lanes / in_row * std::max(1.0, in_row * static_cast<double>(how.block[0]) * one.value / line);
    const double accesses = shape.of_item * lines / how.vector_width *
                            ((how.local ? 1 + accesses_per_local_read * one.reads : one.reads) + one.fields);
    const double bytes = shape.tile * halo_traffic * one.in + shape.written * (one.in + one.out);
    const double bytes_per_cycle = peak_per_copy * device.bandwidth / device.compute_units / clock;
    const bool hidden = streams && how.prefetch && how.ahead > 1;
    const double waiting = (hidden ? 0 : how.local && !streams ? 2 * latency : latency) + dependent * instructions;
    const double spilling = std::max(1.0, wanted / allowed);
    const auto wave = [&](double groups) { // cycles
        const double work = groups * warps * instructions * spilling / issued_per_cycle;
        const double caches = groups * warps * accesses * cycles_per_line;
        const double memory = groups * bytes / bytes_per_cycle;
        // What overlaps in part is added in squares.
        return shape.passes * std::sqrt(work * work + caches * caches + memory * memory + waiting * waiting) + start;
    };
    const double whole = std::floor(shape.groups / (device.compute_units * resident));
    const double rest = std::ceil(shape.groups / device.compute_units - whole * resident);
    return 1e3 / clock / how.steps * (whole * wave(resident) + (rest > 0 ? wave(rest) : 0)) * (fits ? 1 : unfit);
}

/// Points that a tile computes or loads for one that it writes: it overlaps its neighbours by the halo of its steps.
double redundancy(const schedule& how, extent3 size, offset3 reach, bool of_loads) {
    double out = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool along = how.stream_axis == static_cast<int>(axis);
        const double tile = along ? blocks_of(how, size[axis]).length(size[axis])
                                  : static_cast<double>(how.tile(static_cast<int>(axis)));
        const double steps = of_loads || how.steps > 1 ? how.steps : 0;
        const double halo = 2.0 * static_cast<double>(reach[axis]) * steps;
        if (how.loops && !along) {
            // What is computed shrinks from step to step; a tile of the whole grid overlaps none. Rows have whole
            // vectors.
            const auto whole = static_cast<double>(size[axis]);
            const double vector = axis == 0 ? how.vector_width : 1;
            const double beside = 2 * std::ceil(halo / 2 / vector) * vector;
            const double written = tile >= whole ? whole : std::max(1.0, tile - beside);
            out *= 1 + (tile >= whole ? 0 : of_loads ? beside : beside / 2) / written;
            continue;
        }
        const bool tile_holds_halo = how.stream_axis >= 0 && !along && tiles_overlap(how, axis);
        const double written = tile_holds_halo ? std::max(1.0, tile - halo) : tile;
        out *= (tile_holds_halo ? tile : tile + halo) / written;
    }
    return out;
}

double share(double used, double granularity) {
    return used / (std::ceil(used / granularity) * granularity);
}

double estimate_on_processor(const point_cost& one, extent3 size, offset3 reach, const schedule& how,
                             const roofline& device) {
    const double steps = how.steps;
    // Through local memory or registers a point is fetched once per tile; else every read goes to the caches.
    const bool shares = how.local || how.shuffle || how.stream_axis >= 0;
    const double in = shares ? redundancy(how, size, reach, true) : fetched_again;
    const double out = how.streaming_stores ? 1 : allocated;
    const double memory = (one.in * in + one.out * out) / steps * (how.cache_prefetch ? 1 : not_prefetched);
    double caches =
        shares && !how.loops ? 0 : one.reads * one.value / static_cast<double>(how.vector_width) / cache_per_memory;
    if (how.loops) { // planes of the rings that a step reads, and the one that it writes (fetched, written)
        const auto along = static_cast<std::size_t>(how.stream_axis);
        const auto planes = static_cast<double>(2 * reach[along] + 3);
        caches += planes * one.fields * one.value * (1 - 1 / steps) / cache_per_memory;
    }
    const double read_cost = how.image ? image_read : how.local && !how.loops ? local_read : 0;
    const auto row = static_cast<double>(std::min<std::uint64_t>(how.tile(0), static_cast<std::uint64_t>(size[0])));
    const double arithmetic =
        (one.operations + row_start / row) * redundancy(how, size, reach, false) + read_cost * one.reads;
    const double groups = shape_of(how, size, {}, 0).groups;
    const double bytes = memory + caches + arithmetic / operations_per_byte;
    return 1e3 * (points_of(size) * bytes / device.bandwidth / share(groups, device.compute_units) +
                  groups * group_start / steps / device.compute_units);
}

double estimate(const point_cost& one, extent3 size, offset3 reach, const schedule& how, const roofline& device) {
    return (device.lanes > 1 ? estimate_on_gpu : estimate_on_processor)(one, size, reach, how, device);
}

} // namespace

roofline roofline_of(const device_info& device, double copy_bandwidth) {
    return {copy_bandwidth, std::max(1.0, static_cast<double>(device.compute_units)),
            device.type == "gpu" ? std::max(32.0, static_cast<double>(device.language.sub_group)) : 1.0,
            static_cast<double>(device.local_bytes),
            // What OpenCL says is the limit of a work-group alone.
            device.language.name == "cuda" ? static_cast<double>(device.local_bytes) : 0};
}

double estimate(const stencil& s, extent3 size, const schedule& how, const roofline& device) {
    return estimate(cost_of(s, size), size, reach_of(s), how, device);
}

std::function<double(const configuration&)> performance_model(const stencil& s, extent3 size, const space& where,
                                                              const roofline& device) {
    schedule given;
    given.multiprocessors = static_cast<unsigned>(device.compute_units);
    return [&where, size, one = cost_of(s, size), reach = reach_of(s), given, device](const configuration& c) {
        return estimate(one, size, reach, schedule_of(where, c, given), device);
    };
}

} // namespace gst
