#pragma once

#include <cstddef>
#include <vector>

namespace gst {

/// An order of the parameters for a small diagram: those that share conditions stand together, those of short
/// conditions first. `groups` are the parameters of each condition, `sizes` the domains'. Returns the parameter of each
/// layer.
std::vector<std::size_t> layer_order(const std::vector<std::size_t>& sizes,
                                     const std::vector<std::vector<std::size_t>>& groups);

} // namespace gst
