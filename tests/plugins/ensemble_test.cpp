#include "core/base/error.hpp"
#include "plugins/search/bandit.hpp"
#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"

using namespace gst;
using namespace gst::test;

TEST_CASE("the bandit's credit is the area under the curve of new bests within the window") {
    bandit b(3, 4, 0.5);
    CHECK(b.choose() == 0);
    b.used(0, true);
    CHECK(b.choose() == 1); // arms without uses first
    b.used(1, false);
    b.used(2, false);
    b.used(0, false);
    // Arm 0: n = 2, V = 1, 0: AUC = 2 / (2 · 3) · 1 = 1/3; √(2 log2 4 / 2) = √2. The others: 0 and √(2 · 2 / 1) = 2.
    CHECK(b.scores()[0] == Approx(1.0 / 3 + 0.5 * std::sqrt(2.0)));
    CHECK(b.scores()[1] == Approx(0.5 * 2));
    CHECK(b.choose() == 0);
    b.used(0, true); // the first use leaves the window: V = 0, 1, AUC = 2/6 · 2
    CHECK(b.scores()[0] == Approx(2.0 / 3 + 0.5 * std::sqrt(2.0)));
    b.used(2, true); // arm 1 leaves it altogether
    CHECK(b.choose() == 1);
    // Several at once: as if each had found nothing.
    for (std::size_t most = 1; most <= 12; ++most) {
        bandit one_by_one = b;
        std::vector<std::size_t> expected;
        while (expected.size() < most) {
            expected.push_back(one_by_one.choose());
            one_by_one.used(expected.back(), false);
        }
        CHECK(b.choose(most) == expected);
    }
}

TEST_CASE("every technique has a turn first, then the one that found the last new best") {
    // Only the third configuration is faster than the first: the one that the third technique asked for.
    std::size_t measured = 0;
    const timing time = [&](const configuration&) { return std::optional(++measured == 3 ? 1.0 : 2.0); };
    const std::map<std::string, value> options{{"techniques", std::string("random annealing uniform_mutation")},
                                               {"exploration", 0.0}};
    const tuned t = run({"ensemble", options, 5, 20}, decimal(4), time);
    CHECK(t.trace == std::vector<std::string>{"random: a new best", "uniform_mutation: a new best"});
    // Without exploration the first, then the last of them, has the turns as long as its area is the largest; mutants
    // differ from the best in a few digits.
    REQUIRE(t.measured.size() == 20);
    std::size_t near = 0;
    for (std::size_t i = 3; i < 20; ++i) {
        std::size_t same_digits = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            same_digits += t.measured[i][k] == t.measured[2][k] ? 1 : 0;
        }
        near += same_digits >= 2 ? 1 : 0;
    }
    CHECK(near >= 8);
}

TEST_CASE("so many turns are given out at once as compilers work, or as the option says") {
    const std::map<std::string, value> options{{"techniques", std::string("random annealing uniform_mutation")},
                                               {"at_once", std::int64_t{1}}};
    const tuned t = run({.strategy = "ensemble", .options = options, .budget = 60, .compilers = 4}, decimal(4), sum_of);
    CHECK(t.measured.size() == 60);
    CHECK(t.batches.front() == 4);
    CHECK(std::ranges::count(t.batches, 4U) >= 4); // some turns go to what is known
    CHECK(t.batches.back() == 1);                  // the last ones learn from all before
    std::map<std::string, value> more = options;
    more["at_once"] = std::int64_t{6};
    const auto most = [&](std::uint64_t compilers) {
        return std::ranges::max(
            run({.strategy = "ensemble", .options = more, .budget = 60, .compilers = compilers}, decimal(4), sum_of)
                .batches);
    };
    CHECK(most(4) == 6);
    CHECK(most(0) == 1); // recordings
    // What improves on the best is credited within a request, too.
    const timing falling = [n = 40.0](const configuration&) mutable { return std::optional(n--); };
    const tuned all =
        run({.strategy = "ensemble", .options = options, .budget = 32, .compilers = 4}, decimal(4), falling);
    REQUIRE(all.trace.size() >= 4);
    CHECK(std::vector(all.trace.begin(), all.trace.begin() + 4) ==
          std::vector<std::string>{"random: a new best", "random: a new best", "annealing: a new best",
                                   "uniform_mutation: a new best"});
    // A technique that everybody knows the configurations of begins anew; the others go on to the end of the space.
    CHECK(run({.strategy = "ensemble", .options = options, .compilers = 7}, decimal(2), sum_of).measured.size() == 100);
}

