#pragma once

#include "core/base/random.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"

#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gst::test {

/// A predictor plugin by name, or by an absolute path.
inline std::unique_ptr<predictor> make(const std::string& name, const std::map<std::string, value>& options = {}) {
    const plugin& p = find_plugin("predictor", name, "/");
    return make_predictor(p, check_options(p, options));
}

/// A table without rows: features a, b, c …, and classes "0", "1" …
inline training_table empty_table(std::size_t features, std::size_t classes) {
    training_table t;
    for (std::size_t k = 0; k < features; ++k) {
        t.features.push_back({std::string(1, static_cast<char>('a' + k)), ""});
    }
    for (std::size_t k = 0; k < classes; ++k) {
        t.classes.push_back(std::to_string(k));
    }
    return t;
}

/// Rows uniform in [0, 1), whose target is that function of them.
inline training_table sampled(std::size_t features, std::size_t classes, std::size_t rows, random_source& rng,
                              const std::function<double(const std::vector<double>&)>& target) {
    training_table t = empty_table(features, classes);
    for (std::size_t i = 0; i < rows; ++i) {
        std::vector<double> row(features);
        for (double& x : row) {
            x = rng.uniform();
        }
        t.add("", row, target(row));
    }
    return t;
}

/// The share of the rows that are predicted right.
inline double accuracy(const predictor& p, const training_table& t) {
    double right = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        right += p.predict(t.row(i)).choice() == t.class_of(i) ? 1 : 0;
    }
    return right / static_cast<double>(t.size());
}

/// The root of the mean squared error of the values.
inline double error(const predictor& p, const training_table& t) {
    double sum = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
        const double off = p.predict(t.row(i)).value - t.targets[i];
        sum += off * off;
    }
    return std::sqrt(sum / static_cast<double>(t.size()));
}

} // namespace gst::test
