#include "core/app/bench.hpp"
#include "tests/app/recorded_playground.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>

using namespace gst;
using namespace gst::test;
using nlohmann::json;

TEST_CASE("the sensitivity of a strategy to its settings is a comparison of its rows") {
    const playground here;
    const finished_command done =
        here.gst("bench --json --set seeds=2 --output sensitivity examples/replay/sensitivity.toml");
    INFO(done.err);
    REQUIRE(done.code == 0);
    std::map<std::string, std::string> measured; // what a row's runs have found, and when
    const json report = json::parse(done.out);
    for (const json& run : report["runs"]) {
        measured[run["strategy"]] += run["convergence"].dump();
    }
    std::set<std::string> different;
    for (const auto& [strategy, found] : measured) {
        different.insert(found);
    }
    CHECK(measured.contains("gest, 10 samples"));
    CHECK(measured.contains("gest, 6 groups"));
    CHECK(measured.size() == 7);
    // Each setting reaches its strategy; this kernel has parameters for four groups and no more.
    CHECK(different.size() == 5);
    CHECK(std::filesystem::exists(here.folder() / "sensitivity/convergence.svg"));
}

TEST_CASE("the comparisons that come with gst can be read") {
    for (const std::string file :
         {"examples/replay/strategies.toml", "examples/replay/study.toml", "tests/bench/recordings/strategies.toml",
          "tests/bench/recordings/figures.toml", "tests/bench/recordings/sensitivity.toml",
          "tests/bench/recordings/h200.toml", "tests/bench/recordings/h200_sensitivity.toml",
          "tests/bench/recordings/h200_live.toml"}) {
        INFO(file);
        CHECK_NOTHROW(read_bench(std::filesystem::path(GST_SOURCE_DIR) / file));
    }
    const playground here;
    const finished_command study = here.gst("bench --set seeds=2 examples/replay/study.toml");
    INFO(study.err);
    CHECK(study.code == 0);
    CHECK(study.out.find("all configurations, by best time / time") != std::string::npos);
}

TEST_CASE("strategies are compared, the same for any number of jobs") {
    const recorded_playground here;
    const finished_command one = here.gst("bench strategies.toml --json");
    INFO(one.err);
    REQUIRE(one.code == 0);
    const auto without_real_time = [](json j) {
        for (json& s : j["scores"]) {
            s.erase("search_microseconds_per_evaluation");
            s.erase("overhead_permyriad");
        }
        for (json& r : j["runs"]) {
            r.erase("search_seconds");
        }
        return j;
    };
    const json j = without_real_time(json::parse(one.out));
    CHECK(without_real_time(json::parse(here.gst("bench strategies.toml --json --jobs 4").out)) == j);
    CHECK(j["runs"].size() == 6);
    CHECK(j["scores"].size() == 4);
    const json exhaustive = j["scores"][1];
    CHECK(exhaustive["strategy"] == "exhaustive");
    CHECK(exhaustive["space"] == "small");
    CHECK(exhaustive["evaluations"] == 2.0);
    CHECK(exhaustive["compile_seconds"] == 2.0);
    CHECK(exhaustive["fraction_of_optimum"][1]["budget"] == 2.0);
    CHECK(exhaustive["fraction_of_optimum"][1]["mean"] == 0.5); // 4 ms, then 2 ms; the optimum is 1 ms

    // 4 s: two configurations of 1.5 s, and the third, which does not compile, ends after it.
    here.folder().write("timed.toml", "seconds = 4" + strategies.substr(strategies.find("\n[[")));
    const json timed = json::parse(here.gst("bench timed.toml --json --set seeds=1").out);
    CHECK(timed["seconds"] == 4.0);
    CHECK(timed["scores"][1]["evaluations"] == 3.0);
    CHECK(timed["runs"][1]["seconds"] == 6.0);
}

