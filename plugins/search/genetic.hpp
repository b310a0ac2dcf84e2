#pragma once

#include "core/api/plugin.hpp"
#include "plugins/search/offspring.hpp"
#include "plugins/search/technique.hpp"

namespace gst {

struct genetic_settings {
    std::size_t populations;
    std::size_t size;       ///< individuals of a population
    double crossover;       ///< probability that an individual has two parents
    double mutation;        ///< probability that a parameter takes a random value
    std::size_t tournament; ///< individuals of which the fastest becomes a parent
    std::size_t migration;  ///< generations until the best of each population goes to the next one

    /// From options of these names, with a prefix.
    explicit genetic_settings(const plugin_options& o, const std::string& prefix = "")
        : populations(static_cast<std::size_t>(o.integer(prefix + "populations"))),
          size(static_cast<std::size_t>(o.integer(prefix + "size"))), crossover(o.real(prefix + "crossover")),
          mutation(o.real(prefix + "mutation")), tournament(static_cast<std::size_t>(o.integer(prefix + "tournament"))),
          migration(static_cast<std::size_t>(o.integer(prefix + "migration"))) {}
};

/// A genetic algorithm with sub-populations, the one that GeST's comparison gives OpenTuner and GSTuner (GeST §4.1).
/// Ours, where the paper is silent: parents win tournaments, crossover is uniform, the best of a population survives
/// (elitism), children outside the space move to the nearest valid configuration.
class genetic : public technique {
  public:
    genetic(problem& p, unseen& fresh, const genetic_settings& how)
        : problem_(p), fresh_(fresh), how_(how), populations_(how.populations) {}

    std::vector<configuration> ask(std::size_t most) override {
        const std::vector<candidate>& parents = populations_[current_];
        const std::size_t wanted = std::min(most, how_.size - next_.size());
        if (parents.empty()) {
            return fresh_.next(wanted);
        }
        std::vector<configuration> children;
        while (children.size() < wanted) {
            children.push_back(child_of(parents));
        }
        return children;
    }

    void tell(const candidate& c) override {
        next_.push_back(c);
        if (next_.size() == how_.size) {
            finish_generation();
        }
    }

    void restart() override {
        populations_.assign(how_.populations, {});
        next_.clear();
        current_ = 0;
        generation_ = 0;
    }

    /// The first individuals of the populations, dealt in turn, instead of random ones.
    void begin_with(const std::vector<candidate>& all) {
        restart();
        for (std::size_t i = 0; i < all.size() && i < how_.populations * how_.size; ++i) {
            populations_[i % how_.populations].push_back(all[i]);
        }
    }

  private:
    void finish_generation() {
        std::vector<candidate>& population = populations_[current_];
        if (!population.empty()) {
            const candidate elite = *std::min_element(population.begin(), population.end());
            *std::max_element(next_.begin(), next_.end()) = elite;
        }
        population = std::exchange(next_, {});
        current_ = (current_ + 1) % how_.populations;
        if (current_ == 0 && ++generation_ % how_.migration == 0) {
            migrate();
        }
    }

    /// The best of each population replaces the worst of the next one.
    void migrate() {
        std::vector<candidate> best;
        for (const std::vector<candidate>& population : populations_) {
            best.push_back(*std::min_element(population.begin(), population.end()));
        }
        for (std::size_t i = 0; i < best.size(); ++i) {
            std::vector<candidate>& to = populations_[(i + 1) % best.size()];
            *std::max_element(to.begin(), to.end()) = best[i];
        }
    }

    const configuration& winner_of(const std::vector<candidate>& all) {
        const candidate* best = &all[problem_.rng().below(all.size())];
        for (std::size_t i = 1; i < how_.tournament; ++i) {
            best = std::min(best, &all[problem_.rng().below(all.size())],
                            [](const candidate* a, const candidate* b) { return *a < *b; });
        }
        return best->which;
    }

    configuration child_of(const std::vector<candidate>& parents) {
        const configuration& one = winner_of(parents);
        const configuration* other = problem_.rng().uniform() < how_.crossover ? &winner_of(parents) : nullptr;
        const configuration child = offspring(problem_, one, other, how_.mutation);
        return problem_.space().contains(child) ? child : problem_.space().nearest(child);
    }

    problem& problem_;
    unseen& fresh_;
    genetic_settings how_;
    std::vector<std::vector<candidate>> populations_; ///< empty: not born yet
    std::vector<candidate> next_;                     ///< the next generation of the current population
    std::size_t current_ = 0;
    std::size_t generation_ = 0;
};

} // namespace gst
