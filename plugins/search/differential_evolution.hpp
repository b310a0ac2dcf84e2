#pragma once

#include "core/api/plugin.hpp"
#include "plugins/search/technique.hpp"

#include <cmath>

namespace gst {

struct differential_evolution_settings {
    std::size_t size; ///< individuals
    double factor;    ///< weight of the difference of two individuals
    double crossover; ///< probability that a parameter comes from the mutant

    /// From options of these names, with a prefix.
    explicit differential_evolution_settings(const plugin_options& o, const std::string& prefix = "")
        : size(static_cast<std::size_t>(o.integer(prefix + "size"))), factor(o.real(prefix + "factor")),
          crossover(o.real(prefix + "crossover")) {}
};

/// Differential evolution, DE/rand/1/bin (Storn and Price 1997), on the positions of the values in their domains. An
/// individual is replaced by its trial when that is no slower. Where the values of a parameter are no numbers, the
/// mutant takes a random one wherever the two individuals of the difference disagree.
class differential_evolution : public technique {
  public:
    differential_evolution(problem& p, unseen& fresh, const differential_evolution_settings& how)
        : problem_(p), fresh_(fresh), how_(how) {
        for (const parameter& k : p.space().parameters()) {
            ordered_.push_back(is_ordered(k));
        }
    }

    std::vector<configuration> ask(std::size_t most) override {
        if (population_.size() < how_.size) {
            std::vector<configuration> born = fresh_.next(std::min(most, how_.size - population_.size()));
            if (!born.empty() || population_.size() < 4) {
                return born;
            }
        }
        std::vector<configuration> trials;
        while (trials.size() < std::min(most, population_.size())) {
            trials.push_back(trial_of((target_ + trials.size()) % population_.size()));
        }
        evolving_ = true;
        return trials;
    }

    void tell(const candidate& c) override {
        if (!evolving_) {
            population_.push_back(c);
            return;
        }
        candidate& target = population_[target_];
        if (c.cost <= target.cost) {
            target = c;
        }
        target_ = (target_ + 1) % population_.size();
    }

    void restart() override {
        population_.clear();
        target_ = 0;
        evolving_ = false;
    }

  private:
    configuration trial_of(std::size_t target) {
        random_source& rng = problem_.rng();
        std::size_t others[3];
        for (std::size_t i = 0; i < 3; ++i) {
            do {
                others[i] = rng.below(population_.size());
            } while (others[i] == target || std::find(others, others + i, others[i]) != others + i);
        }
        const configuration& a = population_[others[0]].which;
        const configuration& b = population_[others[1]].which;
        const configuration& c = population_[others[2]].which;
        configuration trial = population_[target].which;
        const std::size_t always = rng.below(trial.size()); // at least one parameter comes from the mutant
        for (std::size_t k = 0; k < trial.size(); ++k) {
            if (k != always && rng.uniform() >= how_.crossover) {
                continue;
            }
            const std::size_t values = problem_.space().parameters()[k].domain.size();
            if (ordered_[k]) {
                const double mutant = std::round(a[k] + how_.factor * (b[k] - c[k]));
                trial[k] = static_cast<std::uint16_t>(std::clamp(mutant, 0.0, static_cast<double>(values - 1)));
            } else {
                trial[k] = b[k] == c[k] ? a[k] : static_cast<std::uint16_t>(rng.below(values));
            }
        }
        return problem_.space().contains(trial) ? trial : problem_.space().nearest(trial);
    }

    problem& problem_;
    unseen& fresh_;
    differential_evolution_settings how_;
    std::vector<bool> ordered_;
    std::vector<candidate> population_;
    std::size_t target_ = 0; ///< whose trial is told next
    bool evolving_ = false;
};

} // namespace gst