TEST_CASE("an interrupted comparison shows the runs that are finished") {
    const recorded_playground here;
    const auto interrupted_after = [](const bench_settings& s, std::size_t runs) {
        bool stop = false;
        return run_bench(
                   s, 1, [&] { return stop; }, [&](std::size_t done, std::size_t) { stop = done == runs; })
            .compared;
    };
    const bench_settings s = read_bench(here.folder() / "strategies.toml", {"study.optimizations={}"});
    const comparison c = interrupted_after(s, 4);
    CHECK_FALSE(c.complete);
    CHECK(c.runs.size() == 4);
    CHECK(c.scores.size() == 2); // none over all spaces
    CHECK_FALSE(c.study);
    const std::string text = to_text(c);
    CHECK(text.starts_with("small: 4 configurations, optimum 1 ms, incomplete\n"));
    CHECK(text.find("\n  random, 3 runs  ") != std::string::npos);
    CHECK(text.find("\n  exhaustive, 1 run  ") != std::string::npos);
    CHECK(to_csv(c).find(",3,false\n") == std::string::npos); // best times come behind
    CHECK(to_csv(c).find(",3,false,") != std::string::npos);
    const json j = to_json(c);
    CHECK(j["complete"] == false);
    CHECK(j["scores"][1]["runs"] == 1);
    CHECK(to_text(interrupted_after(s, 2)).find("exhaustive") == std::string::npos);
    CHECK(interrupted_after(s, 7).complete); // never
    CHECK(to_json(interrupted_after(s, 7))["complete"] == true);

    // On a device: what random search has found is there, and what of the next strategy is finished.
    here.folder().write("live.toml",
                        "seeds = 2\nevaluations = 3\n[[strategy]]\nname = \"hill_climb\"\n[[strategy]]\nname = "
                        "\"random\"\n[[space]]\napp = \"examples/heat2d/app.toml\"\n"
                        "set = [\"grid.size=[32,32]\", \"backend.name='opencl'\"]\n");
    const comparison live = interrupted_after(read_bench(here.folder() / "live.toml"), 3);
    CHECK_FALSE(live.complete);
    REQUIRE(live.spaces.size() == 1);
    CHECK(live.spaces[0].optimum > 0);
    CHECK(score_of(live, "random", "heat2d").runs == 2);
    CHECK(score_of(live, "hill_climb", "heat2d").runs == 1);
    bool at_once = true;
    const comparison none = run_bench(read_bench(here.folder() / "live.toml"), 1, [&] { return at_once; }).compared;
    CHECK_FALSE(none.complete);
    CHECK(none.spaces.empty());
}

TEST_CASE("Ctrl-C during a comparison prints and writes what is finished") {
    const recorded_playground here;
    running_command comparing =
        here.start_gst("bench examples/replay/strategies.toml --output results --set seeds=20000");
    REQUIRE(eventually([&] { return comparing.err().find(" runs\n") != std::string::npos; }));
    comparing.signal(SIGINT);
    const finished_command done = comparing.finish();
    CHECK(done.code == 128 + SIGINT);
    CHECK(done.out.find(" ms, incomplete\n") != std::string::npos);
    const std::string last = done.err.substr(done.err.rfind('\n', done.err.size() - 2) + 1);
    CHECK(last.starts_with("interrupted after "));
    CHECK(last.ends_with(" runs; a comparison of recordings begins anew\n"));
    const json j = json::parse(text_of(here.folder() / "results/comparison.json"));
    CHECK(j["complete"] == false);
    CHECK(last.find(" " + std::to_string(j["runs"].size()) + " of ") != std::string::npos);
    CHECK(text_of(here.folder() / "results/comparison.csv").find(",complete,") != std::string::npos);
    CHECK(std::filesystem::exists(here.folder() / "results/convergence.svg"));
    CHECK_FALSE(std::filesystem::exists(here.folder() / "results/speedup.svg"));
}

