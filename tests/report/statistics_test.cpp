#include "core/base/random.hpp"
#include "core/report/statistics.hpp"
#include "tests/catch.hpp"

#include <algorithm>
#include <cmath>

using namespace gst;

TEST_CASE("a mean comes with Student's interval") {
    // Mean 5, squares 4 + 1 + 1 + 4 = 10, s² = 10/3; t of 3 degrees of freedom at 97.5 % is 3.18245.
    const mean_interval m = mean_of({3, 4, 6, 7});
    CHECK(m.mean == 5);
    CHECK(m.half_width == Approx(3.182446305 * std::sqrt(10.0 / 3 / 4)));
    CHECK(mean_of({2}).mean == 2);
    CHECK(mean_of({2}).half_width == 0);
    CHECK(mean_of({}).mean == 0);
    CHECK(mean_of({1, 1, 1}).half_width == 0);
}

TEST_CASE("moments are those of the samples") {
    const mean_and_variance m = moments_of({1, 3});
    CHECK(m.mean == 2);
    CHECK(m.variance == 1);
}

TEST_CASE("a geometric mean is the root of a product") {
    CHECK(geometric_mean({1, 4, 2}) == Approx(2));
    CHECK(geometric_mean({}) == 0);
}

TEST_CASE("the random baseline is the expected least of k draws without replacement") {
    const random_baseline four({4, 1, 3, 2});
    CHECK(four.expected(1) == Approx(2.5));
    // Of the six pairs three have the least 1, two 2, one 3.
    CHECK(four.expected(2) == Approx((3 * 1 + 2 * 2 + 1 * 3) / 6.0));
    // Of the four triples three have 1, one has 2.
    CHECK(four.expected(3) == Approx(1.25));
    CHECK(four.expected(4) == Approx(1));
    CHECK(four.expected(1.5) == Approx((2.5 + 10.0 / 6) / 2));
    CHECK(four.expected(0) == Approx(4)); // nothing found yet
    CHECK(four.expected(0.5) == Approx(3.25));
    CHECK(four.expected(99) == Approx(1));
}

TEST_CASE("the random baseline agrees with draws") {
    random_source rng(4);
    std::vector<double> values;
    for (int i = 0; i < 300; ++i) {
        values.push_back(1 + 10 * rng.uniform() * rng.uniform());
    }
    const random_baseline baseline(values);
    for (const std::size_t k : {std::size_t{1}, std::size_t{10}, std::size_t{100}}) {
        double sum = 0;
        constexpr int rounds = 4000;
        for (int round = 0; round < rounds; ++round) {
            rng.shuffle(values);
            sum += *std::min_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(k));
        }
        CHECK(baseline.expected(static_cast<double>(k)) == Approx(sum / rounds).epsilon(0.04));
    }
}
