#include "core/tune/cross_validation.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <stdexcept>

using namespace gst;

namespace {

/// Remembers what it has learned from; predicts the class of the row with the nearest first feature.
class remembering : public predictor {
  public:
    learned learn(const training_table& t) override {
        seen.push_back(t.names);
        table_ = t;
        return {};
    }
    prediction predict(std::span<const double> row) const override {
        std::size_t nearest = 0;
        for (std::size_t i = 1; i < table_.size(); ++i) {
            nearest = std::abs(table_.row(i)[0] - row[0]) < std::abs(table_.row(nearest)[0] - row[0]) ? i : nearest;
        }
        prediction out;
        out.probabilities.assign(table_.classes.size(), 0);
        out.probabilities[table_.class_of(nearest)] = 1;
        return out;
    }
    std::string save() const override { throw std::logic_error("not saved here"); }
    void load(model_reader&, const model_shape&) override { throw std::logic_error("not loaded here"); }

    std::vector<std::vector<std::string>> seen;

  private:
    training_table table_;
};

/// The mean of the values.
class mean_value : public predictor {
  public:
    learned learn(const training_table& t) override {
        mean_ = 0;
        for (const double target : t.targets) {
            mean_ += target / static_cast<double>(t.size());
        }
        return {};
    }
    prediction predict(std::span<const double>) const override { return {{}, mean_, {}}; }
    std::string save() const override { throw std::logic_error("not saved here"); }
    void load(model_reader&, const model_shape&) override { throw std::logic_error("not loaded here"); }

  private:
    double mean_ = 0;
};

training_table table_of(const std::vector<std::pair<double, double>>& rows) {
    training_table t;
    t.features = {{"x", ""}};
    t.classes = {"a", "b"};
    for (const auto& [x, target] : rows) {
        t.add("row" + std::to_string(t.size()), std::vector<double>{x}, target);
    }
    return t;
}

std::vector<std::size_t> choices(const std::vector<prediction>& all) {
    std::vector<std::size_t> out;
    for (const prediction& p : all) {
        out.push_back(p.choice());
    }
    return out;
}

} // namespace

TEST_CASE("leaving one out, a row is predicted by a model that has not seen it") {
    remembering p;
    const training_table t = table_of({{0, 0}, {1, 0}, {1.5, 1}, {9, 1}});
    CHECK(choices(cross_validate(p, t, std::vector<std::size_t>{0, 1, 2, 3})) == std::vector<std::size_t>{0, 1, 0, 1});
    REQUIRE(p.seen.size() == 4);
    CHECK(p.seen[1] == std::vector<std::string>{"row0", "row2", "row3"});
}

TEST_CASE("rows of a group are left out together") {
    remembering p;
    const training_table t = table_of({{0, 0}, {1, 0}, {1.5, 1}, {9, 1}, {4, 0}});
    CHECK(choices(cross_validate(p, t, std::vector<std::size_t>{7, 7, 5, 7, 5})) ==
          std::vector<std::size_t>{1, 1, 0, 0, 0});
    CHECK(p.seen == std::vector<std::vector<std::string>>{{"row0", "row1", "row3"}, {"row2", "row4"}});
}

TEST_CASE("where all other rows are of one class, it is predicted without learning") {
    remembering p;
    const training_table t = table_of({{0, 0}, {1, 0}, {2, 1}});
    CHECK(choices(cross_validate(p, t, std::vector<std::size_t>{0, 1, 2})) == std::vector<std::size_t>{0, 0, 0});
    CHECK(p.seen.size() == 2); // without row2 there is nothing to learn
}

TEST_CASE("one group alone cannot be validated") {
    remembering p;
    CHECK_THROWS_AS(cross_validate(p, table_of({{0, 0}, {1, 1}}), std::vector<std::size_t>{3, 3}), std::logic_error);
}

TEST_CASE("values are predicted from the other groups, too, and all the same is that") {
    training_table t;
    t.features = {{"x", ""}};
    for (const double target : {1, 3, 8, 3}) {
        t.add("", std::vector<double>{0}, target);
    }
    mean_value p;
    const std::vector<prediction> said = cross_validate(p, t, std::vector<std::size_t>{0, 1, 0, 1});
    CHECK(said[0].value == 3); // the others are all 3
    CHECK(said[1].value == 4.5);
    CHECK(said[2].value == 3);
    CHECK(said[3].value == 4.5);
    CHECK(said[0].probabilities.empty());
}
