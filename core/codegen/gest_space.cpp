#include "core/codegen/gest_builder.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/tile_overlap.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace gst {

namespace {

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
    const bool has = std::any_of(s.updates.begin(), s.updates.end(),
                                 [&](const update& u) { return !real_numbers_of(s, u).empty(); });
    return has ? "" : "no update has a number with a fraction";
}

} // namespace

gest_builder::gest_builder(const stencil& s, extent3 size, bool full)
    : s_(s), size_(size), full_(full), reach_(updated_reach(s)),
      no_streams_(s.dimensions == 1 ? "a stencil of one axis has nothing to stream along" : ""),
      no_blocks_(no_temporal_blocking(s)) {}

space gest_builder::build() {
    add_optimizations();
    add_blocks();
    if (full_) {
        add_full();
    }
    parameters_.push_back(
        numbers("VX", values({1, 2, 4, 8, 16}), role::vector_width, "", "points per vector load and store along x"));
    parameters_.back().dimension = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        add_axis(axis);
    }
    if (full_) {
        constrain_boxes();
    }
    need("VX <= BMx and BMx % VX == 0", "vectors do not fill the block of points along x");
    if (full_) {
        need(fmt::format("useGroupCopies or BMx not in [{}]", fmt::join(columns_of_shared_copies, ", ")),
             "such blocks are for rows that lie in local memory as they do in memory");
    }
    need("not useStreaming or SD != 1 or VX == 1", "vectors run along x, as the streaming axis does");
    need("not useShuffle or SD != 1", "lanes are neighbours along x");
    need("not useTB or useShared", "with temporal blocking work-items share points");
    return space(std::move(parameters_), std::move(constraints_), std::move(constants_));
}

void gest_builder::add_optimizations() {
    parameters_.push_back(
        option("useStreaming", role::streaming, "", no_streams_, "a work-group moves plane by plane along SD (2.5-D)"));
    std::vector<value> directions;
    for (std::int64_t axis = 1; axis <= s_.dimensions; ++axis) {
        directions.emplace_back(axis);
    }
    parameters_.push_back(numbers("SD", directions, role::streaming, "useStreaming", "the streaming axis: 1 is x"));
    parameters_.push_back(option("useTB", role::temporal, "useStreaming", no_blocks_,
                                 "temporal blocking: several time steps per launch"));
    parameters_.push_back(numbers("TD",
                                  full_ ? values({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 16, 20, 24, 32})
                                        : values({1, 2, 3, 4, 6, 8, 12, 16}),
                                  role::temporal, "useTB", "time steps per launch"));
    need("(TD > 1) == useTB", "temporal blocking has a degree of at least 2");
    parameters_.push_back(option("useRetiming", role::streaming, "useStreaming",
                                 along_no_axis([&](int axis) { return no_retiming(s_, axis, false); }),
                                 "partial sums instead of a queue of planes"));
    parameters_.push_back(option("usePrefetching", role::streaming, "useStreaming", "",
                                 "the next planes are loaded while these are computed with"));
    parameters_.push_back(
        option("useShuffle", role::load, "useStreaming", "", "neighbours along x come from other lanes' registers"));
    parameters_.push_back(flag("useShared", "the work-group shares points through local memory"));
    parameters_.push_back(option("useConstant", role::other, "", no_constants(s_),
                                 "the updates' numbers come from constant memory instead of being literals"));
}

void gest_builder::add_blocks() {
    if (full_) {
        parameters_.push_back(
            option("useShares", role::streaming, "useStreaming", no_streams_,
                   "MB work-groups for each multiprocessor take as many whole tiles as each can have, and equal shares "
                   "of the planes of the others, laid end to end"));
    }
    parameters_.push_back(numbers("SB", stream_lengths(s_, size_, full_), role::streaming,
                                  full_ ? "useStreaming and not useShares" : "useStreaming",
                                  "planes that a work-group computes (concurrent streaming)"));
    parameters_.push_back(numbers("MB", values({1, 2, 3, 4}), role::other, "useStreaming",
                                  "work-groups per multiprocessor that registers are kept free for"));
}

