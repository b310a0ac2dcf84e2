#include "core/app/garvey_suite.hpp"
#include "core/app/suite.hpp"
#include "core/base/error.hpp"
#include "core/store/results.hpp"
#include "core/store/tuned_suite.hpp"
#include "tests/app/markdown.hpp"
#include "tests/app/shell.hpp"
#include "tests/catch.hpp"
#include "tests/tuned_suite.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>

using namespace gst;

namespace {

const std::vector<std::string> stencils{"point", "star3d_r1", "dense2d_xy_r1"};

/// A suite that is trained on in seconds: three stencils, a small grid, few configurations.
std::string small_suite(const std::string& more = "") {
    return "[grid]\nsize = [32, 16, 16]\n"
           "[space.domain]\nTBx = [8, 16]\nTBy = [1, 4]\nTBz = [1]\nCMx = [1]\nCMy = [1, 2]\nCMz = [1]\nVX = [1, 4]\n"
           "[measure]\nmethod = \"paper\"\n[store]\npath = \"results.db\"\n[backend]\nname = \"opencl\"\n"
           "[train]\nfeatures = [\"size\", \"dimensionality\", \"density\", \"unique_dimension\"]\n"
           "times = 6\npredictor = \"random_forest\"\noptions = { trees = 10 }\nmodels = \"models\"\n"
           "stencils = [\n"
           "  { file = \"point.gst\", family = \"line\" }, { file = \"star3d_r1.gst\", family = \"star\" },\n"
           "  { file = \"dense2d_xy_r1.gst\", family = \"dense\" },\n" +
           more +
           "]\n"
           "[[train.reference]]\nstrategy = \"random\"\nevaluations = 6\nrefused = true\n"
           "[[train.heuristic]]\nstrategy = \"grouped\"\nlabel = \"hybrid\"\noptions = { specification = \"hybrid\" }\n"
           "evaluations = 4\n";
}

/// A playground with the suite in it.
class suite_folder : public playground {
  public:
    suite_folder() {
        for (const synthetic_stencil& s : garvey_suite(1, false)) {
            if (std::find(stencils.begin(), stencils.end(), s.name) != stencils.end()) {
                folder().write("suite/" + s.name + ".gst", s.text);
            }
        }
        folder().write("suite/suite.toml", small_suite());
    }
    std::filesystem::path table() const { return folder() / "suite/tuned.json"; }
    std::vector<result_row> rows() const {
        const std::filesystem::path path = folder() / "suite/results.db";
        return std::filesystem::exists(path) ? result_store(path).query() : std::vector<result_row>();
    }
    std::size_t runs() const {
        return std::filesystem::exists(table()) ? read_tuned_suite(table(), "tuned.json").runs.size() : 0;
    }
};

suite suite_of(const std::filesystem::path& file) {
    return read_suite(read_suite_document(file), file);
}

std::string refusal(const std::string& text) {
    const temporary_folder folder;
    for (const synthetic_stencil& s : garvey_suite(1, false)) {
        folder.write(s.name + ".gst", s.text);
    }
    try {
        suite_of(folder.write("suite.toml", text));
    } catch (const user_error& e) {
        return folder.without_path(e.what());
    }
    return "";
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    if (at == std::string::npos) {
        throw std::logic_error("there is no " + what);
    }
    return text.replace(at, what.size(), by);
}

} // namespace

