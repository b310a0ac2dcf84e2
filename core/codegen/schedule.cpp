#include "core/codegen/schedule.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

namespace {
constexpr const char* suffix[] = {"x", "y", "z"};

/// The value of a parameter, or nothing when the space has none of that name.
const value* find(const space& s, const configuration& c, const std::string& name) {
    const auto& all = s.parameters();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].name == name) {
            return &s.get(c, i);
        }
    }
    return nullptr;
}

std::uint64_t number(const space& s, const configuration& c, const std::string& name, std::uint64_t otherwise = 1) {
    const value* v = find(s, c, name);
    return v ? static_cast<std::uint64_t>(std::get<std::int64_t>(*v)) : otherwise;
}

bool flag(const space& s, const configuration& c, const std::string& name, bool otherwise = false) {
    const value* v = find(s, c, name);
    return v ? std::get<bool>(*v) : otherwise;
}

std::string order_of(term_order terms) {
    switch (terms) {
    case term_order::own_row_first:
        return ", own rows first";
    case term_order::own_row_last:
        return ", own rows last";
    case term_order::last_row_first:
        return ", last rows first";
    default:
        return "";
    }
}

std::string words_of(stage_code code) {
    return code == stage_code::loops   ? ", in loops of their own"
           : code == stage_code::tiles ? ", in code of their own"
                                       : "";
}

} // namespace

schedule schedule_of(const space& s, const configuration& c, schedule given) {
    schedule out = given;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        out.work_group[axis] = number(s, c, std::string("TB") + suffix[axis]);
        out.block[axis] = number(s, c, std::string("BM") + suffix[axis]);
        out.cyclic[axis] = number(s, c, std::string("CM") + suffix[axis]);
        out.unroll[axis] = number(s, c, std::string("UF") + suffix[axis], 0);
    }
    out.vector_width = static_cast<int>(number(s, c, "VX"));
    out.streaming_stores = flag(s, c, "useStreamingStores", given.streaming_stores);
    out.cache_prefetch = flag(s, c, "useCachePrefetch", given.cache_prefetch);
    out.constant = flag(s, c, "useConstant");
    out.most_constants = static_cast<int>(number(s, c, "CN", 0));
    if (const value* load = find(s, c, "load")) { // the restricted space: BX = VX
        out.block[0] = static_cast<std::uint64_t>(out.vector_width);
        out.local = std::get<std::string>(*load) == "local";
        out.image = std::get<std::string>(*load) == "image";
    } else {
        out.local = flag(s, c, "useShared");
        out.image = flag(s, c, "useImage");
    }
    if (flag(s, c, "useStreaming")) {
        out.stream_axis = static_cast<int>(number(s, c, "SD")) - 1;
        out.stream_length = number(s, c, "SB");
        out.tapering = flag(s, c, "useTapering");
        out.edge_blocks = flag(s, c, "useEdgeBlocks");
        out.equal_shares = flag(s, c, "useShares");
        out.edge_percent = static_cast<int>(number(s, c, "EW", 0));
        out.rest_blocks = static_cast<int>(number(s, c, "RB", 1));
        out.steps = static_cast<int>(number(s, c, "TD"));
        out.planes = static_cast<int>(out.unroll[static_cast<std::size_t>(out.stream_axis)]);
        out.unrolled_passes = static_cast<int>(number(s, c, "UP"));
        out.retiming = flag(s, c, "useRetiming");
        out.terms = static_cast<term_order>(number(s, c, "TO") - 1);
        out.filtered_lines = static_cast<int>(number(s, c, "MF"));
        out.prefetch = flag(s, c, "usePrefetching");
        out.ahead = static_cast<int>(number(s, c, "PD"));
        out.skewing = flag(s, c, "useSkewing");
        out.split_barriers = flag(s, c, "useSplitBarriers");
        out.halo = flag(s, c, "useHalo");
        out.halo_columns = flag(s, c, "useHaloColumns");
        out.tensor_copies = flag(s, c, "useTensorCopies");
        out.stage_tiles = flag(s, c, "useStageTiles");
        out.stage_rows = static_cast<int>(number(s, c, "SR"));
        out.arrival = static_cast<int>(number(s, c, "AR", 0));
        out.code = static_cast<stage_code>(number(s, c, "OC", 0));
        out.half_loads = flag(s, c, "useHalves");
        out.rematerialization = flag(s, c, "useRematerialization");
        out.late_sums = static_cast<int>(number(s, c, "LS", 0));
        out.left_terms = flag(s, c, "useLeftTerms");
        out.left_arrays = static_cast<int>(number(s, c, "LA", 0));
        if (out.stage_tiles) {
            out.halo = out.halo_columns = out.tensor_copies = true;
        }
        out.group_copies = flag(s, c, "useGroupCopies");
        out.coefficients = flag(s, c, "useCoefStreaming");
        out.loops = flag(s, c, "useLoops");
        out.shuffle = flag(s, c, "useShuffle");
        out.groups_at_once = static_cast<unsigned>(number(s, c, "MB"));
        out.all_registers = flag(s, c, "useAllRegisters");
    }
    return out;
}

