#include "core/report/comparison.hpp"
#include "core/report/convergence_plot.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace gst;

namespace {

compared_run run_of(const std::string& strategy, std::uint64_t seed, std::vector<convergence::step> steps) {
    compared_run r;
    r.strategy = strategy;
    r.space = "line";
    r.seed = seed;
    r.found.steps = std::move(steps);
    r.evaluations = 4;
    r.compiled = 3;
    r.seconds = 8;
    r.compile_seconds = 5;
    r.device_seconds = 3;
    r.search_seconds = 0.0008;
    return r;
}

/// Times 1, 2, 3, 4 ms at 2 s each; `good` finds 2 at once and 1 with its second, `bad` nothing but 4, or nothing.
comparison four() {
    comparison c;
    c.axis = {false, 4, {1, 2, 4}};
    c.spaces.push_back({"line", 4, 1, 4, random_baseline({1, 2, 3, 4}), {2, 0}});
    c.strategies = {"good", "bad"};
    for (const std::uint64_t seed : {1, 2}) {
        c.runs.push_back(run_of("good", seed, {{1, 2, 2}, {2, 4, 1}}));
    }
    c.runs.push_back(run_of("bad", 1, {{2, 4, 4}}));
    c.runs.push_back(run_of("bad", 2, {}));
    return c;
}

} // namespace

TEST_CASE("a staircase is read at evaluations and at times") {
    const convergence c{{{2, 10, 5}, {4, 30, 3}}};
    CHECK(c.best_after_evaluations(1) == convergence::nothing);
    CHECK(c.best_after_evaluations(2) == 5);
    CHECK(c.best_after_evaluations(3.5) == 5);
    CHECK(c.best_after_evaluations(100) == 3);
    CHECK(c.best_after_seconds(9.9) == convergence::nothing);
    CHECK(c.best_after_seconds(10) == 5);
    CHECK(c.best_after_seconds(30) == 3);
}

TEST_CASE("scores are as worked out by hand") {
    comparison c = four();
    score(c);
    REQUIRE(c.scores.size() == 4); // two strategies on one space, and over all
    const strategy_score& good = score_of(c, "good", "line");
    REQUIRE(good.fraction.size() == 3);
    CHECK(good.fraction[0].mean == Approx(0.5));
    CHECK(good.fraction[1].mean == Approx(1));
    CHECK(good.fraction[0].half_width == 0);
    CHECK(good.area.mean == Approx((0.5 + 1 + 1 + 1) / 4));
    // Random search expects 2.5, 5/3, 1.25 and 1 ms; the last is the optimum and does not count.
    CHECK(good.score.mean == Approx(((2.5 - 2) / (2.5 - 1) + 1 + 1) / 3));
    CHECK(good.speedup == Approx(1));
    CHECK(good.best == 2);
    CHECK(good.win_share == Approx(1));
    CHECK(good.evaluations == 4);
    CHECK(good.compiled == 3);
    CHECK(good.compile_seconds == 5);
    CHECK(good.device_seconds == 3);
    CHECK(good.search_microseconds == Approx(200));
    CHECK(good.overhead == Approx(1e-4));

    const strategy_score& bad = score_of(c, "bad", "line");
    CHECK(bad.fraction[0].mean == 0);
    CHECK(bad.fraction[1].mean == Approx(0.125)); // 1/4 and nothing
    CHECK(bad.fraction[1].half_width == Approx(12.7062047 * 0.125));
    // What finds nothing counts as the slowest, 4 ms, from the start: both runs are the same.
    const double expected = ((2.5 - 4) / 1.5 + (5.0 / 3 - 4) / (2.0 / 3) + (1.25 - 4) / 0.25) / 3;
    CHECK(bad.score.mean == Approx(expected));
    CHECK(bad.speedup == Approx(0.25));
    CHECK(bad.best == 0);
    CHECK(score_of(c, "bad", "").score.mean == Approx(expected));
}

TEST_CASE("how long gst let a device wait is told of runs on one") {
    comparison recorded = four();
    score(recorded);
    CHECK_FALSE(score_of(recorded, "good", "line").idle);
    CHECK(to_text(recorded).find("idle ‱") == std::string::npos);
    CHECK(to_json(recorded)["scores"][0]["idle_permyriad"].is_null());
    comparison live = four();
    for (compared_run& r : live.runs) {
        r.idle_seconds = r.seed == 1 ? 0.004 : 0.012;
    }
    score(live);
    CHECK(score_of(live, "good", "line").idle == Approx(1e-3)); // of 16 s
    CHECK(to_text(live).find("  idle ‱\n") != std::string::npos);
    CHECK(to_text(live).find("   10.00\n") != std::string::npos);
    CHECK(to_csv(live).find(",overhead_permyriad,idle_permyriad,stages,") != std::string::npos);
    CHECK(to_json(live)["scores"][0]["idle_permyriad"] == Approx(10));
}

