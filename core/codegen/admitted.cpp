#include "core/codegen/lower.hpp"
#include "core/codegen/parameters.hpp"
#include "core/codegen/presets.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/tile_overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace gst {

namespace {

/// Local memory that the work-items of a group show each other planes in, in a kernel with temporal blocking along
/// `axis` (stream/local_memory.cpp), at the least: bytes per point of a plane times "planes", in the parameters; ""
/// where they show each other none. With retiming it is less.
std::string shown_along(const stencil& s, std::size_t axis, bool shuffle) {
    const std::size_t inner = axis == 0 ? 1 : 0;
    const std::size_t across = axis == 2 ? 1 : 2;
    // Of a field's level: least and greatest offset along the axis.
    std::map<std::pair<std::uint32_t, int>, std::pair<int, int>> planes;
    for (const update& u : s.updates) {
        for (const node_id n : reachable(s, u.value)) {
            const auto* r = std::get_if<ir::read>(&s.nodes[n].op);
            if (r && !s.fields[r->field].coefficient && (r->at[across] != 0 || (r->at[inner] != 0 && !shuffle))) {
                auto& [low, high] = planes.try_emplace({r->field, r->level}, r->at[axis], r->at[axis]).first->second;
                low = std::min(low, r->at[axis]);
                high = std::max(high, r->at[axis]);
            }
        }
    }
    if (planes.empty()) {
        return "";
    }
    std::uint64_t bytes = 0;
    const auto [low, high] = planes.begin()->second;
    bool alike = true;
    for (const auto& [array, offsets] : planes) {
        bytes += nest::register_size(s.fields[array.first].type);
        alike = alike && offsets == planes.begin()->second;
    }
    const bool one_by_one = low == high && high >= updated_reach(s)[axis]; // time step by time step
    const std::string tiles =
        !alike || one_by_one ? fmt::format("2 * TB{}", axis_suffixes[axis]) : fmt::format("{} * TD", high - low + 2);
    return fmt::format("{} * {}", bytes, tiles);
}

/// Static pruning of streaming kernels: less local memory than they need for certain, an estimate of registers, and
/// straight code that compilers choke on.
template<class Add>
void add_streaming_limits(const stencil& s, const device_limits& limits, bool has_loops, bool is_full, Add&& add) {
    // Operations in a row. Compilers for processors take a minute for what those for GPUs take seconds for.
    const int most_code = limits.processor ? 2000 : 8000;
    std::uint64_t bytes = 0; // of one point of every field
    std::uint64_t kept = 0;  // and of every level of it that is kept
    std::set<node_id> operations;
    const offset3 reach = updated_reach(s);
    for (const update& u : s.updates) {
        const field& f = s.fields[u.field];
        bytes += nest::register_size(f.type);
        kept += nest::register_size(f.type) * static_cast<std::uint64_t>(f.history + 1);
        const auto some = reachable(s, u.value);
        operations.insert(some.begin(), some.end());
    }
    add(fmt::format("useStreaming or {} * VX * UFy * UFz <= {}", operations.size(), most_code),
        "more straight code than compilers take");
    const std::string in_loops = has_loops ? "useLoops or " : "";
    if (has_loops && limits.processor) {
        add(fmt::format("not useLoops or {} * VX * TD <= {}", operations.size(), most_code),
            "more straight code than compilers take");
        std::string plane;
        for (std::size_t axis = 0; axis + 1 < static_cast<std::size_t>(s.dimensions); ++axis) {
            plane += axis == 0 ? fmt::format("(BMx + ({} + VX - 1) // VX * VX * 2)", reach[0])
                               : fmt::format(" * (BM{} + {})", axis_suffixes[axis], 2 * reach[axis]);
        }
        const int planes = 2 * reach[static_cast<std::size_t>(s.dimensions - 1)] + 1;
        add(fmt::format("not useLoops or {} * (TD - 1) * {} <= {}", kept * static_cast<std::uint64_t>(planes), plane,
                        limits.local_bytes),
            "the planes of the time steps are larger than the device's local memory");
    } else if (has_loops) {
        add("not useLoops", "a work-item that is alone in its work-group leaves lanes idle");
    }
    for (int axis = 0; axis < s.dimensions; ++axis) {
        const auto along = static_cast<std::size_t>(axis);
        const std::size_t inner = along == 0 ? 1 : 0;
        const std::size_t across = along == 2 ? 1 : 2;
        const char* a = axis_suffixes[along];
        const std::string when = fmt::format("not useStreaming or SD != {} or ", axis + 1);
        const char* c = axis_suffixes[across];
        const std::string rows_of_item = fmt::format("BM{0} * CM{0}", c);
        const std::string points = fmt::format("BM{0} * CM{0} * {1}", axis_suffixes[inner], rows_of_item);
        // Each of these alone; products keep the space's diagram small.
        const std::string row = fmt::format("TB{0} * BM{0} * CM{0} * TB{1}", axis_suffixes[inner], c);
        // Sharing copies, the last one hands planes on, too, and those that come lie beside them.
        const std::string shared = is_full ? " + (2 + PD) * useGroupCopies" : "";
        add(when + fmt::format("not useTB or {} * {} * {} * (2 * (TB{} - 1){}) * UF{} <= {}", kept, row, rows_of_item,
                               a, shared, a, limits.local_bytes),
            "the planes that stage groups hand on are larger than the device's local memory");
        for (const bool shuffle : {false, true}) {
            const std::string rows = shuffle ? fmt::format("min(BM{}, {})", c, 2 * reach[across]) : rows_of_item;
            if (const std::string shown = shown_along(s, along, shuffle); !shown.empty()) {
                add(when + fmt::format("{}{}not useTB or useRetiming or useShuffle != {} or {} * {} * {} <= {}",
                                       in_loops, is_full ? "useHalo or useStageTiles or " : "", shuffle, row, rows,
                                       shown, limits.local_bytes),
                    "the planes that work-items share are larger than the device's local memory");
            }
        }
        for (std::size_t u = 0; is_full && u < s.updates.size(); ++u) {
            for (const bool shuffle : {false, true}) {
                const halo_reads read = read_with_halo(s, u, axis, shuffle);
                const auto with_halo = [&](std::size_t tile_axis) {
                    return fmt::format("(TB{0} * BM{0} * CM{0} + {1}{2})", axis_suffixes[tile_axis],
                                       2 * read.reach[tile_axis], shuffle && tile_axis == 0 ? " * useHaloColumns" : "");
                };
                if (read.bytes > 0) { // there are planes, too, that wait for others
                    add(when + fmt::format("useShuffle != {} or not useHalo or {} * {} * {} * PD * UF{} <= {}", shuffle,
                                           read.bytes, with_halo(inner), with_halo(across), a, limits.local_bytes),
                        "the tiles with their halo are larger than the device's local memory");
                }
            }
        }
        const std::string items = first_stage_items(axis, reach);
        const std::string all_items = fmt::format("(({} + {}) // {} * {} + TBx * TBy * TBz)", items,
                                                  stage_alignment - 1, stage_alignment, stage_alignment);
        const std::string one_group = is_full ? "useStageTiles or " : ""; // else each time step has work-items
        if (is_full) {
            add(when + fmt::format("not useStageTiles or {} <= {}", all_items, limits.work_group),
                fmt::format("the device runs at most {} work-items in a work-group", limits.work_group));
            add(when + fmt::format("not useStageTiles or {} <= {}", stage_tile_bytes(s, axis), limits.local_bytes),
                "the tiles with their halo are larger than the device's local memory");
        }
        const std::string pass = fmt::format("{} * {} * (TD // TB{}) * UF{}", operations.size(), points, a, a);
        add(when + fmt::format("{}{}{} <= {}", one_group, in_loops, pass, most_code),
            "more straight code than compilers take");
        if (is_full) {
            // The first stage group's rows are others.
            const std::string of_stages = fmt::format("{} * BMx * (SR + BM{}) * UF{}", operations.size(), c, a);
            add(when + fmt::format("not useStageTiles or {} <= {}", of_stages, most_code),
                "more straight code than compilers take");
            // What is longer does not fit an instruction cache, and takes long to compile.
            const std::string why = "several passes in a row are more straight code than pays";
            add(when + fmt::format("useStageTiles or UP == 1 or {} * UP <= {} + {} * useGroupCopies", pass,
                                   most_code * 3 / 4, most_code / 2), // whose one work-group shares it
                why);
            add(when + fmt::format("not useStageTiles or UP == 1 or {} * UP <= {}", of_stages, most_code * 3 / 4), why);
        }
        if (limits.registers > 0) {
            // Planes that every time step keeps, and those that come in.
            const std::string planes = fmt::format("{} * ({} * (TD // TB{}) + UF{})", points, 2 * reach[along], a, a);
            if (is_full) { // each work-item those of one time step
                add(when +
                        fmt::format("not useStageTiles or MB == 1 or MB * {} <= {}", all_items, limits.registers / 32),
                    "so many work-groups have more work-items than a multiprocessor");
                const std::string of_stage =
                    fmt::format("BMx * max(SR * ({0} - {1} * (LS > 0)), BM{2} * ({0} - {1} * (LS > 1))) * {3}",
                                2 * reach[along] + 1, 2 * reach[along] - planes_behind(s, axis), c, (bytes + 3) / 4);
                add(when + fmt::format("not useStageTiles or ({} + TBx * TBy * TBz) * MB * ({} + 20) <= {}", items,
                                       of_stage, limits.registers * 5 / 4),
                    "an estimate of registers passes what a multiprocessor has");
                add(when + fmt::format("not useStageTiles or {} <= {}", of_stage, 320),
                    "an estimate of registers passes what a work-item can have");
            }
            add(when + fmt::format("{}{} * {} <= {}", one_group, planes, (bytes + 3) / 4, 320),
                "an estimate of registers passes what a work-item can have");
            // All work-items of the groups that are to fit hold their planes at the same time. Of 600 random programs
            // of ten stencils (NVRTC 13.0, sm_90), every one of the 186 beyond this spills 660 bytes or more, most of
            // them over 4 KB; the best known ones of all stencils stay at 1 or below instead of 5 / 4.
            add(when + fmt::format("{}TBx * TBy * TBz * MB * ({} * {} + 20) <= {}", one_group, planes, (bytes + 3) / 4,
                                   limits.registers * 5 / 4),
                "an estimate of registers passes what a multiprocessor has");
        }
    }
}

/// A launch has at most so many work-groups along an axis: tiles may not be too small for a long axis. `lengths`: the
/// values of SB.
template<class Add>
void add_launch_limits(const stencil& s, const array_layout& layout, const device_limits& limits, bool restricted,
                       bool streams, bool full, const std::vector<value>& lengths, Add&& add) {
    const auto most_along = [&](std::size_t axis) { return static_cast<std::int64_t>(limits.work_groups[axis]); };
    const auto reason_of = [&](std::size_t axis) {
        return fmt::format("the device launches at most {} work-groups along {}", most_along(axis),
                           axis_suffixes[axis]);
    };
    const std::int64_t at_once = 4 * static_cast<std::int64_t>(limits.multiprocessors); // MB is up to 4
    // Tiles of which the rest is cut lie along x: no more tiles than points, of which less than `at_once` are cut.
    for (std::size_t along = 0; full && streams && most_along(0) > 0 && along < 3; ++along) {
        const std::int64_t tiles = layout.size[0] * layout.size[1] * layout.size[2] / layout.size[along];
        if (tiles + at_once * (most_rest_blocks - 1) > most_along(0)) {
            add(fmt::format("RB == 1 or SD != {}", along + 1), reason_of(0));
        }
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::int64_t most = most_along(axis);
        const char* a = axis_suffixes[axis];
        const std::string reason = reason_of(axis);
        if (most > 0 && full && at_once > most) {
            add(fmt::format("not useShares or SD != {} or MB * {} <= {}", axis + 1, limits.multiprocessors, most),
                reason);
        }
        if (most == 0 || layout.size[axis] < most) {
            continue;
        }
        const std::int64_t least = (layout.size[axis] + most - 1) / most;
        const std::string block = !restricted ? fmt::format("BM{} * ", a) : axis == 0 ? "VX * " : "";
        add(fmt::format("{}TB{} * {}CM{} >= {}", streams ? "useStreaming or " : "", a, block, a, least), reason);
        if (streams) {
            const std::string across =
                fmt::format("{2}not useStreaming or SD == {0} or TB{1} * BM{1} * CM{1} ", axis + 1, a,
                            full ? "useShares or RB > 1 or " : ""); // such lie along SD, and along x
            add(fmt::format("not useStreaming or SD != {} or {}SB >= {}", axis + 1, full ? "useShares or " : "", least),
                reason);
            if (full) { // blocks that become shorter are more, and there is one more at edges
                add(fmt::format("not useEdgeBlocks or SD != {} or SB >= {}", axis + 1,
                                (layout.size[axis] + most - 2) / (most - 1)),
                    reason);
                std::string few;
                for (const value& v : lengths) {
                    const std::int64_t length = std::get<std::int64_t>(v);
                    if (tapered_blocks(length, layout.size[axis]).count > most) {
                        few += fmt::format("{}SB != {}", few.empty() ? "" : " and ", length);
                    }
                }
                if (!few.empty()) {
                    add(fmt::format("not useTapering or SD != {} or ({})", axis + 1, few), reason);
                }
            }
            add(across + fmt::format(">= {}", least), reason);
            add(tiles_apart_or(axis, full) + across +
                    fmt::format("- ({}) >= {}", overlapping_points(s, axis, full), least),
                reason);
        }
    }
}

/// Static pruning for GPUs: configurations that could run but not win.
template<class Add>
void add_gpu_pruning(const stencil& s, const array_layout& layout, const device_limits& limits, bool has_halo,
                     Add&& add) {
    const std::int64_t points = layout.size[0] * layout.size[1] * layout.size[2];
    if (points < 64 * static_cast<std::int64_t>(limits.lanes)) {
        return; // too little work for any of it to matter
    }
    add(fmt::format("TBx * TBy * TBz >= {}", limits.lanes), "the work-items of a group do not fill the lanes");
    if (layout.size[0] >= 16) {
        add("(useStreaming and SD == 1) or TBx * VX >= 16", "work-items read runs along x that are short of a line");
    }
    const offset3 reach = updated_reach(s);
    for (int axis = 0; axis < s.dimensions; ++axis) {
        const auto which = static_cast<std::size_t>(axis);
        const char* a = axis_suffixes[which];
        if (reach[which] == 0) {
            continue;
        }
        add(fmt::format("not useStreaming or SD != {} or TD == 1 or {}SB >= {} * TD or SB == N{}", axis + 1,
                        has_halo ? "useShares or " : "", reach[which], a),
            "two of three planes would be computed again by the next work-group");
        if (has_halo) {
            add(fmt::format("not useStreaming or SD != {0} or TD == 1 or RB == 1 or (N{1} + RB - 1) // RB >= {2} * TD",
                            axis + 1, a, reach[which]),
                "two of three planes of a tile that is cut would be computed again by the next work-group");
        }
        add(fmt::format("not useStreaming or SD == {0} or TD == 1 or TB{1} * BM{1} * CM{1} >= {2} * {3}", axis + 1, a,
                        3 * reach[which], overlapping_degree(which, has_halo)),
            "two of three points of a tile would not be written");
    }
}

/// Leaves out what processors are not worth trying for: in straight code temporal blocking takes
/// compilers up to minutes, and planes that a work-item keeps in registers take 20 times as long as sweeps
/// (docs/performance.md).
constraint worthwhile_on_processors(bool has_loops) {
    if (has_loops) {
        return {expression::parse("useLoops or not useStreaming"),
                "processors stream in loops; useStreaming = [true] with useLoops = [false] searches the other ways"};
    }
    return {expression::parse("not useTB"), "programs with temporal blocking take compilers for processors up to "
                                            "minutes; useTB = [true] searches them"};
}

} // namespace

