#pragma once

#include "core/api/search.hpp"

namespace gst {

/// Each parameter of either parent (uniform crossover; of `one` where there is no other), then with this probability
/// any value of it. Perhaps not in the space.
inline configuration offspring(problem& p, const configuration& one, const configuration* other, double mutation) {
    random_source& rng = p.rng();
    configuration child = one;
    for (std::size_t k = 0; other && k < child.size(); ++k) {
        child[k] = rng.below(2) == 0 ? child[k] : (*other)[k];
    }
    for (std::size_t k = 0; k < child.size(); ++k) {
        if (rng.uniform() < mutation) {
            child[k] = static_cast<std::uint16_t>(rng.below(p.space().parameters()[k].domain.size()));
        }
    }
    return child;
}

} // namespace gst
