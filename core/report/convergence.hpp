#pragma once

#include "core/base/visibility.hpp"
#include "core/space/space.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gst {

/// What a run had found, when: a staircase.
struct GST_API convergence {
    struct step {
        double evaluations = 0; ///< configurations measured when this was found
        double seconds = 0;     ///< on the clock of the run, simulated on replay
        double best = 0;        ///< ms
    };
    std::vector<step> steps; ///< each faster than the one before; empty: nothing valid was found

    static constexpr double nothing = std::numeric_limits<double>::infinity();
    double best_after_evaluations(double n) const; ///< ms; `nothing` before the first valid one
    double best_after_seconds(double s) const;
};

/// How runs are compared: at equal evaluations, or at equal time.
struct GST_API budget_axis {
    bool time = false;
    double limit = 0;       ///< evaluations or seconds
    std::vector<double> at; ///< budgets of interest, ascending, up to the limit

    double best(const convergence& c, double budget) const {
        return time ? c.best_after_seconds(budget) : c.best_after_evaluations(budget);
    }
    /// Where curves are looked at: each evaluation, or 200 equal steps of the time.
    std::vector<double> points() const;
};

/// One run of a strategy on a space.
struct GST_API compared_run {
    std::string strategy;
    std::string space;
    std::uint64_t seed = 0;
    convergence found;
    configuration best{}; ///< that it holds for the fastest; empty: nothing valid was found
    std::uint64_t evaluations = 0;
    std::uint64_t compiled = 0; ///< configurations that went to the compiler: all but those with outcome `constraints`
    double seconds = 0;         ///< on the clock of the run
    double compile_seconds = 0; ///< of it
    double device_seconds = 0;  ///< of it: verifying and measuring
    double search_seconds = 0;  ///< real time that the strategy itself took
    std::map<std::string, double> stage_seconds{}; ///< of it, by what the strategy calls its stages
    std::optional<double> idle_seconds{};          ///< that gst let the device wait; nothing on recordings
};

} // namespace gst
