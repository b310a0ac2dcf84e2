#include "core/codegen/filtering.hpp"
#include "core/codegen/gest_builder.hpp"
#include "core/codegen/loop_nest.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/tile_overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <variant>

namespace gst {

namespace {

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

void gest_builder::add_full() {
    add_numbers();
    add_ways_of_time_steps();
    add_decompositions();
    add_sums();
    add_copies_ahead();
    add_stage_tiles();
    add_group_copies();
    add_coefficient_planes();
    add_cache_options();
}

void gest_builder::add_numbers() {
    std::size_t most = 0; // of an update
    for (const update& u : s_.updates) {
        std::set<double> all;
        for (const node_id n : real_numbers_of(s_, u)) {
            const double number = std::get<ir::number>(s_.nodes[n].op).value;
            if (s_.nodes[n].type == scalar::f64 && !nest::is_short(number)) {
                all.insert(number);
            }
        }
        most = std::max(most, all.size());
    }
    parameters_.push_back(numbers("CN", {std::int64_t{0}}, role::other, "useConstant",
                                  "numbers of a type that come from constant memory, those that code meets first; the "
                                  "others are literals; 0: all come from there"));
    parameters_.back().neutral = std::int64_t{0};
    open(parameters_.back(), {8, 12, 16, 24}, [&](std::int64_t n) {
        return static_cast<std::int64_t>(most) > n
                   ? std::string()
                   : fmt::format("no update has more than {} numbers of type f64 that instructions do not hold", n);
    });
}

void gest_builder::add_ways_of_time_steps() {
    parameters_.push_back(option("useAllRegisters", role::other, "useStreaming and MB == 1", no_streams_,
                                 "a work-item may take all registers that one work-group per multiprocessor leaves "
                                 "it; else the compiler often takes fewer"));
    need("not useAllRegisters or not useLoops", "loops need few registers");
    parameters_.push_back(option("useSkewing", role::temporal, "useTB", no_blocks_,
                                 "time steps lie one plane farther apart where that saves barriers"));
    const auto no_halves = [&](int axis) { // neither within time steps nor between passes
        std::string why = no_split_barriers(s_, axis, false);
        return no_split_passes(s_, axis).empty() ? "" : why;
    };
    parameters_.push_back(option("useSplitBarriers", role::temporal, "useTB",
                                 !no_blocks_.empty() ? no_blocks_ : along_no_axis(no_halves),
                                 "what needs no other work-item is computed while the others arrive at a barrier"));
    parameters_.push_back(option("useLoops", role::temporal, "useTB", no_blocks_,
                                 "one work-item computes the tile in loops, with the time steps' planes in local "
                                 "memory"));
    need("not useLoops or not (useRetiming or usePrefetching or useShuffle or useSkewing or useSplitBarriers)",
         "a work-item that is alone has the planes of all time steps");
    need("not useLoops or MB == 1", "loops need few registers");
    need("not useLoops or not useShares", "loops are handed to cores block by block");
    need(fmt::format("not useLoops or SD == {}", s_.dimensions), "loops run along rows of memory");
}

void gest_builder::add_decompositions() {
    parameters_.push_back(option("useTapering", role::streaming, "useStreaming", no_streams_,
                                 "blocks of planes become shorter, from SB on, so that the last work-groups leave "
                                 "few multiprocessors idle"));
    need("not useShares or not (useTapering or useEdgeBlocks)", "equal shares are no blocks of one tile's planes");
    parameters_.push_back(numbers("EW", {std::int64_t{0}}, role::streaming, "useShares and useTB",
                                  "per cent that a plane of a tile at the edge of the grid, where it takes longer, "
                                  "counts more in a share"));
    parameters_.back().neutral = std::int64_t{0};
    open(parameters_.back(), {5, 10, 15, 20, 30, 40, 60}, [&](std::int64_t) -> std::string {
        return s_.dimensions == 2 ? "" : "tiles lie side by side along one axis in two dimensions";
    });
    need(fmt::format("not useTapering or SD == {}", s_.dimensions),
         "work-groups along another axis than the last one are not launched one block after the other");
    const auto last = static_cast<std::size_t>(std::max(s_.dimensions - 1, 0));
    need(fmt::format("not useTapering or SB < N{}", axis_suffixes[last]), "there is one block only");
    std::int64_t shortest = size_[last]; // that become shorter, as do all longer ones
    while (shortest > 1 && tapered_blocks(shortest - 1, size_[last]).shorter > 0) {
        --shortest;
    }
    need(fmt::format("not useTapering or SB >= {}", shortest), "blocks so short are of one length");
    parameters_.push_back(numbers("RB", {std::int64_t{1}}, role::streaming,
                                  "useStreaming and not (useShares or useTapering or useEdgeBlocks or useLoops)",
                                  "blocks of planes that each tile beyond whole rounds, MB for each multiprocessor, is "
                                  "cut into"));
    parameters_.back().neutral = std::int64_t{1};
    open(parameters_.back(), {2, 3, 4, 5, 6, most_rest_blocks}, [&](std::int64_t) { return no_streams_; });
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(s_.dimensions); ++axis) {
        need(fmt::format("RB == 1 or SD != {} or SB >= N{}", axis + 1, axis_suffixes[axis]),
             "tiles of whole rounds are whole");
    }
    parameters_.push_back(option("useEdgeBlocks", role::streaming, "useTB and not useLoops and not useTapering",
                                 no_blocks_,
                                 "tiles that reach beyond the grid, whose planes take longer, are shared by one "
                                 "work-group more than others"));
    parameters_.push_back(numbers("UP", values({1, 2, 3, 4, 6}), role::unroll, "useStreaming",
                                  "passes of the streaming loop that are straight code, so that queues of planes "
                                  "rotate by name"));
    need("UP == 1 or not useLoops", "loops go pass by pass");
}

void gest_builder::add_sums() {
    parameters_.push_back(numbers("MF", {std::int64_t{1}}, role::streaming, "useRetiming",
                                  fmt::format("{} of a work-item that a minimal filter takes together: more sums, "
                                              "fewer products",
                                              s_.dimensions == 2 ? "columns" : "rows")));
    open(parameters_.back(), filtered_line_numbers, [&](std::int64_t outputs) {
        return along_no_axis([&](int axis) { return no_filtering(s_, axis, static_cast<int>(outputs), false); });
    });
    parameters_.push_back(numbers("TO", {std::int64_t{1}}, role::streaming, "useRetiming and MF == 1",
                                  "the order in which a plane's terms are added: 1 as they are written, 2 those of "
                                  "the row that is computed first, 3 last, 4 last and the other rows backwards"));
    open(parameters_.back(), {2, 3, 4}, [&](std::int64_t order) {
        return along_no_axis([&](int axis) { return no_term_order(s_, axis, static_cast<term_order>(order - 1)); });
    });
}

void gest_builder::add_copies_ahead() {
    parameters_.push_back(numbers("PD", values({1, 2, 3, 4}), role::streaming, "usePrefetching",
                                  "passes that prefetching runs ahead; of more than one through asynchronous copies "
                                  "to local memory"));
    parameters_.push_back(option("useHalo", role::load, "useShared and usePrefetching and useTB == useShuffle",
                                 along_no_axis([&](int axis) { return no_halo_tiles(s_, axis, false); }),
                                 "local memory holds tiles with the halo of one time step, which work-items copy "
                                 "together, so that tiles overlap less or not at all"));
    need("not useHalo or PD > 1", "tiles with their halo are copied ahead");
    const std::string no_columns = along_no_axis(
        [&](int axis) { return axis == 0 ? "lanes are neighbours along x" : no_halo_tiles(s_, axis, true); });
    parameters_.push_back(
        option("useHaloColumns", role::load, "useHalo and useTB and MF == 1",
               !no_blocks_.empty()         ? no_blocks_
               : updated_reach(s_)[0] == 0 ? "no neighbours along x are read"
                                           : no_columns,
               "the halo has columns, too: the first time step's neighbours along x come from local memory instead "
               "of other lanes' registers, and tiles overlap less"));
    parameters_.push_back(option("useTensorCopies", role::load, "useHalo",
                                 along_no_axis([&](int axis) { return no_tensor_copies(s_, axis); }),
                                 "the device copies tiles with their halo as wholes, instead of work-items piece by "
                                 "piece"));
    need("not useSplitBarriers or useHalo or not (useSkewing or useRetiming)",
         "every point needs other work-items' of the plane before");
    need("not useSplitBarriers or not useHalo or useSkewing or not useRetiming",
         "partial sums need other work-items' points of the plane that has just come");
    need("not useSplitBarriers or not useHalo or not useShares",
         "the passes of several tiles do not alternate as their barriers do");
}

void gest_builder::add_stage_tiles() {
    const std::string no_tiles = along_no_axis([&](int axis) { return no_stage_tiles(s_, axis); });
    parameters_.push_back(
        option("useStageTiles", role::temporal, "useTB and useShared and usePrefetching and not useShuffle", no_tiles,
               "each of two time steps has work-items of its own, those of the first one compute what the others "
               "read, so that tiles do not overlap; the device copies them with their halo"));
    parameters_.push_back(numbers("SR", values({1, 2, 3, 4, 5, 6, 8}), role::block_merge, "useStageTiles",
                                  "rows of a work-item of the first time step"));
    parameters_.push_back(numbers("AR", values({0, 5, 6, 7, 8, 9, 10}), role::temporal, "useStageTiles",
                                  "tenths of the first time step's reads of local memory after which the second one "
                                  "begins its pass; 0: both begin at a barrier"));
    parameters_.back().neutral = std::int64_t{0};
    parameters_.push_back(numbers("OC", values({0, 1, 2}), role::temporal, "useStageTiles",
                                  "what each of the two time steps' work-items have for themselves: 0: nothing, 1: the "
                                  "loop of passes, 2: all code of a tile"));
    parameters_.back().neutral = std::int64_t{0};
    parameters_.push_back(option("useHalves", role::load, "useStageTiles", no_tiles,
                                 "vectors of which half is needed are loaded from local memory as halves of two, in "
                                 "turn, so that all banks are read"));
    parameters_.push_back(option("useRematerialization", role::load, "useStageTiles", no_tiles,
                                 "a work-item's place is computed in each pass instead of being kept in registers"));
    parameters_.push_back(numbers("LS", values({0, 1, 2}), role::temporal, "useStageTiles and useRetiming",
                                  "time steps, the first one first, that read a result's plane and those ahead of it "
                                  "from local memory when it is made, and keep sums of the planes behind it alone"));
    parameters_.back().neutral = std::int64_t{0};
    parameters_.push_back(
        option("useLeftTerms", role::load, "useStageTiles",
               !no_tiles.empty() ? no_tiles : along_no_axis([&](int axis) { return no_left_terms(s_, axis); }),
               "what is added to the second time step's sums is computed by the first one, which has all of it, and "
               "left in local memory"));
    parameters_.push_back(numbers("LA", {std::int64_t{0}}, role::load, "useStageTiles",
                                  "arrays that complete sums of which the first time step leaves the points in local "
                                  "memory that the second one needs, so that these are not loaded again: of time level "
                                  "t first"));
    parameters_.back().neutral = std::int64_t{0};
    open(parameters_.back(), {1, 2, 3}, [&](std::int64_t n) {
        return !no_tiles.empty() ? no_tiles
                                 : along_no_axis([&](int axis) { return no_left_arrays(s_, axis, false, n); });
    });
    need("not useStageTiles or (TD == 2 and PD > 1)", "tiles of their own are for two time steps, copied ahead");
    need("not useStageTiles or not (useSkewing or useSplitBarriers or useLoops or MF > 1)",
         "time steps with tiles of their own begin their passes otherwise, in straight code");
    if (reads_beside_tiles(s_)) {
        need("not useStageTiles or useRetiming", "what no tile holds completes partial sums");
    }
    need("not useHalves or VX > 1", "a single point has no halves");
    need("not useStageTiles or (CMx == 1 and CMy == 1 and CMz == 1)",
         "neighbouring points of a work-item lie in local memory row by row");
    need(fmt::format("not useStageTiles or TBx * TBy * TBz % {} == 0", stage_alignment),
         "work-items of a sub-group compute the same time step");
}

void gest_builder::add_group_copies() {
    parameters_.push_back(option("useGroupCopies", role::load, "useTB and usePrefetching", no_blocks_,
                                 "all stage groups copy the planes that come in and write those that go out, each "
                                 "its share, by way of local memory"));
    need("not useGroupCopies or PD > 1", "planes are copied ahead");
    need("not useGroupCopies or not useStageTiles", "the first stage group's planes are copied as wholes");
}

void gest_builder::add_coefficient_planes() {
    const std::string no_planes = no_coefficient_planes(s_, false);
    const std::string no_blocked_planes = no_blocks_.empty() ? no_coefficient_planes(s_, true) : no_blocks_;
    parameters_.push_back(
        option("useCoefStreaming", role::load, "useStreaming and not useRetiming",
               !no_streams_.empty()                             ? no_streams_
               : no_planes.empty() || no_blocked_planes.empty() ? ""
               : no_blocks_.empty()                             ? no_blocked_planes
                                                                : no_planes,
               "planes of coefficients pass through the kernel as those of fields do, instead of being read where "
               "they are needed"));
    need("not useCoefStreaming or not useStageTiles", "no tile holds coefficients");
    need("not useCoefStreaming or not useLoops", "a work-item that is alone reads coefficients where it needs them");
    if (!no_planes.empty()) {
        need("not useCoefStreaming or useTB", no_planes);
        need("not useCoefStreaming or PD > 1", "coefficients of which no neighbours are read are copied ahead");
    }
    if (!no_blocked_planes.empty()) {
        need("not useCoefStreaming or not useTB", no_blocked_planes);
    }
}

void gest_builder::add_cache_options() {
    parameters_.push_back(
        option("useStreamingStores", role::load, "", "", "whole vectors are written past the caches"));
    need("not useStreamingStores or VX > 1", "a single element is no vector");
    parameters_.push_back(
        option("useCachePrefetch", role::load, "", "", "the caches fetch what comes next along the outermost axis"));
    need("not useCachePrefetch or VX > 1", "single elements are no lines of a cache");
    need("not useCachePrefetch or useLoops or not (useStreaming or useShared)",
         "what streams or goes through local memory is prefetched otherwise");
}

void gest_builder::constrain_full_axis(std::size_t axis, const std::string& along, const std::string& across) {
    const char* a = axis_suffixes[axis];
    for (const bool shuffle : {false, true}) {
        if (const std::string why = no_halo_tiles(s_, static_cast<int>(axis), shuffle); !why.empty()) {
            need(along + fmt::format("useShuffle != {} or not useHalo", shuffle), why);
        }
    }
    if (const std::string why = no_tensor_copies(s_, static_cast<int>(axis)); !why.empty()) {
        need(along + "not useTensorCopies", why);
    }
    need(along + fmt::format("not useLoops or UF{} == 1", a), "loops go plane by plane");
    if (const std::string why = no_stage_tiles(s_, static_cast<int>(axis)); !why.empty()) {
        need(along + "not useStageTiles", why);
    } else {
        if (std::string why_no_terms = no_left_terms(s_, static_cast<int>(axis)); !why_no_terms.empty()) {
            need(along + "not useLeftTerms", std::move(why_no_terms));
        } else {
            const std::int64_t scaling = std::ssize(arrays_to_leave(s_, static_cast<int>(axis), true));
            need(along + fmt::format("not useLeftTerms or LA <= {}", scaling),
                 no_left_arrays(s_, static_cast<int>(axis), true, scaling + 1));
        }
    }
    need(along + fmt::format("not useStageTiles or TB{} == 1", a),
         "time steps with tiles of their own have a stage group each");
    need(along + fmt::format("not useHalo or TB{} == 1", a),
         "the first of several stage groups alone would copy tiles with their halo");
    need(along + fmt::format("not useGroupCopies or TB{} > 1", a),
         "one stage group alone copies planes and writes them");
    const std::string no_passes = no_split_passes(s_, static_cast<int>(axis));
    for (const bool shuffle : {false, true}) {
        if (const std::string why = no_split_barriers(s_, static_cast<int>(axis), shuffle); !why.empty()) {
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
    need(across + fmt::format("not useSplitBarriers or useHalo or {}BM{} > {}", axis == 0 ? "useShuffle or " : "", a,
                              2 * reach_[axis]),
         "every point of a work-item needs other work-items'");
    for (const std::int64_t outputs : filtered_line_numbers) {
        for (const bool several : {false, true}) {
            if (std::string why = no_filtering(s_, static_cast<int>(axis), static_cast<int>(outputs), several);
                !why.empty()) {
                need(along + fmt::format("useTB != {} or MF != {}", several, outputs), std::move(why));
            }
        }
    }
    const line_axes lines = filtered_lines_of(s_, static_cast<int>(axis));
    need(along + fmt::format("MF == 1 or (BM{0} % MF == 0 and CM{0} == 1)", axis_suffixes[lines.axis]),
         fmt::format("{} that are filtered together are neighbours", lines.name));
    if (lines.axis == 0) {
        need(along + "MF == 1 or not useTensorCopies",
             "tiles that are copied as wholes have what lies between the rows of memory in their columns");
    }
}

void gest_builder::constrain_boxes() {
    const std::int64_t alignment = tensor_alignment(s_);
    need(fmt::format("not useTensorCopies or (TBx * BMx * CMx - (TD > 1) * ({})) % {} == 0",
                     overlapping_points(s_, 0, true), alignment),
         fmt::format("tiles that are copied as wholes begin at multiples of {} bytes", tensor_bytes));
    const offset3 farthest = reach_of(s_); // coefficients may be read farther than what is updated
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
                     reach_[0], longest_box, alignment - 1, alignment),
         reason);
    for (std::size_t axis = 1; axis < static_cast<std::size_t>(s_.dimensions); ++axis) {
        need(fmt::format("SD == {0} or not useStageTiles or TB{1} * BM{1} + SR <= {2}", axis + 1, axis_suffixes[axis],
                         longest_box + 1 - 4 * reach_[axis]),
             reason);
        need(fmt::format("SD == {0} or not useTensorCopies or TB{1} * BM{1} * CM{1} <= {2}", axis + 1,
                         axis_suffixes[axis], longest_box - 2 * farthest[axis]),
             reason);
    }
}

} // namespace gst
