#pragma once

#include "core/space/space.hpp"
#include "core/stencil/stencil.hpp"

#include <string>
#include <vector>

namespace gst {

/// The part of the space `full` that kernels_bench searches, as settings of app.toml: what GPUs' kernels have in
/// common, everything else is left open. `blocked`: with temporal blocking; `shuffles`: the device has them.
std::vector<std::string> sub_space(const stencil& s, extent3 size, const space& whole, bool blocked, bool shuffles);

} // namespace gst
