#pragma once

#include "core/space/space.hpp"
#include "core/stencil/stencil.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace gst {

/// What kernels_bench searches at a time.
enum class kernel_part : std::uint8_t {
    sweep,    ///< one time step per launch
    blocked,  ///< several
    pipelined ///< several, in stage groups: rows that share what comes in and goes out, or with tiles of their own
};

/// The part of the space `full` that kernels_bench searches, as settings of app.toml: what GPUs' kernels have in
/// common, everything else is left open. `shuffles`: the device has them. Empty: the stencil has no such part.
std::vector<std::string> sub_space(const stencil& s, extent3 size, const space& whole, kernel_part part, bool shuffles);

} // namespace gst
