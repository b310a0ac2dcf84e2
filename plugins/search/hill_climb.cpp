#include "core/api/plugin.hpp"
#include "core/api/search.hpp"
#include "plugins/search/ranks.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <vector>

namespace {

using namespace gst;

/// Which parameters are active: a condition is evaluated once for all configurations with the same values of its
/// parameters.
class activity {
  public:
    explicit activity(const space& all) : all_(all), decides_(all.parameters().size()) {
        for (const parameter& p : all.parameters()) {
            condition one{operands_.size(), operands_.size(), known_.size(), p.active ? how::remembered : how::always};
            std::size_t combinations = 1;
            for (const std::string& name : p.active ? p.active->names() : std::vector<std::string>()) {
                if (all.constants().contains(name)) {
                    continue;
                }
                const std::size_t q = all.index_of(name);
                decides_[q] = true;
                operands_.push_back({q, combinations});
                combinations = std::min(combinations * all.parameters()[q].domain.size(), most + 1);
            }
            if (combinations > most) {
                one.kept = how::evaluated;
            }
            one.end = operands_.size();
            known_.resize(known_.size() + (one.kept == how::remembered ? combinations : 0), answer::unknown);
            conditions_.push_back(one);
        }
    }

    bool of(const configuration& c, std::size_t k) {
        const condition& one = conditions_[k];
        if (one.kept != how::remembered) {
            return one.kept == how::always || all_.is_active(c, k);
        }
        std::size_t at = one.first;
        for (std::size_t i = one.begin; i < one.end; ++i) {
            at += c[operands_[i].parameter] * operands_[i].stride;
        }
        if (known_[at] == answer::unknown) {
            known_[at] = all_.is_active(c, k) ? answer::yes : answer::no;
        }
        return known_[at] == answer::yes;
    }

    /// Whether any condition is about this parameter.
    bool decided_by(std::size_t parameter) const { return decides_[parameter]; }

  private:
    static constexpr std::size_t most = 4096; ///< combinations of values that are remembered of a condition
    enum class how : std::uint8_t { always, remembered, evaluated };
    enum class answer : std::uint8_t { unknown, no, yes };
    struct condition {
        std::size_t begin; ///< of its parameters among the operands
        std::size_t end;
        std::size_t first; ///< of its answers
        how kept;
    };
    struct operand {
        std::size_t parameter;
        std::size_t stride; ///< of its positions among the answers
    };
    // All in a few pieces: between two answers of the device everything here leaves the caches.
    const space& all_;
    std::vector<condition> conditions_;
    std::vector<operand> operands_;
    std::vector<answer> known_;
    std::vector<bool> decides_;
};

/// The steps of a climb through a space: positions in the domains, lowest first.
class slope {
  public:
    explicit slope(const space& all) : all_(all), neutral_(all.neutral()), active_(all) {
        for (const parameter& p : all.parameters()) {
            sizes_.push_back(p.domain.size());
        }
    }

    /// All parameters at their minimum, inactive ones neutral. Where that is not valid: the first configuration of the
    /// space, its parameters lowered one at a time for as long as one goes lower alone. The space is not empty.
    configuration lowest() {
        configuration c(neutral_.size(), 0);
        settle(c);
        return all_.contains(c) ? c : lowered(all_.at(0));
    }

    /// c with parameter k one step higher; where that is not valid, with one other parameter raised as little as it
    /// takes (a choice may need a value that only it allows); where that is not valid either, k at its next higher
    /// value that is. Parameters that the raise makes inactive become neutral. Nothing when k is at its maximum.
    std::optional<configuration> raised(const configuration& c, std::size_t k) {
        if (c[k] + std::size_t{1} >= sizes_[k] || !active_.of(c, k)) {
            return std::nullopt;
        }
        for (std::size_t position = c[k] + std::size_t{1}; position < sizes_[k]; ++position) {
            configuration up = c;
            up[k] = static_cast<std::uint16_t>(position);
            if (active_.decided_by(k)) {
                settle(up);
            }
            if (all_.contains(up) || (position == c[k] + std::size_t{1} && raise_another(up, k))) {
                return up;
            }
        }
        return std::nullopt;
    }

