#include "core/app/train_time.hpp"
#include "core/base/feature.hpp"
#include "core/tune/forecast.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tuned_suite.hpp"

#include <cmath>

using namespace gst;

namespace {

/// Stencils of 4, 8, 12 … points; a configuration takes longer the farther TBx is from 32, twice as long where it does
/// not use local memory, and all in proportion to the size.
tuned_suite invented(int stencils) {
    tuned_suite t = small_tuned_suite();
    t.stencils.clear();
    t.runs.clear();
    t.predictor = "random_forest";
    t.predictor_options = {};
    t.predictor_features = {"size"};
    for (int i = 0; i < stencils; ++i) {
        const std::string name = "s" + std::to_string(i);
        const double size = 4 * (i + 1);
        t.stencils.push_back({name, "star", "0123", 1e6, {size, 0.1}, ""});
        for (int log = 0; log < 10; ++log) {
            for (const bool local : {false, true}) {
                std::map<std::string, value> c{{"TBx", std::int64_t{1} << log},
                                               {"load", std::string(local ? "local" : "global")}};
                if (i % 2 == 0) {
                    c["TBy"] = std::int64_t{1}; // not of all stencils
                }
                t.times.push_back({name, c, size * (1 + std::abs(log - 5)) * (local ? 0.01 : 0.02)});
            }
        }
    }
    return t;
}

} // namespace

TEST_CASE("a model of the time ranks the configurations of stencils that it has not seen") {
    const temporary_folder folder;
    const tuned_suite t = invented(12);
    const std::optional<time_training> found = train_time(t, "/", folder / "models");
    REQUIRE(found);
    CHECK(found->predictor == "random_forest");
    CHECK(found->rows == 12 * 20);
    CHECK(found->stencils == 12);
    CHECK(found->rank_correlation > 0.9);
    CHECK(found->rank_correlation <= 1);
    CHECK(found->ranked > 0.95);
    CHECK(found->random > 0.3);
    CHECK(found->random < 0.8);

    auto m = std::make_shared<model>(read_model(folder / "models/time.model", "time.model", features_version));
    std::vector<std::string> names;
    for (const training_table::feature& f : m->about.features) {
        names.push_back(f.name);
    }
    CHECK(names == std::vector<std::string>{"size", "TBx", "load=global", "load=local"});
    CHECK(m->about.predicts == "log2(time)");
    const auto of = [](const char* name, std::vector<value> domain, role purpose) {
        return parameter{name, domain, domain.front(), purpose, -1, {}, "", {}};
    };
    const space s({of("TBx", {std::int64_t{4}, std::int64_t{32}}, role::thread_block),
                   of("load", {std::string("global"), std::string("local")}, role::load)},
                  {});
    const ranking r = make_ranking(m, {{"size", "points", "", "", 24}}, s);
    REQUIRE(r.time);
    const auto time = [&](std::int64_t x, const char* load) {
        return r.time(*s.find({{"TBx", x}, {"load", std::string(load)}}));
    };
    CHECK(time(32, "local") < time(32, "global"));
    CHECK(time(32, "local") < time(4, "local"));
    CHECK(std::abs(std::log2(time(32, "local") / 0.24)) < 0.7); // ms, not their logarithm
    CHECK(make_ranking(m, {{"size", "points", "", "", 500}}, s).undecided.find("size is 500") != std::string::npos);

    CHECK(train_time(t, "/", "")->rank_correlation == found->rank_correlation);
}

TEST_CASE("times that say nothing give no model") {
    CHECK_FALSE(train_time(invented(1), "/", ""));
    tuned_suite t = invented(3);
    t.stencils[0].left_out = "it was too slow";
    const std::optional<time_training> found = train_time(t, "/", "");
    REQUIRE(found);
    CHECK(found->stencils == 2);
}
