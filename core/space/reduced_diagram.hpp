#pragma once

#include "core/space/diagram.hpp"

#include <cstdint>
#include <vector>

namespace gst {

/// A diagram while it is made, layer by layer: some of its nodes may have the same rests, or lead nowhere.
struct diagram_draft {
    struct arc {
        std::uint32_t node;  ///< of this layer, numbered from 0 on
        std::uint32_t child; ///< of the next layer; 0, the end, behind the last one
        std::uint16_t value;
    };
    struct layer {
        std::size_t begin; ///< of its arcs, which end where those of the next layer begin
        std::size_t nodes;
    };
    std::vector<arc> arcs; ///< of a layer by node and value, ascending
    std::vector<layer> layers;
};

/// The smallest diagram with these solutions and this order of layers: without what does not lead to the end, and with
/// one node for those with the same rests.
diagram reduced(const diagram_draft& draft);

} // namespace gst
