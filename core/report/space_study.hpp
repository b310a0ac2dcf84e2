#pragma once

#include "core/report/convergence.hpp"
#include "core/report/statistics.hpp"
#include "core/space/space.hpp"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What a search space is like, as Garvey §5 asks: how many configurations are fast, whether the same values are best
/// everywhere, whether optimizations can be tuned one by one, whether one space's best is good on the others.
namespace gst {

/// An optimization: a parameter, or several that are tuned together, by name.
struct optimization {
    std::string name;
    std::vector<std::string> parameters;
};

/// ms of configurations, infinite for one that fails.
using times_of = std::function<std::vector<double>(const std::vector<configuration>&)>;

/// From one start, each optimization tuned with all others as they are there, and then all the values together (§5.5).
struct GST_API tuned_alone {
    double start = 0;                       ///< ms
    std::map<std::string, double> alone;    ///< ms by optimization: the start's where nothing was faster
    double combined = convergence::nothing; ///< ms; infinite where that is no valid configuration, or fails
};

/// Tries every valid setting of each optimization that has parameters in this space. `start` takes start_time ms.
GST_API tuned_alone tune_alone(const space& s, const configuration& start, double start_time,
                               const std::vector<optimization>& optimizations, const times_of& measure);

/// What random samples of some size come to (§5.1): the best time of each, over the runs; infinite while a run has
/// found nothing.
struct sampled_best {
    double budget = 0;
    mean_and_variance best; ///< ms, ms²
};

/// What is known of a space.
struct GST_API studied_space {
    std::string name;
    double optimum = 0;                ///< ms
    named_values best;                 ///< the configuration that takes it
    std::vector<parameter> parameters; ///< names and values
    std::vector<double> times;         ///< ms of the correct ones among all configurations, or of a uniform sample
    std::uint64_t failed = 0;          ///< the others
    std::vector<tuned_alone> alone;    ///< by seed, from the best of that run of random search
    std::vector<sampled_best> samples; ///< by budget
};

struct GST_API space_study {
    std::vector<optimization> optimizations; ///< in the order of the columns
    std::vector<studied_space> spaces;
    /// Of the best of space i on space j: the best time there by the time of this one; 0 where it is not valid or
    /// fails; nothing where the parameters are others.
    std::vector<std::vector<std::optional<double>>> portability;
};

/// The named optimizations, then every parameter that is in none of them, by itself; those of one value are left out.
GST_API std::vector<optimization> all_optimizations(std::vector<optimization> named,
                                                    const std::vector<studied_space>& spaces);

/// Whether a configuration of one space can be one of the other: the parameters' names are the same.
GST_API bool same_parameters(const studied_space& a, const studied_space& b);

/// How often each value of a parameter is in the best configuration of a space that has the parameter (§5.4);
/// parameters of one value are left out.
struct GST_API value_counts {
    std::string parameter;
    std::vector<std::pair<value, std::uint64_t>> counts; ///< in the order of the domain, 0 included
};
GST_API std::vector<value_counts> best_values(const space_study& s);

/// Shares of speedups – best time by time, 0 for what fails – in bins of a tenth: [0, 0.1) is more than ten times
/// slower, [0.9, ∞) within 10 % of the best (§5.3); first the share of those that fail.
inline constexpr std::size_t speedup_bins = 11;
GST_API std::vector<double> speedup_shares(const std::vector<double>& speedups);
/// The speedups that Garvey's Figs. 3, 5 and 6 show.
GST_API std::vector<double> speedups_of_all(const studied_space& s);
GST_API std::vector<double> speedups_of_combined(const studied_space& s); ///< over the start
GST_API std::vector<double> speedups_elsewhere(const space_study& s, std::size_t space);

/// Tables.
GST_API std::string to_text(const space_study& s);
GST_API nlohmann::json to_json(const space_study& s);
/// A line for every number: study, space, what, value.
GST_API std::string to_csv(const space_study& s);
/// An SVG picture: the three histograms, and the counts of each parameter's values.
GST_API std::string study_plot(const space_study& s);

} // namespace gst