stream_blocks tapered_blocks(std::int64_t longest, std::int64_t planes) {
    stream_blocks out{(planes + longest - 1) / longest, longest, 0};
    if (out.count > 1) { // down to a fifth: three fifths in the mean
        const std::int64_t most = std::max(out.count, 5 * planes / (3 * longest));
        out.shorter = 2 * (most * longest - planes) / (most * (most - 1));
        while (out.count * longest - out.count * (out.count - 1) / 2 * out.shorter < planes) {
            ++out.count;
        }
    }
    return out;
}

stream_blocks blocks_of(const schedule& s, std::int64_t planes) {
    const std::int64_t length = s.equal_shares ? planes : static_cast<std::int64_t>(s.stream_length);
    return s.tapering ? tapered_blocks(length, planes) : stream_blocks{(planes + length - 1) / length, length, 0};
}

rest_of_tiles rest_of(const schedule& s, std::int64_t tiles, std::int64_t planes) {
    const std::int64_t rest = tiles % s.shares();
    const std::int64_t length = (planes + s.rest_blocks - 1) / s.rest_blocks;
    return {tiles - rest, rest, {(planes + length - 1) / length, length, 0}};
}

schedule default_schedule(extent3 size) {
    schedule out;
    std::uint64_t left = 256;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const std::uint64_t most = axis == 0 ? std::min<std::uint64_t>(left, 64) : left;
        while (out.work_group[axis] * 2 <= most && out.work_group[axis] * 2 <= static_cast<std::uint64_t>(size[axis])) {
            out.work_group[axis] *= 2;
        }
        left /= out.work_group[axis];
    }
    constexpr std::uint64_t most_groups = 65535; // that CUDA launches along y and z
    for (std::size_t axis = 1; axis < 3; ++axis) {
        while (most_groups * out.tile(static_cast<int>(axis)) < static_cast<std::uint64_t>(size[axis])) {
            out.block[axis] *= 2;
        }
    }
    return out;
}

std::string to_string(const schedule& s) {
    const auto triple = [](const range3& r) { return fmt::format("{} × {} × {}", r[0], r[1], r[2]); };
    std::string streaming;
    if (s.stream_axis >= 0) {
        const std::string blocks =
            s.equal_shares ? fmt::format("{} equal shares of all", s.shares())
            : s.rest_blocks > 1
                ? fmt::format("all (of tiles beyond whole rounds of {} in {} blocks)", s.shares(), s.rest_blocks)
                : fmt::format("{}{}", s.tapering ? "up to " : "", s.stream_length);
        const std::string edges = s.edge_blocks        ? ", a block more at the edges"
                                  : s.edge_percent > 0 ? fmt::format(", at the edges counted {} % more", s.edge_percent)
                                                       : "";
        streaming = fmt::format(
            ", streaming {} planes along {}{}, {} at a time{}{}{}{}{}{}{}{}{}{}", blocks, suffix[s.stream_axis], edges,
            s.planes, s.unrolled_passes > 1 ? fmt::format(", {} passes in a row", s.unrolled_passes) : "",
            s.retiming ? fmt::format(", retimed{}", order_of(s.terms)) : "",
            s.filtered_lines > 1 ? fmt::format(", {} lines filtered together", s.filtered_lines) : "",
            s.prefetch ? fmt::format(", prefetched {} passes ahead", s.ahead) : "",
            s.halo ? ", tiles with their halo" : "", s.halo_columns ? " and columns beside" : "",
            s.tensor_copies ? " copied as wholes" : "", s.group_copies ? ", all copy and write" : "",
            s.coefficients ? ", with coefficients" : "", s.shuffle ? ", shuffled" : "");
        if (s.steps > 1) {
            streaming += s.loops ? fmt::format(", {} time steps in loops", s.steps)
                                 : fmt::format(", {} time steps in {} stage groups{}{}", s.steps, s.stage_groups(),
                                               s.skewing ? ", skewed" : "", s.split_barriers ? ", barriers split" : "");
            if (s.stage_tiles) {
                streaming += fmt::format(
                    " with tiles of their own, {} rows per work-item in the first{}{}{}{}{}{}{}", s.stage_rows,
                    s.arrival > 0 ? fmt::format(", the second begins {} tenths of its reads later", s.arrival) : "",
                    words_of(s.code), s.half_loads ? ", halves of vectors in turn" : "",
                    s.rematerialization ? ", places computed in each pass" : "",
                    s.late_sums == 0   ? ""
                    : s.late_sums == 1 ? ", sums of the planes behind in the first"
                                       : ", sums of the planes behind",
                    s.left_terms ? ", what completes sums left to the second" : "",
                    s.left_arrays > 0 ? fmt::format(", arrays left to the second: {}", s.left_arrays) : "");
            }
        }
    }
    return fmt::format("work-group {}, block merge {}, cyclic merge {}, vector width {}, loads from {}{}{}{}",
                       triple(s.work_group), triple(s.block), triple(s.cyclic), s.vector_width,
                       s.image ? "an image" : "global memory", s.local ? " through local memory" : "",
                       !s.constant            ? ""
                       : s.most_constants > 0 ? fmt::format(", up to {} numbers from constant memory", s.most_constants)
                                              : ", numbers from constant memory",
                       streaming);
}

} // namespace gst