  private:
    /// Sets inactive parameters to neutral, which may make others inactive.
    void settle(configuration& c) {
        for (bool changed = true; changed;) {
            changed = false;
            for (std::size_t k = 0; k < c.size(); ++k) {
                if (c[k] != neutral_[k] && !active_.of(c, k)) {
                    c[k] = neutral_[k];
                    changed = true;
                }
            }
        }
    }

    /// Raises one other parameter than k by as few steps as make c valid, the first of those that take as few. Whether
    /// there is one.
    bool raise_another(configuration& c, std::size_t k) const {
        std::optional<configuration> lowest;
        int fewest = std::numeric_limits<int>::max();
        for (configuration& valid : all_.neighbours(c)) {
            const auto other = static_cast<std::size_t>(std::ranges::mismatch(valid, c).in1 - valid.begin());
            const int steps = valid[other] - c[other];
            if (other != k && steps > 0 && steps < fewest) {
                lowest = std::move(valid);
                fewest = steps;
            }
        }
        if (lowest) {
            c = std::move(*lowest);
        }
        return lowest.has_value();
    }

    configuration lowered(configuration c) const {
        for (bool lower = true; lower;) {
            lower = false;
            for (std::size_t k = 0; k < c.size(); ++k) {
                for (std::uint16_t position = 0; position < c[k]; ++position) {
                    configuration down = c;
                    down[k] = position;
                    if (all_.contains(down)) {
                        c = down;
                        lower = true;
                    }
                }
            }
        }
        return c;
    }

    const space& all_;
    configuration neutral_;
    activity active_;
    std::vector<std::size_t> sizes_; ///< of the domains
};

/// G-ADAPT+'s hill climbing (papers.md §3): from all-minimum, raise each of the K parameters by one step in turn and
/// move to the best of the K, even if it is slower. Parameters at their maximum drop out; the climb ends when all have.
/// The answer is the best ever visited.
///
/// Ours: a climb also ends where every raise fails to run. While budget is left, new climbs start from random points.
class hill_climb : public search {
  public:
    explicit hill_climb(const plugin_options& options) : restart_(options.boolean("restart")) {}

    void run(problem& p) override {
        if (p.space().count() == 0) {
            return;
        }
        slope up(p.space());
        climb(p, up, up.lowest());
        ranks starts(p.space().count());
        while (restart_ && !p.exhausted() && starts.left() > 0) {
            const configuration start = p.space().at(starts.draw(p.rng()));
            if (!p.known(start)) {
                climb(p, up, start);
            }
        }
    }

  private:
    void climb(problem& p, slope& up, configuration at) {
        p.trace("climb from " + p.space().to_string(at));
        p.measure(at);
        std::set<configuration> path{at};
        while (!p.exhausted()) {
            std::vector<configuration> raises;
            for (std::size_t k = 0; k < at.size(); ++k) {
                std::optional<configuration> c = up.raised(at, k);
                // Switching may lead back to where the climb has been.
                if (c && !path.contains(*c)) {
                    raises.push_back(std::move(*c));
                }
            }
            const std::optional<std::size_t> best = fastest(p.measure(raises));
            if (!best && p.exhausted()) {
                return;
            }
            if (!best) {
                p.trace(raises.empty() ? "every parameter is at its maximum" : "no raise ran");
                return;
            }
            at = raises[*best];
            path.insert(at);
        }
    }

    static std::optional<std::size_t> fastest(const std::vector<measurement>& all) {
        std::optional<std::size_t> best;
        for (std::size_t i = 0; i < all.size(); ++i) {
            if (all[i].outcome == status::correct && (!best || all[i].time < all[*best].time)) {
                best = i;
            }
        }
        return best;
    }

    bool restart_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"restart", "boolean", "true", nullptr, nullptr, "climb again from random configurations while budget is left"}};
GST_SEARCH_PLUGIN(hill_climb, "hill_climb", "1.0", "raise one parameter at a time, always to the best (G-ADAPT+)");
