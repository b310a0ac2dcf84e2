#include "core/report/model_prediction.hpp"
#include "core/report/summary.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

using namespace gst;

namespace {

model_prediction local() {
    model_prediction p;
    p.model = "h200.model";
    p.predictor = "random_forest";
    p.device = "NVIDIA H200";
    p.backend = "cuda";
    p.parameter = "load";
    p.chances = {{"local", 0.82}, {"vector", 0.12}, {"global", 0.06}, {"image", 0.0}};
    p.chosen = "local";
    return p;
}

} // namespace

TEST_CASE("what was predicted is said with how surely, or why it was not") {
    model_prediction p = local();
    CHECK(to_text(p) == "load = local (0.82; vector 0.12, global 0.06), by h200.model");
    p.same_device = false;
    p.beyond = "it has learned from grid_x 256 (here 128)";
    CHECK(to_text(p) == "load = local (0.82; vector 0.12, global 0.06), by h200.model; it has learned from grid_x 256 "
                        "(here 128); it was trained on NVIDIA H200 (cuda)");
    CHECK(to_json(p).at("beyond") == "it has learned from grid_x 256 (here 128)");
    p = local();
    p.chosen.clear();
    p.undecided = "size is 343, and the model has learned from 1 to 125";
    CHECK(to_text(p) == "nothing of load, by h200.model: size is 343, and the model has learned from 1 to 125; the "
                        "search is not narrowed by it");
    p = local();
    p.launches = {1200, 345, 6};
    CHECK(to_text(p) == "load by launch: local memory in 1,200 of 1,551, none in 345, both in 6, by h200.model");
    CHECK(to_json(p).at("launches") == nlohmann::json{{"local", 1200}, {"not_local", 345}, {"both", 6}});
    p = local();
    CHECK(to_json(p).at("launches").is_null());
    p.chances.clear();
    p.parameter = "TBx";
    p.number = 28.25;
    p.chosen = "32";
    CHECK(to_text(p) == "TBx = 32 (the value nearest to 28.25), by h200.model");
    p.parameter = "time";
    CHECK(to_text(p) == "configurations are ranked by h200.model, for strategies that ask");
    CHECK(to_json(p).at("asked").is_null());
    p.asked = true;
    CHECK(to_text(p) == "configurations are ranked by h200.model");
    p.asked = false;
    CHECK(to_text(p) == "h200.model would rank configurations, and the strategy did not ask");
    CHECK(to_json(p).at("asked") == false);
    p.undecided = "size is 343, and the model has learned from 1 to 125";
    CHECK(to_text(p) == "h200.model does not rank here: size is 343, and the model has learned from 1 to 125");
}

TEST_CASE("a report has a line for each prediction, and what they leave") {
    tuning_report r;
    CHECK(to_text(r).find("predicted") == std::string::npos);
    CHECK_FALSE(to_json(r).contains("predictions"));
    r.predictions = {local()};
    r.admitted = 368490;
    r.searched = 20160;
    CHECK(to_text(r).find("  predicted     load = local (0.82; vector 0.12, global 0.06), by h200.model\n"
                          "                leaves 20,160 of 368,490 configurations\n") != std::string::npos);
    const nlohmann::json j = to_json(r);
    CHECK(j.at("searched") == 20160);
    CHECK(j.at("predictions").at(0).at("chosen") == "local");
    CHECK(j.at("predictions").at(0).at("probabilities").at("vector") == 0.12);
    CHECK(j.at("predictions").at(0).at("number").is_null());
}
