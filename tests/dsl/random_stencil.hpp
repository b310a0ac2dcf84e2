#pragma once

#include "core/stencil/stencil.hpp"

#include <cstdint>

namespace gst {

/// A valid stencil in canonical form with every kind of node, type and boundary, made from the seed alone.
stencil random_stencil(std::uint64_t seed);

} // namespace gst