space admitted(const space& all, const stencil& s, const array_layout& layout, const device_limits& limits) {
    const auto has = [&](const std::string& name) {
        for (const parameter& p : all.parameters()) {
            if (p.name == name) {
                return true;
            }
        }
        return false;
    };
    std::vector<constraint> more;
    const auto add = [&](const std::string& condition, std::string reason) {
        if (std::any_of(more.begin(), more.end(), [&](const auto& c) { return c.condition.text() == condition; })) {
            return; // of another field
        }
        more.push_back({expression::parse(condition), std::move(reason)});
    };
    add(fmt::format("TBx * TBy * TBz <= {}", limits.work_group),
        fmt::format("the device runs at most {} work-items in a work-group", limits.work_group));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (limits.work_items[axis] < static_cast<std::uint64_t>(layout.size[axis])) {
            add(fmt::format("TB{} <= {}", axis_suffixes[axis], limits.work_items[axis]),
                fmt::format("the device runs at most {} work-items along {}", limits.work_items[axis],
                            axis_suffixes[axis]));
        }
    }
    if (limits.lanes > 0 && !layout.raw() && has("VX")) {
        add(fmt::format("VX <= {}", layout.alignment),
            fmt::format("rows begin at multiples of {} elements, wider vectors would be read one element at a time",
                        layout.alignment));
    }
    const bool restricted = has("load");
    const bool streams = has("useStreaming");
    const std::vector<value> lengths = streams ? all.parameters()[all.index_of("SB")].domain : std::vector<value>();
    add_launch_limits(s, layout, limits, restricted, streams, has("useHalo"), lengths, add);
    if (streams) {
        if (limits.sub_group == 0) {
            add("not useShuffle", "work-items of the device do not read each other's registers");
        } else {
            // Each is a row of work-items, or in three dimensions several rows of one stage group: those along y lie
            // between the rows.
            const int lanes = limits.sub_group;
            const std::string reason = fmt::format("{} lanes read each other's registers", lanes);
            add(fmt::format("not useShuffle or {} % TBx == 0", lanes), reason);
            const std::string rows =
                s.dimensions < 3 ? "" : fmt::format(" or (TBy == 1 and TBx * TBz % {} == 0)", lanes);
            add(fmt::format("not useShuffle or SD != 2 or TBx == {}{}", lanes, rows), reason);
            add(fmt::format("not useShuffle or SD != 3 or TBx * TBy % {} == 0", lanes), reason);
        }
        if (limits.registers > 0) {
            add(fmt::format("MB == 1 or MB * TBx * TBy * TBz <= {}", limits.registers / 32),
                "so many work-groups have more work-items than a multiprocessor");
        }
        if (limits.bounded_work_items < limits.work_group) {
            const bool never = limits.bounded_work_items == 0;
            const std::string few = never ? "" : fmt::format(" or TBx * TBy * TBz <= {}", limits.bounded_work_items);
            const std::string untold =
                fmt::format("the device's compiler is not told how many registers there are{}",
                            never ? "" : fmt::format(" for more than {} work-items", limits.bounded_work_items));
            add((has("useShares") ? "MB == 1 or useShares or RB > 1" : "MB == 1") + few, untold); // which count by MB
            if (has("useAllRegisters")) {
                add("not useAllRegisters" + few, untold);
            }
        }
        if (!limits.streaming_stores && has("useStreamingStores")) {
            add("not useStreamingStores", "the device's compiler has none");
        }
        if (!limits.split_barriers && has("useSplitBarriers")) {
            add("not useSplitBarriers", "the device has no barriers in two halves");
        }
        if (!limits.split_barriers && has("AR")) {
            add("AR == 0", "the device has no barriers at which only some work-items wait");
        }
        if (!limits.split_barriers && has("OC")) {
            add("OC == 0", "the device has no barriers at which parts of a work-group wait at different places");
        }
        if (!limits.tensor_copies && has("useTensorCopies")) {
            add("not (useTensorCopies or useStageTiles)", "the device does not copy tiles as wholes");
        } else if (layout.raw() && has("useTensorCopies")) {
            add("not (useTensorCopies or useStageTiles)", "rows of arrays as the user has them begin anywhere");
        }
        if (!limits.processor && has("useCachePrefetch")) {
            add("not useCachePrefetch", "the device has other work-items to run while memory answers");
        }
        if (limits.processor && has("useShares")) {
            add("not useShares and RB == 1", "cores take other work-groups as they become free");
        }
        if (limits.processor && has("UP")) {
            add("UP == 1", "compilers for processors take minutes for several passes in a row");
        }
        if (limits.processor && has("CN")) {
            add("CN == 0", "processors have literals in memory, too");
        }
        add_streaming_limits(s, limits, has("useLoops"), has("useHalo"), add);
        if (limits.lanes > 0) {
            add_gpu_pruning(s, layout, limits, has("useHalo"), add);
        }
    }
    for (std::size_t u = 0; u < s.updates.size(); ++u) {
        std::string bytes;
        for (const source_array& a : cached_arrays(s, u)) {
            bytes += fmt::format("{}{}", bytes.empty() ? "" : " + ", nest::register_size(s.fields[a.field].type));
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::string block =
                    restricted ? axis == 0 ? "VX * " : "" : fmt::format("BM{} * ", axis_suffixes[axis]);
                const int reach = a.high[axis] - a.low[axis];
                bytes += fmt::format(" * (TB{0} * {1}CM{0}{2})", axis_suffixes[axis], block,
                                     reach == 0 ? "" : fmt::format(" + {}", reach));
            }
        }
        if (!bytes.empty()) {
            add(fmt::format("{} or {} <= {}",
                            restricted ? "load != 'local'"
                            : streams  ? "not useShared or useStreaming"
                                       : "not useShared",
                            bytes, limits.local_bytes),
                fmt::format("the box in local memory is larger than the device's {} bytes", limits.local_bytes));
        }
    }
    if (limits.image_width == 0 && (restricted || has("useImage"))) {
        add(restricted ? "load != 'image'" : "not useImage", limits.no_image);
    }
    if (streams && limits.processor) {
        more.push_back(worthwhile_on_processors(has("useLoops")));
        space worthwhile = all.constrained(more);
        if (worthwhile.count() > 0) {
            return worthwhile;
        }
        more.pop_back(); // a space that has nothing else keeps it
    }
    return all.constrained(std::move(more));
}

} // namespace gst
