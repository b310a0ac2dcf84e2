#include "core/report/unit_report.hpp"
#include "tests/catch.hpp"

#include <array>

using namespace gst;

namespace {

/// Rows of the performances without and with local memory.
training_table table_of(const std::vector<std::array<double, 2>>& rows) {
    training_table t;
    t.features = {{"reuse", "1"}};
    t.classes = {"false", "true"};
    for (const auto& row : rows) {
        const double reuse[] = {row[1]};
        t.add("k", reuse, row[1] > row[0] ? 1 : 0, row);
    }
    return t;
}

} // namespace

TEST_CASE("accuracies of choices, by hand") {
    const training_table t = table_of({{1, 4}, {2, 1}, {3, 6}, {5, 4}});
    const accuracy right = accuracy_of(t, std::vector<std::size_t>{1, 0, 1, 0});
    CHECK(right.absolute == 1);
    CHECK(right.penalty_weighted == 1);
    CHECK(right.least == 1);
    const accuracy half = accuracy_of(t, std::vector<std::size_t>{0, 0, 0, 0});
    CHECK(half.absolute == 0.5);
    CHECK(half.penalty_weighted == (0.25 + 1 + 0.5 + 1) / 4);
    CHECK(half.least == 0.25);
}

TEST_CASE("the report of unit kernels, whole") {
    unit_report r;
    r.device = "a device";
    r.backend = "opencl";
    r.driver = "1.0";
    r.predictor = "random_forest";
    r.kernels = 3;
    r.failed = 1;
    r.trained = table_of({{1, 2}});
    r.tested = table_of({{1, 4}, {2, 1}, {3, 6}, {100, 1}});
    r.methods = {{"random_forest", accuracy_of(r.tested, std::vector<std::size_t>{1, 0, 1, 0})},
                 {"always false", accuracy_of(r.tested, std::vector<std::size_t>{0, 0, 0, 0})}};
    r.real = {{"transpose", table_of({{1, 2}}), {1, 1, 1}}, {"jacobi", table_of({{2, 1}, {4, 1}}), {0.5, 0.625, 0.25}}};
    r.real_methods = {{"random_forest", {2.0 / 3, 0.75, 0.25}}};
    r.again = 10;
    r.again_score = {0.9, 0.995, 0.96};
    r.about.out_of_bag_error = 0.125;
    r.about.importances = {1};
    CHECK(to_text(r) == R"(Local memory or not, a device (opencl, 1.0)
5 instances of 3 synthetic kernels, 1 that failed left out; 1 learned from, 4 left to test
local memory is faster in 50.0 % of those tested

speedup by local memory, synthetic kernels
  below 0.0312      25.0 %  #############
  0.0312 to 0.0625   0.0 %
  0.0625 to 0.125    0.0 %
  0.125 to 0.25      0.0 %
  0.25 to 0.5        0.0 %
  0.5 to 1          25.0 %  #############
  1 to 2             0.0 %
  2 to 4            25.0 %  #############
  4 to 8            25.0 %  #############
  8 to 16            0.0 %
  16 to 32           0.0 %
  32 and more        0.0 %

synthetic kernels        count-based penalty-weighted   least
random_forest                100.0 %          100.0 % 100.0 %
always false                  50.0 %           68.8 %  25.0 %

real kernels             instances     local count-based penalty-weighted   least
transpose                        1   100.0 %     100.0 %          100.0 % 100.0 %
jacobi                           2     0.0 %      50.0 %           62.5 %  25.0 %
all, random_forest               3    33.3 %      66.7 %           75.0 %  25.0 %
  single kernels: as random_forest chooses

labels, measured again   count-based penalty-weighted   least
of 10 instances               90.0 %           99.5 %  96.0 %

out-of-bag error 12.5 %

importances
  reuse                  100.0 %
)");
    r.broken = 2;
    r.not_learned = "there is nothing to learn";
    const std::string text = to_text(r);
    CHECK(text.find(", 1 that failed left out, 2 whose times are no numbers from 0 on, too; 1 learned") !=
          std::string::npos);
    CHECK(text.find("\nthere is nothing to learn\n\nsynthetic kernels ") != std::string::npos);
    r.tested = table_of({});
    const std::string untested = to_text(r);
    CHECK(
        untested.find("\nno instance of a synthetic kernel is left to test with: measure more, or learn from a smaller "
                      "share\n\nthere is nothing to learn\n\n\nreal kernels ") != std::string::npos);
    CHECK(untested.find("nan") == std::string::npos);
}
