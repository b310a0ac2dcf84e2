#include "core/base/ridge.hpp"
#include "tests/catch.hpp"

using namespace gst;

TEST_CASE("ridge regression finds a plane, and by hand the weight that a penalty leaves") {
    std::vector<std::vector<double>> rows;
    std::vector<double> targets;
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 4; ++y) {
            rows.push_back({double(x), double(y), 7});
            targets.push_back(3 + 2 * x - y);
        }
    }
    const ridge plane(rows, targets, 1e-9);
    CHECK(plane.predict({10, 4, 7}) == Approx(19));
    const auto [weights, added] = plane.affine();
    CHECK(weights[0] * 10 + weights[1] * 4 + weights[2] * 7 + added == Approx(19));
    // Two points at ±1 after standardising: Σx² = 2, Σxy = 2, so that a penalty of 2 halves the weight.
    const ridge line({{0}, {2}}, {0, 2}, 2);
    CHECK(line.predict({2}) == Approx(1.5));
    CHECK(line.predict({1}) == Approx(1));
}

TEST_CASE("a feature that changes by no more than rounding has no weight") {
    std::vector<std::vector<double>> rows;
    std::vector<double> targets;
    for (int x = 0; x < 10; ++x) {
        rows.push_back({double(x), 0.1});
        targets.push_back(x % 3);
    }
    CHECK(ridge(rows, targets, 1e-9).affine().first[1] == 0);
}
