#pragma once

#include "core/api/predictor.hpp"
#include "core/store/tuned_suite.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gst {

/// How good choices are (Garvey §8.2, Han §3.3).
struct accuracy {
    double absolute = 0;         ///< share of the rows for which the best class was chosen: Han's count-based
    double penalty_weighted = 0; ///< mean over the rows of the chosen class' performance over the best one's
    double least = 1;            ///< the least of these ratios
};
/// Of a choice per row, by position of the class; the table has performances.
GST_API accuracy accuracy_of(const training_table& table, std::span<const std::size_t> choices);

/// How well is predicted with which value a heuristic finds its fastest configuration.
struct GST_API heuristic_training {
    std::string heuristic;
    training_table table;               ///< a row per stencil on which it found one; performance is steps per ms
    std::vector<std::size_t> predicted; ///< for each row the value, by a model that has not seen the row
    bool one_class = false;             ///< one value is best for all: there is no model, and none is needed
    struct method {
        std::string name;                   ///< the predictor, or what it is compared with
        accuracy one_out;                   ///< of rows that were left out one by one
        std::optional<accuracy> family_out; ///< of families that were left out; nothing where there is only one
    };
    std::vector<method> methods; ///< the predictor first
    double label_noise = 0;      ///< share of the rows whose best value is another when it is measured once more
    learned about;               ///< the model that has learned from all rows
};

/// How well the time of configurations is predicted on stencils that a model has not seen, of which a tenth is left out
/// at a time.
struct GST_API time_training {
    std::string predictor;
    std::size_t rows = 0; ///< configurations, of all stencils
    std::size_t stencils = 0;
    static constexpr std::size_t first = 5; ///< of a ranking: what AN5D measures
    double rank_correlation = 0;            ///< Spearman's, of predicted and measured times; mean over stencils
    /// The fastest time of a stencil over the fastest of the first configurations of its ranking, and over what as many
    /// random ones reach on average; means over stencils.
    double ranked = 0, random = 0;
    std::vector<std::string> features; ///< that the model asks for
    learned about;                     ///< the model that has learned from all rows; errors in binary orders of time
};

/// What is known after training: the whole report follows from it.
struct GST_API training_report {
    tuned_suite suite;
    std::vector<std::size_t> tuned; ///< stencils of the suite on which every strategy has run
    std::vector<heuristic_training> heuristics;
    std::optional<time_training> time; ///< where the table has times of at least two stencils
};

/// Garvey's Tables 3 to 6 and the table of best configurations, the confusion of classes and what the features
/// contribute: the same bytes for the same report.
GST_API std::string to_text(const training_report& r);

} // namespace gst
