#include "tests/app/shell.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

using namespace gst;
using nlohmann::json;

namespace {

const std::vector<std::string> examples{"heat2d", "heat3d", "wave3d",     "blur",
                                        "life",   "fdtd2d", "gray_scott", "diffusion"};

/// Runs of blanks as one, since versions of CLI11 align differently.
std::string without_layout(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool blank = c == ' ' || c == '\n';
        if (!blank || out.empty() || out.back() != ' ') {
            out += blank ? ' ' : c;
        }
    }
    return out;
}

/// Whether NVRTC was missing, which is a failure with GST_TEST_NVRTC=required and otherwise a reason to skip.
bool lacks_nvrtc(const finished_command& c) {
    const char* wanted = std::getenv("GST_TEST_NVRTC");
    const bool required = wanted != nullptr && std::string(wanted) == "required";
    const bool lacks = c.code == 3 && c.err.find("NVRTC is missing") != std::string::npos;
    if (lacks && !required) {
        std::cout << "skipped: " << c.err;
    }
    return lacks && !required;
}

} // namespace

TEST_CASE("help of every command is as approved") {
    // GST_APPROVE=1 writes the snapshots anew.
    const playground here;
    for (const std::string command :
         {"", "run", "tune", "check", "show", "space", "compile", "devices", "plugins", "results", "import", "export",
          "bench", "features", "predict", "synth", "train"}) {
        const finished_command help = here.gst(command + " --help");
        const std::filesystem::path approved =
            std::filesystem::path(GST_SOURCE_DIR) / "tests/app/help" / ((command.empty() ? "gst" : command) + ".txt");
        if (std::getenv("GST_APPROVE") != nullptr) {
            std::ofstream(approved) << help.out;
        }
        INFO(command);
        CHECK(help.code == 0);
        CHECK(without_layout(help.out) == without_layout(text_of(approved)));
        CHECK(help.out.find("Examples:\n  gst ") != std::string::npos);
    }
}

TEST_CASE("the examples in the help work") {
    const playground here;
    std::size_t examples = 0;
    for (const std::string command : {"", "run", "tune", "check", "show", "space", "compile", "devices", "plugins",
                                      "results", "import", "export", "bench", "features", "synth"}) {
        std::istringstream help(here.gst(command + " --help").out);
        for (std::string line; std::getline(help, line);) {
            if (line.rfind("  gst ", 0) != 0) {
                continue;
            }
            line = line.substr(6, line.find("   ", 6) - 6);
            const bool measures = line.rfind("run ", 0) == 0 || (line.rfind("tune ", 0) == 0 && line != "tune --help");
            const finished_command done = here.gst(
                line + (measures ? " --set grid.size=[32,32,32] --set budget.evaluations=2 --set run.steps=2" : ""));
            INFO(line << "\n" << done.err);
            ++examples;
            if (lacks_nvrtc(done)) {
                continue;
            }
            CHECK(done.code == 0);
            CHECK(!done.out.empty());
        }
    }
    CHECK(examples >= 20);
}

TEST_CASE("configurations are compiled without being run") {
    const playground here;
    const finished_command done =
        here.gst("compile examples/heat2d/app.toml --set grid.size=[32,32] --backend opencl --samples 3 --json");
    INFO(done.err);
    REQUIRE(done.code == 0);
    const json j = json::parse(done.out);
    CHECK(j.at("backend") == "opencl");
    CHECK(j.at("configurations") == 3);
    CHECK(j.at("compiled") == 3);
    CHECK(j.at("failures").empty());
    CHECK(j.at("seconds").at("median") > 0);
    const finished_command here_only = here.gst("compile examples/heat2d/app.toml --backend opencl --arch sm_90");
    CHECK(here_only.code == 2);
    CHECK(here_only.err.find("this backend compiles for devices that are here") != std::string::npos);
}

