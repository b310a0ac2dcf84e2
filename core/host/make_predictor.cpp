#include "core/host/guarded.hpp"
#include "core/host/make_plugin.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gst {

namespace {

/// The least and the greatest value of a feature in what was learned from.
struct range {
    double low = 0;
    double high = 0;
};

std::vector<range> ranges_of(const training_table& table) {
    std::vector<range> out;
    for (const double first : table.row(0)) {
        out.push_back({first, first});
    }
    for (std::size_t i = 1; i < table.size(); ++i) {
        const std::span<const double> row = table.row(i);
        for (std::size_t k = 0; k < row.size(); ++k) {
            out[k] = {std::min(out[k].low, row[k]), std::max(out[k].high, row[k])};
        }
    }
    return out;
}

class guarded_predictor : public predictor {
  public:
    guarded_predictor(const plugin& from, owned<predictor> inner) : from_(from), inner_(std::move(inner)) {}

    learned learn(const training_table& table) override {
        check(table);
        learned out = guarded(from_, "learn", [&] { return inner_->learn(table); });
        ranges_ = ranges_of(table);
        classes_ = table.classes.size();
        return out;
    }

    prediction predict(std::span<const double> row) const override {
        if (row.size() != ranges_.size()) {
            throw std::logic_error("a row with another number of features than the model has");
        }
        prediction out = guarded(from_, "predict", [&] { return inner_->predict(row); });
        if (const char* why = objection(out)) {
            throw plugin_failed(from_, "predict", why);
        }
        out.outside.clear();
        for (std::size_t k = 0; k < row.size(); ++k) {
            if (!(row[k] >= ranges_[k].low && row[k] <= ranges_[k].high)) {
                out.outside.push_back({k, ranges_[k].low, ranges_[k].high});
            }
        }
        return out;
    }

    std::string save() const override {
        std::string out;
        for (const range& r : ranges_) {
            out += "range " + write_number(r.low) + ' ' + write_number(r.high) + '\n';
        }
        return out + guarded(from_, "save its model", [&] { return inner_->save(); });
    }

    void load(model_reader& in, const model_shape& shape) override {
        std::vector<range> ranges(shape.features);
        for (range& r : ranges) {
            in.expect("range");
            r.low = in.number("the least value of a feature");
            r.high = in.number("the greatest value of a feature");
            if (r.high < r.low) {
                in.fail("the greatest value lies below the least");
            }
        }
        guarded(from_, "load its model", [&] { inner_->load(in, shape); });
        ranges_ = std::move(ranges);
        classes_ = shape.classes;
    }

  private:
    /// Why the plugin's answer cannot be used, or null.
    const char* objection(const prediction& p) const {
        if (p.probabilities.size() != classes_) {
            return "it does not give one probability per class";
        }
        const auto valid = [](double v) { return v >= 0; };
        const double sum = std::accumulate(p.probabilities.begin(), p.probabilities.end(), 0.0);
        if (classes_ > 0 &&
            !(std::all_of(p.probabilities.begin(), p.probabilities.end(), valid) && std::abs(sum - 1) < 1e-9)) {
            return "its probabilities do not sum to 1";
        }
        return classes_ == 0 && !std::isfinite(p.value) ? "its value is not finite" : nullptr;
    }

    const plugin from_;
    owned<predictor> inner_;
    std::vector<range> ranges_; ///< of the features; empty: nothing was learned
    std::size_t classes_ = 0;
};

} // namespace

std::unique_ptr<predictor> make_predictor(const plugin& p, const plugin_options& options) {
    return std::make_unique<guarded_predictor>(p, create<predictor>(p, options));
}

} // namespace gst
