#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"

#include <algorithm>

using namespace gst;
using namespace gst::test;

TEST_CASE("the size of a request changes no order") {
    for (const std::string name : {"random", "exhaustive"}) {
        INFO(name);
        const tuned one = run({name, {{"request", std::int64_t{1}}}, 3, 100}, decimal(4), sum_of);
        const tuned many = run({name, {{"request", std::int64_t{64}}}, 3, 100}, decimal(4), sum_of);
        CHECK(one.measured == many.measured);
        CHECK(*std::max_element(one.batches.begin(), one.batches.end()) == 1);
        CHECK(*std::max_element(many.batches.begin(), many.batches.end()) == 64);
    }
}

TEST_CASE("the next request is announced before the current one is measured, and no more than the budget allows") {
    const tuned t = run({"exhaustive", {{"request", std::int64_t{4}}}, 1, 10}, decimal(3), sum_of);
    std::vector<configuration> announced;
    for (const auto& batch : t.ahead) {
        announced.insert(announced.end(), batch.begin(), batch.end());
    }
    CHECK(announced == t.measured);
    CHECK(t.measured.size() == 10);
}

TEST_CASE("exhaustive goes in the order of the space") {
    const space where = with({numbers("a", {1, 2, 4, 8}), numbers("b", {1, 2, 4, 8})}, {"a * b <= 16"});
    const tuned t = run({"exhaustive"}, where, sum_of);
    REQUIRE(t.measured.size() == where.count());
    for (std::uint64_t rank = 0; rank < where.count(); ++rank) {
        CHECK(t.measured[rank] == where.at(rank));
    }
}

TEST_CASE("random begins at every configuration equally often") {
    const space where = with({numbers("a", {1, 2, 3, 4}), numbers("b", {1, 2, 3, 4})}, {"a + b <= 5"});
    REQUIRE(where.count() == 10);
    std::map<configuration, int> first;
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        ++first[run({"random", {}, seed, 1}, where, sum_of).measured.at(0)];
    }
    double chi = 0;
    for (const auto& [c, n] : first) {
        chi += (n - 200.0) * (n - 200.0) / 200.0;
    }
    INFO("chi squared " << chi);
    CHECK(first.size() == 10);
    CHECK(chi < 27.9); // 9 degrees of freedom, p = 0.001
}
