#include "core/codegen/presets.hpp"

#include "core/base/error.hpp"
#include "core/codegen/lower.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gst {

namespace {

constexpr const char* suffixes[] = {"x", "y", "z"};
constexpr const char* capitals[] = {"X", "Y", "Z"};

std::vector<value> powers_of_two(std::int64_t most) {
    std::vector<value> out;
    for (std::int64_t v = 1; v <= most; v *= 2) {
        out.emplace_back(v);
    }
    return out;
}

parameter axis_parameter(const char* prefix, const char* alias, std::size_t axis, const stencil& s, extent3 size,
                         role purpose, const std::string& meaning) {
    parameter p;
    p.name = std::string(prefix) + suffixes[axis];
    p.aliases = {std::string(alias) + capitals[axis]};
    p.domain = powers_of_two(size[axis]);
    p.neutral = std::int64_t{1};
    p.purpose = purpose;
    p.dimension = static_cast<int>(axis);
    p.meaning = meaning;
    if (axis >= static_cast<std::size_t>(s.dimensions)) {
        p.active = expression::parse("false");
        p.meaning += fmt::format(" (inactive: {} has no axis {})", s.name, suffixes[axis]);
    }
    return p;
}

parameter flag(const char* name, const char* meaning) {
    parameter p;
    p.name = name;
    p.domain = {false, true};
    p.neutral = false;
    p.purpose = role::load;
    p.meaning = meaning;
    return p;
}

constraint fits_grid(std::size_t axis, const std::string& block) {
    const char* a = suffixes[axis];
    return {expression::parse(fmt::format("TB{0} * {1}CM{0} <= N{0}", a, block)),
            fmt::format("a work-group would cover more points along {} than the grid has", a)};
}

} // namespace

std::vector<std::string> preset_names() {
    return {"garvey", "garvey_full", "gest", "full"};
}