TEST_CASE("configurations are compiled for a GPU that is not here") {
    const playground here;
    const std::string compile = "compile examples/heat3d/app.toml --backend cuda --samples 3 --arch ";
    const finished_command done = here.gst(compile + "sm_90");
    if (lacks_nvrtc(done)) {
        return;
    }
    INFO(done.err);
    CHECK(done.code == 0);
    CHECK(done.out.find("3 of 3 configurations compile for sm_90 (cuda; NVRTC ") == 0);
    CHECK(done.out.find(" configurations are admitted\n") != std::string::npos);
    // What the backend's description of the device and its language tells arrives where the space is made.
    for (const std::string on : {"MB=[2] --set space.domain.useShares=[false]", "useShuffle=[true]",
                                 "useAllRegisters=[true]", "useTensorCopies=[true]"}) {
        CAPTURE(on);
        const finished_command some =
            here.gst("compile examples/heat3d/app.toml --backend cuda --samples 1 --arch sm_90 "
                     "--set space.preset=full --set space.domain." +
                     on);
        INFO(some.err);
        CHECK(some.code == 0);
        CHECK(some.out.find("1 of 1 configurations compile for sm_90") == 0);
    }
    const finished_command unknown = here.gst(compile + "sm_1");
    CHECK(unknown.code == 2);
    CHECK(unknown.err.find("does not compile for 'sm_1'") != std::string::npos);
    const finished_command missing =
        here.gst(compile + "sm_90 --set backend.name=cuda --set backend.options.nvrtc=/nonexistent/libnvrtc.so");
    CHECK(missing.code == 3);
    CHECK(missing.err.find("CUDA's compiler library NVRTC is missing (/nonexistent/libnvrtc.so: ") !=
          std::string::npos);
}

TEST_CASE("a mistake on the command line ends with 2 and says what is known") {
    const playground here;
    CHECK(here.gst("").code == 2);
    CHECK(here.gst("frobnicate").code == 2);
    CHECK(here.gst("check").code == 2);
    CHECK(here.gst("check --frobnicate examples/heat3d/app.toml").code == 2);
    CHECK(here.gst("space --count --explain examples/heat3d/app.toml").code == 2);
    CHECK(here.gst("space --count --sample 2 examples/heat3d/app.toml").code == 2);
    const finished_command missing = here.gst("check nowhere.toml");
    CHECK(missing.code == 2);
    CHECK(missing.err == "error: cannot read 'nowhere.toml' (No such file or directory)\n"
                         "  give the path of an app.toml, for example examples/heat3d/app.toml\n");
}

TEST_CASE("check says what a stencil is, and what is wrong with its place") {
    const playground here;
    const finished_command good = here.gst("check examples/wave3d/app.toml");
    CHECK(good.code == 0);
    CHECK(good.out == "wave3d: 3-D, 1 update, correct\n"
                      "  p            field f32, halo 4 × 4 × 4, reads back to t-1\n"
                      "  c2           coef f32, halo 0 × 0 × 0, read only\n");
    const json j = json::parse(here.gst("check --json examples/gray_scott/gray_scott.gst").out);
    CHECK(j[0]["name"] == "gray_scott");
    CHECK(j[0]["fields"].size() == 2);
    CHECK(j[0]["parameters"][0] == json{{"name", "feed"}, {"default", 0.037}});

    const std::string app = "examples/gray_scott/app.toml --set parameters.feed=0.05";
    CHECK(here.gst("check " + app).out.find("feed         param = 0.05\n") != std::string::npos);
    CHECK(json::parse(here.gst("check --json " + app).out)[0]["parameters"][0] ==
          json{{"name", "feed"}, {"default", 0.037}, {"value", 0.05}});

    here.folder().write("bad.gst", "stencil s(x) {\n    field u\n    u[t+1] = v\n}\n");
    const finished_command bad = here.gst("check bad.gst");
    CHECK(bad.code == 2);
    CHECK(bad.err.find("bad.gst:3:14: error: unknown field 'v' – did you mean 'u'?") == 0);
}

TEST_CASE("a setting that does not fit the stencil is an error with its place") {
    const playground here;
    const auto refusal = [&](const std::string& set) {
        const finished_command c = here.gst("check examples/heat3d/app.toml " + set);
        CHECK(c.code == 2);
        return c.err;
    };
    CHECK(refusal("--set parameters.alhpa=1") ==
          "--set:1:12: error: the stencil 'heat3d' has no parameter 'alhpa' – did you mean 'alpha'?\n"
          "  parameters.alhpa=1\n"
          "             ^~~~~\n"
          "  it has alpha\n");
    CHECK(refusal("--set grid.size=[8,8]") ==
          "--set:1:11: error: grid.size has 2 numbers, but the stencil 'heat3d' has 3 axes\n"
          "  grid.size=[8,8]\n"
          "            ^~~~~\n"
          "  one number of points each for x, y and z\n");
    CHECK(refusal("--set run.fields=w") ==
          "--set:1:12: error: the stencil 'heat3d' has no field 'w' – did you mean 'u'?\n"
          "  run.fields=w\n"
          "             ^\n"
          "  it has u\n");
    CHECK(refusal("--set stencil.name=heat") ==
          "--set:1:14: error: 'heat3d.gst' defines no stencil 'heat' – did you mean 'heat3d'?\n"
          "  stencil.name=heat\n"
          "               ^~~~\n"
          "  it defines heat3d\n");
}

