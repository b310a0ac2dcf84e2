// How long predictors take: to learn from a table as large as Garvey's suite with its intensities (416 stencils, 10
// features, 4 classes) and from one as large as Han's (20,000 instances, 20 features, 2 classes), and to predict.

#include "core/base/random.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"

#include <fmt/format.h>

#include <chrono>

using namespace gst;

namespace {

using steady = std::chrono::steady_clock;

double seconds_since(steady::time_point begin) {
    return std::chrono::duration<double>(steady::now() - begin).count();
}

/// Classes that some of the features decide, a tenth of them by chance.
training_table made_up(std::size_t rows, std::size_t features, std::size_t classes) {
    training_table t;
    t.features.resize(features);
    t.classes.resize(classes);
    random_source rng(1);
    for (std::size_t i = 0; i < rows; ++i) {
        std::vector<double> row(features);
        for (double& x : row) {
            x = rng.uniform();
        }
        const double decided = row[0] < 0.5 ? row[1] + row[2] : 2 * row[3];
        const std::size_t chance = rng.below(10) == 0 ? rng.below(classes) : 0;
        t.add("", row, static_cast<double>((static_cast<std::size_t>(decided * 3) + chance) % classes));
    }
    return t;
}

void measure(const plugin& p, const training_table& t) {
    const std::unique_ptr<predictor> learner = make_predictor(p, check_options(p, {}));
    const auto begin = steady::now();
    learner->learn(t);
    const double learning = seconds_since(begin);
    constexpr std::size_t predictions = 1000;
    const auto after = steady::now();
    for (std::size_t i = 0; i < predictions; ++i) {
        learner->predict(t.row(i % t.size()));
    }
    fmt::print("{:<16} {:>7} rows: learns in {:>8.3f} s (target: 5), predicts in {:>8.4f} ms (target: 1)\n", p.name,
               t.size(), learning, 1e3 * seconds_since(after) / predictions);
}

} // namespace

int main() {
    const training_table garvey = made_up(416, 10, 4);
    const training_table han = made_up(20000, 20, 2);
    for (const plugin_listing& l : list_plugins()) {
        if (l.kind == "predictor" && l.accepted != nullptr) {
            measure(*l.accepted, garvey);
            measure(*l.accepted, han);
        }
    }
    return 0;
}