TEST_CASE("what a comparison on a device keeps is not measured again") {
    const recorded_playground here;
    here.folder().write("kept.toml",
                        "store = \"kept.db\"\nseeds = 2\nevaluations = 3\n[[strategy]]\nname = \"random\"\n"
                        "[[strategy]]\nname = \"hill_climb\"\n[[space]]\napp = \"examples/heat2d/app.toml\"\n"
                        "set = [\"grid.size=[32,32]\", \"backend.name='opencl'\"]\n");
    const auto compare = [&](const std::string& seeds) {
        const finished_command done = here.gst("bench kept.toml --json --set seeds=" + seeds);
        INFO(done.err);
        REQUIRE(done.code == 0);
        return json::parse(done.out)["runs"];
    };
    const auto stored = [&] { return json::parse(here.gst("results --store kept.db --json").out); };
    const json first = compare("1");
    const json after_one = stored();
    CHECK(after_one.size() > 2);
    const json both = compare("2"); // the runs with the first seed are known
    const json after_both = stored();
    CHECK(after_both.size() > after_one.size());
    CHECK(compare("2").size() == both.size());
    CHECK(stored() == after_both);
    // Runs come by strategy, then by seed.
    CHECK(both[0]["convergence"].back()["best_ms"] == first[0]["convergence"].back()["best_ms"]);
    CHECK(both[2]["convergence"].back()["best_ms"] == first[1]["convergence"].back()["best_ms"]);
    CHECK(both[0]["device_seconds"] == first[0]["device_seconds"]);
}

TEST_CASE("strategies are compared on a device beside random search") {
    const recorded_playground here;
    const std::string space = "[[space]]\napp = \"examples/heat2d/app.toml\"\nset = [\"grid.size=[32,32]\", "
                              "\"backend.name='opencl'\"]\n";
    const std::string head = "seeds = 2\nevaluations = 3\nat = [1, 3]\n[[strategy]]\nname = \"hill_climb\"\n";
    here.folder().write("live.toml",
                        head + "[[strategy]]\nname = \"random\"\n" + space + "[[space]]\nfile = \"small.csv\"\n");
    const finished_command done = here.gst("bench live.toml --json");
    INFO(done.err);
    REQUIRE(done.code == 0);
    const json j = json::parse(done.out);
    CHECK(j["spaces"][1]["name"] == "heat2d");
    CHECK(j["runs"].size() == 8);
    double fastest = 1e300;
    int live = 0;
    for (const json& run : j["runs"]) {
        if (run["space"] == "heat2d") {
            ++live;
            CHECK(run["evaluations"] == 3);
            CHECK(run["seconds"] > 0.0);
            CHECK(run["device_seconds"] > 0.0);
            fastest = run["convergence"].empty()
                          ? fastest
                          : std::min(fastest, run["convergence"].back()["best_ms"].get<double>());
        }
    }
    CHECK(live == 4);
    CHECK(j["spaces"][1]["optimum_ms"] == fastest);
    CHECK(here.gst("results").code == 1); // nothing is stored

    here.folder().write("alone.toml", head + space);
    const finished_command alone = here.gst("bench alone.toml");
    CHECK(alone.code == 2);
    CHECK(alone.err.find("alone.toml:7:7: error: strategies are compared on a device only beside random search\n") ==
          0);
}

