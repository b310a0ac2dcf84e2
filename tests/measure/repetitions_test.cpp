#include "core/base/random.hpp"
#include "core/measure/repetitions.hpp"
#include "tests/catch.hpp"

#include <cmath>

using namespace gst;

TEST_CASE("median") {
    CHECK(median({3}) == 3);
    CHECK(median({3, 1}) == 2);
    CHECK(median({9, 1, 4}) == 4);
    CHECK(median({4, 1, 3, 2}) == 2.5);
}

TEST_CASE("the uncertainty of a median comes from the ranks that enclose it") {
    CHECK(std::isinf(median_uncertainty({1, 1, 1, 1})));
    CHECK(median_uncertainty({9, 10, 10, 10, 11}) == Approx(0.1)); // 5 values: the least and the greatest
    CHECK(median_uncertainty({0, 9, 10, 10, 10, 11, 99}) ==
          Approx(4.95)); // 7 values: still the outermost (98.4 %; the next 87.5 %)
    CHECK(median_uncertainty({0, 9, 10, 10, 10, 10, 11, 99}) == Approx(0.1)); // 8 values: the second ones (93 %)
}

TEST_CASE("the interval encloses the median as often as it promises") {
    const std::uint64_t seed = 3;
    INFO("seed " << seed);
    random_source rng(seed);
    int inside = 0;
    constexpr int trials = 4000;
    for (int i = 0; i < trials; ++i) {
        std::vector<double> values(15);
        for (double& v : values) {
            v = 100 + rng.normal();
        }
        std::sort(values.begin(), values.end());
        // What median_uncertainty calls the half-width is half of [4th, 12th] for 15 values.
        CHECK(median_uncertainty(values) == Approx((values[11] - values[3]) / 2 / median(values)));
        inside += values[3] <= 100 && 100 <= values[11] ? 1 : 0;
    }
    CHECK(inside >= trials * 90 / 100);
}

TEST_CASE("repetitions end when the median is known well enough") {
    timing_method how;
    how.repetition_ms = 1;
    std::vector<unsigned> steps;
    const auto steady = [&](unsigned n) {
        steps.push_back(n);
        return 0.3 * n;
    };
    const timing t = repeat(how, 0, steady);
    CHECK(t.time == Approx(0.3));
    CHECK(steps == std::vector<unsigned>{1, 4, 4, 4, 4, 4}); // one to warm up
    CHECK(t.times.size() == 5);

    random_source rng(1);
    how.max_repetitions = 30;
    const timing noisy = repeat(how, 0, [&](unsigned n) { return n * rng.uniform(1, 2); });
    CHECK(noisy.times.size() == 30);
    how.max_seconds = 0.010;
    CHECK(repeat(how, 0, [&](unsigned n) { return n * rng.uniform(1, 2); }).times.size() < 12);
}

TEST_CASE("what is clearly worse than the best runs twice") {
    timing_method how;
    int runs = 0;
    const auto slow = [&](unsigned n) {
        ++runs;
        return 2.1 * n;
    };
    const timing t = repeat(how, 1, slow);
    CHECK(t.censored);
    CHECK(t.time == Approx(2.1));
    CHECK(runs == 2);
    CHECK_FALSE(repeat(how, 1.1, slow).censored);
    how.censor_factor = 0;
    CHECK_FALSE(repeat(how, 0.01, slow).censored);
}

TEST_CASE("a call too short to tell is no reason to give a program up: launching it takes as long") {
    timing_method how;
    how.repetition_ms = 1;
    const auto launched = [](unsigned n) { return 0.006 + 0.003 * n; };
    CHECK_FALSE(repeat(how, 0.003, launched).censored);
    how.warm_up = 0;
    CHECK_FALSE(repeat(how, 0.003, launched).censored);
    how.warm_up = 1;
    CHECK(repeat(how, 0.001, launched).censored); // by a repetition
}

TEST_CASE("what is slower than the best with certainty need not be known more exactly") {
    timing_method how;
    how.repetition_ms = 1;
    random_source rng(1);
    const auto noisy = [&](unsigned n) { return n * rng.uniform(1.5, 1.9); };
    const timing slower = repeat(how, 1, noisy);
    CHECK(slower.times.size() == how.min_repetitions);
    CHECK_FALSE(slower.censored);
    CHECK(repeat(how, 1.7, noisy).times.size() > how.min_repetitions); // it may be as fast
    CHECK(repeat(how, 0, noisy).times.size() > how.min_repetitions);
    how.censor_factor = 0;
    CHECK(repeat(how, 1, noisy).times.size() > how.min_repetitions);
}

TEST_CASE("with a flushed cache every repetition is one step") {
    timing_method how;
    how.flush_cache = true;
    repeat(how, 0, [&](unsigned n) {
        CHECK(n == 1);
        return 0.001;
    });
}

TEST_CASE("a program of several steps per call is timed in whole calls, per step") {
    timing_method how;
    how.repetition_ms = 1;
    std::vector<unsigned> steps;
    const auto steady = [&](unsigned n) {
        steps.push_back(n);
        return 0.1 * n;
    };
    CHECK(repeat(how, 0, steady, 4).time == Approx(0.1));
    CHECK(steps == std::vector<unsigned>{4, 12, 12, 12, 12, 12}); // 3 calls of 0.4 ms
    steps.clear();
    how.flush_cache = true;
    repeat(how, 0, steady, 4);
    CHECK(steps == std::vector<unsigned>(6, 4));
    steps.clear();
    how.method = "paper";
    CHECK(repeat(how, 0, steady, 4).time == Approx(0.1));
    CHECK(steps == std::vector<unsigned>(4, 4));
    how = {};
    how.repetition_ms = 1e6;
    steps.clear();
    repeat(how, 0, steady, 3000);
    CHECK(steps == std::vector<unsigned>(6, 3000)); // more than a repetition usually takes
    CHECK(repeat(how, 0.04, steady, 4).censored);
}
