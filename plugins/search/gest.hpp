#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <utility>
#include <vector>

/// The two algorithms of GeST (§3.2, §3.3) as rules on plain values.
namespace gst::gest {

/// Two parameters and the coefficient of variation between them: the lower it is, the stronger do they depend on each
/// other.
struct correlation {
    std::size_t a;
    std::size_t b;
    double variation;
};

using group = std::vector<std::size_t>;

/// The group that holds the parameter; groups.size() when none does.
inline std::size_t group_of(const std::vector<group>& groups, std::size_t parameter) {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const group& g) {
        return std::find(g.begin(), g.end(), parameter) != g.end();
    });
    return static_cast<std::size_t>(found - groups.begin());
}

/// Algorithm 1: groups `parameters` (numbers of parameters) into at most `most` groups, the initial ones among them.
/// The weakest pairs open groups, the strongest fill them.
/// Ours: where there is no group at the end, the first parameter left over opens one.
inline std::vector<group> grouped(const std::vector<std::size_t>& parameters, std::vector<group> groups,
                                  std::vector<correlation> pairs, std::size_t most) {
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const correlation& x, const correlation& y) { return x.variation < y.variation; });
    std::deque<correlation> ascending(pairs.begin(), pairs.end());
    const auto is_grouped = [&](std::size_t p) { return group_of(groups, p) < groups.size(); };
    while (!ascending.empty() && groups.size() < most) {
        const correlation weakest = ascending.back();
        ascending.pop_back();
        for (const std::size_t p : {weakest.a, weakest.b}) {
            if (groups.size() < most && !is_grouped(p)) {
                groups.push_back({p});
            }
        }
    }
    while (!ascending.empty()) {
        const correlation strongest = ascending.front();
        ascending.pop_front();
        if (is_grouped(strongest.a) && !is_grouped(strongest.b)) {
            groups[group_of(groups, strongest.a)].push_back(strongest.b);
        } else if (is_grouped(strongest.b) && !is_grouped(strongest.a)) {
            groups[group_of(groups, strongest.b)].push_back(strongest.a);
        }
    }
    for (const std::size_t p : parameters) {
        if (is_grouped(p)) {
            continue;
        }
        if (groups.empty()) {
            groups.emplace_back();
        }
        std::min_element(groups.begin(), groups.end(), [](const group& x, const group& y) {
            return x.size() < y.size();
        })->push_back(p);
    }
    return groups;
}

/// The first ratios of the groups: in proportion to how many combinations they have, none under `least` (ours: groups
/// of booleans would starve), and their sum is 1.
inline std::vector<double> first_ratios(const std::vector<double>& combinations, double least) {
    double all = 0;
    for (const double n : combinations) {
        all += n;
    }
    double sum = 0;
    std::vector<double> ratios;
    for (const double n : combinations) {
        ratios.push_back(std::max(least, n / all));
        sum += ratios.back();
    }
    for (double& r : ratios) {
        r /= sum;
    }
    return ratios;
}

/// The reward of Algorithm 2, lines 15–27: each group that did not improve the best gives `step` if `least` remains,
/// and those that did share equally what the others leave. Ours: without any that did, nothing changes.
inline std::vector<double> rewarded(std::vector<double> ratios, const std::vector<bool>& improved, double step,
                                    double least) {
    const auto winners = std::count(improved.begin(), improved.end(), true);
    if (winners == 0) {
        return ratios;
    }
    constexpr double rounding = 1e-9; // 0.2 - 0.1 is still 0.1
    double others = 0;
    for (std::size_t g = 0; g < ratios.size(); ++g) {
        if (!improved[g]) {
            ratios[g] -= ratios[g] + rounding >= least + step ? step : 0;
            others += ratios[g];
        }
    }
    for (std::size_t g = 0; g < ratios.size(); ++g) {
        if (improved[g]) {
            ratios[g] = (1 - others) / static_cast<double>(winners);
        }
    }
    return ratios;
}

} // namespace gst::gest
