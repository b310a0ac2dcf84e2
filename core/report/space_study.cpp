#include "core/report/space_study.hpp"

#include "core/space/arithmetic.hpp"

#include <algorithm>
#include <set>

namespace gst {

namespace {

/// The positions of the optimization's parameters in this space; of some there may be none.
std::vector<std::size_t> positions_of(const space& s, const optimization& o) {
    std::vector<std::size_t> out;
    for (std::size_t p = 0; p < s.parameters().size(); ++p) {
        const std::string& name = s.parameters()[p].name;
        if (std::find(o.parameters.begin(), o.parameters.end(), name) != o.parameters.end()) {
            out.push_back(p);
        }
    }
    return out;
}

/// The valid configurations that differ from `from` in these parameters only, but for itself.
std::vector<configuration> variations(const space& s, const configuration& from, const std::vector<std::size_t>& free) {
    std::map<std::string, std::vector<value>> fixed;
    for (std::size_t p = 0; p < from.size(); ++p) {
        if (std::find(free.begin(), free.end(), p) == free.end()) {
            fixed[s.parameters()[p].name] = {s.get(from, p)};
        }
    }
    const space part = s.restricted(fixed);
    std::vector<configuration> out;
    for (std::uint64_t rank = 0; rank < part.count(); ++rank) {
        configuration c = part.at(rank);
        if (c != from) {
            out.push_back(std::move(c));
        }
    }
    return out;
}

} // namespace

tuned_alone tune_alone(const space& s, const configuration& start, double start_time,
                       const std::vector<optimization>& optimizations, const times_of& measure) {
    tuned_alone out;
    out.start = start_time;
    configuration together = start;
    for (const optimization& o : optimizations) {
        const std::vector<std::size_t> free = positions_of(s, o);
        if (free.empty()) {
            continue;
        }
        const std::vector<configuration> tried = variations(s, start, free);
        const std::vector<double> times = measure(tried);
        const auto fastest = std::min_element(times.begin(), times.end());
        const bool faster = fastest != times.end() && *fastest < start_time;
        out.alone[o.name] = faster ? *fastest : start_time;
        for (const std::size_t p : free) {
            together[p] = faster ? tried[static_cast<std::size_t>(fastest - times.begin())][p] : start[p];
        }
    }
    if (together == start) {
        out.combined = start_time;
    } else if (s.contains(together)) {
        out.combined = measure({together}).front();
    }
    return out;
}

bool same_parameters(const studied_space& a, const studied_space& b) {
    const auto names = [](const studied_space& s) {
        std::set<std::string> out;
        for (const parameter& p : s.parameters) {
            out.insert(p.name);
        }
        return out;
    };
    return names(a) == names(b);
}

namespace {

/// Whether the parameter has two values in one of the spaces.
bool is_tunable(const std::string& name, const std::vector<studied_space>& spaces) {
    return std::any_of(spaces.begin(), spaces.end(), [&](const studied_space& s) {
        return std::any_of(s.parameters.begin(), s.parameters.end(),
                           [&](const parameter& p) { return p.name == name && p.domain.size() > 1; });
    });
}

/// Numbers in ascending order; texts and booleans as they come.
void add_value(value_counts& to, const value& v, std::uint64_t times) {
    const auto found =
        std::find_if(to.counts.begin(), to.counts.end(), [&](const auto& one) { return same(one.first, v); });
    if (found != to.counts.end()) {
        found->second += times;
        return;
    }
    const auto is_number = [](const value& x) {
        return std::holds_alternative<std::int64_t>(x) || std::holds_alternative<double>(x);
    };
    const auto place = std::find_if(to.counts.begin(), to.counts.end(), [&](const auto& one) {
        return is_number(v) && is_number(one.first) && number(v) < number(one.first);
    });
    to.counts.insert(place, {v, times});
}

} // namespace

std::vector<optimization> all_optimizations(std::vector<optimization> named, const std::vector<studied_space>& spaces) {
    std::set<std::string> known;
    for (const optimization& o : named) {
        known.insert(o.parameters.begin(), o.parameters.end());
    }
    for (const studied_space& s : spaces) {
        for (const parameter& p : s.parameters) {
            if (is_tunable(p.name, spaces) && known.insert(p.name).second) {
                named.push_back({p.name, {p.name}});
            }
        }
    }
    return named;
}

std::vector<value_counts> best_values(const space_study& s) {
    std::vector<value_counts> out;
    for (const studied_space& space : s.spaces) {
        for (const parameter& p : space.parameters) {
            if (!is_tunable(p.name, s.spaces)) {
                continue;
            }
            auto counts =
                std::find_if(out.begin(), out.end(), [&](const value_counts& one) { return one.parameter == p.name; });
            if (counts == out.end()) {
                counts = out.insert(out.end(), {p.name, {}});
            }
            const auto best = std::find_if(space.best.begin(), space.best.end(),
                                           [&](const auto& named) { return named.first == p.name; });
            for (const value& v : p.domain) {
                add_value(*counts, v, same(v, best->second) ? 1 : 0);
            }
        }
    }
    return out;
}

std::vector<double> speedup_shares(const std::vector<double>& speedups) {
    std::vector<double> shares(speedup_bins);
    for (const double s : speedups) {
        const auto bin = s == 0 ? 0 : std::min<std::size_t>(1 + static_cast<std::size_t>(s * 10), speedup_bins - 1);
        shares[bin] += 1 / static_cast<double>(speedups.size());
    }
    return shares;
}

std::vector<double> speedups_of_all(const studied_space& s) {
    std::vector<double> out(s.failed);
    for (const double t : s.times) {
        out.push_back(s.optimum / t);
    }
    return out;
}

std::vector<double> speedups_of_combined(const studied_space& s) {
    std::vector<double> out;
    for (const tuned_alone& a : s.alone) {
        out.push_back(a.start / a.combined);
    }
    return out;
}

std::vector<double> speedups_elsewhere(const space_study& s, std::size_t space) {
    std::vector<double> out;
    for (std::size_t other = 0; other < s.spaces.size(); ++other) {
        if (other != space && s.portability[space][other]) {
            out.push_back(*s.portability[space][other]);
        }
    }
    return out;
}

} // namespace gst
