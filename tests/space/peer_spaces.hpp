#pragma once

#include "core/space/space.hpp"

#include <string>
#include <utility>
#include <vector>

/// Search spaces of other tuners' benchmarks, as their T1 files define them: values and conditions in Python.
namespace gst::peer_spaces {

struct definition {
    std::string name;
    std::vector<std::pair<std::string, std::string>> parameters; ///< names and lists of values
    std::vector<std::string> conditions;
    std::uint64_t cartesian = 0;
    std::uint64_t valid = 0;      ///< as published
    double peer_milliseconds = 0; ///< of Kernel Tuner 1.4's constraint solver, on 2 cores; 0: not published
};

inline space make(const definition& d) {
    std::vector<parameter> parameters;
    for (const auto& [name, values] : d.parameters) {
        parameter p;
        p.name = name;
        p.domain = expression::parse_values(values);
        p.neutral = p.domain.front();
        parameters.push_back(std::move(p));
    }
    std::vector<constraint> constraints;
    for (const std::string& c : d.conditions) {
        constraints.push_back({expression::parse(c), ""});
    }
    return {std::move(parameters), std::move(constraints)};
}

/// CLBlast's matrix multiplication (Nugteren 2018), as Kernel Tuner tunes it.
inline definition gemm() {
    return {"GEMM",
            {{"MWG", "[16, 32, 64, 128]"},
             {"NWG", "[16, 32, 64, 128]"},
             {"KWG", "[16, 32]"},
             {"MDIMC", "[8, 16, 32]"},
             {"NDIMC", "[8, 16, 32]"},
             {"MDIMA", "[8, 16, 32]"},
             {"NDIMB", "[8, 16, 32]"},
             {"KWI", "[2]"},
             {"VWM", "[1, 2, 4, 8]"},
             {"VWN", "[1, 2, 4, 8]"},
             {"STRM", "[0, 1]"},
             {"STRN", "[0, 1]"},
             {"SA", "[0, 1]"},
             {"SB", "[0, 1]"}},
            {"KWG % KWI == 0", "MWG % (MDIMC * VWM) == 0", "NWG % (NDIMC * VWN) == 0", "MWG % (MDIMA * VWM) == 0",
             "NWG % (NDIMB * VWN) == 0", "KWG % ((MDIMC * NDIMC) / MDIMA) == 0", "KWG % ((MDIMC * NDIMC) / NDIMB) == 0",
             "not (MWG == 128 and NWG == 128 and MDIMC == 8 and NDIMC == 8)"},
            663'552,
            116'928,
            288};
}

/// Rodinia's hotspot with temporal tiling, on a device with 48 KiB of shared memory per block and 100 per
/// multiprocessor.
inline definition hotspot() {
    const std::string shared = "(block_size_x * tile_size_x + temporal_tiling_factor * 2) * "
                               "(block_size_y * tile_size_y + temporal_tiling_factor * 2) * (2 + sh_power) * 4";
    std::string widths = "[1, 2, 4, 8, 16";
    for (int warps = 1; warps <= 32; ++warps) {
        widths += ", 32 * " + std::to_string(warps);
    }
    const std::string to_ten = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
    return {"Hotspot",
            {{"block_size_x", widths + "]"},
             {"block_size_y", "[1, 2, 4, 8, 16, 32]"},
             {"tile_size_x", to_ten},
             {"tile_size_y", to_ten},
             {"temporal_tiling_factor", to_ten},
             {"loop_unroll_factor_t", to_ten},
             {"sh_power", "[0, 1]"},
             {"blocks_per_sm", "[0, 1, 2, 3, 4]"}},
            {"32 <= block_size_x * block_size_y <= 1024", "temporal_tiling_factor % loop_unroll_factor_t == 0",
             shared + " <= 49152", "blocks_per_sm == 0 or " + shared + " * blocks_per_sm <= 102400"},
            22'200'000,
            349'853,
            1900};
}

inline definition dedispersion() {
    std::string channels = "[32";
    for (int n = 40; n <= 256; n += 8) {
        channels += ", " + std::to_string(n);
    }
    return {"dedispersion",
            {{"block_size_x", "[1, 2, 4, 8, 16, 32]"},
             {"block_size_y", channels + "]"},
             {"tile_size_x", "[1, 2, 3, 4]"},
             {"tile_size_y", "[1, 2, 3, 4, 5, 6, 7, 8]"},
             {"tile_stride_x", "[0, 1]"},
             {"tile_stride_y", "[0, 1]"}},
            {"32 <= block_size_x * block_size_y <= 1024", "tile_size_x > 1 or tile_stride_x == 0",
             "tile_size_y > 1 or tile_stride_y == 0"},
            22'272,
            11'130,
            17};
}

inline definition convolution() {
    std::string widths = "[16";
    for (int n = 32; n <= 256; n += 16) {
        widths += ", " + std::to_string(n);
    }
    return {"convolution",
            {{"block_size_x", widths + "]"},
             {"block_size_y", "[1, 2, 4, 8, 16]"},
             {"tile_size_x", "[1, 2, 3, 4]"},
             {"tile_size_y", "[1, 2, 3, 4]"},
             {"read_only", "[0, 1]"},
             {"use_padding", "[0, 1]"},
             {"use_shmem", "[0, 1]"},
             {"filter_height", "[15]"},
             {"filter_width", "[15]"}},
            {"use_padding == 0 or block_size_x % 32 != 0", "block_size_x * block_size_y <= 1024",
             "use_padding == 0 or use_shmem != 0",
             "use_shmem == 0 or (block_size_x * tile_size_x + (filter_width - 1)) * "
             "(block_size_y * tile_size_y + (filter_height - 1)) < 12 * 1024"},
            10'240,
            4'362,
            0};
}

/// The distance of two sets of points of a microscope, by the row or by the column (van Werkhoven's benchmark_kernels).
inline definition expdist() {
    const std::string to_eight = "[1, 2, 3, 4, 5, 6, 7, 8]";
    return {"ExpDist",
            {{"block_size_x", "[32, 64, 128, 256, 512, 1024]"},
             {"block_size_y", "[1, 2, 4, 8, 16, 32]"},
             {"tile_size_x", to_eight},
             {"tile_size_y", to_eight},
             {"use_shared_mem", "[0, 1, 2]"},
             {"loop_unroll_factor_x", to_eight},
             {"loop_unroll_factor_y", to_eight},
             {"use_column", "[0, 1]"},
             {"use_separate_acc", "[0]"},
             {"n_y_blocks", "[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]"}},
            {"use_column == 1 or n_y_blocks == 1", "use_column == 1 or use_shared_mem < 2",
             "tile_size_x % loop_unroll_factor_x == 0", "tile_size_y % loop_unroll_factor_y == 0"},
            9'732'096,
            504'000,
            1080};
}

/// Advection and diffusion of the weather model MicroHH, on a device with 1024 threads per multiprocessor and, as the
/// benchmark has it, 1536 per block.
inline definition microhh() {
    const std::string to_four = "[1, 2, 4]";
    const std::string threads = "BLOCK_SIZE_X * BLOCK_SIZE_Y * BLOCK_SIZE_Z";
    return {"MicroHH",
            {{"BLOCK_SIZE_X", "[1, 2, 4, 8, 16, 32, 128, 256, 512, 1024]"},
             {"BLOCK_SIZE_Y", "[1, 2, 4, 8, 16, 32]"},
             {"BLOCK_SIZE_Z", to_four},
             {"TILING_FACTOR_X", "[1, 2, 4, 8]"},
             {"TILING_FACTOR_Y", to_four},
             {"TILING_FACTOR_Z", to_four},
             {"LOOP_UNROLL_FACTOR_X", "[1, 2, 4, 8]"},
             {"LOOP_UNROLL_FACTOR_Y", to_four},
             {"LOOP_UNROLL_FACTOR_Z", to_four},
             {"BLOCKS_PER_MP", "[0, 1, 2, 3, 4]"}},
            {threads + " * BLOCKS_PER_MP <= 1024", "32 <= " + threads + " <= 1536",
             "TILING_FACTOR_X % LOOP_UNROLL_FACTOR_X == 0", "TILING_FACTOR_Y % LOOP_UNROLL_FACTOR_Y == 0",
             "TILING_FACTOR_Z % LOOP_UNROLL_FACTOR_Z == 0"},
            1'166'400,
            138'600,
            592};
}

inline std::vector<definition> all() {
    return {gemm(), hotspot(), dedispersion(), convolution(), expdist(), microhh()};
}

} // namespace gst::peer_spaces