void gest_builder::add_axis(std::size_t axis) {
    const char* a = axis_suffixes[axis];
    const std::int64_t n = size_[axis];
    const bool has_axis = axis < static_cast<std::size_t>(s_.dimensions);
    parameters_.push_back(axis_parameter("TB", "W", axis, s_, size_, role::thread_block,
                                         fmt::format("work-items of a work-group along {}; stage groups along SD", a)));
    parameter& threads = parameters_.back();
    threads.domain = sizes(std::min<std::int64_t>(n, 1024), full_, {3, 5, 6, 10, 12, 20, 24});
    parameters_.push_back(axis_parameter("BM", "B", axis, s_, size_, role::block_merge,
                                         fmt::format("neighbouring points per work-item along {}", a)));
    std::vector<std::int64_t> blocks{3, 5, 6, 10, 12};
    if (axis == 0) {
        blocks.insert(blocks.end(), columns_of_shared_copies.begin(), columns_of_shared_copies.end());
    }
    parameters_.back().domain = sizes(n, full_, blocks);
    parameters_.push_back(axis_parameter("CM", "C", axis, s_, size_, role::cyclic_merge,
                                         fmt::format("runs per work-item along {}, a work-group apart", a)));
    parameters_.push_back(axis_parameter("UF", "U", axis, s_, size_, role::unroll,
                                         fmt::format("points of a block along {} that are straight code; along SD "
                                                     "planes per pass",
                                                     a)));
    parameters_.back().domain = sizes(std::min<std::int64_t>(n, 16), full_, {3, 5, 6});
    constants_[fmt::format("N{}", a)] = n;
    if (!has_axis) {
        return;
    }
    need(fmt::format("useStreaming or TB{0} * BM{0} * CM{0} <= N{0}", a),
         fmt::format("a work-group would cover more points along {} than the grid has", a));
    need(fmt::format("BM{0} == 1 or CM{0} == 1", a), "block and cyclic merging exclude each other");
    need(fmt::format("not useShuffle or CM{0} == 1", a), "lanes are neighbours in one run only");
    if (full_) {
        need(fmt::format("not useLoops or (TB{0} == 1 and CM{0} == 1)", a), "loops are of one work-item and one block");
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
    need(along + fmt::format("{}UF{} <= SB", full_ ? "useShares or " : "", a),
         "more planes per pass than a work-group computes");
    need(along + fmt::format("UF{} <= {}", a, full_ ? 6 : 4),
         fmt::format("more than {} planes per pass", full_ ? "six" : "four"));
    if (full_) {
        constrain_full_axis(axis, along, across);
    }
    need(along + fmt::format("SB <= N{}", a), "blocks of more planes than the grid has");
    need(across + fmt::format("UF{} == 1", a), "blocks of streaming work-items are always straight code");
    need(across + tiles_apart_or(axis, full_) +
             fmt::format("TB{0} * BM{0} * CM{0} > {1}", a, overlapping_points(s_, axis, full_)),
         "tiles overlap so far that no point is left to write");
    need(across + fmt::format("TB{0} * BM{0} * CM{0} < 2 * N{0}", a),
         fmt::format("a tile covers more points along {} than the grid has", a));
    need(across + fmt::format("{1}BM{0} * CM{0} <= 16{2}", a, full_ ? "useLoops or " : "",
                              full_ ? " + 7 * useGroupCopies" : ""),
         fmt::format("more than sixteen{} {} per work-item", full_ ? " (23 where stage groups share copies)" : "",
                     axis == 0 ? "points in a row" : "rows"));
    if (reach_[axis] > 0) {
        need(fmt::format("TD == 1 or TD * {} < N{}", reach_[axis], a),
             fmt::format("the grid has too few points along {} for so many time steps", a));
    }
    if (const std::string why = no_retiming(s_, static_cast<int>(axis), false); !why.empty()) {
        need(along + "not useRetiming", why);
    } else if (const std::string why_blocked = no_retiming(s_, static_cast<int>(axis), true); !why_blocked.empty()) {
        const bool completes = full_ && reads_beside_tiles(s_) && no_stage_tiles(s_, static_cast<int>(axis)).empty();
        need(along + fmt::format("not (useRetiming and useTB){}", completes ? " or useStageTiles" : ""), why_blocked);
    }
}

parameter gest_builder::numbers(const char* name, std::vector<value> domain, role purpose, const char* active,
                                std::string meaning) {
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

parameter gest_builder::option(const char* name, role purpose, const char* active, const std::string& why,
                               std::string meaning) {
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

void gest_builder::need(const std::string& condition, std::string reason) {
    constraints_.push_back({expression::parse(condition), std::move(reason)});
}

space make_gest_space(const stencil& s, extent3 size, bool full) {
    return gest_builder(s, size, full).build();
}

} // namespace gst
