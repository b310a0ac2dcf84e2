#include "core/report/space_study.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

using namespace gst;

namespace {

/// a in {1, 2, 4}, b in {1, 2}, c in {"x", "y"}; a = 4 with b = 2 is not valid.
space small() {
    using whole = std::int64_t;
    parameter a{"a", {whole{1}, whole{2}, whole{4}}, whole{1}, role::other, -1, {}, "", {}};
    parameter b{"b", {whole{1}, whole{2}}, whole{1}, role::other, -1, {}, "", {}};
    parameter c{"c", {std::string("x"), std::string("y")}, std::string("x"), role::other, -1, {}, "", {}};
    return {{a, b, c}, {{expression::parse("a * b < 8"), ""}}};
}

constexpr double fails = convergence::nothing;

/// 10 ms less 2 for each step of a, 3 for b = 2, and c = y takes 1 ms more, but with a = 2 and b = 2 it fails.
double time_of(const configuration& c) {
    return c[0] == 1 && c[1] == 1 && c[2] == 1 ? fails : 10.0 - 2 * c[0] - 3 * c[1] + c[2];
}

std::vector<double> times(const std::vector<configuration>& which) {
    std::vector<double> out;
    for (const configuration& c : which) {
        out.push_back(time_of(c));
    }
    return out;
}

const std::vector<optimization> each{{"a", {"a"}}, {"b", {"b"}}, {"c", {"c"}}};

studied_space on(const std::string& name, named_values best) {
    studied_space s;
    s.name = name;
    s.optimum = 2;
    s.best = std::move(best);
    s.parameters = small().parameters();
    return s;
}

/// Two spaces with the parameters of small() and one with another.
space_study three() {
    space_study s;
    s.optimizations = each;
    s.spaces.push_back(on("one", {{"a", std::int64_t{2}}, {"b", std::int64_t{1}}, {"c", std::string("x")}}));
    s.spaces.push_back(on("two", {{"a", std::int64_t{4}}, {"b", std::int64_t{1}}, {"c", std::string("y")}}));
    s.spaces.push_back(on("third", {{"a", std::int64_t{2}}}));
    s.spaces[2].parameters.resize(1);
    s.spaces[0].times = {2, 2.5, 4, 25};
    s.spaces[0].failed = 1;
    s.spaces[1].times = {2};
    s.spaces[2].times = {2};
    s.spaces[0].samples = {{200, {3, 0.5}}, {400, {2.5, 0.25}}};
    s.spaces[1].samples = {{200, {fails, 0}}, {400, {2, 0}}};
    s.spaces[2].samples = s.spaces[1].samples;
    s.spaces[0].alone = {{4, {{"a", 2}, {"b", 4}, {"c", 4}}, 2}, {4, {{"a", 4}, {"b", 2}, {"c", 4}}, fails}};
    s.portability = {{1.0, 0.5, std::nullopt}, {0.0, 1.0, std::nullopt}, {std::nullopt, std::nullopt, 1.0}};
    return s;
}

} // namespace

TEST_CASE("optimizations tuned one by one and then combined are as worked out by hand") {
    // From a = 1, b = 1, c = y (11 ms): a = 4 takes 7, b = 2 takes 8, c = x takes 10; together they are not valid.
    const tuned_alone one_by_one = tune_alone(small(), {0, 0, 1}, 11, each, times);
    CHECK(one_by_one.start == 11);
    CHECK(one_by_one.alone == std::map<std::string, double>{{"a", 7}, {"b", 8}, {"c", 10}});
    CHECK(one_by_one.combined == fails);

    // a and b together: a = 2, b = 2 fails with c = y, so a = 4, b = 1 it is; with c = x that takes 6.
    const std::vector<optimization> pair{{"sizes", {"a", "b"}}, {"c", {"c"}}, {"elsewhere", {"d"}}};
    const tuned_alone grouped = tune_alone(small(), {0, 0, 1}, 11, pair, times);
    CHECK(grouped.alone == std::map<std::string, double>{{"c", 10}, {"sizes", 7}});
    CHECK(grouped.combined == 6);

    // The optimum a = 2, b = 2, c = x stays where it is.
    const tuned_alone optimal = tune_alone(small(), {1, 1, 0}, 5, each, times);
    CHECK(optimal.alone == std::map<std::string, double>{{"a", 5}, {"b", 5}, {"c", 5}});
    CHECK(optimal.combined == 5);

    // Each alone leads from a = 2, b = 1, c = y (9 ms) to a = 4 (7) and c = x (8); b = 2 fails.
    const tuned_alone failing = tune_alone(small(), {1, 0, 1}, 9, each, times);
    CHECK(failing.alone == std::map<std::string, double>{{"a", 7}, {"b", 9}, {"c", 8}});
    CHECK(failing.combined == 6);
}

TEST_CASE("what is measured for one optimization differs from the start in it alone, and is valid") {
    std::vector<configuration> asked;
    tune_alone(small(), {2, 0, 0}, 6, {{"b", {"b"}}, {"c", {"c"}}}, [&](const std::vector<configuration>& which) {
        asked.insert(asked.end(), which.begin(), which.end());
        return times(which);
    });
    CHECK(asked == std::vector<configuration>{{2, 0, 1}}); // a = 4 with b = 2 is not valid
}

