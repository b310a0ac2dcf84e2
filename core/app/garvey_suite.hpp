#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gst {

/// A stencil of a synthetic suite.
struct synthetic_stencil {
    std::string name;   ///< of the stencil and, with ".gst", of its file
    std::string family; ///< stencils of one shape: line, dense, star, diamond, nocorners or thumbtack
    std::string text;   ///< of the file, in gst's language
};

/// The synthetic stencils of Garvey §7.1: weighted sums over every shape, dimensionality, orientation and radius 0 to
/// 5, on arrays of three dimensions, each distinct set of offsets once: 104. With `intensities` each with 1 and 2
/// additions and multiplications per element (§8.3.8): 416. The weights follow from the seed and the name.
std::vector<synthetic_stencil> garvey_suite(std::uint64_t seed, bool intensities);

/// The suite.toml that trains on them as the paper does: Garvey §8.
std::string garvey_suite_toml(const std::vector<synthetic_stencil>& stencils, bool intensities);

} // namespace gst
