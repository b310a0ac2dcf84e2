#pragma once

#include "core/api/model_text.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gst {

/// What a predictor learns from: a row per stencil (or input, or instance), described by the same features in the same
/// order; what is to be predicted of a row is one of several classes, or a value.
struct GST_API training_table {
    struct feature {
        std::string name;
        std::string unit; ///< "points", "bytes" …; "1": a ratio
        bool operator==(const feature&) const = default;
    };
    std::vector<feature> features;
    std::vector<std::string> classes; ///< what they are called; empty: values are learned
    std::vector<std::string> names;   ///< of the rows, for messages; may be empty
    std::vector<double> cells;        ///< rows × features, row by row
    std::vector<double> targets;      ///< of each row the position of its class in `classes`, or its value
    /// rows × classes, row by row: how fast each class is there, in any unit in which more is faster; 0 where it cannot
    /// run. For penalty-weighted accuracy (Garvey §8.2); may be empty.
    std::vector<double> performance;

    std::size_t size() const { return targets.size(); }
    std::span<const double> row(std::size_t i) const {
        return std::span(cells).subspan(i * features.size(), features.size());
    }
    std::size_t class_of(std::size_t i) const { return static_cast<std::size_t>(targets[i]); }
    /// Appends a row; `performance` has a value per class or none.
    void add(std::string name, std::span<const double> row, double target, std::span<const double> performance = {});
    /// The table with these rows only, in this order: for cross-validation.
    training_table rows(std::span<const std::size_t> which) const;
};

/// Throws user_error when nothing can be learned from the table, with the row and the feature: no rows, no features, a
/// number that is not finite, a class that is none, columns of unequal length, only one class in all rows.
GST_API void check(const training_table& table);

/// What training says of itself.
struct GST_API learned {
    /// Of the rows as those parts of the model predict them that have not seen them: the share that is predicted wrong,
    /// or the root of the mean squared error of the values. Nothing where the predictor has no such parts.
    std::optional<double> out_of_bag_error;
    std::vector<double> importances; ///< per feature its share in what the features explain, sum 1; may be empty
};

struct GST_API prediction {
    std::vector<double> probabilities; ///< per class, sum 1; empty when values are learned
    double value = 0;                  ///< when values are learned
    /// A feature in which the row lies outside of all that was learned from.
    struct beyond {
        std::size_t feature = 0; ///< its position
        double low = 0;          ///< the least value that was learned from
        double high = 0;         ///< the greatest
        bool operator==(const beyond&) const = default;
    };
    std::vector<beyond> outside; ///< the host fills it in

    /// The position of the most probable class; the first of equals.
    std::size_t choice() const;
};

/// What a model was made for.
struct GST_API model_shape {
    std::size_t features = 0;
    std::size_t classes = 0; ///< 0: values
};

/// A method that learns from a table and predicts. Include this file and core/api/plugin.hpp only. What it computes
/// depends on its options and the table alone: everything random comes from a seed among its options.
class GST_API predictor {
  public:
    virtual ~predictor() = default;
    /// Learns from a table that passed `check`, forgetting what was learned before.
    virtual learned learn(const training_table& table) = 0;
    /// Of a row of features in the table's order. Threads may predict at the same time.
    virtual prediction predict(std::span<const double> row) const = 0;
    /// What was learned, as words that model_reader reads, in lines: numbers by write_number, texts by write_text.
    virtual std::string save() const = 0;
    /// Learned again from what `save` wrote, after which it predicts the same to the last bit. What does not fit is
    /// refused with in.fail.
    virtual void load(model_reader& in, const model_shape& shape) = 0;
};

} // namespace gst
