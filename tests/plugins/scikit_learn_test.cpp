// gst's predictors beside scikit-learn's, on the table and with the figures that scikit_learn/scikit_learn.py made.

#include "tests/catch.hpp"
#include "tests/first_seed.hpp"
#include "tests/plugins/tables.hpp"

#include <nlohmann/json.hpp>

#include <fstream>
#include <sstream>

using namespace gst;
using namespace gst::test;

namespace {

constexpr int seeds = 20;
const std::string folder = GST_SOURCE_DIR "/tests/plugins/scikit_learn/";

/// The rows of one part of the table, with its classes or its values.
training_table part(const std::string& which, bool classes) {
    training_table t = empty_table(5, classes ? 3 : 0);
    std::ifstream in(folder + "table.csv");
    std::string line;
    std::getline(in, line);
    REQUIRE(line == "a,b,c,d,e,class,value,part");
    while (std::getline(in, line)) {
        std::vector<std::string> cells;
        std::istringstream words(line);
        for (std::string cell; std::getline(words, cell, ',');) {
            cells.push_back(cell);
        }
        std::vector<double> row;
        for (std::size_t k = 0; k < 5; ++k) {
            row.push_back(std::stod(cells.at(k)));
        }
        if (cells.at(7) == which) {
            t.add("", row, std::stod(cells.at(classes ? 5 : 6)));
        }
    }
    return t;
}

nlohmann::json figures() {
    std::ifstream in(folder + "figures.json");
    return nlohmann::json::parse(in);
}

/// What a figure was in runs with different seeds.
struct statistics {
    double mean = 0;
    double deviation = 0;
};

statistics of(const std::vector<double>& values) {
    statistics out;
    for (const double v : values) {
        out.mean += v / static_cast<double>(values.size());
    }
    for (const double v : values) {
        out.deviation += (v - out.mean) * (v - out.mean) / static_cast<double>(values.size() - 1);
    }
    out.deviation = std::sqrt(out.deviation);
    return out;
}

/// Checks that the means are the same within five standard deviations of their difference.
void compare(const std::string& name, const std::vector<double>& ours, const nlohmann::json& theirs) {
    const statistics mine = of(ours);
    const double mean = theirs.at("mean");
    const double deviation = theirs.at("deviation");
    const double noise = std::sqrt((mine.deviation * mine.deviation + deviation * deviation) / seeds);
    INFO(name << ": " << mine.mean << " ± " << mine.deviation << ", scikit-learn " << mean << " ± " << deviation);
    CHECK(std::abs(mine.mean - mean) < 5 * noise);
}

std::map<std::string, value> forest_options(int seed) {
    return {{"trees", std::int64_t{50}},
            {"attributes", std::int64_t{3}},
            {"seed", static_cast<std::int64_t>(testing::first_seed() % 1000000000) + seed}};
}

} // namespace

TEST_CASE("a forest errs as scikit-learn's does, and finds the same features important", "[predictors]") {
    const nlohmann::json theirs = figures().at("random");
    std::map<std::string, std::vector<double>> ours;
    for (const bool classes : {true, false}) {
        const training_table seen = part("seen", classes);
        const training_table unseen = part("unseen", classes);
        REQUIRE(seen.size() == 250);
        REQUIRE(unseen.size() == 150);
        const std::string kind = classes ? "forest_wrong_" : "forest_error_";
        for (int seed = 0; seed < seeds; ++seed) {
            const auto p = make("random_forest", forest_options(seed));
            const learned l = p->learn(seen);
            ours[kind + "out_of_bag"].push_back(l.out_of_bag_error.value());
            ours[kind + "unseen"].push_back(classes ? 1 - accuracy(*p, unseen) : error(*p, unseen));
            for (std::size_t k = 0; k < 5; ++k) {
                const std::string importance = classes ? "forest_importance_" : "forest_value_importance_";
                ours[importance + seen.features[k].name].push_back(l.importances.at(k));
            }
        }
    }
    CHECK(ours.size() == 14);
    for (const auto& [name, values] : ours) {
        compare(name, values, theirs.at(name));
    }
}

TEST_CASE("a tree errs as scikit-learn's does", "[predictors]") {
    const auto p = make("regression_tree");
    p->learn(part("seen", true));
    // Equally good questions are answered differently: three of the 150 rows.
    CHECK(1 - accuracy(*p, part("unseen", true)) ==
          Approx(figures()["random"]["tree_wrong_unseen"]["mean"].get<double>()).margin(3.5 / 150));
}

TEST_CASE("the nearest rows are those of scikit-learn", "[predictors]") {
    const auto one = make("nearest");
    one->learn(part("seen", true));
    CHECK(1 - accuracy(*one, part("unseen", true)) == Approx(figures()["nearest_wrong_unseen"].get<double>()));
    const auto three = make("nearest", {{"neighbours", std::int64_t{3}}});
    three->learn(part("seen", false));
    CHECK(error(*three, part("unseen", false)) == Approx(figures()["nearest_3_error_unseen"].get<double>()));
}
