#include "core/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"

#include <algorithm>
#include <set>

using namespace gst;
using namespace gst::test;

TEST_CASE("gstuner measures the tenth of the samples that its model expects to be fastest") {
    const auto time = [](const configuration& c) {
        double log = 0;
        for (const std::uint16_t position : c) {
            log += 0.3 * position;
        }
        return std::optional(std::exp(log));
    };
    const std::map<std::string, value> options{{"training", std::int64_t{60}}, {"sampled", std::int64_t{200}}};
    const tuned t = run({"gstuner", options, 2, 80}, decimal(4), time);
    CHECK(t.batches == std::vector<std::size_t>{60, 20});
    std::vector<double> random;
    std::vector<double> picked;
    for (std::size_t i = 0; i < 80; ++i) {
        (i < 60 ? random : picked).push_back(*time(t.measured[i]));
    }
    std::sort(random.begin(), random.end());
    // The slowest of the picked tenth is faster than two thirds of the random ones.
    CHECK(*std::max_element(picked.begin(), picked.end()) < random[20]);
}

TEST_CASE("gstuner begins with what the workload's model ranks first, where it is asked to") {
    const auto expected = [](const configuration& c) { return 1000.0 - c[0] * 100 - c[1] * 10 - c[2]; };
    const std::map<std::string, value> options{{"ranking", std::string("estimate")}, {"sampled", std::int64_t{1000}}};
    tuning how{"gstuner", options, 2, 100};
    how.estimate = expected;
    const tuned t = run(how, decimal(3), sum_of); // the model is wrong, and its ranking is what counts
    REQUIRE(t.batches.front() == 100);
    REQUIRE(t.measured.size() == 100);
    CHECK(std::set<configuration>(t.measured.begin(), t.measured.end()).size() == 100);
    for (const configuration& c : t.measured) {
        CHECK(c[0] == 9);
    }
    how.estimate = nullptr;
    CHECK_THROWS_AS(run(how, decimal(3), sum_of), user_error);
}

TEST_CASE("an5d measures the first five of the model's ranking, and the next five where none of them runs") {
    const space where = decimal(2);
    tuning how{"an5d"};
    how.estimate = [](const configuration& c) { return 100.0 - c[0] * 10 - c[1]; };
    const tuned t = run(how, where, sum_of);
    CHECK(t.measured == std::vector<configuration>{{9, 9}, {9, 8}, {9, 7}, {9, 6}, {9, 5}});
    const tuned failing = run(how, where, [](const configuration& c) { return c[1] > 4 ? std::nullopt : sum_of(c); });
    CHECK(failing.measured.size() == 10);
    CHECK(failing.best->which == configuration{9, 0});
    tuning without{"an5d"};
    std::size_t measured = 0;
    CHECK_THROWS_AS(run(without, where,
                        [&](const configuration& c) {
                            ++measured;
                            return sum_of(c);
                        }),
                    user_error);
    CHECK(measured == 0);
}

TEST_CASE("artemis tunes the parameters with impact first, then the others from the best few") {
    parameter threads = numbers("TBx", {1, 2, 4, 8});
    threads.purpose = role::thread_block;
    parameter merge = numbers("CMx", {1, 2, 4});
    merge.purpose = role::cyclic_merge;
    const space where = with({threads, merge});
    const timing time = [](const configuration& c) { return std::optional(1.0 + std::abs(c[0] - 2) + c[1]); };
    const tuned t = run({"artemis", {{"keep", std::int64_t{2}}}}, where, time);
    CHECK(t.trace[0] == "with impact: 4 configurations around TBx=1 CMx=1");
    CHECK(t.trace[1] == "the others: 3 configurations around TBx=4 CMx=1");
    REQUIRE(t.trace.size() == 3); // then from TBx = 2 or 8, which are equally fast
    REQUIRE(t.measured.size() == 4 + 2 + 2);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(t.measured[i][1] == 0);
    }
    CHECK((t.measured[4][0] == 2 && t.measured[5][0] == 2));
    CHECK_THROWS_AS(run({"artemis", {{"first", std::string("threads")}}}, where, time), user_error);
    const tuned without_roles = run({"artemis", {}}, with({numbers("a", {1, 2}), numbers("b", {1, 2})}), time);
    CHECK(without_roles.trace.back().find("no parameter of the space has one of the roles") == 0);
}
