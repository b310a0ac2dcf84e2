#pragma once

#include "core/api/search.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

namespace gst {

/// Measures what `next` (a function returning std::optional<configuration>) yields, `size` at a time, and announces the
/// requests that follow, one or as many as make two configurations for each compiler: so that the compilers have work
/// while the device measures, and while one of them is slow.
template<class Next>
void measure_in_requests(problem& p, std::uint64_t size, Next next) {
    std::deque<std::vector<configuration>> requests; // drawn, not measured
    std::uint64_t drawn = 0;                         // configurations of these
    bool more = true;
    const auto draw = [&] {
        std::vector<configuration> wanted;
        while (wanted.size() < size) {
            auto c = next();
            if (!c) {
                more = false;
                break;
            }
            wanted.push_back(std::move(*c));
        }
        if (!wanted.empty()) {
            const std::uint64_t budget = p.remaining();
            const std::uint64_t spare = budget - std::min(budget, drawn);
            p.prefetch(std::span(wanted).first(std::min<std::uint64_t>(wanted.size(), spare)));
            drawn += wanted.size();
            requests.push_back(std::move(wanted));
        }
    };
    draw();
    while (!requests.empty() && !p.exhausted()) {
        while (more && (requests.size() < 2 || drawn - requests.front().size() < 2 * p.parallel())) {
            draw();
        }
        p.measure(requests.front());
        drawn -= requests.front().size();
        requests.pop_front();
    }
}

} // namespace gst
