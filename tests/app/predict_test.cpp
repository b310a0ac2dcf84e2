#include "core/base/feature.hpp"
#include "core/tune/model.hpp"
#include "tests/app/shell.hpp"
#include "tests/catch.hpp"
#include "tests/plugins/tables.hpp"

#include <nlohmann/json.hpp>

using namespace gst;
using nlohmann::json;

namespace {

/// Writes a model that the predictor `nearest` has learned from the table.
void write_nearest(const std::filesystem::path& file, const training_table& t, const std::string& predicts) {
    model m{{}, test::make("nearest")};
    m.learned->learn(t);
    m.about.predictor = "nearest";
    m.about.version = "1.0";
    m.about.predicts = predicts;
    m.about.device = "A GPU";
    m.about.backend = "cuda";
    m.about.training = "two stencils";
    m.about.rows = t.size();
    m.about.features_version = features_version;
    m.about.features = t.features;
    m.about.classes = t.classes;
    write_model(file, m);
}

/// Stencils of `small` and of `large` points: those take local, these global.
training_table loads(double small, double large) {
    training_table t;
    t.features = {{"size", "points"}};
    t.classes = {"local", "global"};
    t.add("", std::vector<double>{small}, 0);
    t.add("", std::vector<double>{large}, 1);
    return t;
}

/// A playground with models of `load`: one that knows 5 to 27 points, and one that knows 20 to 27.
struct predicting_playground : playground {
    predicting_playground() {
        write_nearest(folder() / "h200.model", loads(5, 27), "load");
        write_nearest(folder() / "large.model", loads(20, 27), "load");
        const std::string heat = "[stencil]\nfile = \"examples/heat3d/heat3d.gst\"\n[grid]\nsize = [32, 32, 32]\n";
        folder().write("app.toml", heat + "[predictor]\nmodel = \"h200.model\"\n");
        folder().write("plain.toml", heat);
    }
};

} // namespace

TEST_CASE("gst predict says what a model chooses, and how much is left to search") {
    const predicting_playground here;
    const finished_command text = here.gst("predict app.toml");
    INFO(text.err);
    REQUIRE(text.code == 0);
    CHECK(text.out.find("  load = local (1.00), by h200.model; it was trained on A GPU (cuda)\n") != std::string::npos);
    const json j = json::parse(here.gst("predict --json app.toml").out);
    CHECK(j.at("predictions").at(0).at("chosen") == "local");
    CHECK(j.at("predictions").at(0).at("probabilities") == json{{"local", 1.0}, {"global", 0.0}});
    CHECK(j.at("predictions").at(0).at("undecided").is_null());
    CHECK(j.at("searched") < j.at("admitted"));
    CHECK(here.gst("predict --help").out.find("gst predict --json --set predictor.model=h200.model app.toml") !=
          std::string::npos);
    CHECK(here.gst("predict --json --set predictor.model=h200.model app.toml").code == 0);
}

TEST_CASE("a stencil outside of what a model knows is said to be so, and the whole space is searched") {
    const predicting_playground here;
    const finished_command text = here.gst("predict --set predictor.model=large.model app.toml");
    CHECK(text.out.find("  nothing of load, by large.model: size is 7, and the model has learned from 20 to 27; the "
                        "search is not narrowed by it; it was trained on A GPU (cuda)\n") != std::string::npos);
    const json j = json::parse(here.gst("predict --json --set predictor.model=large.model app.toml").out);
    CHECK(j.at("searched") == j.at("admitted"));
    CHECK(j.at("predictions").at(0).at("chosen").is_null());
}

TEST_CASE("tuning runs in the part of the space that a model leaves, and reports it") {
    const predicting_playground here;
    const finished_command text = here.gst("tune app.toml --quiet --set budget.evaluations=3");
    INFO(text.err);
    REQUIRE(text.code == 0);
    CHECK(text.out.find("  predicted     load = local (1.00), by h200.model") != std::string::npos);
    CHECK(text.out.find("                leaves ") != std::string::npos);
    const finished_command done = here.gst("tune app.toml --json --quiet --set budget.evaluations=3");
    REQUIRE(done.code == 0);
    const json j = json::parse(done.out);
    CHECK(j.at("best").at("configuration").at("load") == "local");
    CHECK(j.at("searched") < j.at("admitted"));
    CHECK(j.at("predictions").at(0).at("parameter") == "load");
    const finished_command plan = here.gst("tune app.toml --dry-run");
    CHECK(plan.out.find("  predicted  load = local (1.00), by h200.model") != std::string::npos);
    CHECK(json::parse(here.gst("tune app.toml --dry-run --json").out).at("searched") == j.at("searched"));
}

