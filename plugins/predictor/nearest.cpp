#include "core/api/plugin.hpp"
#include "core/api/predictor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace {

using namespace gst;

/// The rows of the table that are nearest to the one in question (Fix and Hodges 1951), each feature measured in its
/// standard deviations: the baseline that a predictor has to beat. Of equally near rows the first ones of the table.
class nearest_rows : public predictor {
  public:
    explicit nearest_rows(const plugin_options& options) : neighbours_(options.integer("neighbours")) {}

    learned learn(const training_table& table) override {
        classes_ = table.classes.size();
        const std::size_t features = table.features.size();
        scale_.assign(features, 0);
        for (std::size_t k = 0; k < features; ++k) {
            scale_[k] = one_over_deviation(table, k);
        }
        cells_ = table.cells;
        targets_ = table.targets;
        return {};
    }

    prediction predict(std::span<const double> row) const override {
        const auto near = std::min<std::size_t>(static_cast<std::size_t>(neighbours_), targets_.size());
        std::vector<std::pair<double, std::size_t>> by_distance; // a heap of the nearest so far, the farthest first
        for (std::size_t i = 0; i < targets_.size(); ++i) {
            const bool full = by_distance.size() == near;
            const double enough = full ? by_distance.front().first : std::numeric_limits<double>::infinity();
            const double apart = distance(row, i, enough);
            if (full && apart >= enough) {
                continue;
            }
            if (full) {
                std::pop_heap(by_distance.begin(), by_distance.end());
                by_distance.pop_back();
            }
            by_distance.emplace_back(apart, i);
            std::push_heap(by_distance.begin(), by_distance.end());
        }
        std::sort_heap(by_distance.begin(), by_distance.end());
        prediction out;
        out.probabilities.assign(classes_, 0);
        for (std::size_t n = 0; n < near; ++n) {
            const double target = targets_[by_distance[n].second];
            if (classes_ > 0) {
                out.probabilities[static_cast<std::size_t>(target)] += 1.0 / static_cast<double>(near);
            } else {
                out.value += target / static_cast<double>(near);
            }
        }
        return out;
    }

    std::string save() const override {
        std::string out = "scale";
        for (const double s : scale_) {
            out += ' ' + write_number(s);
        }
        out += "\nrows " + std::to_string(targets_.size()) + '\n';
        for (std::size_t i = 0; i < targets_.size(); ++i) {
            out += write_number(targets_[i]);
            for (std::size_t k = 0; k < scale_.size(); ++k) {
                out += ' ' + write_number(cells_[i * scale_.size() + k]);
            }
            out += '\n';
        }
        return out;
    }

    void load(model_reader& in, const model_shape& shape) override {
        classes_ = shape.classes;
        in.expect("scale");
        scale_.resize(shape.features);
        for (double& s : scale_) {
            s = in.number("the scale of a feature");
        }
        in.expect("rows");
        targets_.assign(static_cast<std::size_t>(in.integer("the number of rows", 1, 1 << 30)), 0);
        cells_.clear();
        for (double& target : targets_) {
            target = classes_ > 0
                         ? static_cast<double>(in.integer("a class", 0, static_cast<std::int64_t>(classes_) - 1))
                         : in.number("a value");
            for (std::size_t k = 0; k < scale_.size(); ++k) {
                cells_.push_back(in.number("a feature"));
            }
        }
    }

  private:
    /// 1 / standard deviation of feature k; 0 when it never changes, which says nothing.
    static double one_over_deviation(const training_table& table, std::size_t k) {
        const auto count = static_cast<double>(table.size());
        double mean = 0;
        bool changes = false; // asked by itself: rounding gives a constant feature some deviation, too
        for (std::size_t i = 0; i < table.size(); ++i) {
            mean += table.row(i)[k] / count;
            changes = changes || table.row(i)[k] != table.row(0)[k];
        }
        double variance = 0;
        for (std::size_t i = 0; i < table.size(); ++i) {
            variance += (table.row(i)[k] - mean) * (table.row(i)[k] - mean) / count;
        }
        return changes && variance > 0 ? 1 / std::sqrt(variance) : 0;
    }

    /// The square of the distance to row i of the table, or no less than `enough`.
    double distance(std::span<const double> row, std::size_t i, double enough) const {
        constexpr std::size_t at_once = 8; // between two looks at the sum
        const double* const other = &cells_[i * row.size()];
        double sum = 0;
        for (std::size_t k = 0; k < row.size() && sum < enough;) {
            for (const std::size_t end = std::min(k + at_once, row.size()); k < end; ++k) {
                const double apart = (row[k] - other[k]) * scale_[k];
                sum += apart * apart;
            }
        }
        return sum;
    }

    std::int64_t neighbours_;
    std::size_t classes_ = 0;
    std::vector<double> scale_; ///< of each feature
    std::vector<double> cells_; ///< rows × features
    std::vector<double> targets_;
};

} // namespace

GST_PLUGIN_OPTIONS = {{"neighbours", "integer", "1", "1", "1000000", "rows whose classes or values count, alike"}};
GST_PREDICTOR_PLUGIN(nearest_rows, "nearest", "1.0", "the nearest rows of the table, the baseline");
