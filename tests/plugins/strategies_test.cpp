#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"

#include <algorithm>
#include <array>

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

TEST_CASE(
    "genetic: without mutation a child has each value from one of its population's individuals, or an immigrant's") {
    // Two populations of two; the first four configurations are theirs at the beginning, two and two.
    std::size_t looked_at = 0, immigrants = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const auto fifth = [&](std::int64_t migration) -> std::optional<std::vector<configuration>> {
            const std::map<std::string, value> options{{"populations", std::int64_t{2}},
                                                       {"size", std::int64_t{2}},
                                                       {"crossover", 1.0},
                                                       {"mutation", 0.0},
                                                       {"migration", migration},
                                                       {"tournament", std::int64_t{1}},
                                                       {"patience", std::int64_t{500}}};
            const tuned t = run({"genetic", options, seed, 5}, decimal(4), sum_of);
            return t.trace.empty() ? std::optional(t.measured) : std::nullopt; // it did not begin anew
        };
        const auto is_child = [](const configuration& c, const configuration& a, const configuration& b) {
            bool all = true;
            for (std::size_t k = 0; k < c.size(); ++k) {
                all = all && (c[k] == a[k] || c[k] == b[k]);
            }
            return all;
        };
        if (const auto got = fifth(1000000)) {
            INFO(seed);
            REQUIRE(got->size() == 5);
            const bool of_first = is_child(got->at(4), got->at(0), got->at(1));
            CHECK((of_first || is_child(got->at(4), got->at(2), got->at(3))));
            ++looked_at;
        }
        if (const auto got = fifth(1)) { // after the first generation: it may be born of an immigrant
            const bool own =
                is_child(got->at(4), got->at(0), got->at(1)) || is_child(got->at(4), got->at(2), got->at(3));
            immigrants += own ? 0 : 1;
        }
    }
    CHECK(looked_at > 20);
    CHECK(immigrants > 0);
}

TEST_CASE("annealing: a cold walk goes from the best by one parameter, a hot one from the last") {
    const timing weighted = [](const configuration& c) {
        return std::optional(1.0 + c[0] + 10 * c[1] + 100 * c[2] + 1000 * c[3]); // no two alike
    };
    const auto differences = [](const configuration& a, const configuration& b) {
        std::size_t n = 0;
        for (std::size_t k = 0; k < a.size(); ++k) {
            n += a[k] == b[k] ? 0 : 1;
        }
        return n;
    };
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        INFO(seed);
        std::map<std::string, value> options{
            {"temperature", 1e-6}, {"cooling", 0.999999}, {"coldest", 1e-9}, {"patience", std::int64_t{1000}}};
        const std::vector<configuration> cold = run({"annealing", options, seed, 30}, decimal(4), weighted).measured;
        REQUIRE(cold.size() == 30);
        configuration best = cold[0];
        for (std::size_t i = 1; i < cold.size(); ++i) {
            CHECK(differences(cold[i], best) == 1);
            best = *weighted(cold[i]) < *weighted(best) ? cold[i] : best;
        }
        options["temperature"] = 1000.0; // of a step ten times as slow one in a hundred is refused
        const std::vector<configuration> hot = run({"annealing", options, seed, 3}, decimal(4), sum_of).measured;
        CHECK(differences(hot[1], hot[0]) == 1);
        CHECK(differences(hot[2], hot[1]) == 1);
    }
}

TEST_CASE("differential evolution: a trial is an individual and the difference of two others") {
    std::size_t looked_at = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const std::map<std::string, value> options{{"size", std::int64_t{4}}, {"factor", 1.0}, {"crossover", 1.0}};
        const tuned t = run({"differential_evolution", options, seed, 5}, decimal(4), sum_of);
        if (!t.trace.empty()) { // it began anew
            continue;
        }
        REQUIRE(t.measured.size() == 5);
        ++looked_at;
        std::array<std::size_t, 4> order{0, 1, 2, 3};
        bool found = false;
        do {
            bool all = true;
            for (std::size_t k = 0; k < 4; ++k) {
                const int mutant = t.measured[order[0]][k] + t.measured[order[1]][k] - t.measured[order[2]][k];
                all = all && t.measured[4][k] == std::clamp(mutant, 0, 9);
            }
            found = found || all;
        } while (std::next_permutation(order.begin(), order.end()));
        INFO(seed);
        CHECK(found);
    }
    CHECK(looked_at > 10);
}