TEST_CASE("several models decide one after the other") {
    const predicting_playground here;
    training_table t;
    t.features = {{"grid_x", "points"}};
    t.add("", std::vector<double>{16}, 7);
    t.add("", std::vector<double>{64}, 7);
    write_nearest(here.folder() / "block.model", t, "TBx");
    here.folder().write("both.toml", text_of(here.folder() / "plain.toml") +
                                         "[[predictor]]\nmodel = \"h200.model\"\n[[predictor]]\nmodel = "
                                         "\"block.model\"\ndecides = \"WX\"\n");
    const json j = json::parse(here.gst("predict --json both.toml").out);
    REQUIRE(j.at("predictions").size() == 2);
    CHECK(j.at("predictions").at(1).at("parameter") == "TBx");
    CHECK(j.at("predictions").at(1).at("chosen") == "8");
    CHECK(j.at("predictions").at(1).at("number") == 7);
    CHECK(j.at("searched") < json::parse(here.gst("predict --json app.toml").out).at("searched"));
}

TEST_CASE("a model of local memory decides launch by launch, and tuning searches what it leaves") {
    const predicting_playground here;
    training_table t;
    t.features = {{"work_items", "work-items"}, {"region_reuse", "1"}};
    t.classes = {"false", "true"};
    t.add("", std::vector<double>{1, 0}, 0);
    t.add("", std::vector<double>{1024, 7}, 1);
    write_nearest(here.folder() / "han.model", t, "useShared");
    const std::string set = "--set predictor.model=han.model ";
    const finished_command text = here.gst("predict " + set + "app.toml");
    INFO(text.out << text.err);
    REQUIRE(text.code == 0);
    CHECK(text.out.find("  load by launch: local memory in ") != std::string::npos);
    const json j = json::parse(here.gst("predict --json " + set + "app.toml").out);
    const json launches = j.at("predictions").at(0).at("launches");
    CHECK(j.at("predictions").at(0).at("parameter") == "load");
    CHECK(launches.at("local") > 0);
    CHECK(launches.at("not_local") > 0);
    CHECK(j.at("admitted").get<std::uint64_t>() - j.at("searched").get<std::uint64_t>() ==
          launches.at("local").get<std::uint64_t>() + launches.at("not_local").get<std::uint64_t>());
    const finished_command tuned = here.gst("tune --json --quiet " + set + "app.toml --set budget.evaluations=3");
    INFO(tuned.err);
    REQUIRE(tuned.code == 0);
    CHECK(json::parse(tuned.out).at("searched") == j.at("searched"));
    // Of a recording no launch is known.
    here.folder().write("small.csv", "TBx,useShared,status,time_ms\n1,true,correct,4\n1,false,correct,2\n");
    here.folder().write("replay.toml", "[backend]\nname = \"replay\"\n[backend.options]\nfile = \"small.csv\"\n"
                                       "[predictor]\nmodel = \"han.model\"\n");
    CHECK(here.gst("predict replay.toml").err.find("needs the feature 'work_items', which is not known here") !=
          std::string::npos);
}

