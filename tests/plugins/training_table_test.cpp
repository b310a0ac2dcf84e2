#include "core/api/predictor.hpp"
#include "core/base/error.hpp"
#include "tests/catch.hpp"

#include <cmath>
#include <limits>

using namespace gst;

namespace {

training_table loads() {
    training_table t;
    t.features = {{"size", "points"}, {"density", ""}};
    t.classes = {"global", "local"};
    t.add("star2d1r", std::vector<double>{5, 0.5}, 0, std::vector<double>{2, 1});
    t.add("box2d1r", std::vector<double>{9, 1}, 1, std::vector<double>{1, 3});
    return t;
}

std::string refusal(const training_table& t) {
    try {
        check(t);
    } catch (const user_error& e) {
        return e.what();
    }
    return "";
}

std::string refusal_of(void (*change)(training_table&)) {
    training_table t = loads();
    change(t);
    return refusal(t);
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

} // namespace

TEST_CASE("a table with rows of two classes can be learned from, and one of values", "[predictors]") {
    CHECK(refusal(loads()) == "");
    training_table values = loads();
    values.classes.clear();
    values.performance.clear();
    values.targets = {0.25, 0.25};
    CHECK(refusal(values) == "");
}

TEST_CASE("what cannot be learned from is refused with the row, the feature and the remedy", "[predictors]") {
    const std::string why = "error: nothing can be learned from the table: ";
    CHECK(refusal({}) == why + "it has no rows\n  a table needs at least one row and one feature");
    CHECK(refusal_of([](training_table& t) { t.cells[3] = not_a_number; }) ==
          why + "the feature 'density' of row 2 (box2d1r) is not finite\n  leave the row or the feature out");
    CHECK(refusal_of([](training_table& t) {
              t.names.clear();
              t.targets[1] = not_a_number;
          }) == why + "what is to be predicted of row 2 is not finite\n  leave the row out");
    CHECK(refusal_of([](training_table& t) { t.targets[0] = 2; }) ==
          why + "the class of row 1 (star2d1r) is 2, and there are 2\n  classes count from 0");
    CHECK(refusal_of([](training_table& t) { t.targets[0] = 0.5; }) ==
          why + "the class of row 1 (star2d1r) is 0.5, and there are 2\n  classes count from 0");
    CHECK(refusal_of([](training_table& t) { t.targets[0] = 1; }) ==
          why + "every row is of the class 'local'\n  there is nothing to decide: always take it");
    CHECK(refusal_of([](training_table& t) { t.performance[2] = not_a_number; }) ==
          why + "the performance of 'global' in row 2 (box2d1r) is nan\n  give 0 where it cannot run");
    CHECK(refusal_of([](training_table& t) { t.cells.pop_back(); }) ==
          why + "it has 3 features of rows, not 4\n  give every row the same columns");
    CHECK(refusal_of([](training_table& t) { t.names.pop_back(); }) ==
          why + "it has 1 names of rows, not 2\n  give every row the same columns");
    CHECK(refusal_of([](training_table& t) { t.performance.pop_back(); }) ==
          why + "it has 3 performances, not 4\n  give every row the same columns");
}

TEST_CASE("some rows of a table are a table", "[predictors]") {
    const training_table t = loads().rows(std::vector<std::size_t>{1, 1});
    CHECK(t.size() == 2);
    CHECK(t.names == std::vector<std::string>{"box2d1r", "box2d1r"});
    CHECK(t.cells == std::vector<double>{9, 1, 9, 1});
    CHECK(t.targets == std::vector<double>{1, 1});
    CHECK(t.performance == std::vector<double>{1, 3, 1, 3});
    CHECK(t.classes == loads().classes);
    CHECK((t.features == loads().features));
}

TEST_CASE("of equally probable classes the first is chosen", "[predictors]") {
    prediction p;
    p.probabilities = {0.25, 0.375, 0.375};
    CHECK(p.choice() == 1);
}
