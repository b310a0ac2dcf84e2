#include "core/api/plugin.hpp"
#include "core/api/predictor.hpp"

#include <cmath>

namespace {

/// The mean of the rows that were learned from, weighted by 1 / distance^power (Shepard 1968).
class my_predictor : public gst::predictor {
  public:
    explicit my_predictor(const gst::plugin_options& options) : power_(options.real("power")) {}

    gst::learned learn(const gst::training_table& table) override {
        classes_ = table.classes.size();
        cells_ = table.cells;
        targets_ = table.targets;
        return {};
    }

    gst::prediction predict(std::span<const double> row) const override {
        gst::prediction out;
        out.probabilities.assign(classes_, 0); // of each class; none when values are learned
        double all = 0;
        for (std::size_t i = 0; i < targets_.size(); ++i) {
            double squares = 1e-9;
            for (std::size_t k = 0; k < row.size(); ++k) {
                squares += std::pow(row[k] - cells_[i * row.size() + k], 2);
            }
            const double weight = std::pow(squares, -power_ / 2);
            all += weight;
            if (classes_ > 0) {
                out.probabilities[static_cast<std::size_t>(targets_[i])] += weight;
            } else {
                out.value += weight * targets_[i];
            }
        }
        out.value /= all;
        for (double& p : out.probabilities) {
            p /= all;
        }
        return out;
    }

    std::string save() const override {
        std::string text = std::to_string(targets_.size());
        for (const auto* numbers : {&targets_, &cells_}) {
            for (const double n : *numbers) {
                text += ' ' + gst::write_number(n);
            }
        }
        return text + '\n';
    }

    void load(gst::model_reader& in, const gst::model_shape& shape) override {
        classes_ = shape.classes;
        const std::int64_t most = classes_ > 0 ? static_cast<std::int64_t>(classes_) - 1 : 0;
        targets_.assign(static_cast<std::size_t>(in.integer("the number of rows", 1, 1 << 30)), 0);
        for (double& target : targets_) {
            target = classes_ > 0 ? static_cast<double>(in.integer("a class", 0, most)) : in.number("a value");
        }
        cells_.assign(targets_.size() * shape.features, 0);
        for (double& cell : cells_) {
            cell = in.number("a feature");
        }
    }

  private:
    double power_;
    std::size_t classes_ = 0;
    std::vector<double> cells_; // rows × features
    std::vector<double> targets_;
};

} // namespace

GST_PLUGIN_OPTIONS = {{"power", "real", "2", "0.1", "16", "the greater, the less count rows that are farther away"}};
GST_PREDICTOR_PLUGIN(my_predictor, "my_predictor", "0.1", "the mean of all rows, the nearer the more");
