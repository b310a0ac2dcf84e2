#pragma once

#include "core/api/plugin.hpp"
#include "plugins/search/technique.hpp"

#include <cmath>

namespace gst {

struct annealing_settings {
    double temperature; ///< at the beginning: a relative slow-down that is accepted with probability 1/e
    double cooling;     ///< the temperature of a step by that of the step before
    double coldest;     ///< below it the next walk begins

    /// From options of these names, with a prefix.
    explicit annealing_settings(const plugin_options& o, const std::string& prefix = "")
        : temperature(o.real(prefix + "temperature")), cooling(o.real(prefix + "cooling")),
          coldest(o.real(prefix + "coldest")) {}
};

/// Simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983): a walk over configurations that differ in one parameter,
/// in which a step that is slower by a fraction d is taken with probability exp(-d / temperature). A walk that has
/// cooled down is followed by another one from a random configuration.
class annealing : public technique {
  public:
    annealing(problem& p, unseen& fresh, const annealing_settings& how)
        : problem_(p), fresh_(fresh), how_(how), temperature_(how.temperature) {}

    std::vector<configuration> ask(std::size_t) override {
        if (!walking_) {
            return fresh_.next(std::size_t{1});
        }
        return {with_another_value(problem_.space(), at_.which, problem_.rng())};
    }

    void tell(const candidate& c) override {
        if (!walking_ || accepts(c.cost)) {
            at_ = c;
        }
        walking_ = true;
        temperature_ *= how_.cooling;
        if (temperature_ < how_.coldest) {
            restart();
        }
    }

    void restart() override {
        walking_ = false;
        temperature_ = how_.temperature;
    }

  private:
    bool accepts(double cost) {
        if (cost <= at_.cost) {
            return true; // also from one failure to the next
        }
        const double chance = problem_.rng().uniform();
        return std::isfinite(cost) && chance < std::exp((1 - cost / at_.cost) / temperature_);
    }

    problem& problem_;
    unseen& fresh_;
    annealing_settings how_;
    double temperature_;
    bool walking_ = false;
    candidate at_;
};

} // namespace gst