TEST_CASE("check finds what is wrong with the space and the initial data") {
    const playground here;
    const auto refusal = [&](const std::string& set) {
        const finished_command c = here.gst("check examples/wave3d/app.toml " + set);
        CHECK(c.code == 2);
        return c.err.substr(0, c.err.find('\n'));
    };
    CHECK(refusal("--set 'space.constraints=[\"WX*WQ <= 256\"]'") ==
          "--set:1:20: error: unknown name 'WQ' – did you mean 'WX'?");
    CHECK(refusal("--set 'space.constraints=[\"WX >= 1\", \"WX > 512\"]'")
              .starts_with("--set:1:31: error: no configuration is left: of "));
    CHECK(refusal("--set 'space.constraints=[\"WX > 5\", \"WX < 4\"]'") ==
          "--set:1:30: error: no configuration is left: none satisfies this constraint and those before it together");
    const finished_command elsewhere = here.gst("check examples/wave3d/app.toml --set space.domain.useRetiming=[true]");
    CHECK(elsewhere.code == 2);
    CHECK(elsewhere.err.starts_with("--set:1:14: error: the preset 'garvey' has no parameter 'useRetiming'\n"));
    CHECK(refusal("--set space.domain.WXX=[64]") == "--set:1:14: error: unknown parameter 'WXX' – did you mean 'WX'?");
    CHECK(elsewhere.err.ends_with("\n  gest and full have it: space.preset = \"full\"\n"));
    CHECK(refusal("--set space.domain.WX=[64] --set space.domain.CX=[64]") ==
          "--set:1:17: error: no configuration is left: the space's own constraints exclude all that space.domain "
          "leaves");
    CHECK(refusal("--set initial.c2.expression=1/y") == "--set:1:23: error: the formula has no value at (0, 0, 0)");
}

TEST_CASE("the space is counted as the papers do") {
    const playground here;
    const auto counted = [&](const std::string& more) {
        const finished_command c = here.gst("space examples/heat3d/app.toml --count --json " + more);
        CHECK(c.code == 0);
        return json::parse(c.out)["space"];
    };
    CHECK(counted("") == 475875);
    CHECK(counted("--set space.preset=garvey_full") == 50094000);
    CHECK(counted("--set space.domain.WX=[16,32,64,128,256] --set space.domain.WY=[1,2,4,8,16,32] "
                  "--set space.domain.WZ=[1,2,4,8,16,32]") == 98865);
    // WX is TBx, and --set goes before the file, which has WX = [16, 32, 64, 128].
    const auto narrowed = [&](const std::string& sets) {
        return json::parse(here.gst("space examples/diffusion/app.toml --count --json " + sets).out)["space"];
    };
    CHECK(narrowed("--set space.domain.TBx=[16]") == narrowed("--set space.domain.WX=[16]"));
    CHECK(narrowed("--set space.domain.TBx=[16]") != narrowed(""));
    const finished_command twice =
        here.gst("space examples/diffusion/app.toml --set space.domain.TBx=[16] --set space.domain.WX=[32]");
    CHECK(twice.code == 2);
    CHECK(twice.err.starts_with("--set:1:17: error: 'WX' has its values already, under its other name\n"));
    const finished_command sample = here.gst("space examples/heat3d/app.toml --sample 5 --seed 7");
    CHECK(std::count(sample.out.begin(), sample.out.end(), '\n') == 5);
    CHECK(here.gst("space examples/heat3d/app.toml --sample 5 --seed 7").out == sample.out);
    CHECK(here.gst("space examples/heat3d/app.toml --sample 5 --seed 8").out != sample.out);
}