TEST_CASE("techniques that there are not are refused with those that there are") {
    CHECK_THROWS_AS(run({"ensemble", {{"techniques", std::string("tabu")}}}, decimal(1), sum_of), user_error);
    CHECK_THROWS_AS(run({"ensemble", {{"techniques", std::string("")}}}, decimal(1), sum_of), user_error);
}

TEST_CASE("an ensemble of one technique is that strategy with the same settings") {
    const auto alone_and_in_ensemble = [](const std::string& technique, std::map<std::string, value> options) {
        std::map<std::string, value> prefixed{{"techniques", technique}, {"patience", std::int64_t{1000000}}};
        for (const auto& [name, setting] : options) {
            prefixed[technique + "_" + name] = setting;
        }
        options["patience"] = std::int64_t{1000000};
        const tuned alone = run({technique, options, 3, 100}, decimal(4), sum_of);
        const tuned arm = run({"ensemble", prefixed, 3, 100}, decimal(4), sum_of);
        CHECK(arm.measured == alone.measured);
        return arm.measured;
    };
    using options = std::map<std::string, value>;
    const options walk{{"temperature", 5.0}, {"cooling", 0.5}, {"coldest", 0.5}};
    CHECK(alone_and_in_ensemble("annealing", walk) != alone_and_in_ensemble("annealing", {}));
    const auto whole = [](std::int64_t n) { return value(n); };
    const options population{{"populations", whole(3)}, {"size", whole(4)},       {"crossover", 0.5},
                             {"mutation", 0.2},         {"tournament", whole(3)}, {"migration", whole(2)}};
    CHECK(alone_and_in_ensemble("genetic", population) != alone_and_in_ensemble("genetic", {}));
    // The others see what the ones before them found, or are no strategies of their own: settings change what is done.
    const auto with = [](const std::string& technique, options given) {
        given["techniques"] = technique;
        return run({"ensemble", given, 3, 100}, decimal(4), sum_of).measured;
    };
    for (const auto& [name, setting] : options{{"differential_evolution_size", whole(5)},
                                               {"differential_evolution_factor", 1.5},
                                               {"differential_evolution_crossover", 0.1}}) {
        INFO(name);
        CHECK(with("differential_evolution", {{name, setting}}) != with("differential_evolution", {}));
    }
    for (const std::string name : {"mutation_rate", "mutation_spread"}) {
        INFO(name);
        CHECK(with("normal_mutation", {{name, 0.9}}) != with("normal_mutation", {}));
    }
}

TEST_CASE("the oracle runs a strategy once for each value of the parameter, with equal shares of the budget") {
    const space where =
        with({numbers("load", {1, 2, 3}), numbers("a", {1, 2, 3, 4, 5, 6, 7, 8})}, {"load != 2 or a < 3"});
    const std::map<std::string, value> options{{"strategy", std::string("exhaustive")},
                                               {"options", std::string("request=2")}};
    const tuned t = run({"oracle", options, 1, 12}, where, sum_of);
    CHECK(t.trace == std::vector<std::string>{"load = 1: 8 configurations", "load = 2: 2 configurations",
                                              "load = 3: 8 configurations"});
    std::map<std::uint16_t, int> of_value;
    for (const configuration& c : t.measured) {
        ++of_value[c[0]];
    }
    CHECK(of_value == std::map<std::uint16_t, int>{{0, 4}, {1, 2}, {2, 6}}); // 12 / 3, all there are, the rest
    CHECK(t.measured[0] == configuration{0, 0});
    CHECK(run({"oracle", options, 1, 0, 12}, where, sum_of).measured == t.measured); // 12 s, one for each
    CHECK_THROWS_WITH(run({"oracle", {{"parameter", std::string("lod")}}}, where, sum_of),
                      "error: the strategy 'oracle' goes through the values of a parameter: unknown parameter 'lod' – "
                      "did you mean 'load'?\n  name it by the option parameter; the parameters are load and a");
    CHECK_THROWS_AS(run({"oracle", {{"options", std::string("request")}}}, where, sum_of), user_error);
    CHECK_THROWS_AS(
        run({"oracle", {{"strategy", std::string("exhaustive")}, {"options", std::string("reqest=1")}}}, where, sum_of),
        user_error);
}
