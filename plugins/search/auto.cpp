#include "core/api/plugin.hpp"
#include "plugins/search/offspring.hpp"
#include "plugins/search/surrogate.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace {

using namespace gst;

/// gst's own strategy, which no paper has: Bayesian optimization. A Gaussian process over the configurations seen says
/// of others how much faster than the best they are to be expected; those that promise most are measured next. They are
/// looked for among random ones, the neighbours of the fastest and their children (of one or two of them, with some
/// parameters changed); every few picks one comes from around the fastest alone. Without a performance model the
/// untuned configuration, the valid one nearest to neutral, and its neighbours are always looked at as well, and while
/// they are fast a few picks come from there alone: the processes, who see few of them, may be slow to believe it.
/// Where the host has a model, be it gst's own or that of [predictor], it picks the first ones and most of the random
/// ones among many, and what it expects is one more coordinate: the processes learn how far it is to be trusted. Three
/// processes that learn different things of the times take turns: where one is blind, another is not. Requests grow
/// with what is known, so that the models cost little where many are measured. One compiler has a configuration to
/// compile while the processes learn and pick. Where several work, two for each are open at any time, at least eight,
/// and new ones are picked when half of them are measured, in the order in which they are compiled: none waits for a
/// slow one. In a large space processes end in one corner of it: where nothing faster has been found for a while,
/// another course begins, which knows nothing of those before it: what they left open is measured and not learned from.
class auto_search : public search {
  public:
    explicit auto_search(const plugin_options& o)
        : first_(static_cast<std::size_t>(o.integer("first"))), random_(static_cast<std::size_t>(o.integer("random"))),
          promising_(static_cast<std::size_t>(o.integer("promising"))),
          centres_(static_cast<std::size_t>(o.integer("centres"))),
          local_(static_cast<std::size_t>(o.integer("local"))),
          patience_(static_cast<std::size_t>(o.integer("patience"))),
          children_(static_cast<std::size_t>(o.integer("children"))),
          parents_(static_cast<std::size_t>(o.integer("parents"))), crossover_(o.real("crossover")),
          changes_(o.real("changes")), untuned_(static_cast<std::size_t>(o.integer("untuned"))),
          quantile_(o.real("quantile")), points_(static_cast<std::size_t>(o.integer("points"))),
          growth_(static_cast<std::size_t>(o.integer("growth"))), pool_(static_cast<std::size_t>(o.integer("pool"))),
          sieve_(static_cast<std::size_t>(o.integer("sieve"))),
          blind_first_(static_cast<std::size_t>(o.integer("blind_first"))),
          blind_(static_cast<std::size_t>(o.integer("blind"))), open_(static_cast<std::uint64_t>(o.integer("open"))),
          renewal_(static_cast<std::size_t>(o.integer("renewal"))),
          samples_(static_cast<std::size_t>(o.integer("samples"))), rare_(o.real("rare")) {}

    void run(problem& p) override {
        if (p.space().count() == 0) {
            return;
        }
        unseen fresh(p);
        std::function<double(const configuration&)> expected; // ms per step, by the host's model
        if (p.estimates()) {
            expected = [&p](const configuration& c) { return p.estimate(c); };
            parts_ = rare_parts(p);
            random_ = promising_;
        } else {
            const configuration untuned = p.space().nearest(p.space().neutral());
            const std::vector<configuration> around = p.space().neighbours(untuned);
            around_untuned_.insert(around.begin(), around.end());
            around_untuned_.insert(untuned);
        }
        std::vector<configuration> open; // not measured yet
        while (search_on(p, fresh, expected, open)) {
        }
    }

  private:
    /// What is known from one beginning to the next.
    struct course {
        std::set<configuration> inherited; ///< open when it began, by the course before it: not learned from
        std::vector<candidate> known;      ///< in the order of measuring
        std::vector<configuration> drawn;  ///< random ones, of the last requests
        std::size_t next = 0;              ///< of drawn
    };