namespace {

parameter numbers(const char* name, std::vector<value> domain, role purpose, const char* active, std::string meaning) {
    parameter p;
    p.name = name;
    p.domain = std::move(domain);
    p.neutral = std::int64_t{1};
    p.purpose = purpose;
    p.meaning = std::move(meaning);
    if (*active) {
        p.active = expression::parse(active);
    }
    return p;
}

std::vector<value> values(std::initializer_list<std::int64_t> all) {
    return {all.begin(), all.end()};
}

/// An optimization that is on only where `active`; `why` it never is, or "".
parameter option(const char* name, role purpose, const char* active, const std::string& why, std::string meaning) {
    parameter p = flag(name, "");
    p.purpose = purpose;
    p.meaning = std::move(meaning);
    if (!why.empty()) {
        p.active = expression::parse("false");
        p.meaning += fmt::format(" (inactive: {})", why);
    } else if (*active) {
        p.active = expression::parse(active);
    }
    return p;
}

/// Powers of two; in the full space other numbers, too.
std::vector<value> sizes(std::int64_t most, bool full, std::initializer_list<std::int64_t> more) {
    std::vector<value> out = powers_of_two(most);
    for (const std::int64_t n : more) {
        if (full && n <= most) {
            out.emplace_back(n);
        }
    }
    std::sort(out.begin(), out.end(),
              [](const value& a, const value& b) { return std::get<std::int64_t>(a) < std::get<std::int64_t>(b); });
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

/// Blocks of planes: powers of two and, in the full space, the lengths that cut an axis into equal parts.
std::vector<value> stream_lengths(const stencil& s, extent3 size, bool full) {
    std::int64_t longest = 1;
    for (int axis = 0; axis < s.dimensions; ++axis) {
        longest = std::max(longest, size[static_cast<std::size_t>(axis)]);
    }
    std::set<std::int64_t> all{longest};
    for (std::int64_t n = 1; n < longest; n *= 2) {
        all.insert(n);
    }
    for (std::int64_t parts = 2; full && parts <= 64; ++parts) {
        all.insert((longest + parts - 1) / parts);
    }
    return {all.begin(), all.end()};
}

std::string no_retiming_along_any_axis(const stencil& s) {
    std::string why;
    for (int axis = s.dimensions - 1; axis >= 0; --axis) {
        const std::string one = no_retiming(s, axis, false);
        if (one.empty()) {
            return "";
        }
        why = why.empty() ? one : why;
    }
    return why;
}

space make_gest_space(const stencil& s, extent3 size, bool full) {
    std::vector<parameter> parameters;
    std::vector<constraint> constraints;
    std::map<std::string, value> constants;
    const auto need = [&](const std::string& condition, std::string reason) {
        constraints.push_back({expression::parse(condition), std::move(reason)});
    };
    const std::string no_streams = s.dimensions == 1 ? "a stencil of one axis has nothing to stream along" : "";
    const std::string no_blocks = no_temporal_blocking(s);
    parameters.push_back(
        option("useStreaming", role::streaming, "", no_streams, "a work-group moves plane by plane along SD (2.5-D)"));
    std::vector<value> directions;
    for (std::int64_t axis = 1; axis <= s.dimensions; ++axis) {
        directions.emplace_back(axis);
    }
    parameters.push_back(numbers("SD", directions, role::streaming, "useStreaming", "the streaming axis: 1 is x"));
    parameters.push_back(
        option("useTB", role::temporal, "useStreaming", no_blocks, "temporal blocking: several time steps per launch"));
    parameters.push_back(numbers("TD",
                                 full ? values({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 20, 24, 32})
                                      : values({1, 2, 3, 4, 6, 8, 12, 16}),
                                 role::temporal, "useTB", "time steps per launch"));
    need("(TD > 1) == useTB", "temporal blocking has a degree of at least 2");
    parameters.push_back(option("useRetiming", role::streaming, "useStreaming", no_retiming_along_any_axis(s),
                                "partial sums instead of a queue of planes"));
    parameters.push_back(option("usePrefetching", role::streaming, "useStreaming", "",
                                "the next planes are loaded while these are computed with"));
    parameters.push_back(
        option("useShuffle", role::load, "useStreaming", "", "neighbours along x come from other lanes' registers"));
    parameters.push_back(flag("useShared", "the work-group shares points through local memory"));
    parameters.push_back(numbers("SB", stream_lengths(s, size, full), role::streaming, "useStreaming",
                                 "planes that a work-group computes (concurrent streaming)"));
    parameters.push_back(numbers("MB", values({1, 2, 3, 4}), role::other, "useStreaming",
                                 "work-groups per multiprocessor that registers are kept free for"));
    if (full) {
        parameters.push_back(numbers("AL", values({1, 3}), role::other, "useStreaming",
                                     "optimization level of the assembler: low ones keep the order of long kernels"));
        parameters.back().neutral = std::int64_t{3};
        parameters.push_back(numbers("PD", values({1, 2, 3, 4}), role::streaming, "usePrefetching",
                                     "passes that prefetching runs ahead; of more than one through asynchronous copies "
                                     "to local memory"));
        parameters.push_back(
            option("useStreamingStores", role::load, "", "", "whole vectors are written past the caches"));
        need("not useStreamingStores or VX > 1", "a single element is no vector");
    }
    parameters.push_back(
        numbers("VX", values({1, 2, 4, 8, 16}), role::vector_width, "", "points per vector load and store along x"));
    parameters.back().dimension = 0;
    const offset3 reach = updated_reach(s);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const char* a = suffixes[axis];
        const std::int64_t n = size[axis];
        const bool has_axis = axis < static_cast<std::size_t>(s.dimensions);
        parameters.push_back(
            axis_parameter("TB", "W", axis, s, size, role::thread_block,
                           fmt::format("work-items of a work-group along {}; stage groups along SD", a)));
        parameter& threads = parameters.back();
        threads.domain = sizes(std::min<std::int64_t>(n, 1024), full, {3, 5, 6, 10, 12});
        parameters.push_back(axis_parameter("BM", "B", axis, s, size, role::block_merge,
                                            fmt::format("neighbouring points per work-item along {}", a)));
        parameters.back().domain = sizes(n, full, {3, 5, 6, 10, 12});
        parameters.push_back(axis_parameter("CM", "C", axis, s, size, role::cyclic_merge,
                                            fmt::format("runs per work-item along {}, a work-group apart", a)));
        parameters.push_back(axis_parameter("UF", "U", axis, s, size, role::unroll,
                                            fmt::format("points of a block along {} that are straight code; along SD "
                                                        "planes per pass",
                                                        a)));
        parameters.back().domain = powers_of_two(std::min<std::int64_t>(n, 16));
        constants[fmt::format("N{}", a)] = n;
        if (!has_axis) {
            continue;
        }
        need(fmt::format("useStreaming or TB{0} * BM{0} * CM{0} <= N{0}", a),
             fmt::format("a work-group would cover more points along {} than the grid has", a));
        need(fmt::format("BM{0} == 1 or CM{0} == 1", a), "block and cyclic merging exclude each other");
        need(fmt::format("not useStreaming or CM{0} == 1", a), "a streaming work-item has one block of points");
        need(axis == 0 ? "useStreaming or UFx == 1" : fmt::format("useStreaming or UF{0} <= BM{0}", a),
             axis == 0 ? "without streaming the vector width says how far x is unrolled"
                       : "a block is unrolled farther than it goes");
        if (axis > 0) {
            need(fmt::format("useStreaming or BM{0} % UF{0} == 0", a), "UF divides BM");
        }
        // The axis as streaming axis, and as an axis of the tile.
        const std::string along = fmt::format("not useStreaming or SD != {} or ", axis + 1);
        const std::string across = fmt::format("not useStreaming or SD == {} or ", axis + 1);
        need(along + fmt::format("TD % TB{} == 0", a), "stage groups have equally many time steps");
        need(along + fmt::format("BM{} == 1", a), "nothing is merged along the streaming axis");
        need(along + fmt::format("UF{} <= SB", a), "more planes per pass than a work-group computes");
        need(along + fmt::format("UF{} <= 4", a), "more than four planes per pass");
        need(along + fmt::format("SB <= N{}", a), "blocks of more planes than the grid has");
        need(across + fmt::format("UF{} == 1", a), "blocks of streaming work-items are always straight code");
        const std::string halo =
            axis == 0 ? fmt::format("(TD * {} + VX - 1) // VX * VX", reach[axis]) : fmt::format("TD * {}", reach[axis]);
        const std::string overlap = across + (axis == 0 ? "not (useShared or useShuffle) or " : "not useShared or ");
        need(overlap + fmt::format("TB{0} * BM{0} > 2 * ({1})", a, halo),
             "tiles overlap so far that no point is left to write");
        need(across + fmt::format("TB{0} * BM{0} < 2 * N{0}", a),
             fmt::format("a tile covers more points along {} than the grid has", a));
        if (axis != 0) {
            need(across + fmt::format("BM{} <= 16", a), "more than sixteen rows per work-item");
        } else {
            need(across + "BMx <= 16", "more than sixteen points in a row per work-item");
        }
        if (reach[axis] > 0) {
            need(fmt::format("TD == 1 or TD * {} < N{}", reach[axis], a),
                 fmt::format("the grid has too few points along {} for so many time steps", a));
        }
        if (const std::string why = no_retiming(s, static_cast<int>(axis), false); !why.empty()) {
            need(along + "not useRetiming", why);
        } else if (const std::string why_blocked = no_retiming(s, static_cast<int>(axis), true); !why_blocked.empty()) {
            need(along + "not (useRetiming and useTB)", why_blocked);
        }
    }
    need("VX <= BMx and BMx % VX == 0", "vectors do not fill the block of points along x");
    need("not useStreaming or SD != 1 or VX == 1", "vectors run along x, as the streaming axis does");
    need("not useShuffle or SD != 1", "lanes are neighbours along x");
    need("not useTB or useShared", "with temporal blocking work-items share points");
    return space(std::move(parameters), std::move(constraints), std::move(constants));
}

} // namespace

