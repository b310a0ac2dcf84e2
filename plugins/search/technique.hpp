#pragma once

#include "core/api/search.hpp"
#include "plugins/search/unseen.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace gst {

/// What a strategy minimises: ms per step, infinite for a configuration that fails.
inline double cost_of(const measurement& m) {
    return m.outcome == status::correct ? m.time : std::numeric_limits<double>::infinity();
}

struct candidate {
    configuration which;
    double cost = std::numeric_limits<double>::infinity();
    bool operator<(const candidate& other) const { return cost < other.cost; }
};

/// A search technique that proposes and is told, one step at a time: alone it is a strategy (run_alone), several of
/// them take turns in `ensemble`.
class technique {
  public:
    virtual ~technique() = default;
    /// Up to `most` (at least 1) valid configurations that it wants to know next, some of them perhaps known; none when
    /// every configuration is.
    virtual std::vector<configuration> ask(std::size_t most) = 0;
    /// The cost of what it asked for, in the order of asking.
    virtual void tell(const candidate& c) = 0;
    /// Forgets where it is and begins at random configurations.
    virtual void restart() = 0;
};

/// Measures; what the budget ended before is left out.
inline std::vector<candidate> measured(problem& p, const std::vector<configuration>& wanted) {
    const std::vector<measurement> results = p.measure(wanted);
    std::vector<candidate> out;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (results[i].outcome != status::not_run) {
            out.push_back({wanted[i], cost_of(results[i])});
        }
    }
    return out;
}

/// One turn: asks, measures and tells. False when nothing was asked for or the budget has ended.
inline bool take_turn(problem& p, technique& t, std::size_t most) {
    const std::vector<configuration> asked = t.ask(most);
    const std::vector<candidate> known = measured(p, asked);
    for (const candidate& c : known) {
        t.tell(c);
    }
    return !asked.empty() && known.size() == asked.size();
}

/// Turns of up to `most` configurations until the budget is spent or every configuration is known. After `patience`
/// turns in a row that measured nothing new, the technique begins anew.
inline void run_alone(problem& p, technique& t, std::size_t most, std::uint64_t patience) {
    std::uint64_t fruitless = 0;
    while (!p.exhausted()) {
        const std::uint64_t before = p.evaluations();
        if (!take_turn(p, t, most)) {
            return;
        }
        fruitless = p.evaluations() == before ? fruitless + 1 : 0;
        if (fruitless == patience) {
            p.trace("nothing new: it begins anew");
            t.restart();
            fruitless = 0;
        }
    }
}

/// Another value of one parameter, both at random, if that is valid; else c itself.
inline configuration with_another_value(const space& s, configuration c, random_source& rng) {
    // Most changes of one parameter are valid; what is tried in vain costs nothing.
    constexpr int attempts = 32;
    for (int attempt = 0; attempt < attempts; ++attempt) {
        const std::size_t p = rng.below(c.size());
        const std::size_t values = s.parameters()[p].domain.size();
        if (values == 1) {
            continue;
        }
        configuration other = c;
        other[p] = static_cast<std::uint16_t>((c[p] + 1 + rng.below(values - 1)) % values);
        if (s.contains(other)) {
            return other;
        }
    }
    return c;
}

} // namespace gst
