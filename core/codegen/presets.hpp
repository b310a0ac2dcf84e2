#pragma once

#include "core/codegen/layout.hpp"
#include "core/space/space.hpp"
#include "core/stencil/stencil.hpp"

#include <string>
#include <vector>

namespace gst {

/// What a device allows, as far as the search space must know it.
struct device_limits {
    std::uint64_t work_group = 0;
    std::array<std::uint64_t, 3> work_items{};
    std::array<std::uint64_t, 3> work_groups{}; ///< of one launch; 0: any number
    std::uint64_t local_bytes = 0;
    std::uint64_t image_width = 0; ///< texels per row of an image over an array of this problem; 0: no such image
    std::string no_image;          ///< why, where the width is 0
    int sub_group = 0;             ///< work-items that read each other's registers; 0: none do
    bool streaming_stores = false; ///< whole vectors can be written past the caches
    bool split_barriers = false;   ///< work-items can arrive at a barrier and await the others later
    bool tensor_copies = false;    ///< boxes of arrays are copied to local memory as wholes
    int lanes = 0;                 ///< work-items that a GPU runs in lock step; 0: no GPU
    bool processor = false;        ///< a CPU, on which no other work-items hide waiting for memory
    std::uint64_t multiprocessors = 1;
    std::uint64_t registers = 0;          ///< 32-bit registers of a multiprocessor; 0: unknown
    std::uint64_t bounded_work_items = 0; ///< as the dialect's
};

/// The names of the preset spaces.
GST_API std::vector<std::string> preset_names();

/// The space of a stencil on a grid, before any device is asked:
///   garvey       the restricted space of Garvey §4.7: TBi, CMi, VX (= BMx) and the load technique
///   garvey_full  TBi, BMi, CMi, VX, useShared, useImage (Garvey Table 1)
///   gest         GeST's Tables 1 and 2: streaming along SD in blocks of SB planes, retiming, prefetching, temporal
///                blocking of degree TD, block and cyclic merging, unrolling. Along SD, TB counts stage groups.
///   full         gest with sizes that are no powers of two and with what the device adds
/// Powers of two, TBi · BMi · CMi ≤ points of axis i. Throws user_error for an unknown preset.
GST_API space make_space(const std::string& preset, const stencil& s, extent3 size);

/// The same space with what the device admits on top.
GST_API space admitted(const space& all, const stencil& s, const array_layout& layout, const device_limits& limits);

} // namespace gst