TEST_CASE("spaces are studied beside the comparison") {
    const recorded_playground here;
    here.folder().write("other.csv", "block,unroll,status,time_ms\n"
                                     "32,1,correct,5\n"
                                     "32,2,correct,10\n"
                                     "64,1,correct,100\n"
                                     "64,2,runtime,\n");
    here.folder().write("third.csv", "block,status,time_ms\n32,correct,1\n64,correct,2\n");
    here.folder().write("study.toml", "seeds = 2\nevaluations = 4\nat = [1, 4]\n[[strategy]]\nname = \"random\"\n"
                                      "[study]\noptimizations = { both = [\"block\", \"unroll\"] }\n"
                                      "[[space]]\nfile = \"small.csv\"\n[[space]]\nfile = \"other.csv\"\n"
                                      "[[space]]\nfile = \"third.csv\"\n");
    const finished_command done = here.gst("bench study.toml --json --output results");
    INFO(done.err);
    REQUIRE(done.code == 0);
    const json study = json::parse(done.out)["study"];
    REQUIRE(study["spaces"].size() == 3);
    const json& small = study["spaces"][0];
    CHECK(small["best"] == json{{"block", 64}, {"unroll", 2}});
    CHECK(small["optimum_ms"] == 1.0);
    CHECK(small["samples"][1] == json{{"budget", 4.0}, {"mean_ms", 1.0}, {"variance_ms2", 0.0}}); // all four
    // 4, 2, 1 ms and one that does not compile: speedups of 0.25, 0.5, 1 and 0.
    CHECK(small["speedup_shares"] == json(std::vector<double>{0.25, 0, 0, 0.25, 0, 0, 0.25, 0, 0, 0, 0.25}));
    CHECK(study["spaces"][1]["speedup_shares"][1] == 0.25); // 100 ms beside 5
    // The best of all four cannot be improved.
    CHECK(small["alone"] == json{{{"start_ms", 1.0}, {"alone_ms", {{"both", 1.0}}}, {"combined_ms", 1.0}},
                                 {{"start_ms", 1.0}, {"alone_ms", {{"both", 1.0}}}, {"combined_ms", 1.0}}});
    CHECK(small["portability"] == json{{"small", 1.0}, {"other", 0.0}, {"third", nullptr}}); // fails there
    CHECK(study["spaces"][1]["portability"] == json{{"small", 0.25}, {"other", 1.0}, {"third", nullptr}});
    CHECK(study["values"][0] ==
          json{{"parameter", "block"}, {"counts", {{{"value", 32}, {"times", 2}}, {{"value", 64}, {"times", 1}}}}});
    for (const char* file : {"study.csv", "study.svg", "speedup.svg"}) {
        CHECK(std::filesystem::file_size(here.folder() / "results" / file) > 100);
    }

    // A sample of one: from the other three each parameter alone, and both together.
    here.folder().write("one.toml", "seeds = 20\nevaluations = 1\nat = [1]\n[[strategy]]\nname = \"random\"\n"
                                    "[study]\n[[space]]\nfile = \"small.csv\"\n");
    const json one = json::parse(here.gst("bench one.toml --json").out)["study"];
    std::map<double, std::string> seen;
    for (const json& a : one["spaces"][0]["alone"]) {
        seen[a["start_ms"]] = a.dump();
    }
    const std::map<double, std::string> expected{
        // 64,2: nothing is faster.
        {1.0, R"({"alone_ms":{"block":1.0,"unroll":1.0},"combined_ms":1.0,"start_ms":1.0})"},
        // 32,2: block = 64 is faster, unroll = 1 is not.
        {2.0, R"({"alone_ms":{"block":1.0,"unroll":2.0},"combined_ms":1.0,"start_ms":2.0})"},
        // 32,1: block = 64 does not compile, unroll = 2 is faster.
        {4.0, R"({"alone_ms":{"block":4.0,"unroll":2.0},"combined_ms":2.0,"start_ms":4.0})"}};
    CHECK(seen == expected); // 64,1 fails: no start
    CHECK(one["spaces"][0]["samples"][0]["mean_ms"].is_null());
}

