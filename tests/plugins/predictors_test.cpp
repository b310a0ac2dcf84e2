// What each predictor finds, and what it says of itself.

#include "tests/catch.hpp"
#include "tests/first_seed.hpp"
#include "tests/plugins/tables.hpp"

using namespace gst;
using namespace gst::test;

namespace {

double exclusive_or(const std::vector<double>& row) {
    return (row[0] > 0.5) != (row[1] > 0.5) ? 1 : 0;
}

/// What three features make together, the others being noise.
double interaction(const std::vector<double>& row) {
    return row[0] < 0.4 ? (row[1] < 0.6 ? 0 : 1) : (row[2] < 0.5 ? 2 : 0);
}

/// Two planes that meet nowhere.
double planes(const std::vector<double>& row) {
    return row[0] < 0.5 ? 3 * row[1] - 2 * row[2] : 10 - row[1] + 5 * row[2];
}

learned learn(const std::string& name, const std::map<std::string, value>& options, const training_table& t) {
    return make(name, options)->learn(t);
}

constexpr std::int64_t many = 100;

} // namespace

TEST_CASE("a forest finds an exclusive or among noise, which the nearest row hardly does", "[predictors]") {
    random_source rng(testing::first_seed() + 11);
    const training_table seen = sampled(4, 2, 1500, rng, exclusive_or);
    const training_table unseen = sampled(4, 2, 1000, rng, exclusive_or);
    const auto score = [&](const std::string& name, const std::map<std::string, value>& options) {
        const auto p = make(name, options);
        p->learn(seen);
        return accuracy(*p, unseen);
    };
    CHECK(score("random_forest", {{"trees", many}}) > score("nearest", {}));
}

TEST_CASE("a tree finds an exclusive or", "[predictors]") {
    random_source rng(testing::first_seed() + 17);
    const auto p = make("regression_tree");
    p->learn(sampled(2, 2, 1500, rng, exclusive_or));
    CHECK(accuracy(*p, sampled(2, 2, 1000, rng, exclusive_or)) > 0.9);
}

TEST_CASE("a forest finds an interaction, and which features it is made of", "[predictors]") {
    random_source rng(testing::first_seed() + 12);
    const training_table seen = sampled(6, 3, 800, rng, interaction);
    const auto p = make("random_forest", {{"trees", many}});
    const learned l = p->learn(seen);
    CHECK(accuracy(*p, sampled(6, 3, 1000, rng, interaction)) > 0.9);
    REQUIRE(l.importances.size() == 6);
    for (const std::size_t noise : {3, 4, 5}) {
        CHECK(l.importances[noise] < std::min({l.importances[0], l.importances[1], l.importances[2]}));
    }
}

TEST_CASE("what a forest says of itself out of the bag is what it does on rows that it has not seen", "[predictors]") {
    random_source rng(testing::first_seed() + 13);
    const auto noisy = [&](const std::vector<double>& row) {
        return rng.below(5) == 0 ? static_cast<double>(rng.below(3)) : interaction(row);
    };
    const auto p = make("random_forest", {{"trees", std::int64_t{50}}});
    const learned classes = p->learn(sampled(5, 3, 1500, rng, noisy));
    REQUIRE(classes.out_of_bag_error);
    // Each is a share of 1500 or 3000 rows: they differ by less than six standard deviations of both.
    CHECK(*classes.out_of_bag_error == Approx(1 - accuracy(*p, sampled(5, 3, 3000, rng, noisy))).margin(0.08));
    const auto values = [&](const std::vector<double>& row) { return planes(row) + rng.normal(); };
    const learned of_values = p->learn(sampled(3, 0, 1500, rng, values));
    REQUIRE(of_values.out_of_bag_error);
    CHECK(*of_values.out_of_bag_error == Approx(error(*p, sampled(3, 0, 3000, rng, values))).epsilon(0.15));
}

TEST_CASE("a forest on rows that say nothing is no better than guessing, out of the bag", "[predictors]") {
    random_source rng(testing::first_seed() + 14);
    const training_table noise =
        sampled(5, 2, 1000, rng, [&](const std::vector<double>&) { return static_cast<double>(rng.below(2)); });
    const learned l = learn("random_forest", {{"trees", many}}, noise);
    CHECK(*l.out_of_bag_error == Approx(0.5).margin(0.12));
}

TEST_CASE("the same seed gives the same forest, another seed another", "[predictors]") {
    random_source rng(testing::first_seed() + 15);
    const training_table t = sampled(5, 3, 200, rng, interaction);
    const auto forest = [&](std::int64_t seed) {
        const auto p = make("random_forest", {{"seed", seed}});
        p->learn(t);
        return p->save();
    };
    CHECK(forest(1) == forest(1));
    CHECK(forest(1) != forest(2));
}