TEST_CASE("a model of time ranks configurations for an5d, on a recording as well") {
    const predicting_playground here;
    here.folder().write("small.csv",
                        "block,unroll,status,time_ms\n32,1,correct,4\n32,2,correct,2\n64,1,correct,3\n64,2,"
                        "correct,1\n");
    const std::string app =
        "[backend]\nname = \"replay\"\n[backend.options]\nfile = \"small.csv\"\n[search]\nstrategy = "
        "\"an5d\"\n[search.options]\nmeasured = 1\n";
    here.folder().write("without.toml", app);
    CHECK(here.gst("tune without.toml --quiet").code == 2);
    training_table t;
    t.features = {{"block", "1"}, {"unroll", "1"}};
    for (const double block : {32, 64}) {
        for (const double unroll : {1, 2}) {
            t.add("", std::vector<double>{block, unroll}, block == 64 && unroll == 1 ? 0.5 : 4);
        }
    }
    write_nearest(here.folder() / "time.model", t, "time");
    here.folder().write("ranked.toml", app + "[predictor]\nmodel = \"time.model\"\n");
    const finished_command ranked = here.gst("tune ranked.toml --json --quiet");
    INFO(ranked.err);
    REQUIRE(ranked.code == 0);
    const json j = json::parse(ranked.out);
    CHECK(j.at("evaluations") == 1);
    CHECK(j.at("best").at("time_ms") == 3); // what the model believes to be the fastest
    CHECK(j.at("predictions").at(0).at("asked") == true);
    CHECK(here.gst("predict ranked.toml")
              .out.find("  configurations are ranked by time.model, for strategies that ask; it was trained on A GPU "
                        "(cuda)\n") != std::string::npos);
    const finished_command blind = here.gst("tune ranked.toml --quiet --set 'search={strategy=\"random\"}'");
    INFO(blind.err);
    CHECK(blind.out.find("  predicted     time.model would rank configurations, and the strategy did not ask") !=
          std::string::npos);
}

TEST_CASE("what is wrong with a model is said with its place") {
    const predicting_playground here;
    const auto refusal = [&](const std::string& more) {
        const finished_command done = here.gst("predict " + more);
        CHECK(done.code == 2);
        return first_line(done.err);
    };
    CHECK(refusal("plain.toml") == "error: 'plain.toml' names no model");
    CHECK(refusal("--set predictor.model=none.model app.toml")
              .find("cannot read 'none.model' (No such file or directory)") != std::string::npos);
    CHECK(refusal("--set predictor.decides=lode app.toml").find("'lode'") != std::string::npos);
    CHECK(refusal("--set predictor.decides=TBx app.toml")
              .find("the model's classes (local and global) are no values of TBx") != std::string::npos);
    CHECK(refusal("--set predictor.plugin=nearby app.toml").find("there is no predictor plugin 'nearby'") !=
          std::string::npos);
    CHECK(refusal("--set predictor.plugin=random_forest app.toml")
              .starts_with("h200.model:2:11: error: the model was trained by nearest 1.0, and this is random_forest"));
    here.folder().write("cut.model", text_of(here.folder() / "h200.model").substr(0, 100));
    CHECK(refusal("--set predictor.model=cut.model app.toml").find("error: the model is cut off") != std::string::npos);
    training_table t;
    t.features = {{"TBx", "1"}};
    t.add("", std::vector<double>{1}, 1);
    t.add("", std::vector<double>{512}, 2);
    write_nearest(here.folder() / "time.model", t, "time");
    here.folder().write("twice.toml",
                        text_of(here.folder() / "plain.toml") +
                            "[[predictor]]\nmodel = \"time.model\"\n[[predictor]]\nmodel = \"time.model\"\n");
    CHECK(refusal("twice.toml").find("another model ranks configurations already") != std::string::npos);
    t.features = {{"UFx", "1"}};
    write_nearest(here.folder() / "time.model", t, "time");
    CHECK(here.gst("predict --set predictor.model=time.model --set space.preset=garvey app.toml").err ==
          "--set:1:17: error: the model asks for 'UFx', which is no parameter of the space and no feature here; a "
          "model of the time ranks the configurations of spaces like the one that it has learned from\n");
    CHECK(refusal("--set predictor.model=time.model --set space.preset=garvey app.toml")
              .find("the model asks for 'UFx', which is no parameter of the space and no feature here") !=
          std::string::npos);
    here.folder().write("strategies.toml", "[[strategy]]\nname = \"random\"\n[[space]]\napp = \"app.toml\"\n");
    const finished_command bench = here.gst("bench strategies.toml");
    CHECK(bench.code == 2);
    CHECK(bench.err.find("strategies are compared on the whole space, without predictions") != std::string::npos);
}