TEST_CASE("a suite is trained, over interruptions, and the report repeated from its table") {
    const suite_folder here;
    const std::string command = "train suite/suite.toml";
    for (const int signal : {SIGKILL, SIGINT}) {
        const std::size_t before = here.rows().size();
        running_command first = here.start_gst(command);
        CHECK(eventually([&] { return here.rows().size() > before + 2; }));
        first.signal(signal);
        const finished_command ended = first.finish();
        INFO(ended.err);
        CHECK(ended.code == 128 + signal);
        CHECK(eventually([&] { return first.processes() == 0; }));
    }
    const finished_command some = here.gst(command + " --for 0.001s");
    CHECK(some.code == 0);
    CHECK(some.out.find("runs are measured; the same command goes on from there\n") != std::string::npos);

    const finished_command done = here.gst(command);
    INFO(done.err << done.out);
    REQUIRE(done.code == 0);
    CHECK(here.runs() == 3 * (1 + 4));
    std::set<std::string> keys;
    const std::vector<result_row> rows = here.rows();
    for (const result_row& r : rows) {
        CHECK(keys.insert(r.key).second); // nothing was measured twice
    }
    CHECK(done.out.find("Strategies on 3 stencils (Garvey, Table 3)\n") != std::string::npos);
    CHECK(done.out.find("hybrid with one value of load for all (Garvey, Tables 4 and 5)\n") != std::string::npos);
    const bool learned = done.out.find("there is nothing to learn") == std::string::npos;
    CHECK(std::filesystem::exists(here.folder() / "suite/models/hybrid.model") == learned);

    // The model of the time, and that it ranks.
    const tuned_suite tuned = read_tuned_suite(here.table(), "tuned.json");
    CHECK(tuned.times.size() == 3 * 6);
    for (const tuned_suite::timing& t : tuned.times) {
        CHECK(t.configuration.count("load") == 1);
        CHECK(std::ranges::any_of(rows, [&](const result_row& r) {
            return r.stencil == t.stencil &&
                   std::map(r.configuration.begin(), r.configuration.end()) == t.configuration && r.what.time == t.time;
        }));
    }
    CHECK(
        done.out.find("Time of 18 configurations of 3 stencils by random_forest, a tenth of the stencils left out at a "
                      "time\n") != std::string::npos);
    here.folder().write("ranked.toml", "[stencil]\nfile = \"suite/star3d_r1.gst\"\n[grid]\nsize = [32, 16, 16]\n"
                                       "[predictor]\nmodel = \"suite/models/time.model\"\n[search]\nstrategy = "
                                       "\"gstuner\"\noptions = { ranking = \"estimate\", sampled = 20 }\n");
    CHECK(here.gst("predict ranked.toml")
              .out.find("  configurations are ranked by suite/models/time.model, for strategies that ask") !=
          std::string::npos);
    const finished_command ranked = here.gst("tune ranked.toml --quiet --set budget.evaluations=3");
    INFO(ranked.err);
    CHECK(ranked.code == 0);

    // Again: from the file alone, with and without a device, to the last byte.
    const std::string table = text_of(here.table());
    CHECK(here.gst(command).out == done.out);
    CHECK(text_of(here.table()) == table);
    CHECK(here.rows().size() == rows.size());
    CHECK(here.run("build/bin/gst train --from suite/tuned.json").out == done.out);
    CHECK(here.run("gzip -k suite/tuned.json && build/bin/gst train --from suite/tuned.json.gz").out == done.out);
    CHECK(here.gst("train --from suite/tuned.json --models again").out == done.out);
    CHECK(text_of(here.folder() / "again/hybrid.model") == text_of(here.folder() / "suite/models/hybrid.model"));
    CHECK(text_of(here.folder() / "again/time.model") == text_of(here.folder() / "suite/models/time.model"));
    here.run("mv suite/results.db* .");
    CHECK(here.gst(command).out == done.out); // the times are in the table
    here.run("mv results.db* suite");

    // What training would refuse is told before anything is measured.
    const finished_command feature = here.gst(command + " --set 'train.features=[\"sise\"]'");
    CHECK(feature.code == 2);
    CHECK(feature.err.find("there is no feature 'sise' – did you mean 'size'?") != std::string::npos);
    const finished_command option = here.gst(command + " --set train.options.treees=3");
    CHECK(option.code == 2);
    CHECK(option.err.find("suite.toml:") != std::string::npos);
    CHECK(option.err.find("treees") != std::string::npos);

    // Other features are learned from with the same table; other measurements need another one.
    const finished_command fewer = here.gst(command + " --set 'train.features=[\"size\"]'");
    INFO(fewer.err);
    CHECK(fewer.code == 0);
    CHECK(here.rows().size() == rows.size());
    const finished_command processes = here.gst(command + " --set measure.compilers=1");
    INFO(processes.err);
    CHECK(processes.code == 0);
    CHECK(here.rows().size() == rows.size());
    const finished_command other = here.gst(command + " --set grid.size=[16,16,16]");
    CHECK(other.code == 2);
    CHECK(other.err.find("'suite/tuned.json' is of another suite: it was measured with the grid '32x16x16', and this "
                         "is '16x16x16'") != std::string::npos);
    const finished_command budget = here.gst(command + " --set measure.warm_up=3");
    CHECK(budget.code == 2);
    INFO(budget.err);
    CHECK(budget.err.find(
              "with the settings '… measure={method=paper} …', and this is '… measure={method=paper warm_up=3} …'") !=
          std::string::npos);
    CHECK(first_line(budget.err).size() < 250);
    here.folder().write("suite/tuned.json", table.substr(0, table.size() / 2));
    const finished_command cut = here.gst(command);
    CHECK(cut.code == 2);
    CHECK(cut.err.find("error: the table cannot be gone on from: suite/tuned.json:") != std::string::npos);
    CHECK(cut.err.find("move it away: what is in the database is not measured again") != std::string::npos);
    here.run("mv suite/tuned.json cut.json");
    CHECK(here.gst(command).code == 0);
    CHECK(here.rows().size() == rows.size());
}

