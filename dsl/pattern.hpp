#pragma once

#include "core/stencil/stencil.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace gst::dsl {

/// The shapes of papers' stencil suites.
enum class shape : std::uint8_t {
    star,      ///< along the axes
    box,       ///< every point of the cube
    diamond,   ///< |x| + |y| + |z| ≤ r
    nocorners, ///< the box without its corner points
    cross,     ///< the diagonals and the centre
    thumbtack, ///< a dense plane, and a pin to both sides along one axis
};

std::optional<shape> shape_named(std::string_view name);

/// The distinct offsets of the shape, in z, y, x order. `along[i]` says whether the shape spreads along axis i; `pin`
/// is the thumbtack's axis. 0 ≤ radius ≤ limits::offset.
std::vector<offset3> offsets_of(shape s, int radius, const std::array<bool, 3>& along, int pin = 0);

/// Weights that sum to 1, one per offset: a Gaussian of the given width, or of half the pattern's radius.
std::vector<double> gaussian_weights(const std::vector<offset3>& pattern, std::optional<double> sigma);

/// Weights that sum to 1, none of them 0: noise that depends on the seed and on the place in the pattern.
std::vector<double> random_weights(const std::vector<offset3>& pattern, std::uint64_t seed);

} // namespace gst::dsl