TEST_CASE("the best times and the spaces that a strategy is best in are as worked out by hand") {
    comparison c = four();
    score(c);
    const strategy_score& good = score_of(c, "good", "line");
    REQUIRE(good.best_time.size() == 3);
    CHECK(good.best_time[0].mean == 2);
    CHECK(good.best_time[2].mean == 1);
    CHECK(good.best_time[2].variance == 0);
    CHECK(score_of(c, "bad", "line").best_time[2].mean == convergence::nothing); // one run found nothing
    c.runs[3].found.steps = {{4, 8, 2}};
    c.runs[0].stage_seconds = {{"grouping", 0.0004}};
    c.runs[1].stage_seconds = {{"grouping", 0.0012}, {"sampling", 0.0016}};
    score(c);
    CHECK(score_of(c, "bad", "line").best_time[2].mean == Approx(3)); // 4 and 2
    CHECK(score_of(c, "bad", "line").best_time[2].variance == Approx(1));
    CHECK(score_of(c, "good", "").best_time.empty());
    const std::map<std::string, double>& stages = score_of(c, "good", "line").stages;
    REQUIRE(stages.size() == 2);
    CHECK(stages.at("grouping") == Approx(1e-4)); // 1.6 ms of 16 s
    CHECK(stages.at("sampling") == Approx(1e-4));

    // On a second space the other one is faster.
    c.spaces.push_back(c.spaces.front());
    c.spaces.back().name = "other";
    for (std::size_t i = 0; i < 4; ++i) {
        compared_run r = c.runs[i];
        r.space = "other";
        r.found.steps = {{1, 2, r.strategy == "bad" ? 1.0 : 2.0}};
        c.runs.push_back(std::move(r));
    }
    score(c);
    CHECK(score_of(c, "good", "").best_spaces == 0.5);
    CHECK(score_of(c, "good", "").worst_spaces == 0.5);
    CHECK(score_of(c, "bad", "other").speedup == Approx(1));
    CHECK(score_of(c, "good", "other").speedup == Approx(0.5));
    const std::string text = to_text(c);
    CHECK(text.find("  good: grouping 1.000 ‱, sampling 1.000 ‱\n") != std::string::npos);
    CHECK(text.find("speedup over random search after 4 evaluations\n"
                    "  space            good    bad\n"
                    "  line            1.000  0.354\n"
                    "  other           0.500  1.000\n"
                    "  geometric mean  0.707  0.595\n"
                    "  best in           50%    50%\n"
                    "  worst in          50%    50%\n") != std::string::npos);
    const std::string picture = speedup_plot(c);
    std::size_t bars = 0;
    for (std::size_t at = picture.find("<rect x="); at != std::string::npos; at = picture.find("<rect x=", at + 1)) {
        ++bars;
    }
    CHECK(bars == 2 * 3 + 2); // two strategies on two spaces and over all, and in the legend
}

TEST_CASE("equal winners share the win") {
    comparison c = four();
    c.runs[2].found.steps = {{3, 6, 1}};
    score(c);
    CHECK(score_of(c, "good", "line").best == 2);
    CHECK(score_of(c, "good", "line").win_share == Approx(0.75));
    CHECK(score_of(c, "bad", "line").best == 1);
    CHECK(score_of(c, "bad", "line").win_share == Approx(0.25));
}

TEST_CASE("over time random search draws as often as configurations cost") {
    comparison c = four();
    c.axis = {true, 4, {2, 4}};
    score(c);
    const strategy_score& good = score_of(c, "good", "line");
    CHECK(good.fraction[0].mean == Approx(0.5));
    CHECK(good.fraction[1].mean == Approx(1));
    // 200 points: nothing before 2 s, 2 ms from the 100th on, 1 ms at the last.
    CHECK(good.area.mean == Approx((99 * 0 + 100 * 0.5 + 1) / 200.0));
    CHECK(good.speedup == Approx((2.5 + 5.0 / 3) / 2)); // one draw is done at 2 s, two at 4 s: 1.5 around 4 s
    // From one draw (3 s) on 51 points: at 3 s + i / 50 s random search expects 2.5 ms less 5/6 ms per draw.
    double score_by_hand = 0;
    for (int i = 0; i <= 50; ++i) {
        const double expected = 2.5 - (2.5 - 5.0 / 3) * i / 100.0;
        score_by_hand += (expected - (i == 50 ? 1 : 2)) / (expected - 1) / 51;
    }
    CHECK(good.score.mean == Approx(score_by_hand));
    const std::vector<double> baseline = baseline_curve(c, c.spaces.front());
    CHECK(baseline.front() == Approx(0.25)); // none yet
    CHECK(baseline.back() == Approx(((1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4) / 4 + (3 * 1 + 2 * 0.5 + 1.0 / 3) / 6) / 2));
    c.spaces.front().seconds.variance = 4; // costs as uneven as those of a Poisson process: t / μ
    CHECK(baseline_curve(c, c.spaces.front()).back() == Approx((3 * 1 + 2 * 0.5 + 1.0 / 3) / 6));
}

TEST_CASE("a comparison is a table, CSV, JSON and a picture") {
    comparison c = four();
    c.spaces.front().name = "a \"line\" & more";
    for (compared_run& r : c.runs) {
        r.space = c.spaces.front().name;
    }
    score(c);
    CHECK(to_text(c).find("good       0.500 ±0.000   1.000 ±0.000   1.000 ±0.000   0.875 ±0.000") != std::string::npos);
    const std::string csv = to_csv(c);
    CHECK(csv.find("\"a \"\"line\"\" & more\",\"good\",0.5,0,1,0,1,0,0.875,0,") != std::string::npos);
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 5);
    const nlohmann::json j = to_json(c);
    CHECK(j["evaluations"] == 4);
    CHECK(j["scores"].size() == 4);
    CHECK(j["scores"][0]["fraction_of_optimum"][1] ==
          nlohmann::json{{"budget", 2.0}, {"mean", 1.0}, {"half_width_95", 0.0}});
    CHECK(j["scores"][3]["space"].is_null());
    CHECK(j["runs"][0]["convergence"].size() == 2);
    const std::string picture = convergence_plot(c);
    CHECK(picture.find("<svg ") == 0);
    CHECK(picture.find("a \"line\" &amp; more") != std::string::npos);
    std::size_t curves = 0;
    for (std::size_t at = picture.find("<polyline"); at != std::string::npos; at = picture.find("<polyline", at + 1)) {
        ++curves;
    }
    CHECK(curves == 3);
}