TEST_CASE("report and models of the shipped tables are those beside them, to the last byte") {
    const std::string device = GENERATE(as<std::string>{}, "h200", "h200_opencl", "pocl");
    INFO(device);
    const std::filesystem::path folder =
        std::filesystem::path(GST_SOURCE_DIR) / "examples/replay" / ("garvey_" + device);
    std::string command = "train --models models --from '" + (folder / "tuned.json.gz").string() + "'";
    if (std::filesystem::exists(folder / "tuned_large.json.gz")) {
        command += " --from '" + (folder / "tuned_large.json.gz").string() + "'";
    }
    const playground here;
    const finished_command done = here.gst(command);
    INFO(done.err);
    REQUIRE(done.code == 0);
    const std::vector<std::string> models{"by_dimension.model", "by_optimization.model", "hybrid.model"};
    if (std::getenv("GST_APPROVE") != nullptr) {
        std::ofstream(folder / "report.txt") << done.out;
        for (const std::string& model : models) {
            std::filesystem::remove(folder / model);
            if (std::filesystem::exists(here.folder() / "models" / model)) { // else there was nothing to learn
                std::filesystem::copy_file(here.folder() / "models" / model, folder / model);
            }
        }
    }
    CHECK(done.out == text_of(folder / "report.txt"));
    for (const std::string& model : models) {
        INFO(model);
        CHECK(text_of(here.folder() / "models" / model) == text_of(folder / model));
        const std::string nothing = model.substr(0, model.find('.')) + ": load = vector is best for every stencil";
        CHECK(std::filesystem::exists(folder / model) == (done.out.find(nothing) == std::string::npos));
    }
}

TEST_CASE("what the device cannot run is left out, and the others are trained on") {
    const suite_folder here;
    here.folder().write("suite/half.gst", "stencil half(x, y, z) {\n    field u : f16 compute f16\n"
                                          "    u[t+1] = 0.5 * u\n}\n");
    here.folder().write("suite/suite.toml", small_suite("  { file = \"half.gst\", family = \"line\" },\n"));
    const finished_command done = here.gst("train suite/suite.toml");
    INFO(done.err << done.out);
    REQUIRE(done.code == 0);
    if (done.err.find("half: left out") == std::string::npos) {
        std::cout << "skipped: the device computes in f16\n";
        return;
    }
    CHECK(done.out.find("\n  half: left out, the stencil's arithmetic uses f16, which the device '") !=
          std::string::npos);
    CHECK(done.out.find("Strategies on 3 stencils") != std::string::npos);
    CHECK(here.gst("train --from suite/tuned.json").out == done.out);

    // A stencil that has changed is tuned again.
    here.folder().write("suite/point.gst", "stencil point(x, y, z) {\n    field u\n    u[t+1] = 0.25 * u\n}\n");
    const finished_command changed = here.gst("train suite/suite.toml");
    INFO(changed.err);
    CHECK(changed.code == 0);
    CHECK(changed.err.find("point has changed and is tuned again\n") != std::string::npos);
    CHECK(here.runs() == 3 * (1 + 4));
}