TEST_CASE("spaces on a device are studied") {
    const recorded_playground here;
    const auto space = [](int size) {
        return "[[space]]\napp = \"examples/heat2d/app.toml\"\nname = \"" + std::to_string(size) +
               "\"\nset = [\"grid.size=[" + std::to_string(size) +
               ",32]\", \"backend.name='opencl'\", "
               "\"space.domain.TBx=[8,16]\", \"space.domain.TBy=[1,2]\", \"space.domain.CMx=[1]\", "
               "\"space.domain.CMy=[1]\", \"space.domain.load=['global']\"]\n";
    };
    here.folder().write("live.toml", "seeds = 2\nevaluations = 2\nat = [2]\n[[strategy]]\nname = \"random\"\n"
                                     "[study]\noptimizations = { work-group = [\"TBx\", \"TBy\"] }\n" +
                                         space(32) + space(48));
    const finished_command done = here.gst("bench live.toml --json");
    INFO(done.err);
    REQUIRE(done.code == 0);
    const json study = json::parse(done.out)["study"];
    REQUIRE(study["spaces"].size() == 2);
    for (const json& s : study["spaces"]) {
        CHECK(s["optimum_ms"] > 0.0);
        REQUIRE(s["alone"].size() == 2);
        for (const json& a : s["alone"]) {
            CHECK(a["alone_ms"]["work-group"] <= a["start_ms"]);
            // Nothing else has another value here: what is combined is the fastest work-group.
            CHECK(a["alone_ms"]["load"] == a["start_ms"]);
            CHECK(a["combined_ms"] == a["alone_ms"]["work-group"]);
        }
    }
    CHECK(study["spaces"][0]["portability"]["48"] > 0.0);
    CHECK(study["spaces"][1]["portability"]["32"] > 0.0);
    CHECK(study["spaces"][1]["portability"]["48"] == 1.0);

    const finished_command wrong = here.gst("bench live.toml --set study.optimizations.work-group=TBq");
    CHECK(wrong.code == 2);
    CHECK(wrong.err.find("unknown parameter 'TBq'") != std::string::npos);
}

TEST_CASE("a strategy sees samples and is judged by means") {
    const temporary_folder folder;
    // The first looks better by its sample than the second is, and is worse.
    folder.write("small.csv", "x,status,time_ms,times_ms\n1,correct,3,1 5\n2,correct,2,2 2\n");
    folder.write("strategies.toml",
                 "seeds = 20\nevaluations = 2\nat = [2]\n[[strategy]]\nname = \"exhaustive\"\n[[space]]\nfile = "
                 "\"small.csv\"\ntime = \"sample\"\n");
    const comparison c = run_bench(read_bench(folder / "strategies.toml"), 1).compared;
    int fooled = 0;
    for (const compared_run& r : c.runs) {
        const double found = c.axis.best(r.found, 2);
        CHECK((found == 3 || found == 2));
        fooled += found == 3 ? 1 : 0;
    }
    CHECK(fooled > 0);
    CHECK(fooled < 20);
}

TEST_CASE("a strategy that fails is left out, and the others are compared") {
    const recorded_playground here;
    // It gives up in about every second run.
    here.folder().write("dies.sh",
                        "read start\ncase \"$(echo \"$start\" | sed 's/.*\"seed\":\\([0-9]*\\).*/\\1/')\" in "
                        "*[02468]) exit 3;; esac\n"
                        "echo '{\"ask\": [{\"block\": 32, \"unroll\": 2}]}'\nread told\nexit 0\n");
    const std::string strategies = "seeds = 9\nevaluations = 3\n[[strategy]]\nname = \"external\"\nlabel = \"mine\"\n"
                                   "options = {program = \"sh\", arguments = \"dies.sh\"}\n"
                                   "[[strategy]]\nname = \"random\"\n";
    here.folder().write("failing.toml", strategies + "[[space]]\nfile = \"small.csv\"\n");
    const std::string why =
        "error: strategy 'mine', space 'small': 'sh' exited with code 3 before the budget was spent";
    for (const char* jobs : {"1", "4"}) {
        const finished_command done = here.gst(std::string("bench failing.toml --json --jobs ") + jobs);
        INFO(done.err);
        CHECK(done.code == 2);
        CHECK(done.err.starts_with("strategy 'mine' failed on 'small', seed "));
        CHECK(done.err.find(", and is left out; the others go on\n" + why) != std::string::npos);
        const json j = json::parse(done.out);
        CHECK(j["complete"] == true);
        CHECK(j["failed"] == json{"mine"});
        CHECK(j["runs"].size() == 9);
        CHECK(j["scores"][0]["strategy"] == "random");
    }
    CHECK(here.gst("bench failing.toml").out.find("\n  left out, because it failed: mine\n") != std::string::npos);

    here.folder().write("failing_live.toml", strategies + "[[space]]\napp = \"examples/heat2d/app.toml\"\n"
                                                          "set = [\"grid.size=[32,32]\", \"backend.name='opencl'\"]\n");
    here.folder().write("dies.sh", "exit 3\n");
    const finished_command live = here.gst("bench failing_live.toml --json --set seeds=1");
    INFO(live.err);
    CHECK(live.code == 2);
    CHECK(live.err.find("\nerror: strategy 'mine', space 'heat2d': 'sh' exited with code 3") != std::string::npos);
    const json j = json::parse(live.out);
    CHECK(j["complete"] == true);
    CHECK(j["failed"] == json{"mine"});
    CHECK(j["runs"].size() == 1);
}