TEST_CASE("every stage of every example can be shown") {
    const playground here;
    for (const std::string& example : examples) {
        for (const std::string stage : {"ast", "stencil", "space", "schedule", "program"}) {
            const finished_command c = here.gst("show --stage " + stage + " examples/" + example + "/app.toml");
            INFO(example << " " << stage << ": " << c.err);
            CHECK(c.code == 0);
            CHECK(c.out.size() > 50);
        }
    }
}

TEST_CASE("plugins are listed and described") {
    const playground here;
    const json all = json::parse(here.gst("plugins --json").out);
    std::vector<std::string> names;
    for (const json& p : all) {
        names.push_back(p["name"]);
    }
    for (const std::string name : {"opencl", "random", "exhaustive", "hill_climb"}) {
        CHECK(std::count(names.begin(), names.end(), name) == 1);
    }
    CHECK(here.gst("plugins hill_climb").out.find("restart") != std::string::npos);
    // A file is described as its name is.
    const std::string file = GST_BINARY_DIR "/lib/gst/search_hill_climb.so";
    CHECK(here.gst("plugins " + file).out == here.gst("plugins hill_climb").out);
    CHECK(here.gst("plugins --json " + file).out == here.gst("plugins --json hill_climb").out);
    CHECK(here.gst("plugins ./nowhere.so").err.find("nowhere.so' is no plugin: there is no such file\n") !=
          std::string::npos);
    CHECK(here.gst("plugins ./nowhere.so").code == 2);
    CHECK(here.gst("plugins examples/heat2d/app.toml").code == 3);
    const finished_command unknown = here.gst("plugins hill_climp");
    CHECK(unknown.code == 2);
    CHECK(unknown.err ==
          "error: there is no plugin 'hill_climp' – did you mean 'hill_climb'?\n  gst plugins lists them all\n");
}

TEST_CASE("a new plugin needs a name that is free and can be that of a class") {
    const playground here;
    const auto refused = [&](const std::string& what) {
        const finished_command done = here.gst("new " + what);
        CHECK(done.code == 2);
        CHECK_FALSE(std::filesystem::exists(here.folder() / what.substr(what.find(' ') + 1)));
        return done.err;
    };
    CHECK(refused("search random") ==
          "error: 'random' is a plugin that comes with gst\n  choose another name: my_random\n");
    CHECK(refused("predictor nearest") ==
          "error: 'nearest' is a plugin that comes with gst\n  choose another name: my_nearest\n");
    for (const std::string name : {"class", "new", "xor_eq", "a__b"}) {
        CHECK(refused("search " + name).starts_with("error: '" + name + "' cannot be the name of a plugin: C++ "));
    }
    for (const std::string name : {"Tabu", "3d", "a-b", "ä"}) {
        CHECK(refused("search " + name).starts_with("error: '" + name + "' cannot be the name of a plugin\n"));
    }
}

TEST_CASE("an unknown strategy or option is an error where it is written") {
    const playground here;
    const finished_command strategy = here.gst("tune examples/heat2d/app.toml --set search.strategy=randon");
    CHECK(strategy.code == 2);
    CHECK(strategy.err.find("--set:1:17: error: ") == 0);
    CHECK(strategy.err.find("did you mean 'random'?") != std::string::npos);
    for (const char* command : {"tune --dry-run", "run --dry-run", "check"}) {
        const finished_command same =
            here.gst(std::string(command) + " examples/heat2d/app.toml --set search.strategy=randon");
        CHECK(same.code == 2);
        CHECK(same.err == strategy.err);
    }
    here.run("cp build/lib/gst/search_random.so mine.so"); // beside the playground's app.toml's folder
    const finished_command typed = here.gst("tune --dry-run examples/heat2d/app.toml --set search.strategy=./mine.so");
    INFO(typed.err);
    CHECK(typed.err.find("no such file") == std::string::npos);
    const finished_command option = here.gst("tune examples/heat2d/app.toml --set search.options.bach=3");
    CHECK(option.code == 2);
    CHECK(option.err.find("--set:1:") == 0);
}

TEST_CASE("without results there is nothing to list") {
    const playground here;
    const finished_command none = here.gst("results");
    CHECK(none.code == 1);
    CHECK(here.folder().without_path(none.err) == "there are no results yet in data/gst/results.db\n");
}
