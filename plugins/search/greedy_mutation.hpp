#pragma once

#include "plugins/search/technique.hpp"

#include <cmath>

namespace gst {

/// OpenTuner's greedy mutations: the best configuration so far with some parameters changed – to any value (uniform),
/// or to one near by, normally distributed over the positions (normal).
class greedy_mutation : public technique {
  public:
    struct settings {
        bool normal;
        double rate;   ///< probability that a parameter changes; at least one does
        double spread; ///< standard deviation of normal changes, of the length of the domain
    };

    greedy_mutation(problem& p, unseen& fresh, const settings& how) : problem_(p), fresh_(fresh), how_(how) {
        for (const parameter& k : p.space().parameters()) {
            domains_.push_back({k.domain.size(), is_ordered(k)});
        }
    }

    std::vector<configuration> ask(std::size_t most) override {
        if (begins_ || !problem_.best()) {
            begins_ = false;
            return fresh_.next(std::size_t{1});
        }
        std::vector<configuration> mutants;
        while (mutants.size() < most) {
            mutants.push_back(mutant_of(problem_.best()->which));
        }
        return mutants;
    }
    void tell(const candidate&) override {} // the best is the problem's
    void restart() override { begins_ = true; }

  private:
    configuration mutant_of(configuration c) {
        random_source& rng = problem_.rng();
        const std::size_t always = rng.below(c.size());
        for (std::size_t k = 0; k < c.size(); ++k) {
            if (k != always && rng.uniform() >= how_.rate) {
                continue;
            }
            const auto last = static_cast<double>(domains_[k].size - 1);
            if (how_.normal && domains_[k].ordered) {
                const double moved = std::round(c[k] + rng.normal() * std::max(1.0, how_.spread * last));
                c[k] = static_cast<std::uint16_t>(std::clamp(moved, 0.0, last));
            } else {
                c[k] = static_cast<std::uint16_t>(rng.below(domains_[k].size));
            }
        }
        return problem_.space().contains(c) ? c : problem_.space().nearest(c);
    }

    problem& problem_;
    unseen& fresh_;
    settings how_;
    struct domain {
        std::size_t size;
        bool ordered;
    };
    std::vector<domain> domains_;
    bool begins_ = true;
};

} // namespace gst