TEST_CASE("a forest is the same on every machine", "[predictors]") {
    training_table t = empty_table(2, 2);
    for (int i = 0; i < 8; ++i) {
        t.add("", std::vector<double>{static_cast<double>(i), static_cast<double>(i * i % 5)}, i * i % 3);
    }
    const auto p = make("random_forest", {{"trees", std::int64_t{2}}, {"seed", std::int64_t{3}}});
    p->learn(t);
    CHECK(p->save() == "range 0 7\n"
                       "range 0 4\n"
                       "trees 2\n"
                       "tree\n"
                       "if 0 5.5\n"
                       "if 0 3.5\n"
                       "if 0 2\n"
                       "if 0 0.5\n"
                       "leaf 1 0\n"
                       "leaf 0 1\n"
                       "leaf 2 0\n"
                       "leaf 0 2\n"
                       "leaf 2 0\n"
                       "tree\n"
                       "if 0 2.5\n"
                       "leaf 0 2\n"
                       "if 0 4\n"
                       "leaf 3 0\n"
                       "if 0 5.5\n"
                       "leaf 0 1\n"
                       "if 0 6.5\n"
                       "leaf 1 0\n"
                       "leaf 0 1\n");
}

TEST_CASE("a forest grows no deeper than it may, and as deep as it needs to", "[predictors]") {
    training_table t = empty_table(1, 2); // classes alternate: only a leaf per row tells them apart
    for (int i = 0; i < 64; ++i) {
        t.add("", std::vector<double>{static_cast<double>(i)}, i % 2);
    }
    const auto questions = [&](const std::map<std::string, value>& options) {
        const auto p = make("random_forest", options);
        p->learn(t);
        const std::string text = p->save();
        std::size_t count = 0;
        for (std::size_t at = text.find("\nif "); at != std::string::npos; at = text.find("\nif ", at + 1)) {
            ++count;
        }
        return count;
    };
    const auto options = [](std::int64_t depth) {
        return std::map<std::string, value>{{"trees", std::int64_t{1}}, {"depth", depth}};
    };
    CHECK(questions(options(1)) == 1);
    CHECK(questions(options(2)) <= 3);
    CHECK(questions(options(0)) > 15);
}

TEST_CASE("a regression tree finds planes exactly, with one question", "[predictors]") {
    random_source rng(testing::first_seed() + 16);
    const training_table seen = sampled(3, 0, 600, rng, planes);
    const training_table unseen = sampled(3, 0, 200, rng, planes);
    const auto [low, high] = std::minmax_element(seen.targets.begin(), seen.targets.end());
    const auto p = make("regression_tree");
    p->learn(seen);
    // Rows between the last one below 0.5 and the first one above may be on the other side.
    double off = 0;
    for (std::size_t i = 0; i < unseen.size(); ++i) {
        const bool near = std::abs(unseen.row(i)[0] - 0.5) < 0.05;
        off = std::max(
            off, near ? 0 : std::abs(p->predict(unseen.row(i)).value - std::clamp(unseen.targets[i], *low, *high)));
    }
    CHECK(off < 1e-6);
}

TEST_CASE("a regression tree of a straight line asks nothing, and predicts nothing that was never seen",
          "[predictors]") {
    training_table t = empty_table(1, 0);
    for (int i = 0; i < 20; ++i) {
        t.add("", std::vector<double>{static_cast<double>(i)}, 3.0 * i + 2);
    }
    const auto p = make("regression_tree");
    p->learn(t);
    CHECK(p->save().find("if ") == std::string::npos);
    CHECK(p->predict(std::vector<double>{7.5}).value == Approx(24.5));
    CHECK(p->predict(std::vector<double>{100}).value == 59);
    CHECK(p->predict(std::vector<double>{-100}).value == 2);
}

TEST_CASE("the nearest row is nearest in standard deviations", "[predictors]") {
    training_table t = empty_table(2, 2);
    t.add("", std::vector<double>{0, 0}, 0);
    t.add("", std::vector<double>{1000, 1}, 1);
    t.add("", std::vector<double>{0, 1}, 0);
    t.add("", std::vector<double>{1000, 0}, 1);
    const auto p = make("nearest");
    p->learn(t);
    CHECK(p->predict(std::vector<double>{400, 0.9}).choice() == 0);
    CHECK(p->predict(std::vector<double>{600, 0.1}).choice() == 1);
    const auto four = make("nearest", {{"neighbours", std::int64_t{4}}});
    four->learn(t);
    CHECK(four->predict(std::vector<double>{400, 0.9}).probabilities == std::vector<double>{0.5, 0.5});
}