space make_space(const std::string& preset, const stencil& s, extent3 size) {
    if (preset == "gest" || preset == "full") {
        return make_gest_space(s, size, preset == "full");
    }
    if (preset != "garvey" && preset != "garvey_full") {
        throw user_error(fmt::format("unknown space preset '{}'{}", preset, did_you_mean(preset, preset_names())),
                         "presets: " + enumerate(preset_names()));
    }
    const bool full = preset == "garvey_full";
    std::vector<parameter> parameters;
    std::vector<constraint> constraints;
    std::map<std::string, value> constants;
    parameter width;
    width.name = "VX";
    width.domain = {std::int64_t{1}, std::int64_t{2}, std::int64_t{4}, std::int64_t{8}, std::int64_t{16}};
    width.neutral = std::int64_t{1};
    width.purpose = role::vector_width;
    width.dimension = 0;
    width.meaning = "points per vector load and store along x";
    if (full) {
        parameters.push_back(flag("useShared", "the work-group copies the box that it needs into local memory"));
        parameters.push_back(flag("useImage", "arrays are read through 2-D images"));
    } else {
        parameter load;
        load.name = "load";
        load.domain = {std::string("global"), std::string("vector"), std::string("local"), std::string("image")};
        load.neutral = std::string("global");
        load.purpose = role::load;
        load.meaning = "how arrays are loaded";
        parameters.push_back(std::move(load));
        width.aliases = {"BX"};
        width.meaning += "; also the block merge along x";
        constraints.push_back({expression::parse("(load == 'vector') == (VX > 1)"),
                               "only load = vector has VX above 1, and it needs at least 2"});
    }
    parameters.push_back(std::move(width));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        parameters.push_back(axis_parameter("TB", "W", axis, s, size, role::thread_block,
                                            fmt::format("work-items of a work-group along {}", suffixes[axis])));
        if (full) {
            parameters.push_back(
                axis_parameter("BM", "B", axis, s, size, role::block_merge,
                               fmt::format("neighbouring points per work-item along {}", suffixes[axis])));
        }
        parameters.push_back(
            axis_parameter("CM", "C", axis, s, size, role::cyclic_merge,
                           fmt::format("runs per work-item along {}, a work-group apart", suffixes[axis])));
        constraints.push_back(fits_grid(axis, full        ? fmt::format("BM{} * ", suffixes[axis])
                                              : axis == 0 ? "VX * "
                                                          : ""));
        constants[fmt::format("N{}", suffixes[axis])] = size[axis];
    }
    if (full) {
        constraints.push_back({expression::parse("VX <= BMx"), "a vector is wider than the block of points along x"});
    }
    return space(std::move(parameters), std::move(constraints), std::move(constants));
}