TEST_CASE("speedups are counted by tenths, failures apart") {
    const std::vector<double> shares = speedup_shares({0, 0.05, 0.1, 0.19, 0.85, 0.9, 1, 1.2});
    REQUIRE(shares.size() == speedup_bins);
    CHECK(shares[0] == Approx(1.0 / 8)); // fails
    CHECK(shares[1] == Approx(1.0 / 8)); // more than ten times slower
    CHECK(shares[2] == Approx(2.0 / 8));
    CHECK(shares[9] == Approx(1.0 / 8));
    CHECK(shares[10] == Approx(3.0 / 8)); // within 10 % of the best
    CHECK(shares[5] == 0);
    const space_study s = three();
    CHECK(speedups_of_all(s.spaces[0]) == std::vector<double>{0, 1, 0.8, 0.5, 0.08});
    CHECK(speedups_of_combined(s.spaces[0]) == std::vector<double>{2, 0});
    CHECK(speedups_elsewhere(s, 0) == std::vector<double>{0.5});
    CHECK(speedups_elsewhere(s, 2).empty());
}

TEST_CASE("values of best configurations are counted over the spaces that have the parameter") {
    const std::vector<value_counts> counts = best_values(three());
    REQUIRE(counts.size() == 3);
    CHECK(counts[0].parameter == "a");
    using pairs = std::vector<std::pair<value, std::uint64_t>>;
    CHECK((counts[0].counts == pairs{{std::int64_t{1}, 0}, {std::int64_t{2}, 2}, {std::int64_t{4}, 1}}));
    CHECK((counts[1].counts == pairs{{std::int64_t{1}, 2}, {std::int64_t{2}, 0}}));
    CHECK((counts[2].counts == pairs{{std::string("x"), 1}, {std::string("y"), 1}}));
}

TEST_CASE("parameters that are in no named optimization are optimizations by themselves") {
    const std::vector<optimization> all = all_optimizations({{"sizes", {"c", "a"}}}, three().spaces);
    REQUIRE(all.size() == 2);
    CHECK(all[0].name == "sizes");
    CHECK(all[1].name == "b");
    CHECK(all[1].parameters == std::vector<std::string>{"b"});
    CHECK(same_parameters(three().spaces[0], three().spaces[1]));
    CHECK(!same_parameters(three().spaces[0], three().spaces[2]));
}

TEST_CASE("a study is tables, CSV, JSON and a picture") {
    const space_study s = three();
    const std::string text = to_text(s);
    INFO(text);
    CHECK(text.find("  space      200         400\n"
                    "  one    3 (0.5)  2.5 (0.25)\n"
                    "  two          -       2 (0)\n") != std::string::npos);
    CHECK(
        text.find("  one                20.0%  20.0%   0.0%   0.0%   0.0%   0.0%  20.0%   0.0%   0.0%  20.0%   20.0%  "
                  "0.476\n") != std::string::npos);
    CHECK(text.find("  a               3             2 (2), 4 (1)\n") != std::string::npos);
    CHECK(text.find("  one    1.500  1.500  1.000     1.000\n"
                    "  two        -      -      -         -\n") != std::string::npos);
    CHECK(text.find("  best of … on …    one    two  third  mean elsewhere\n"
                    "  one             1.000  0.500      -           0.500\n"
                    "  two                 X  1.000      -           0.000\n"
                    "  third               -      -  1.000               -\n") != std::string::npos);
    const std::string csv = to_csv(s);
    CHECK(csv.find("study,space,what,value\nsample_mean_ms,\"one\",\"200\",3\n") == 0);
    CHECK(csv.find("\nsample_mean_ms,\"two\",\"200\",\n") != std::string::npos);
    CHECK(csv.find("\nspeedups,\"one\",\"≥ 0.9\",0.2\n") != std::string::npos);
    CHECK(csv.find("\nbest,\"two\",\"c\",\"y\"\n") != std::string::npos);
    CHECK(csv.find("\nalone,\"one\",\"a\",2\nalone,\"one\",\"a\",1\n") != std::string::npos);
    CHECK(csv.find("\ncombined,\"one\",\"\",2\ncombined,\"one\",\"\",0\n") != std::string::npos);
    CHECK(csv.find("\nportability,\"two\",\"one\",0\n") != std::string::npos);
    CHECK(csv.find("\nvalues,\"\",\"a=2\",2\n") != std::string::npos);
    const nlohmann::json j = to_json(s);
    CHECK(j["spaces"][0]["best"] == nlohmann::json{{"a", 2}, {"b", 1}, {"c", "x"}});
    CHECK(j["spaces"][0]["portability"] == nlohmann::json{{"one", 1.0}, {"two", 0.5}, {"third", nullptr}});
    CHECK(j["spaces"][0]["alone"][0]["combined_ms"] == 2.0);
    CHECK(nlohmann::json::parse(j.dump())["spaces"][1]["samples"][0]["mean_ms"].is_null());
    CHECK(j["values"][2]["counts"][1] == nlohmann::json{{"value", "y"}, {"times", 1}});
    const std::string picture = study_plot(s);
    std::size_t bars = 0;
    for (std::size_t at = picture.find("<rect x="); at != std::string::npos; at = picture.find("<rect x=", at + 1)) {
        ++bars;
    }
    CHECK(bars == 3 * speedup_bins + 3 + 2 + 2); // three histograms, and the values of three parameters
    CHECK(picture.find("best configurations by a") != std::string::npos);
}