TEST_CASE("a strategy that cannot be compared on a space is named with it") {
    const recorded_playground here;
    here.folder().write(
        "an5d.toml",
        "evaluations = 1\n[[strategy]]\nname = \"an5d\"\nlabel = \"model\"\n[[space]]\nfile = \"small.csv\"\n");
    const finished_command done = here.gst("bench an5d.toml");
    CHECK(done.code == 2);
    CHECK(done.err.starts_with("error: strategy 'model', space 'small': the strategy ranks configurations by a"));
    // One evaluation: there is no quarter of it.
    here.folder().write("one.toml",
                        "evaluations = 1\n[[strategy]]\nname = \"random\"\n[[space]]\nfile = \"small.csv\"\n");
    const json j = json::parse(here.gst("bench --json one.toml").out);
    CHECK(j["scores"][0]["fraction_of_optimum"].size() == 1);
}

TEST_CASE("a strategy sees the performance model of a recording that has one") {
    const recorded_playground here;
    // What rows of whole vectors bring is known to the model; the recording says the contrary.
    here.folder().write("heat.csv",
                        "TBx,VX,status,time_ms\n1,1,correct,1\n1,4,correct,2\n64,1,correct,3\n64,4,correct,4\n");
    here.folder().write(
        "model.toml",
        "seeds = 2\nevaluations = 4\n[[strategy]]\nname = \"an5d\"\nmodel = true\noptions = { measured = 1 "
        "}\n[[space]]\nfile = \"heat.csv\"\nmodel = { app = \"heat.toml\", bandwidth = 1000, "
        "compute_units = 100 }\n");
    here.folder().write("heat.toml", "[stencil]\nfile = \"examples/heat2d/heat2d.gst\"\n[grid]\nsize = [4096, 4096]\n"
                                     "[space]\npreset = \"gest\"\n");
    const finished_command done = here.gst("bench --json model.toml");
    INFO(done.err);
    REQUIRE(done.code == 0);
    const json found = json::parse(done.out);
    CHECK(found["runs"].size() > 0);
    for (const json& run : found["runs"]) {
        CHECK(run["evaluations"] == 1.0);
        CHECK(run["convergence"][0]["best_ms"] >= 3.0); // the first of the model's ranking: rows of 64
    }
    const auto refusal = [&](const std::string& what, const std::string& by) {
        std::string text = text_of(here.folder() / "model.toml");
        text.replace(text.find(what), what.size(), by);
        here.folder().write("wrong.toml", text);
        const finished_command wrong = here.gst("bench wrong.toml");
        CHECK(wrong.code == 2);
        return wrong.err;
    };
    CHECK(refusal("heat.csv", "small.csv")
              .find("error: the recording has a parameter 'block' of 32, and 'heat.toml' has none such\n") !=
          std::string::npos);
    CHECK(refusal("heat.toml", "none.toml").find("none.toml") != std::string::npos);
    CHECK(refusal(", bandwidth = 1000", "").find("a model needs app and bandwidth") != std::string::npos);
    CHECK(refusal("model = {", "roles = {}\n[[space]]\nname = \"bare\"\nfile = \"small.csv\"\n[space.roles]\n#")
              .find("the recording 'heat' has no model that 'an5d' could see") != std::string::npos);
}