namespace {

/// Static pruning of streaming kernels: less local memory than they need for certain, an estimate of registers, and
/// straight code that compilers choke on.
template<class Add>
void add_streaming_limits(const stencil& s, const device_limits& limits, Add&& add) {
    constexpr int most_code = 8000; // operations in a row
    std::uint64_t bytes = 0;        // of one point of every field
    std::set<node_id> operations;
    const offset3 reach = updated_reach(s);
    for (const update& u : s.updates) {
        bytes += size_of(s.fields[u.field].type == scalar::f16 ? scalar::f32 : s.fields[u.field].type);
        const auto some = reachable(s, u.value);
        operations.insert(some.begin(), some.end());
    }
    add(fmt::format("useStreaming or {} * VX * UFy * UFz <= {}", operations.size(), most_code),
        "more straight code than compilers take");
    for (int axis = 0; axis < s.dimensions; ++axis) {
        const auto along = static_cast<std::size_t>(axis);
        const std::size_t inner = along == 0 ? 1 : 0;
        const std::size_t across = along == 2 ? 1 : 2;
        const char* a = suffixes[along];
        const std::string when = fmt::format("not useStreaming or SD != {} or ", axis + 1);
        const std::string points = fmt::format("BM{} * BM{}", suffixes[inner], suffixes[across]);
        const std::string tile = fmt::format("{} * TB{} * TB{} * {}", bytes, suffixes[inner], suffixes[across], points);
        // What stage groups hand on and, unless lanes read each other's registers, two tiles per stage group.
        add(when + fmt::format("not useTB or {} * 2 * (TB{} - 1) * UF{} <= {}", tile, a, a, limits.local_bytes),
            "the planes that stage groups hand on are larger than the device's local memory");
        add(when + fmt::format("not useTB or useShuffle or {} * 2 * (TB{} + (TB{} - 1) * UF{}) <= {}", tile, a, a, a,
                               limits.local_bytes),
            "the planes that work-items share are larger than the device's local memory");
        add(when + fmt::format("{} * {} * (TD // TB{}) * UF{} <= {}", operations.size(), points, a, a, most_code),
            "more straight code than compilers take");
        if (limits.registers > 0) {
            // Planes that every time step keeps, and those that come in.
            const std::string planes = fmt::format("{} * ({} * (TD // TB{}) + UF{})", points, 2 * reach[along], a, a);
            add(when + fmt::format("{} * {} <= {}", planes, (bytes + 3) / 4, 320),
                "an estimate of registers passes what a work-item can have");
            // All work-items of a group hold their planes at the same time.
            add(when + fmt::format("TBx * TBy * TBz * ({} * {} + 20) <= {}", planes, (bytes + 3) / 4,
                                   limits.registers * 5 / 4),
                "an estimate of registers passes what a multiprocessor has");
        }
    }
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
        more.push_back({expression::parse(condition), std::move(reason)});
    };
    add(fmt::format("TBx * TBy * TBz <= {}", limits.work_group),
        fmt::format("the device runs at most {} work-items in a work-group", limits.work_group));
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (limits.work_items[axis] < static_cast<std::uint64_t>(layout.size[axis])) {
            add(fmt::format("TB{} <= {}", suffixes[axis], limits.work_items[axis]),
                fmt::format("the device runs at most {} work-items along {}", limits.work_items[axis], suffixes[axis]));
        }
    }
    const bool restricted = has("load");
    const bool streams = has("useStreaming");
    if (streams) {
        if (limits.sub_group == 0) {
            add("not useShuffle", "work-items of the device do not read each other's registers");
        } else {
            add(fmt::format("not useShuffle or TBx == {}", limits.sub_group),
                fmt::format("{} lanes read each other's registers", limits.sub_group));
        }
        if (!limits.assembler_levels && has("AL")) {
            add("AL == 3", "the device's compiler has no such option");
        }
        if (!limits.streaming_stores && has("useStreamingStores")) {
            add("not useStreamingStores", "the device's compiler has none");
        }
        add_streaming_limits(s, limits, add);
    }
    for (std::size_t u = 0; u < s.updates.size(); ++u) {
        std::string bytes;
        for (const source_array& a : cached_arrays(s, u)) {
            const scalar type = s.fields[a.field].type;
            bytes += fmt::format("{}{}", bytes.empty() ? "" : " + ", size_of(type == scalar::f16 ? scalar::f32 : type));
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const std::string block =
                    restricted ? axis == 0 ? "VX * " : "" : fmt::format("BM{} * ", suffixes[axis]);
                const int reach = a.high[axis] - a.low[axis];
                bytes += fmt::format(" * (TB{0} * {1}CM{0}{2})", suffixes[axis], block,
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
    return all.constrained(std::move(more));
}

} // namespace gst
