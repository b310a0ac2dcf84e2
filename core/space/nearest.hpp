#pragma once

#include "core/space/diagram.hpp"

#include <cstdint>
#include <vector>

namespace gst {

/// The solution of a diagram with the fewest steps to these values, by layer: the difference of the positions in an
/// ordered layer, 1 for any other value in one that is not. The diagram has a solution.
std::vector<std::uint16_t> nearest_solution(const diagram& d, const std::vector<std::uint16_t>& values,
                                            const std::vector<bool>& ordered);

} // namespace gst
