#include "core/codegen/parameters.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace gst {

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

/// Points of a work-item in a row, beside those of all programs, where stage groups share copies: rows lie in local
/// memory as they do in memory, and lanes an odd number of vectors apart have no bank conflicts.
const std::vector<std::int64_t> columns_of_shared_copies{7, 9, 11, 13, 14, 15, 17, 19, 21, 23};

/// Powers of two; in the full space other numbers, too.
std::vector<value> sizes(std::int64_t most, bool full, const std::vector<std::int64_t>& more) {
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

std::string no_constants(const stencil& s) {
    for (const update& u : s.updates) {
        for (const node_id n : reachable(s, u.value)) {
            if (std::holds_alternative<ir::number>(s.nodes[n].op) && is_real(s.nodes[n].type)) {
                return "";
            }
        }
    }
    return "no update has a number with a fraction";
}

/// Why an optimization applies along no axis (`why` for one: "" where it does), or "".
template<class Why>
std::string along_no_axis(const stencil& s, Why&& why) {
    std::string first;
    for (int axis = s.dimensions - 1; axis >= 0; --axis) {
        const std::string one = why(axis);
        if (one.empty()) {
            return "";
        }
        first = first.empty() ? one : first;
    }
    return first;
}

/// Adds those of the numbers that no reason (`why` of each, or "") speaks against; inactive, for the first reason,
/// where none is left.
template<class Why>
void open(parameter& p, std::initializer_list<std::int64_t> numbers, Why&& why) {
    std::string first;
    for (const std::int64_t n : numbers) {
        const std::string one = why(n);
        if (one.empty()) {
            p.domain.emplace_back(n);
        } else if (first.empty()) {
            first = one;
        }
    }
    if (p.domain.size() == 1) {
        p.active = expression::parse("false");
        p.meaning += fmt::format(" (inactive: {})", first);
    }
}

} // namespace

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
    parameters.push_back(option("useRetiming", role::streaming, "useStreaming",
                                along_no_axis(s, [&](int axis) { return no_retiming(s, axis, false); }),
                                "partial sums instead of a queue of planes"));
    parameters.push_back(option("usePrefetching", role::streaming, "useStreaming", "",
                                "the next planes are loaded while these are computed with"));
    parameters.push_back(
        option("useShuffle", role::load, "useStreaming", "", "neighbours along x come from other lanes' registers"));
    parameters.push_back(flag("useShared", "the work-group shares points through local memory"));
    parameters.push_back(option("useConstant", role::other, "", no_constants(s),
                                "the updates' numbers come from constant memory instead of being literals"));
    if (full) {
        parameters.push_back(
            option("useShares", role::streaming, "useStreaming", no_streams,
                   "MB work-groups for each multiprocessor take as many whole tiles as each can have, and equal shares "
                   "of the planes of the others, laid end to end"));
    }
    parameters.push_back(numbers("SB", stream_lengths(s, size, full), role::streaming,
                                 full ? "useStreaming and not useShares" : "useStreaming",
                                 "planes that a work-group computes (concurrent streaming)"));
    parameters.push_back(numbers("MB", values({1, 2, 3, 4}), role::other, "useStreaming",
                                 "work-groups per multiprocessor that registers are kept free for"));
    if (full) {
        parameters.push_back(option("useAllRegisters", role::other, "useStreaming and MB == 1", no_streams,
                                    "a work-item may take all registers that one work-group per multiprocessor leaves "
                                    "it; else the compiler often takes fewer"));
        need("not useAllRegisters or not useLoops", "loops need few registers");
        parameters.push_back(option("useSkewing", role::temporal, "useTB", no_blocks,
                                    "time steps lie one plane farther apart where that saves barriers"));
        const auto no_halves = [&](int axis) { // neither within time steps nor between passes
            std::string why = no_split_barriers(s, axis, false);
            return no_split_passes(s, axis).empty() ? "" : why;
        };
        parameters.push_back(option("useSplitBarriers", role::temporal, "useTB",
                                    !no_blocks.empty() ? no_blocks : along_no_axis(s, no_halves),
                                    "what needs no other work-item is computed while the others arrive at a barrier"));
        parameters.push_back(option("useLoops", role::temporal, "useTB", no_blocks,
                                    "one work-item computes the tile in loops, with the time steps' planes in local "
                                    "memory"));
        need("not useLoops or not (useRetiming or usePrefetching or useShuffle or useSkewing or useSplitBarriers)",
             "a work-item that is alone has the planes of all time steps");
        need("not useLoops or MB == 1", "loops need few registers");
        need("not useLoops or not useShares", "loops are handed to cores block by block");
        need(fmt::format("not useLoops or SD == {}", s.dimensions), "loops run along rows of memory");
        parameters.push_back(option("useTapering", role::streaming, "useStreaming", no_streams,
                                    "blocks of planes become shorter, from SB on, so that the last work-groups leave "
                                    "few multiprocessors idle"));
        need("not useShares or not (useTapering or useEdgeBlocks)", "equal shares are no blocks of one tile's planes");
        need(fmt::format("not useTapering or SD == {}", s.dimensions),
             "work-groups along another axis than the last one are not launched one block after the other");
        const auto last = static_cast<std::size_t>(std::max(s.dimensions - 1, 0));
        need(fmt::format("not useTapering or SB < N{}", axis_suffixes[last]), "there is one block only");
        std::int64_t shortest = size[last]; // that become shorter, as do all longer ones
        while (shortest > 1 && tapered_blocks(shortest - 1, size[last]).shorter > 0) {
            --shortest;
        }
        need(fmt::format("not useTapering or SB >= {}", shortest), "blocks so short are of one length");
        parameters.push_back(option("useEdgeBlocks", role::streaming, "useTB and not useLoops and not useTapering",
                                    no_blocks,
                                    "tiles that reach beyond the grid, whose planes take longer, are shared by one "
                                    "work-group more than others"));
        parameters.push_back(numbers("UP", values({1, 2, 3, 4, 6}), role::unroll, "useStreaming",
                                     "passes of the streaming loop that are straight code, so that queues of planes "
                                     "rotate by name"));
        need("UP == 1 or not useLoops", "loops go pass by pass");
        parameters.push_back(numbers("MF", {std::int64_t{1}}, role::streaming, "useRetiming",
                                     "rows of a work-item that a minimal filter takes together: more sums, fewer "
                                     "products"));
        open(parameters.back(), {2, 4}, [&](std::int64_t rows) {
            return along_no_axis(s, [&](int axis) { return no_filtering(s, axis, static_cast<int>(rows), false); });
        });
        parameters.push_back(numbers("TO", {std::int64_t{1}}, role::streaming, "useRetiming and MF == 1",
                                     "the order in which a plane's terms are added: 1 as they are written, 2 those of "
                                     "the row that is computed first, 3 last, 4 last and the other rows backwards"));
        open(parameters.back(), {2, 3, 4}, [&](std::int64_t order) {
            return along_no_axis(s,
                                 [&](int axis) { return no_term_order(s, axis, static_cast<term_order>(order - 1)); });
        });
        parameters.push_back(numbers("PD", values({1, 2, 3, 4}), role::streaming, "usePrefetching",
                                     "passes that prefetching runs ahead; of more than one through asynchronous copies "
                                     "to local memory"));
        parameters.push_back(option("useHalo", role::load, "useShared and usePrefetching and useTB == useShuffle",
                                    along_no_axis(s, [&](int axis) { return no_halo_tiles(s, axis, false); }),
                                    "local memory holds tiles with the halo of one time step, which work-items copy "
                                    "together, so that tiles overlap less or not at all"));
        need("not useHalo or PD > 1", "tiles with their halo are copied ahead");
        const std::string no_columns = along_no_axis(
            s, [&](int axis) { return axis == 0 ? "lanes are neighbours along x" : no_halo_tiles(s, axis, true); });
        parameters.push_back(
            option("useHaloColumns", role::load, "useHalo and useTB and MF == 1",
                   !no_blocks.empty()         ? no_blocks
                   : updated_reach(s)[0] == 0 ? "no neighbours along x are read"
                                              : no_columns,
                   "the halo has columns, too: the first time step's neighbours along x come from local memory instead "
                   "of other lanes' registers, and tiles overlap less"));
        parameters.push_back(option("useTensorCopies", role::load, "useHalo",
                                    along_no_axis(s, [&](int axis) { return no_tensor_copies(s, axis); }),
                                    "the device copies tiles with their halo as wholes, instead of work-items piece by "
                                    "piece"));
        need("not useSplitBarriers or useHalo or not (useSkewing or useRetiming)",
             "every point needs other work-items' of the plane before");
        need("not useSplitBarriers or not useHalo or useSkewing or not useRetiming",
             "partial sums need other work-items' points of the plane that has just come");
        need("not useSplitBarriers or not useHalo or not useShares",
             "the passes of several tiles do not alternate as their barriers do");
        parameters.push_back(
            option("useStageTiles", role::temporal, "useTB and useShared and usePrefetching and not useShuffle",
                   along_no_axis(s, [&](int axis) { return no_stage_tiles(s, axis); }),
                   "each of two time steps has work-items of its own, those of the first one compute what the others "
                   "read, so that tiles do not overlap; the device copies them with their halo"));
        parameters.push_back(numbers("SR", values({1, 2, 3, 4, 5, 6, 8}), role::block_merge, "useStageTiles",
                                     "rows of a work-item of the first time step"));
        parameters.push_back(numbers("AR", values({0, 5, 6, 7, 8, 9, 10}), role::temporal, "useStageTiles",
                                     "tenths of the first time step's reads of local memory after which the second one "
                                     "begins its pass; 0: both begin at a barrier"));
        parameters.back().neutral = std::int64_t{0};
        need("not useStageTiles or (TD == 2 and PD > 1)", "tiles of their own are for two time steps, copied ahead");
        need("not useStageTiles or not (useSkewing or useSplitBarriers or useLoops or MF > 1)",
             "time steps with tiles of their own begin their passes otherwise, in straight code");
        need("not useStageTiles or (CMx == 1 and CMy == 1 and CMz == 1)",
             "neighbouring points of a work-item lie in local memory row by row");
        need(fmt::format("not useStageTiles or TBx * TBy * TBz % {} == 0", stage_alignment),
             "work-items of a sub-group compute the same time step");
        parameters.push_back(option("useGroupCopies", role::load, "useTB and usePrefetching", no_blocks,
                                    "all stage groups copy the planes that come in and write those that go out, each "
                                    "its share, by way of local memory"));
        need("not useGroupCopies or PD > 1", "planes are copied ahead");
        need("not useGroupCopies or not useStageTiles", "the first stage group's planes are copied as wholes");
        const std::string no_planes = no_coefficient_planes(s, false);
        const std::string no_blocked_planes = no_blocks.empty() ? no_coefficient_planes(s, true) : no_blocks;
        parameters.push_back(
            option("useCoefStreaming", role::load, "useStreaming and not useRetiming",
                   !no_streams.empty()                              ? no_streams
                   : no_planes.empty() || no_blocked_planes.empty() ? ""
                   : no_blocks.empty()                              ? no_blocked_planes
                                                                    : no_planes,
                   "planes of coefficients pass through the kernel as those of fields do, instead of being read where "
                   "they are needed"));
        need("not useCoefStreaming or not useStageTiles", "no tile holds coefficients");
        need("not useCoefStreaming or not useLoops",
             "a work-item that is alone reads coefficients where it needs them");
        if (!no_planes.empty()) {
            need("not useCoefStreaming or useTB", no_planes);
            need("not useCoefStreaming or PD > 1", "coefficients of which no neighbours are read are copied ahead");
        }
        if (!no_blocked_planes.empty()) {
            need("not useCoefStreaming or not useTB", no_blocked_planes);
        }
        parameters.push_back(
            option("useStreamingStores", role::load, "", "", "whole vectors are written past the caches"));
        need("not useStreamingStores or VX > 1", "a single element is no vector");
        parameters.push_back(option("useCachePrefetch", role::load, "", "",
                                    "the caches fetch what comes next along the outermost axis"));
        need("not useCachePrefetch or VX > 1", "single elements are no lines of a cache");
        need("not useCachePrefetch or useLoops or not (useStreaming or useShared)",
             "what streams or goes through local memory is prefetched otherwise");
    }
    parameters.push_back(
        numbers("VX", values({1, 2, 4, 8, 16}), role::vector_width, "", "points per vector load and store along x"));
    parameters.back().dimension = 0;
    const offset3 reach = updated_reach(s);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const char* a = axis_suffixes[axis];
        const std::int64_t n = size[axis];
        const bool has_axis = axis < static_cast<std::size_t>(s.dimensions);
        parameters.push_back(
            axis_parameter("TB", "W", axis, s, size, role::thread_block,
                           fmt::format("work-items of a work-group along {}; stage groups along SD", a)));
        parameter& threads = parameters.back();
        threads.domain = sizes(std::min<std::int64_t>(n, 1024), full, {3, 5, 6, 10, 12, 20, 24});
        parameters.push_back(axis_parameter("BM", "B", axis, s, size, role::block_merge,
                                            fmt::format("neighbouring points per work-item along {}", a)));
        std::vector<std::int64_t> blocks{3, 5, 6, 10, 12};
        if (axis == 0) {
            blocks.insert(blocks.end(), columns_of_shared_copies.begin(), columns_of_shared_copies.end());
        }
        parameters.back().domain = sizes(n, full, blocks);
        parameters.push_back(axis_parameter("CM", "C", axis, s, size, role::cyclic_merge,
                                            fmt::format("runs per work-item along {}, a work-group apart", a)));
        parameters.push_back(axis_parameter("UF", "U", axis, s, size, role::unroll,
                                            fmt::format("points of a block along {} that are straight code; along SD "
                                                        "planes per pass",
                                                        a)));
        parameters.back().domain = sizes(std::min<std::int64_t>(n, 16), full, {3, 5, 6});
        constants[fmt::format("N{}", a)] = n;
        if (!has_axis) {
            continue;
        }
        need(fmt::format("useStreaming or TB{0} * BM{0} * CM{0} <= N{0}", a),
             fmt::format("a work-group would cover more points along {} than the grid has", a));
        need(fmt::format("BM{0} == 1 or CM{0} == 1", a), "block and cyclic merging exclude each other");
        need(fmt::format("not useShuffle or CM{0} == 1", a), "lanes are neighbours in one run only");
        if (full) {
            need(fmt::format("not useLoops or (TB{0} == 1 and CM{0} == 1)", a),
                 "loops are of one work-item and one block");
        }
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
        need(along + fmt::format("BM{0} == 1 and CM{0} == 1", a), "nothing is merged along the streaming axis");
        need(along + fmt::format("{}UF{} <= SB", full ? "useShares or " : "", a),
             "more planes per pass than a work-group computes");
        need(along + fmt::format("UF{} <= {}", a, full ? 6 : 4),
             fmt::format("more than {} planes per pass", full ? "six" : "four"));
        if (full) {
            for (const bool shuffle : {false, true}) {
                if (const std::string why = no_halo_tiles(s, static_cast<int>(axis), shuffle); !why.empty()) {
                    need(along + fmt::format("useShuffle != {} or not useHalo", shuffle), why);
                }
            }
            if (const std::string why = no_tensor_copies(s, static_cast<int>(axis)); !why.empty()) {
                need(along + "not useTensorCopies", why);
            }
            need(along + fmt::format("not useLoops or UF{} == 1", a), "loops go plane by plane");
            if (const std::string why = no_stage_tiles(s, static_cast<int>(axis)); !why.empty()) {
                need(along + "not useStageTiles", why);
            }
            need(along + fmt::format("not useStageTiles or TB{} == 1", a),
                 "time steps with tiles of their own have a stage group each");
            need(along + fmt::format("not useHalo or TB{} == 1", a),
                 "the first of several stage groups alone would copy tiles with their halo");
            need(along + fmt::format("not useGroupCopies or TB{} > 1", a),
                 "one stage group alone copies planes and writes them");
            const std::string no_passes = no_split_passes(s, static_cast<int>(axis));
            for (const bool shuffle : {false, true}) {
                if (const std::string why = no_split_barriers(s, static_cast<int>(axis), shuffle); !why.empty()) {
                    need(along + fmt::format("useShuffle != {} or not useSplitBarriers{}", shuffle,
                                             no_passes.empty() ? " or (useHalo and useSkewing)" : ""),
                         why);
                }
            }
            if (!no_passes.empty()) {
                need(along + "not (useHalo and useSplitBarriers)", no_passes);
            }
            need(along + fmt::format("UF{} == 1 or not (useHalo and useSplitBarriers)", a),
                 "passes end between the halves of a barrier plane by plane");
            need(across + fmt::format("not useSplitBarriers or useHalo or {}BM{} > {}",
                                      axis == 0 ? "useShuffle or " : "", a, 2 * reach[axis]),
                 "every point of a work-item needs other work-items'");
        }
        if (full) {
            for (const int rows : {2, 4}) {
                for (const bool several : {false, true}) {
                    if (std::string why = no_filtering(s, static_cast<int>(axis), rows, several); !why.empty()) {
                        need(along + fmt::format("useTB != {} or MF != {}", several, rows), std::move(why));
                    }
                }
            }
            // The rows of a tile whose planes come along this axis.
            const char* rows_axis = axis_suffixes[axis == 2 ? 1 : 2];
            need(along + fmt::format("MF == 1 or (BM{0} % MF == 0 and CM{0} == 1)", rows_axis),
                 "rows that are filtered together are neighbours");
        }
        need(along + fmt::format("SB <= N{}", a), "blocks of more planes than the grid has");
        need(across + fmt::format("UF{} == 1", a), "blocks of streaming work-items are always straight code");
        need(across + tiles_apart_or(axis, full) +
                 fmt::format("TB{0} * BM{0} * CM{0} > 2 * ({1})", a, tile_overlap(axis, reach[axis], full)),
             "tiles overlap so far that no point is left to write");
        need(across + fmt::format("TB{0} * BM{0} * CM{0} < 2 * N{0}", a),
             fmt::format("a tile covers more points along {} than the grid has", a));
        need(across + fmt::format("{1}BM{0} * CM{0} <= 16{2}", a, full ? "useLoops or " : "",
                                  full ? " + 7 * useGroupCopies" : ""),
             fmt::format("more than sixteen{} {} per work-item", full ? " (23 where stage groups share copies)" : "",
                         axis == 0 ? "points in a row" : "rows"));
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
    if (full) {
        const std::int64_t alignment = tensor_alignment(s);
        need(fmt::format("not useTensorCopies or (TBx * BMx * CMx - 2 * (TD > 1) * ({})) % {} == 0",
                         tile_overlap(0, reach[0], true), alignment),
             fmt::format("tiles that are copied as wholes begin at multiples of {} bytes", tensor_bytes));
        const offset3 farthest = reach_of(s); // coefficients may be read farther than what is updated
        const std::string reason =
            fmt::format("a tile with its halo is copied as a whole up to {} points along an axis", longest_box);
        need(fmt::format("not useTensorCopies or TBx * BMx * CMx + 2 * (useHaloColumns or TD == 1) * (({} + VX - 1) // "
                         "VX * VX) <= {} - {} * (VX < {})",
                         farthest[0], longest_box, alignment - 1, alignment),
             reason);
        need(fmt::format("not useStageTiles or TBx * BMx % {} == 0", alignment),
             fmt::format("tiles that are copied as wholes begin at multiples of {} bytes", tensor_bytes));
        need(fmt::format("not useStageTiles or TBx * BMx + 2 * (({0} + BMx - 1) // BMx * BMx) + 2 * (({0} + VX - 1) // "
                         "VX * VX) <= {1} - {2} * (VX < {3})",
                         reach[0], longest_box, alignment - 1, alignment),
             reason);
        for (std::size_t axis = 1; axis < static_cast<std::size_t>(s.dimensions); ++axis) {
            need(fmt::format("SD == {0} or not useStageTiles or TB{1} * BM{1} + SR <= {2}", axis + 1,
                             axis_suffixes[axis], longest_box + 1 - 4 * reach[axis]),
                 reason);
            need(fmt::format("SD == {0} or not useTensorCopies or TB{1} * BM{1} * CM{1} <= {2}", axis + 1,
                             axis_suffixes[axis], longest_box - 2 * farthest[axis]),
                 reason);
        }
    }
    need("VX <= BMx and BMx % VX == 0", "vectors do not fill the block of points along x");
    if (full) {
        need(fmt::format("useGroupCopies or BMx not in [{}]", fmt::join(columns_of_shared_copies, ", ")),
             "such blocks are for rows that lie in local memory as they do in memory");
    }
    need("not useStreaming or SD != 1 or VX == 1", "vectors run along x, as the streaming axis does");
    need("not useShuffle or SD != 1", "lanes are neighbours along x");
    need("not useTB or useShared", "with temporal blocking work-items share points");
    return space(std::move(parameters), std::move(constraints), std::move(constants));
}

} // namespace gst