TEST_CASE("a comparison that could not be written does not begin") {
    const recorded_playground here;
    here.folder().write("file", "");
    const finished_command done = here.gst("bench --output file/folder strategies.toml");
    CHECK(done.code == 2);
    CHECK(done.out.empty());
    CHECK(done.err.starts_with("error: --output file/folder: files cannot be written there (Not a directory)\n"));
}

TEST_CASE("mistakes in strategies.toml have places") {
    const recorded_playground here;
    const auto refusal = [&](const std::string& text) {
        here.folder().write("wrong.toml", text);
        const finished_command c = here.gst("bench wrong.toml");
        CHECK(c.code == 2);
        return c.err.substr(0, c.err.find('\n'));
    };
    const std::string space = "[[space]]\nfile = \"small.csv\"\n";
    const std::string strategy = "[[strategy]]\nname = \"random\"\n";
    CHECK(refusal("[[strategy]]\nname = \"randon\"\n" + space)
              .find("wrong.toml:2:8: error: there is no search plugin 'randon'") == 0);
    CHECK(refusal(strategy + "options = { bach = 3 }\n" + space)
              .find("wrong.toml:3:20: error: the search plugin 'random' has no option 'bach'") == 0);
    CHECK(refusal(strategy + strategy + space) == "wrong.toml:4:8: error: there are two strategies 'random'");
    CHECK(refusal(strategy + space + space) == "wrong.toml:6:8: error: there are two spaces 'small'");
    CHECK(refusal(strategy + "[[space]]\nname = \"a\"\n") == "wrong.toml:3:1: error: space.file is missing");
    CHECK(refusal("evaluations = 3\nseconds = 3\n" + strategy + space) ==
          "wrong.toml:2:11: error: strategies are compared at equal evaluations or at equal time");
    CHECK(refusal("evaluations = 3\nat = [4]\n" + strategy + space) ==
          "wrong.toml:2:6: error: at lists budgets above 0 and up to 3");
    CHECK(refusal(strategy) == "error: there is no space");
    CHECK(refusal("[[strategy]]\nname = \"exhaustive\"\n[study]\n" + space) ==
          "wrong.toml:3:2: error: spaces are studied by random samples");
    CHECK(refusal(strategy + "[study]\noptimizations = { a = [\"blok\"] }\n" + space) ==
          "wrong.toml:4:23: error: unknown parameter 'blok' – did you mean 'block'?");
    CHECK(refusal(strategy + "[study]\noptimizations = { a = [\"block\"], b = \"block\" }\n" + space) ==
          "wrong.toml:4:38: error: 'block' is in two optimizations");
    CHECK(refusal(strategy + "[study]\noptimizations = { block = [\"unroll\"] }\n" + space) ==
          "wrong.toml:3:2: error: the optimization 'block' is called like a parameter");
    CHECK(refusal(strategy + "[study]\noptimizations = { a = [1] }\n" + space)
              .find("error: study.optimizations.a must be") != std::string::npos);
    CHECK(refusal(strategy + "[study]\nrepeats = 3\n" + space) ==
          "wrong.toml:4:1: error: unknown key 'repeats' in [study]");
    here.folder().write("small.csv", "x,status,time_ms\n1,compile,\n");
    CHECK(refusal(strategy + space) == "wrong.toml:4:8: error: no configuration of 'small' is correct");
    CHECK(here.gst("bench nowhere.toml").code == 2);
}
