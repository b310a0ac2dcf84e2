#pragma once

#include "core/codegen/program.hpp"
#include "core/space/space.hpp"

#include <string>

namespace gst {

/// The decisions of one configuration, in the code generator's terms: what each work-group and work-item computes and
/// how points are loaded. Per axis, a work-group covers work_group · block · cyclic points; a work-item computes
/// `cyclic` runs, work_group · block apart, of `block` neighbouring points (Garvey §4.1–4.3).
struct schedule {
    range3 work_group{1, 1, 1};
    range3 block{1, 1, 1};
    range3 cyclic{1, 1, 1};
    int vector_width = 1;           ///< points per vector load and store along x; divides block[0]
    bool local = false;             ///< cooperative copy of the work-group's box into local memory (Garvey §4.4)
    bool image = false;             ///< reads come from a 2-D image over the buffer (Garvey §4.6)
    std::uint64_t image_width = 0;  ///< texels per image row, a power of two
    bool vector_arithmetic = false; ///< compute on vectors where the update allows, instead of lane by lane
    bool streaming_stores = false;  ///< whole vectors are written past the caches

    std::uint64_t tile(int axis) const {
        const auto a = static_cast<std::size_t>(axis);
        return work_group[a] * block[a] * cyclic[a];
    }
    bool operator==(const schedule&) const = default;
};

/// Reads TBx…, BMx…, CMx…, VX, load (or useShared, useImage) of a configuration; parameters that the space does not
/// have are neutral. What no parameter decides is taken from `given`.
GST_API schedule schedule_of(const space& s, const configuration& c, schedule given);

/// One point per work-item, work-groups of up to 256 along x and y: the untuned default that speedups are measured
/// against.
GST_API schedule default_schedule(extent3 size);

GST_API std::string to_string(const schedule& s);

} // namespace gst
