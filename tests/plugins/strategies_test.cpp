#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"

#include <algorithm>
#include <set>

using namespace gst;
using namespace gst::test;

namespace {

const std::vector<std::string> strategies{"random", "exhaustive", "hill_climb"};

std::set<configuration> distinct(const std::vector<configuration>& all) {
    return {all.begin(), all.end()};
}

bool all_of_space(const std::vector<configuration>& measured, const space& where) {
    return std::all_of(measured.begin(), measured.end(), [&](const configuration& c) { return where.contains(c); });
}

} // namespace

TEST_CASE("without a budget every strategy measures a small space whole, each configuration once") {
    const space constrained = with({numbers("a", {1, 2, 4, 8}), numbers("b", {1, 2, 4, 8}), numbers("c", {1, 2, 3})},
                                   {"a * b <= 16", "c != 2 or a > 1"});
    for (const std::string& name : strategies) {
        for (const space& where : {decimal(0), decimal(1), decimal(2), constrained}) {
            INFO(name << " on " << where.count());
            const tuned t = run({name}, where, sum_of);
            CHECK(t.measured.size() == where.count());
            CHECK(distinct(t.measured).size() == where.count());
            CHECK(all_of_space(t.measured, where));
        }
    }
}

TEST_CASE("every strategy stops when the budget is spent, in a space of 10^12 as well") {
    for (const std::string& name : strategies) {
        for (const std::uint64_t budget : {1, 2, 50, 500}) {
            INFO(name << " with " << budget);
            const tuned t = run({name, {}, 1, budget}, decimal(12), sum_of);
            CHECK(t.measured.size() == budget);
            CHECK(distinct(t.measured).size() == budget);
        }
    }
}

TEST_CASE("every strategy goes on when all measurements fail") {
    for (const std::string& name : strategies) {
        INFO(name);
        const tuned t = run({name}, decimal(2), never);
        CHECK(distinct(t.measured).size() == 100);
        CHECK_FALSE(t.best);
        CHECK(run({name, {}, 1, 70}, decimal(12), never).measured.size() == 70);
    }
}

TEST_CASE("no strategy measures anything in an empty space") {
    for (const std::string& name : strategies) {
        INFO(name);
        CHECK(run({name}, with({numbers("a", {1, 2})}, {"a > 2"}), sum_of).measured.empty());
    }
}

TEST_CASE("the same seed gives the same run, another seed another") {
    for (const std::string name : {"random", "hill_climb"}) {
        INFO(name);
        const auto measured = [&](std::uint64_t seed) {
            return run({name, {}, seed, 300}, decimal(6), sum_of).measured;
        };
        CHECK(measured(7) == measured(7));
        CHECK(measured(7) != measured(8));
    }
}

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