TEST_CASE("the report of a committed table is the same to the last byte") {
    const std::filesystem::path folder = std::filesystem::path(GST_SOURCE_DIR) / "tests/app/training";
    const playground here;
    const finished_command done = here.gst("train --from '" + (folder / "tuned.json.gz").string() + "'");
    INFO(done.err);
    CHECK(done.code == 0);
    if (std::getenv("GST_APPROVE") != nullptr) {
        std::ofstream(folder / "report.txt") << done.out;
    }
    CHECK(done.out == text_of(folder / "report.txt"));
}

TEST_CASE("a table in which one value is always best, and one of which runs are broken, are told") {
    const playground here;
    tuned_suite t = small_tuned_suite();
    for (tuned_suite::run& r : t.runs) {
        if (r.value == "local") {
            r.time = r.again = 9;
        }
    }
    write_tuned_suite(here.folder() / "one.json", t);
    const finished_command one = here.gst("train --from one.json --models models");
    CHECK(one.code == 0);
    CHECK(one.out.find("hybrid: load = global is best for every stencil; there is nothing to learn\n") !=
          std::string::npos);
    CHECK(!std::filesystem::exists(here.folder() / "models"));

    write_tuned_suite(here.folder() / "broken.json", small_tuned_suite());
    here.folder().write("broken.json",
                        replaced(text_of(here.folder() / "broken.json"), "\"time_ms\":2.0", "\"time_ms\":NaN"));
    const finished_command broken = here.gst("train --from broken.json");
    CHECK(broken.code == 0);
    CHECK(broken.out.find("  a: left out, not all strategies have run\n"
                          "  a, hybrid, global: left out, for its times are no numbers from 0 on\n") !=
          std::string::npos);
    CHECK(broken.out.find("Strategies on 3 stencils") != std::string::npos);

    tuned_suite half = small_tuned_suite();
    half.heuristics.push_back("by_dimension"); // of which nothing is sound, or nothing has run yet
    write_tuned_suite(here.folder() / "half.json", half);
    const finished_command rest = here.gst("train --from half.json");
    INFO(rest.out << rest.err);
    CHECK(rest.code == 0);
    CHECK(rest.out.find("\n  by_dimension: left out, there is no run of it\n") != std::string::npos);
    CHECK(rest.out.find("Strategies on 4 stencils") != std::string::npos);

    tuned_suite empty = small_tuned_suite();
    empty.runs.clear();
    write_tuned_suite(here.folder() / "empty.json", empty);
    const finished_command nothing = here.gst("train --from empty.json");
    CHECK(nothing.code == 1);
    CHECK(nothing.err == "there is nothing to learn from: no stencil is tuned\n");

    tuned_suite unknown = small_tuned_suite();
    unknown.predictor_features = {"sise"};
    write_tuned_suite(here.folder() / "unknown.json", unknown);
    const finished_command feature = here.gst("train --from unknown.json");
    CHECK(feature.code == 2);
    CHECK(feature.err == "error: there is no feature 'sise' – did you mean 'size'?\n"
                         "  train.features lists some of size and density\n");
}