    /// One course. Whether it ends because its patience does: neither the budget nor the space.
    bool search_on(problem& p, unseen& fresh, const std::function<double(const configuration&)>& expected,
                   std::vector<configuration>& open) {
        const std::size_t waiting = p.parallel() > 1 ? std::max(p.parallel(), open_) : p.parallel();
        course now;
        now.inherited.insert(open.begin(), open.end());
        std::vector<configuration> random = beginning(p, fresh, open, std::max<std::size_t>(first_, waiting) + waiting);
        // Not picked by the processes: none of them counts as one that was not faster.
        const std::size_t begun = random.size();
        const std::size_t patience = std::max(patience_, least_patience * waiting);
        std::move(random.begin(), random.end(), std::back_inserter(open));
        measure(p, open, now, std::min(open.size() - std::min(open.size(), first_), waiting));
        surrogate models[] = {{p.space(), surrogate::view::speed, points_, expected},
                              {p.space(), surrogate::view::faster_half, points_, expected},
                              {p.space(), surrogate::view::time, points_, expected}};
        for (std::size_t round = 0; !p.exhausted() && !now.known.empty(); ++round) {
            if (const std::size_t vain = since_faster(now.known, begun); vain > patience) {
                p.trace("begins anew: none of the last " + std::to_string(vain) + " was clearly faster");
                forget_slow_surroundings(now.known);
                return true;
            }
            surrogate& model = models[round % std::size(models)];
            model.learn(now.known);
            const std::size_t most = std::max(1 + now.known.size() / growth_, waiting) + waiting;
            for (configuration& c : picks(p, model, now, open, most - std::min(most, open.size()))) {
                open.push_back(std::move(c));
            }
            if (open.empty()) {
                open = fresh.next(std::size_t{1});
            }
            if (open.empty()) {
                return false;
            }
            measure(p, open, now, std::min(open.size() - 1, waiting));
        }
        measure(p, open, now, 0); // where the beginning of a course found none that is not known or open
        return false;
    }

    /// How many after the first `begun` have been measured since one was clearly faster than the last such one, or than
    /// the first of all.
    static std::size_t since_faster(const std::vector<candidate>& known, std::size_t begun) {
        constexpr double clearly = 0.995;
        std::size_t last = 0;
        for (std::size_t i = 1; i < known.size(); ++i) {
            last = known[i].cost < clearly * known[last].cost ? i : last;
        }
        return known.size() - std::min(known.size(), std::max(last + 1, begun));
    }

    /// The parts of a space in which one of its flags is on that few configurations have: they would hardly be drawn.
    std::vector<space> rare_parts(problem& p) const {
        const std::vector<parameter>& parameters = p.space().parameters();
        std::vector<std::size_t> seen(parameters.size());
        for (std::size_t i = 0; i < samples_; ++i) {
            const configuration c = p.space().sample(p.rng());
            for (std::size_t k = 0; k < parameters.size(); ++k) {
                seen[k] += p.space().get(c, k) == value(true) ? 1 : 0;
            }
        }
        std::map<std::string, space> parts; // by flag
        std::vector<space> out;
        for (std::size_t k = 0; k < parameters.size(); ++k) {
            const parameter& one = parameters[k];
            if (one.domain != std::vector<value>{false, true} ||
                static_cast<double>(seen[k]) > rare_ * static_cast<double>(samples_)) {
                continue;
            }
            const auto outer =
                one.active ? parts.find(one.active->text()) : parts.end(); // a part of which, quickly made
            const space& of = outer == parts.end() ? p.space() : outer->second;
            const space part = of.count() == 0 ? of : of.restricted({{one.name, {value(true)}}});
            parts.emplace(one.name, part);
            if (part.count() > 0) {
                out.push_back(part);
            }
        }
        return out;
    }

    /// A random configuration: of the space or, as often, of one of its rare parts.
    configuration drawn(problem& p) const {
        const bool of_all = parts_.empty() || p.rng().below(2) == 0;
        return (of_all ? p.space() : parts_[p.rng().below(parts_.size())]).sample(p.rng());
    }

    /// The one of so many random ones that the host's model expects to be the fastest.
    configuration promising(problem& p, std::size_t of) const {
        configuration best = drawn(p);
        double least = of > 1 ? p.estimate(best) : 0;
        for (std::size_t i = 1; i < of; ++i) {
            configuration other = drawn(p);
            if (const double time = p.estimate(other); time < least) {
                least = time;
                best = std::move(other);
            }
        }
        return best;
    }

    /// The random configurations of this request. Where the host's model picks them, which takes time, only some are
    /// new.
    void draw(problem& p, course& now) const {
        const std::size_t fresh =
            p.estimates() && !now.drawn.empty() ? std::max<std::size_t>(1, random_ / renewal_) : random_;
        for (std::size_t i = 0; i < fresh && !p.exhausted(); ++i, ++now.next) {
            configuration c = promising(p, p.estimates() && now.next % blind_ != 0 ? sieve_ : 1);
            if (now.drawn.size() < random_) {
                now.drawn.push_back(std::move(c));
            } else {
                now.drawn[now.next % random_] = std::move(c);
            }
        }
    }

