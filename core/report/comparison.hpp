#pragma once

#include "core/report/convergence.hpp"
#include "core/report/space_study.hpp"
#include "core/report/statistics.hpp"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gst {

/// A space on which strategies are compared.
struct GST_API compared_space {
    std::string name;
    std::uint64_t configurations = 0;
    double optimum = 0; ///< ms of the fastest
    double slowest = 0; ///< ms of the slowest correct one: what counts while nothing valid is found
    /// Of the times of all configurations, failed ones at `slowest`.
    random_baseline baseline;
    mean_and_variance seconds; ///< cost of measuring a configuration: what a draw of the baseline costs
};

/// How a strategy did on one space, or on all.
struct GST_API strategy_score {
    std::string strategy;
    std::string space; ///< "" for the mean over all spaces
    std::uint64_t runs = 0;
    /// optimum / best at each of the axis' budgets; 0 while nothing valid is found.
    std::vector<mean_interval> fraction;
    /// ms of the best there, over the runs: infinite while one has found nothing; of one space only.
    std::vector<mean_and_variance> best_time;
    /// The same, averaged over the whole axis: the area under the convergence curve, 1 at best.
    mean_interval area;
    /// P = (S_base - F) / (S_base - S_opt), averaged over the axis from random search's first draw until it has come 99
    /// % of the way to the optimum: 0 is random search, 1 is the optimum at once (Willemsen et al. 2024).
    mean_interval score;
    double speedup = 0;     ///< expected best of random search over the best found, at the end; geometric mean
    std::uint64_t best = 0; ///< runs (space and seed) in which no other strategy found a faster one
    double win_share = 0;   ///< of all such runs; several that are equal share one win
    double evaluations = 0; ///< mean of the runs, as the next ones
    double compiled = 0;
    double compile_seconds = 0;
    double device_seconds = 0;
    double search_microseconds = 0;       ///< real time of the strategy per evaluation
    double overhead = 0;                  ///< the strategy's share of the run's time; × 10⁴ for ‱
    std::map<std::string, double> stages; ///< of it, by what the strategy calls its stages (GeST Fig. 11)
    std::optional<double> idle;           ///< share of the time that gst let the device wait; nothing on recordings
    /// Over all: shares of the spaces in which no strategy has a larger, or a smaller speedup (GeST Figs. 6, 9, 10).
    double best_spaces = 0;
    double worst_spaces = 0;
};

struct GST_API comparison {
    budget_axis axis;
    std::vector<compared_space> spaces;
    std::vector<std::string> strategies; ///< in the order of the rows
    std::vector<std::string> failed;     ///< strategies that are left out, because they failed
    std::vector<compared_run> runs;      ///< every strategy on every space with every seed
    std::vector<strategy_score> scores;  ///< by space, the mean over all last, in each the order of strategies
    std::optional<space_study> study;    ///< of the spaces themselves
    /// False when it was interrupted: runs are missing, strategies without any on a space have no score there, and
    /// nothing is said over all spaces.
    bool complete = true;
};

/// Fills in the scores. Intervals are over seeds; those of all spaces are over the seeds' means over the spaces.
GST_API void score(comparison& c);

/// The score of a strategy on a space ("": over all); there must be one.
GST_API const strategy_score& score_of(const comparison& c, const std::string& strategy, const std::string& space);

/// The runs of a strategy on a space ("": on all), by seed.
std::vector<const compared_run*> runs_of(const comparison& c, const std::string& strategy, const std::string& space);

/// What the runs have found at each of the axis' budgets, in ms: mean and variance over the runs, infinite where one
/// has found nothing (Garvey §5.1).
GST_API std::vector<mean_and_variance> best_times(const budget_axis& axis,
                                                  const std::vector<const compared_run*>& runs);

/// The fraction of the optimum at each point of the axis: the mean of a strategy's runs, and what it is expected to be
/// for random search. Empty for a strategy without runs there.
GST_API std::vector<mean_interval> mean_curve(const comparison& c, const compared_space& s,
                                              const std::string& strategy);
GST_API std::vector<double> baseline_curve(const comparison& c, const compared_space& s);

/// One table per space and, of several, one of their means.
GST_API std::string to_text(const comparison& c);
/// One line per strategy and space.
GST_API std::string to_csv(const comparison& c);
/// The scores, and of every run its convergence.
GST_API nlohmann::json to_json(const comparison& c);

} // namespace gst
