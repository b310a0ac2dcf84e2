#include "tests/bench/kernels_space.hpp"

#include "core/codegen/stage_tiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace gst {

namespace {

/// Blocks of planes that cut an axis into so many parts.
std::vector<std::int64_t> parts_of(std::int64_t n, std::initializer_list<std::int64_t> parts) {
    std::set<std::int64_t> out;
    for (const std::int64_t p : parts) {
        out.insert((n + p - 1) / p);
    }
    return {out.begin(), out.end()};
}

std::vector<value> numbers(const std::vector<std::int64_t>& all) {
    return {all.begin(), all.end()};
}

/// Whether points off the axes are not read.
bool no_corners(const stencil& s) {
    for (const update& u : s.updates) {
        for (const node_id n : reachable(s, u.value)) {
            const auto* r = std::get_if<ir::read>(&s.nodes[n].op);
            if (r && (r->at[0] != 0) + (r->at[1] != 0) + (r->at[2] != 0) > 1) {
                return false;
            }
        }
    }
    return true;
}

} // namespace

std::vector<std::string> sub_space(const stencil& s, extent3 size, const space& whole, kernel_part part,
                                   bool shuffles) {
    const bool plane = s.dimensions == 2;
    const std::int64_t reach = reach_of(s)[plane ? 1 : 2];
    const bool star = no_corners(s);
    const std::int64_t vector = s.fields.front().type == scalar::f64 ? 2 : 4; // 16 bytes
    std::vector<std::string> out;
    if (part == kernel_part::pipelined && !(plane ? shuffles && reach <= 8 : no_stage_tiles(s, 2).empty())) {
        return out;
    }
    const auto domain = [&](const std::string& name, const std::vector<value>& wanted) {
        std::vector<std::string> there; // on this grid
        for (const value& v : whole.parameters()[whole.index_of(name)].domain) {
            if (std::find(wanted.begin(), wanted.end(), v) != wanted.end()) {
                there.push_back(to_string(v));
            }
        }
        out.push_back(fmt::format("space.domain.{}=[{}]", name, fmt::join(there, ", ")));
    };
    const auto blocks_or_shares = [&](std::vector<std::int64_t> blocks) {
        blocks.insert(blocks.begin(), 1); // what SB is where shares are equal
        domain("SB", numbers(blocks));
    };
    for (const char* axis : {"x", "y", "z"}) {
        domain(fmt::format("CM{}", axis), numbers({1}));
    }
    // A literal of type f64 with a lower half takes two instructions, a number of constant memory one, or none where it
    // stays in uniform registers.
    domain("useConstant", vector == 2 ? std::vector<value>{false, true} : std::vector<value>{false});
    domain("CN", plane ? numbers({0, 8, 12, 16, 24}) : numbers({0}));
    domain("useTapering", plane ? std::vector<value>{false} : std::vector<value>{false, true});
    domain("RB", plane ? numbers({1}) : numbers({1, 2, 3, 4, 6}));
    domain("useShares", part == kernel_part::pipelined || (part == kernel_part::blocked && !plane)
                            ? std::vector<value>{false, true}
                            : std::vector<value>{false});
    domain("EW", plane && part == kernel_part::pipelined ? numbers({0, 10, 20, 30, 40}) : numbers({0}));
    domain("useEdgeBlocks",
           plane && part != kernel_part::sweep ? std::vector<value>{false, true} : std::vector<value>{false});
    domain("MF", star || (plane && reach == 1) ? numbers({1}) : numbers({1, 2, 4}));
    if (part != kernel_part::pipelined || plane) {
        domain("TO", numbers({1}));
    }
    if (part == kernel_part::sweep) {
        domain("VX", numbers({vector}));
        domain("SD", numbers({plane ? 2 : 3}));
        domain("useTB", {false});
        domain("TBx", numbers({32, 64, 128, 256}));
        domain("TBy", plane ? numbers({1, 2, 4}) : numbers({1, 2, 4, 8, 10, 12, 16}));
        domain("BMx", numbers({vector, 2 * vector}));
        domain("BMy", numbers({1, 2, 3, 4, 5}));
        domain("SB", numbers({4, 8, 16, 32, 64, 86, 128, 171, 256, 512})); // 86, 171: a sixth, a third of 512
        if (!plane) {
            domain("TBz", numbers({1, 2, 4}));
            domain("BMz", numbers({1, 2, 4}));
        }
        return out;
    }
    domain("useStreaming", {true});
    domain("useTB", {true});
    domain("useStageTiles", {part == kernel_part::pipelined && !plane});
    if (part == kernel_part::pipelined && !plane) {
        domain("useShuffle", {false});
        domain("usePrefetching", {true});
        domain("SD", numbers({2, 3}));
        domain("VX", numbers({2, vector}));
        domain("TBx", numbers({6, 8, 10, 12, 16, 20, 24, 32}));
        domain("BMx", numbers({2, vector, 2 * vector}));
        for (const char* across : {"y", "z"}) {
            domain(fmt::format("TB{}", across), numbers({1, 2, 4, 5, 6, 8, 10, 12, 16, 20, 24}));
            domain(fmt::format("BM{}", across), numbers({1, 2, 3, 4, 5, 6}));
        }
        domain("MB", numbers({1, 2}));
        blocks_or_shares(parts_of(size[2], {1, 2, 3, 4, 6}));
        return out;
    }
    if (shuffles) {
        domain("useShuffle", {true});
        domain("TBx", plane ? numbers({32}) : numbers({16, 32}));
    } else {
        domain("TBx", numbers({16, 32, 64}));
    }
    domain("usePrefetching", {true});
    if (part == kernel_part::pipelined) {
        domain("useGroupCopies", {true});
        domain("useSkewing", {false});
        domain("useSplitBarriers", {false});
        domain("useStreamingStores", {false});
        domain("SD", numbers({2}));
        domain("TBy", numbers({2, 4, 6, 8, 12}));
        std::vector<std::int64_t> degrees;
        for (const std::int64_t t : {2, 4, 6, 8, 10, 12, 16, 20, 24, 32}) {
            if (t * reach <= 32 && (t >= 8 || t * reach >= 6)) {
                degrees.push_back(t);
            }
        }
        domain("TD", numbers(degrees));
        domain("VX", numbers({1, vector}));
        domain("BMx", numbers({4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 19, 21, 23}));
        domain("UFy", numbers({1, 2, 3, 4}));
        domain("PD", numbers({2, 3}));
        domain("MB", numbers({1, 2, 4}));
        blocks_or_shares(parts_of(size[1], {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16}));
        return out;
    }
    domain("useGroupCopies", {false});
    domain("useRetiming", star && reach == 1 ? std::vector<value>{false} : std::vector<value>{false, true});
    domain("useSkewing", star && !plane && reach == 1 ? std::vector<value>{false} : std::vector<value>{false, true});
    domain("useSplitBarriers", plane ? std::vector<value>{false} : std::vector<value>{false, true});
    std::vector<std::int64_t> steps;
    const std::int64_t most = std::max<std::int64_t>((plane ? 16 : 5) / reach, 2);
    for (const std::int64_t t : {2, 3, 4, 5, 6, 8, 10, 12, 14, 15, 16}) {
        if (t <= most && 4 * t >= most) {
            steps.push_back(t);
        }
    }
    domain("TD", numbers(steps));
    domain("UFy", plane ? numbers({1, 2, 3, 4}) : numbers({1, 2}));
    domain("UFz", numbers({1, 2}));
    if (plane) {
        domain("VX", numbers({vector}));
        domain("SD", numbers({2}));
        domain("PD", numbers({2, 3, 4}));
        domain("useStreamingStores", {false});
        domain("TBy", numbers({1, 2, 3, 4, 5}));
        domain("BMx", vector == 2 ? numbers({4, 6, 8, 10}) : numbers({4, 8, 12}));
        domain("SB", numbers(parts_of(size[1], {12, 14, 16, 18, 20, 22, 24, 26, 28, 32, 40})));
    } else {
        // Planes come along z, and a work-item has some rows along y, or the other way round.
        const std::vector<std::int64_t> rows{1, 2, 3, 4, 5, 6, 7, 8};
        const std::vector<std::int64_t> groups{1, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32};
        domain("SD", numbers({2, 3}));
        for (const char* across : {"y", "z"}) {
            domain(fmt::format("BM{}", across), numbers(rows));
            domain(fmt::format("TB{}", across), numbers(groups));
        }
        domain("VX", numbers({2, vector}));
        domain("BMx", numbers({2, vector, 6}));
        blocks_or_shares(parts_of(size[2], {1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16}));
        out.push_back(
            "space.constraints=[\"BMx % VX == 0\", \"SD != 2 or TBy * BMy == 1\", \"SD != 3 or TBz * BMz == 1\", "
            "\"TBy * TBz >= 4\", \"useShares or SB > 1\"]");
    }
    return out;
}

} // namespace gst