    /// What is measured first: so many random configurations that are not open already; where there is a model,
    /// promising ones.
    std::vector<configuration> beginning(problem& p, unseen& fresh, const std::vector<configuration>& open,
                                         std::size_t count) const {
        std::vector<configuration> out;
        std::set<configuration> taken(open.begin(), open.end());
        for (std::size_t tries = 0; p.estimates() && out.size() < count && tries < 2 * count; ++tries) {
            configuration c = promising(p, tries % blind_first_ == blind_first_ - 1 ? 1 : pool_);
            if (!p.known(c) && taken.insert(c).second) {
                out.push_back(std::move(c));
            }
        }
        for (std::optional<configuration> c; out.size() < count && (c = fresh.next());) {
            if (!taken.contains(*c)) {
                out.push_back(std::move(*c));
            }
        }
        return out;
    }

    /// Measures until so many are left open: at once, or as they are compiled. Nothing more once the budget is spent.
    static void measure(problem& p, std::vector<configuration>& open, course& now, std::size_t left) {
        if (p.parallel() == 0) { // none is left by the course before
            const std::vector<candidate> found = measured(p, std::exchange(open, {}));
            now.known.insert(now.known.end(), found.begin(), found.end());
            return;
        }
        while (open.size() > left) {
            const std::optional<problem::answer> one = p.measure_any(open);
            if (!one) {
                return;
            }
            if (!now.inherited.contains(open[one->place])) {
                now.known.push_back({open[one->place], cost_of(one->what)});
            }
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(one->place));
        }
    }

    /// Up to `most` configurations that are neither known nor open, the most promising ones of those around the fastest
    /// and of random ones.
    std::vector<configuration> picks(problem& p, const surrogate& model, course& now,
                                     const std::vector<configuration>& open, std::size_t most) {
        const std::set<configuration> asked(open.begin(), open.end());
        std::set<configuration> all;
        const auto add = [&](configuration c) {
            if (!p.known(c) && !asked.contains(c)) {
                all.insert(std::move(c));
            }
        };
        const std::vector<candidate> fastest = sorted(now.known);
        std::set<configuration> near; // of the fastest that has unknown neighbours
        for (std::size_t i = 0; i < fastest.size() && (i < centres_ || all.empty()); ++i) {
            for (configuration& c : p.space().neighbours(fastest[i].which)) {
                add(std::move(c));
            }
            if (near.empty()) {
                near = all;
            }
        }
        for (std::size_t i = 0; i < children_; ++i) {
            configuration c = child_of(p, fastest);
            if (p.space().contains(c)) {
                add(std::move(c));
            }
        }
        draw(p, now);
        for (const configuration& c : now.drawn) {
            add(c);
        }
        for (const configuration& c : around_untuned_) {
            add(c);
        }
        std::vector<std::pair<double, configuration>> ranked; // most promising first
        for (const configuration& c : all) {
            ranked.emplace_back(-model.improvement(c), c);
        }
        std::sort(ranked.begin(), ranked.end());
        const auto first_of = [&](const std::set<configuration>& some) {
            return std::find_if(ranked.begin(), ranked.end(), [&](const auto& r) { return some.contains(r.second); });
        };
        const bool untuned_pays = near_untuned_pays(fastest);
        std::vector<configuration> out;
        for (; out.size() < most && !ranked.empty(); ++turn_) {
            auto next = ranked.end();
            if (untuned_pays && turn_ % untuned_ == untuned_ - 1) {
                next = first_of(around_untuned_);
            } else if (local_ > 0 && turn_ % local_ == local_ - 1) {
                next = first_of(near);
            }
            if (next == ranked.end()) {
                next = ranked.begin();
            }
            out.push_back(std::move(next->second));
            ranked.erase(next);
        }
        return out;
    }

    static std::vector<candidate> sorted(std::vector<candidate> known) {
        std::stable_sort(known.begin(), known.end());
        return known;
    }

    /// Of one or two of the fastest (fastest first), the faster ones more often. Perhaps not in the space.
    configuration child_of(problem& p, const std::vector<candidate>& fastest) const {
        random_source& rng = p.rng();
        const std::size_t parents = std::min(parents_, fastest.size());
        const auto parent = [&] { return &fastest[std::min(rng.below(parents), rng.below(parents))].which; };
        const configuration* one = parent();
        const configuration* other = rng.uniform() < crossover_ ? parent() : nullptr;
        return offspring(p, *one, other, changes_ / static_cast<double>(one->size()));
    }

    /// Whether one from around the untuned configuration is among the fastest of those known, fastest first, or none
    /// of them is known yet.
    bool near_untuned_pays(const std::vector<candidate>& fastest) const {
        const auto first = std::find_if(fastest.begin(), fastest.end(),
                                        [&](const candidate& c) { return around_untuned_.contains(c.which); });
        return !around_untuned_.empty() &&
               (first == fastest.end() ||
                static_cast<double>(first - fastest.begin()) < quantile_ * static_cast<double>(fastest.size()));
    }

    /// A course that has found the surroundings of the untuned configuration slow spares the following ones from
    /// trying.
    void forget_slow_surroundings(const std::vector<candidate>& known) {
        if (!near_untuned_pays(sorted(known))) {
            around_untuned_.clear();
        }
    }

    static constexpr std::size_t least_patience = 4; ///< times those that wait: some picks must have been measured

    std::size_t first_;
    std::size_t random_; ///< where there is a model: promising_
    std::size_t promising_;
    std::size_t centres_;
    std::size_t local_;
    std::size_t patience_;
    std::size_t children_;
    std::size_t parents_;
    double crossover_;
    double changes_;
    std::size_t untuned_;
    double quantile_;
    std::size_t points_;
    std::size_t growth_;
    std::size_t pool_;
    std::size_t sieve_;
    std::size_t blind_first_;
    std::size_t blind_;
    std::uint64_t open_;
    std::size_t renewal_;
    std::size_t samples_;
    double rare_;
    std::size_t turn_ = 0;
    std::vector<space> parts_;               ///< where there is a model
    std::set<configuration> around_untuned_; ///< where there is none: the untuned configuration and its neighbours
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"first", "integer", "5", "1", "65536", "configurations before the processes learn"},
    {"random", "integer", "300", "1", "1000000", "random configurations that the processes look at for each request"},
    {"promising", "integer", "150", "1", "1000000", "the same, instead of them, where the host's model picks them"},
    {"centres", "integer", "6", "1", "65536", "fastest configurations whose neighbours it looks at"},
    {"local", "integer", "8", "0", "65536", "every so many picks one is a neighbour of the fastest; 0: none is"},
    {"patience", "integer", "150", "1", "1000000000",
     "a course ends, and another begins, when more picks in a row than these (or, with many compilers, than four times "
     "those that wait) were not clearly faster"},
    {"children", "integer", "100", "0", "1000000",
     "children of the fastest that the processes look at for each request"},
    {"parents", "integer", "24", "1", "65536", "of so many of the fastest"},
    {"crossover", "real", "0.5", "0", "1", "probability that a child has two parents"},
    {"changes", "real", "2", "0", "100", "parameters of a child that take a random value, on average"},
    {"untuned", "integer", "5", "1", "1000000", "every so many picks one is of around the untuned configuration"},
    {"quantile", "real", "0.25", "0", "1", "while one of them belongs to this share of those known, the fastest ones"},
    {"points", "integer", "160", "4", "10000", "configurations that the model learns from at once"},
    {"growth", "integer", "50", "1", "1000000", "known configurations by which a request gets one larger"},
    {"pool", "integer", "64", "1", "65536", "of so many random ones the host's model picks each of the first ones"},
    {"sieve", "integer", "16", "1", "65536", "of so many random ones the host's model picks one for the processes"},
    {"blind_first", "integer", "4", "1", "1000000", "every so many of the first ones the host's model has no say in"},
    {"blind", "integer", "10", "1", "1000000", "every so many of the random ones later it has no say in"},
    {"open", "integer", "4", "1", "65536",
     "least configurations that wait to be measured where several compilers work"},
    {"renewal", "integer", "4", "1", "1000000",
     "requests after which all random configurations that the host's model picks are others"},
    {"samples", "integer", "200", "1", "1000000", "random configurations that tell which flags are rare"},
    {"rare", "real", "0.05", "0", "1", "share of them up to which a flag is rare"}};
GST_SEARCH_PLUGIN(auto_search, "auto", "1.0", "gst's own: a model of what is known picks what is measured next");
