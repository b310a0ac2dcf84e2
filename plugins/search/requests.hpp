#pragma once

#include "core/api/search.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace gst {

/// Measures what `next` (a function returning std::optional<configuration>) yields, `size` at a time (two for each
/// compiler at the least) and one request ahead, so that the compilers have work while the device measures, and while
/// one of them is slow.
template<class Next>
void measure_in_requests(problem& p, std::uint64_t size, Next next) {
    size = std::max(size, 2 * p.parallel());
    const auto request = [&] {
        std::vector<configuration> wanted;
        while (wanted.size() < size) {
            auto c = next();
            if (!c) {
                break;
            }
            wanted.push_back(std::move(*c));
        }
        return wanted;
    };
    std::vector<configuration> current = request();
    p.prefetch(current);
    while (!current.empty() && !p.exhausted()) {
        std::vector<configuration> following = request();
        const std::uint64_t budget = p.remaining();
        const std::uint64_t spare = budget - std::min<std::uint64_t>(budget, current.size());
        p.prefetch(std::span(following).first(std::min<std::uint64_t>(following.size(), spare)));
        p.measure(current);
        current = std::move(following);
    }
}

} // namespace gst