TEST_CASE("several tables are reported as one, and those that do not fit are refused") {
    const playground here;
    const tuned_suite whole = small_tuned_suite();
    tuned_suite first = whole;
    std::erase_if(first.runs, [](const tuned_suite::run& r) { return r.stencil == "c"; });
    tuned_suite second = whole;
    std::erase_if(second.runs, [](const tuned_suite::run& r) { return r.stencil != "c"; });
    write_tuned_suite(here.folder() / "whole.json", whole);
    write_tuned_suite(here.folder() / "first.json", first);
    write_tuned_suite(here.folder() / "second.json", second);
    const finished_command joined = here.gst("train --from first.json --from second.json --models models");
    INFO(joined.err);
    CHECK(joined.code == 0);
    CHECK(joined.out == here.gst("train --from whole.json --models whole").out);
    CHECK(text_of(here.folder() / "models/hybrid.model") == text_of(here.folder() / "whole/hybrid.model"));

    second.settings = "{measure={method=median}}";
    write_tuned_suite(here.folder() / "second.json", second);
    const finished_command otherwise = here.gst("train --from first.json --from second.json");
    CHECK(otherwise.out.find("\n  c: tuned with the settings {measure={method=median}}\n") != std::string::npos);

    const finished_command twice = here.gst("train --from first.json --from whole.json");
    CHECK(twice.code == 2);
    CHECK(twice.err == "error: 'first.json' and 'whole.json' both have runs of a\n  leave it out of one of them\n");
    const std::string units = GST_SOURCE_DIR "/examples/replay/local_memory_h200/units.json.gz";
    const finished_command unlike = here.gst("train --from first.json --from " + units);
    CHECK(unlike.code == 2);
    CHECK(unlike.err.find("is a table of unit kernels, which is not joined with others\n  give it alone\n") !=
          std::string::npos);
}

TEST_CASE("mistakes in the use of gst train are told") {
    const playground here;
    const finished_command nothing = here.gst("train");
    CHECK(nothing.code == 2);
    CHECK(nothing.err == "error: suite.toml is missing\n  gst synth garvey FOLDER writes one, and gst synth han FOLDER "
                         "one for local memory\n");
    const finished_command both = here.gst("train --from a.json --for 8min");
    CHECK(both.code == 2);
    CHECK(both.err.starts_with("error: --from reports what a table says;"));
    CHECK(here.gst("train --for 8 suite.toml").code == 2);
    CHECK(here.gst("train --for 8days suite.toml").code == 2);
}

TEST_CASE("mistakes in suite.toml are diagnostics with their place") {
    CHECK(refusal(small_suite()) == "");
    CHECK(refusal("[grid]\nsize = [8]\n") == "error: 'suite.toml' has no table [train]\n"
                                             "  gst synth garvey FOLDER writes a suite.toml that has one");
    const auto says = [](const std::string& what, const std::string& by, const std::string& message) {
        const std::string told = refusal(replaced(small_suite(), what, by));
        INFO(told);
        CHECK(told.find("suite.toml:") == 0);
        CHECK(told.find("error: " + message) != std::string::npos);
    };
    says("predictor = ", "predictr = ", "unknown key 'predictr' in [train]");
    says("strategy = \"random\"", "plugin = \"random\"", "train.reference.strategy is missing");
    says("label = \"hybrid\"", "label = \"random\"", "there are two strategies 'random'");
    says("label = \"hybrid\"", "label = \"../hybrid\"", "the label '../hybrid' can be no file's name");
    says("label = \"hybrid\"", "label = \"time\"", "the strategy 'time' would have the model of the time");
    says("file = \"point.gst\", ", "", "train.stencils.file is missing");
    says("size = [32, 16, 16]", "sise = [32, 16, 16]", "unknown key 'sise' in [grid]");
    says("evaluations = 4", "evaluations = -4", "train.heuristic.evaluations must be an integer of at least 0");
    says("[measure]", "[search]\nstrategy = \"random\"\n[measure]", "[search] has no say in a suite");
    says("TBx = [8, 16]", "TBx = []", "space.domain.TBx leaves no value");
    CHECK(refusal(replaced(small_suite(), "[[train.heuristic]]", "[[train.reference]]"))
              .find("there is no train.heuristic") != std::string::npos);
}

TEST_CASE("the suite.toml in docs/training.md is read") {
    const temporary_folder folder;
    int shown = 0;
    for (const block& b : blocks_of("docs/training.md")) {
        if (b.mark == "<!-- suite -->") {
            const suite s = suite_of(folder.write("suite.toml", b.text));
            CHECK(s.stencils.size() == 2);
            CHECK(s.references.at(0).refused);
            CHECK(s.heuristics.at(0).label == "hybrid");
            CHECK(s.predictor.options.count("trees") == 1);
            ++shown;
        }
    }
    CHECK(shown == 1);
}
