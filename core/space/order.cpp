#include "core/space/order.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace gst {

std::vector<std::size_t> layer_order(const std::vector<std::size_t>& sizes,
                                     const std::vector<std::vector<std::size_t>>& groups) {
    const std::size_t n = sizes.size();
    std::vector<std::vector<std::size_t>> groups_of(n);
    std::vector<std::size_t> left;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        left.push_back(groups[g].size());
        for (const std::size_t p : groups[g]) {
            groups_of[p].push_back(g);
        }
    }
    std::vector<bool> placed(n);
    std::vector<std::size_t> order;
    while (order.size() < n) {
        // First is what most conditions are about: the others are then soon decided. Next is what brings open
        // conditions nearest to their end, then what opens the fewest and shortest new ones.
        std::tuple<double, double, double> best{};
        std::size_t chosen = n;
        for (std::size_t p = 0; p < n; ++p) {
            if (placed[p]) {
                continue;
            }
            double closes = 0;
            double opens = 0;
            for (const std::size_t g : groups_of[p]) {
                if (left[g] < groups[g].size()) {
                    closes += 1.0 / static_cast<double>(left[g] * left[g]);
                } else {
                    opens += static_cast<double>(groups[g].size() - 1);
                }
            }
            const double first = order.empty() ? static_cast<double>(groups_of[p].size()) : closes;
            const std::tuple<double, double, double> merit{first, -opens, -static_cast<double>(sizes[p])};
            if (chosen == n || merit > best) {
                best = merit;
                chosen = p;
            }
        }
        placed[chosen] = true;
        order.push_back(chosen);
        for (const std::size_t g : groups_of[chosen]) {
            --left[g];
        }
    }
    return order;
}

} // namespace gst
