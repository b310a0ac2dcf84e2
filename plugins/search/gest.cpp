#include "plugins/search/gest.hpp"

#include "core/api/plugin.hpp"
#include "plugins/search/levels.hpp"
#include "plugins/search/technique.hpp"

#include <cmath>
#include <set>

namespace {

using namespace gst;
using gest::correlation;
using gest::group;

/// σ/μ of the levels of b in the best sample for each value of a; nothing where all are the same: they say nothing of
/// a.
std::optional<double> variation(const space& s, const std::vector<candidate>& samples, std::size_t a, std::size_t b) {
    std::map<std::uint16_t, const candidate*> best;
    for (const candidate& c : samples) {
        const candidate*& held = best[c.which[a]];
        held = held == nullptr || c.cost < held->cost ? &c : held;
    }
    std::vector<double> levels;
    for (const auto& [position, c] : best) {
        levels.push_back(level(s.parameters()[b], c->which[b]));
    }
    if (std::set<double>(levels.begin(), levels.end()).size() < 2) {
        return std::nullopt;
    }
    double mean = 0;
    for (const double l : levels) {
        mean += l / static_cast<double>(levels.size());
    }
    double variance = 0;
    for (const double l : levels) {
        variance += (l - mean) * (l - mean) / static_cast<double>(levels.size());
    }
    return std::sqrt(variance) / mean;
}

/// The pairs of these parameters. Ours (papers.md §2 says why): the best *sampled* setting per value stands for the one
/// that is best with all else fixed; both directions count.
std::vector<correlation> correlations(const space& s, const std::vector<candidate>& samples, const group& among) {
    std::vector<correlation> pairs;
    for (std::size_t i = 0; i < among.size(); ++i) {
        for (std::size_t j = i + 1; j < among.size(); ++j) {
            const std::optional<double> there = variation(s, samples, among[i], among[j]);
            const std::optional<double> back = variation(s, samples, among[j], among[i]);
            if (there && back) {
                pairs.push_back({among[i], among[j], (*there + *back) / 2});
            }
        }
    }
    return pairs;
}

/// The valid settings that differ from one in a group only, drawn without replacement.
class surroundings {
  public:
    surroundings(const space& all, const configuration& centre, const group& free)
        : part_(all.around(centre, only(free, centre.size()))), ranks_(part_.count()) {}

    std::uint64_t count() const { return part_.count(); }

    std::vector<configuration> draw(problem& p, std::size_t most) {
        std::vector<configuration> drawn;
        while (drawn.size() < most && ranks_.left() > 0) {
            configuration c = part_.at(ranks_.draw(p.rng()));
            if (!p.known(c)) {
                drawn.push_back(std::move(c));
            }
        }
        return drawn;
    }

  private:
    static std::vector<bool> only(const group& free, std::size_t parameters) {
        std::vector<bool> is_free(parameters);
        for (const std::size_t k : free) {
            is_free[k] = true;
        }
        return is_free;
    }

    space part_;
    ranks ranks_;
};

/// GeST: groups of parameters from a few random samples, then sampling group by group with a quota that moves to the
/// groups that help (Algorithms 1 and 2).
///
/// Ours: when nothing is unseen around the best in any group, a new data set gives new groups and a new best to go on
/// from, until the budget is spent.
class gest_search : public search {
  public:
    explicit gest_search(const plugin_options& o)
        : samples_(static_cast<std::size_t>(o.integer("samples"))),
          groups_(static_cast<std::size_t>(o.integer("groups"))), iteration_(o.real("iteration")),
          step_(o.real("step")), least_(o.real("least")), restart_(o.boolean("restart")) {}

    void run(problem& p) override {
        unseen fresh(p);
        do {
            p.stage("sampling");
            const std::vector<candidate> data = measured(p, fresh.next(samples_));
            if (data.empty()) {
                return;
            }
            p.stage("grouping");
            const std::vector<group> groups = parameter_groups(p, data);
            p.stage("sampling");
            sample(p, *std::min_element(data.begin(), data.end()), groups);
        } while (restart_ && !p.exhausted());
    }

  private:
    std::vector<group> parameter_groups(problem& p, const std::vector<candidate>& data) const {
        std::vector<candidate> correct;
        std::copy_if(data.begin(), data.end(), std::back_inserter(correct),
                     [](const candidate& c) { return std::isfinite(c.cost); });
        group threads;
        group merging;
        group others;
        group all;
        for (std::size_t k = 0; k < p.space().parameters().size(); ++k) {
            const role purpose = p.space().parameters()[k].purpose;
            (purpose == role::thread_block                                   ? threads
             : purpose == role::block_merge || purpose == role::cyclic_merge ? merging
                                                                             : others)
                .push_back(k);
            all.push_back(k);
        }
        std::vector<group> groups;
        for (const group& g : {threads, merging}) {
            if (!g.empty()) {
                groups.push_back(g);
            }
        }
        groups = gest::grouped(all, std::move(groups), correlations(p.space(), correct, others), groups_);
        for (const group& g : groups) {
            std::string line = "group:";
            for (const std::size_t k : g) {
                line += " " + p.space().parameters()[k].name;
            }
            p.trace(line);
        }
        return groups;
    }

    /// Algorithm 2 from `best` on, until nothing unseen is left in any group.
    void sample(problem& p, candidate best, const std::vector<group>& groups) const {
        std::vector<std::optional<surroundings>> around(groups.size());
        std::vector<double> combinations;
        for (std::size_t g = 0; g < groups.size(); ++g) {
            around[g].emplace(p.space(), best.which, groups[g]);
            combinations.push_back(static_cast<double>(around[g]->count()));
        }
        std::vector<double> ratios = gest::first_ratios(combinations, least_);
        for (bool found = true; found && !p.exhausted();) {
            found = false;
            std::vector<bool> improved(groups.size());
            for (std::size_t g = 0; g < groups.size(); ++g) {
                if (!around[g]) {
                    around[g].emplace(p.space(), best.which, groups[g]);
                }
                const double share = std::max(1.0, std::round(iteration_ * ratios[g]));
                const std::vector<candidate> results = measured(p, around[g]->draw(p, static_cast<std::size_t>(share)));
                found = found || !results.empty();
                const auto fastest = std::min_element(results.begin(), results.end());
                if (fastest != results.end() && fastest->cost < best.cost) {
                    best = *fastest;
                    improved[g] = true;
                    // The others' surroundings move along; its own are the same.
                    for (std::size_t other = 0; other < groups.size(); ++other) {
                        if (other != g) {
                            around[other].reset();
                        }
                    }
                }
            }
            ratios = gest::rewarded(std::move(ratios), improved, step_, least_);
        }
    }

    std::size_t samples_;
    std::size_t groups_;
    double iteration_;
    double step_;
    double least_;
    bool restart_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"samples", "integer", "20", "1", "65536", "random configurations that the groups are made from"},
    {"groups", "integer", "5", "1", "1000", "groups of parameters"},
    {"iteration", "real", "20", "1", "65536", "configurations per iteration over the groups"},
    {"step", "real", "0.1", "0", "1", "AR: what a group without reward gives"},
    {"least", "real", "0.1", "0", "1", "LR: what remains for every group"},
    {"restart", "boolean", "true", nullptr, nullptr, "begin with new samples when nothing is left around the best"}};
GST_SEARCH_PLUGIN(gest_search, "gest", "1.0", "groups of dependent parameters, sampled by quota and reward (GeST)");
