#include "core/app/config.hpp"
#include "core/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <cstdlib>

using namespace gst;

namespace {

const std::string minimal = "[stencil]\nfile = \"a.gst\"\n[grid]\nsize = [8, 8]\n";

config read(const std::string& text, const std::vector<std::string>& assignments = {}) {
    const temporary_folder folder;
    return read_config(folder.write("app.toml", text), assignments);
}

/// What the user is told, the folder of the file left out.
std::string refusal(const std::string& text, const std::vector<std::string>& assignments = {}) {
    const temporary_folder folder;
    try {
        read_config(folder.write("app.toml", text), assignments);
    } catch (const user_error& e) {
        return folder.without_path(e.what());
    }
    return "accepted";
}

} // namespace

TEST_CASE("a minimal file leaves everything else at its default") {
    const config c = read(minimal);
    CHECK(c.stencil.file.value.filename() == "a.gst");
    CHECK(c.stencil.file.value.is_absolute());
    CHECK(c.stencil.type.value == scalar::f32);
    CHECK(c.grid.size.value == std::vector<std::int64_t>{8, 8});
    CHECK(c.grid.layout.value == layout_kind::padded);
    CHECK(c.space.preset.value == "garvey");
    CHECK(c.search.name.value == "auto");
    CHECK(c.backend.name.value == "auto");
    CHECK(c.budget.evaluations.value == 200);
    CHECK(!c.budget.evaluations.given());
    CHECK(c.run.steps.value == 0);
}

TEST_CASE("a predictor is a table, or several") {
    const config one = read(minimal + "[predictor]\nmodel = \"a.model\"\ndecides = \"load\"\nplugin = \"nearest\"\n"
                                      "least_probability = 0.5\n");
    REQUIRE(one.predictors.size() == 1);
    CHECK(one.predictors[0].model.value == one.folder / "a.model");
    CHECK(one.predictors[0].decides.value == "load");
    CHECK(one.predictors[0].plugin.value == "nearest");
    CHECK(one.predictors[0].least_probability.value == 0.5);
    const config two = read(minimal + "[[predictor]]\nmodel = \"a.model\"\n[[predictor]]\nmodel = \"b.model\"\n");
    CHECK(two.predictors.size() == 2);
    CHECK(read(minimal).predictors.empty());
    CHECK(refusal(minimal + "[predictor]\ndecides = \"load\"\n").find("error: predictor.model is missing\n") !=
          std::string::npos);
    CHECK(
        refusal(minimal + "[predictor]\nmodel = \"a\"\nleast_probability = 2\n").find("predictor.least_probability") !=
        std::string::npos);
    CHECK(refusal("predictor = \"a.model\"\n" + minimal).find("error: predictor must be a table\n") !=
          std::string::npos);
}

TEST_CASE("every key is read") {
    const config c = read(R"(seed = 7
[stencil]
file = "/s/a.gst"
name = "heat"
type = "f64"
compute = "f32"
[grid]
size = [64, 32, 16]
layout = "raw"
[parameters]
alpha = 1
[space]
preset = "garvey_full"
constraints = ["WX*WY <= 256"]
[space.domain]
WX = [16, 32]
load = "vector"
[search]
strategy = "hill_climb"
[search.options]
restarts = 3
[backend]
name = "opencl"
device = "cpu"
options = { verbose = true }
[budget]
evaluations = 10
seconds = 2.5
[measure]
method = "paper"
flush_cache = true
warm_up = 2
min_repetitions = 4
max_repetitions = 6
precision = 0.05
repetition_ms = 1
max_seconds = 7
censor_factor = 3
compile_deadline = 3
run_deadline = 4
memory = 512
compilers = 2
[store]
path = "r.db"
[run]
steps = 100
output = "out"
every = 10
format = ["npy", "vti"]
fields = "u"
residual = 1e-6
checkpoint = "c.gst"
checkpoint_every = 50
resume = true
[initial.u]
kind = "gaussian"
center = [1, 2, 3]
width = 4
amplitude = 5
[initial.v]
kind = "noise"
low = -1
high = 2
seed = 3
[initial]
w = { kind = "constant", value = 1.5 }
k = { kind = "expression", expression = "x*y" }
f = { kind = "file", file = "f.npy" }
[[initial.p]]
kind = "constant"
[[initial.p]]
kind = "file"
file = "before.npy"
)");
    CHECK(c.seed.value == 7);
    CHECK(c.stencil.file.value == "/s/a.gst");
    CHECK(c.stencil.name.value == "heat");
    CHECK(c.stencil.type.value == scalar::f64);
    CHECK(c.stencil.compute.value == scalar::f32);
    CHECK(c.grid.size.value == std::vector<std::int64_t>{64, 32, 16});
    CHECK(c.grid.layout.value == layout_kind::raw);
    CHECK(c.parameters.at("alpha").value == 1);
    CHECK(c.space.preset.value == "garvey_full");
    CHECK(c.space.constraints.at(0).value == "WX*WY <= 256");
    CHECK(c.space.domain.at("WX").value == std::vector<value>{std::int64_t{16}, std::int64_t{32}});
    CHECK(c.space.domain.at("load").value == std::vector<value>{std::string("vector")});
    CHECK(c.search.name.value == "hill_climb");
    CHECK(c.search.options.at("restarts").value == value(std::int64_t{3}));
    CHECK(c.backend.name.value == "opencl");
    CHECK(c.device.value == "cpu");
    CHECK(c.backend.options.at("verbose").value == value(true));
    CHECK(c.budget.evaluations.value == 10);
    CHECK(c.budget.seconds.value == 2.5);
    CHECK(c.measure.timing.method == "paper");
    CHECK(c.measure.timing.flush_cache);
    CHECK(c.measure.timing.warm_up == 2);
    CHECK(c.measure.timing.min_repetitions == 4);
    CHECK(c.measure.timing.max_repetitions == 6);
    CHECK(c.measure.timing.precision == 0.05);
    CHECK(c.measure.timing.repetition_ms == 1);
    CHECK(c.measure.timing.max_seconds == 7);
    CHECK(c.measure.timing.censor_factor == 3);
    CHECK(c.measure.limits.compile_seconds == 3);
    CHECK(c.measure.limits.configuration_seconds == 4);
    CHECK(c.measure.limits.memory_bytes == 512ULL << 20);
    CHECK(c.measure.compilers == 2);
    CHECK(c.store.path.value == c.folder / "r.db");
    CHECK(c.run.steps.value == 100);
    CHECK(c.run.output.value == c.folder / "out");
    CHECK(c.run.every.value == 10);
    CHECK(c.run.format.value == std::vector<std::string>{"npy", "vti"});
    CHECK(c.run.fields.value == std::vector<std::string>{"u"});
    CHECK(c.run.residual.value == 1e-6);
    CHECK(c.run.checkpoint.value == c.folder / "c.gst");
    CHECK(c.run.checkpoint_every.value == 50);
    CHECK(c.run.resume.value);
    CHECK(c.initial.at("u").at(0).center.value == std::vector<double>{1, 2, 3});
    CHECK(c.initial.at("u").at(0).width.value == 4);
    CHECK(c.initial.at("u").at(0).amplitude.value == 5);
    CHECK(c.initial.at("v").at(0).low.value == -1);
    CHECK(c.initial.at("v").at(0).high.value == 2);
    CHECK(c.initial.at("v").at(0).seed.value == 3);
    CHECK(c.initial.at("w").at(0).value.value == 1.5);
    CHECK(c.initial.at("k").at(0).expression.value == "x*y");
    CHECK(c.initial.at("f").at(0).file.value == c.folder / "f.npy");
    REQUIRE(c.initial.at("p").size() == 2);
    CHECK(c.initial.at("p").at(1).file.value == c.folder / "before.npy");
}

TEST_CASE("an unknown key is an error with its place, the nearest and all known keys") {
    CHECK(refusal(minimal + "sizes = 3\n") ==
          R"(app.toml:5:1: error: unknown key 'sizes' in [grid] – did you mean 'size'?
  sizes = 3
  ^~~~~
  known keys: layout and size)");
    CHECK(refusal(minimal + "[serach]\n") == R"(app.toml:5:2: error: unknown key 'serach' – did you mean 'search'?
  [serach]
   ^~~~~~
  known keys: backend, budget, grid, initial, measure, parameters, predictor, run, search, seed, space, stencil and store)");
}

TEST_CASE("a wrong type or a value out of range is an error with what is expected") {
    CHECK(refusal(minimal + "layout = \"dense\"\n") ==
          R"(app.toml:5:10: error: grid.layout must be 'padded' or 'raw', not 'dense'
  layout = "dense"
           ^~~~~~~)");
    CHECK(refusal(minimal + "[budget]\nseconds = -1\n") ==
          R"(app.toml:6:11: error: budget.seconds must be a number from 0 to 1000000000, not -1
  seconds = -1
            ^~)");
    CHECK(refusal(minimal + "[measure]\nwarm_up = -2\n") ==
          R"(app.toml:6:11: error: measure.warm_up must be an integer from 0 to 100000, not -2
  warm_up = -2
            ^~)");
    CHECK(refusal(minimal + "[measure]\nmax_repetitions = 2\n") ==
          R"(app.toml:6:19: error: measure.max_repetitions must be at least min_repetitions, which is 5
  max_repetitions = 2
                    ^)");
    CHECK(refusal(minimal + "[measure]\nmin_repetitions = 20\nmax_repetitions = 10\n") ==
          R"(app.toml:6:19: error: measure.min_repetitions must be at most max_repetitions, which is 10
  min_repetitions = 20
                    ^~)");
    CHECK(refusal("[stencil]\nfile = \"a.gst\"\n[grid]\nsize = [8, 0]\n") ==
          R"(app.toml:4:12: error: grid.size must be an array of integers from 1 to 1099511627776, not 0
  size = [8, 0]
             ^)");
    CHECK(refusal(minimal + "[parameters]\nalpha = \"big\"\n") ==
          R"(app.toml:6:9: error: parameters.alpha must be a number, not 'big'
  alpha = "big"
          ^~~~~)");
    CHECK(refusal("stencil = 3\n") == R"(app.toml:1:11: error: stencil must be a table, not 3
  stencil = 3
            ^)");
}

TEST_CASE("all mistakes of a file are reported, in its order") {
    CHECK(refusal("[stencil]\nfile = 1\n[run]\nsteps = true\nformat = \"png\"\noutput = \"here\"\n") ==
          R"(app.toml:2:8: error: stencil.file must be text, not 1
  file = 1
         ^
  write it in quotes: stencil.file = "1"
app.toml:4:9: error: run.steps must be an integer of at least 0, not true
  steps = true
          ^~~~
app.toml:5:10: error: run.format must be 'npy' or 'vti', not 'png'
  format = "png"
           ^~~~~)");
}

TEST_CASE("what must be said and is not is named with an example") {
    CHECK(refusal("[grid]\nsize = [8]\n") == R"(error: stencil.file is missing in 'app.toml'
  for example [stencil] file = "heat3d.gst")");
    CHECK(refusal("# here\n[grid]\n[stencil]\nfile = \"a.gst\"\n") == R"(app.toml:2:2: error: grid.size is missing
  [grid]
   ^~~~
  for example [grid] size = [256, 256, 256])");
    for (const std::string nothing : {"", "\n\n", "# to do\n"}) {
        CHECK(refusal(nothing) == R"(error: 'app.toml' says nothing: stencil.file and grid.size must be given
  for example [stencil] file = "heat3d.gst" and [grid] size = [256, 256, 256])");
    }
}

TEST_CASE("text that is not TOML is an error with its place") {
    CHECK(refusal("a = \n").find("app.toml:1:5: error: not TOML: ") == 0);
    CHECK(refusal("a = \n").find("a line is key = value or [table]") != std::string::npos);
    CHECK(refusal("ä = 'é'; b = 2\n").find("app.toml:1:1: error: not TOML: ") == 0);
    CHECK(refusal("seed = 2020-01-01\n") == "app.toml:1:8: error: dates and times mean nothing here\n"
                                            "  seed = 2020-01-01\n"
                                            "         ^~~~~~~~~~");
}

TEST_CASE("a value that the kind of initial data does not use is an error") {
    CHECK(refusal(minimal + "[initial.u]\nkind = \"constant\"\namplitude = 2\n") ==
          R"(app.toml:7:1: error: unknown key 'amplitude' in [initial.u]
  amplitude = 2
  ^~~~~~~~~
  known keys: kind and value)");
    CHECK(refusal(minimal + "[initial.u]\nkind = \"file\"\n") == R"(app.toml:6:8: error: initial.u.file is missing
  kind = "file"
         ^~~~~~)");
}

TEST_CASE("--set goes on top of the file, with TOML values or bare words") {
    const config c = read(minimal, {"grid.size=[4, 5, 6]", "search.strategy=hill_climb", "budget.evaluations=3",
                                    "stencil.type=\"f64\"", "space.domain={WX=[1,2]}", "measure.flush_cache=true"});
    CHECK(c.grid.size.value == std::vector<std::int64_t>{4, 5, 6});
    CHECK(c.search.name.value == "hill_climb");
    CHECK(c.budget.evaluations.value == 3);
    CHECK(c.stencil.type.value == scalar::f64);
    CHECK(c.space.domain.at("WX").value.size() == 2);
    CHECK(c.measure.timing.flush_cache);
    CHECK(c.stencil.file.value.filename() == "a.gst");
}

TEST_CASE("--set replaces what the file says, tables as well") {
    const std::string file =
        minimal + "[initial.u]\nkind = \"gaussian\"\nwidth = 3\n[space.domain]\nWX = [1, 2]\nWY = [4]\n";
    CHECK(read(file, {"initial.u={kind=\"noise\"}"}).initial.at("u").front().kind.value == "noise");
    CHECK(read(file, {"initial.u.width=4"}).initial.at("u").front().width.value == 4);
    CHECK(read(file, {"space.domain={WX=[1]}"}).space.domain.size() == 1);
    CHECK(read(file, {"space.domain.WX=[1]"}).space.domain.size() == 2);
}

TEST_CASE("words of --set need no quotes") {
    CHECK(read(minimal, {"store.path=Bob's C#1.db"}).store.path.value.filename() == "Bob's C#1.db");
    CHECK(read(minimal, {R"(store.path=a"b\c.db)"}).store.path.value.filename() == R"(a"b\c.db)");
    CHECK(refusal(minimal, {"backend.device=0.0"}) == R"(--set:1:16: error: backend.device must be text, not 0.0
  backend.device=0.0
                 ^~~
  write it in quotes: backend.device = "0.0")");
}

TEST_CASE("settings of a run that would do nothing are mistakes") {
    CHECK(refusal(minimal, {"run.resume=true"}) == R"(--set:1:12: error: run.resume has no effect without run.checkpoint
  run.resume=true
             ^~~~
  add run.checkpoint = "…", or leave run.resume out)");
    CHECK(refusal(minimal, {"run.checkpoint_every=5"}).find("run.checkpoint_every has no effect without") !=
          std::string::npos);
    CHECK(refusal(minimal, {"run.every=5"}).find("run.every has no effect without run.output") != std::string::npos);
    CHECK(refusal(minimal, {"run.format=vti"}).find("run.format has no effect without run.output") !=
          std::string::npos);
    CHECK(refusal(minimal, {"run.fields=u"}).find("run.fields has no effect without run.output") != std::string::npos);
    CHECK_NOTHROW(read(minimal, {"run.every=0", "run.resume=false"}));
}

TEST_CASE("the last --set of a key counts") {
    CHECK(read(minimal, {"seed=1", "seed=2"}).seed.value == 2);
}

TEST_CASE("a path typed on the command line is relative to the working directory") {
    CHECK(read(minimal, {"run.output=here"}).run.output.value == std::filesystem::current_path() / "here");
}

TEST_CASE("a mistake in --set points into the command line") {
    CHECK(refusal(minimal, {"grid.sise=[1]"}) ==
          R"(--set:1:6: error: unknown key 'sise' in [grid] – did you mean 'size'?
  grid.sise=[1]
       ^~~~
  known keys: layout and size)");
    CHECK(refusal(minimal, {"grid.layout=dense"}) ==
          R"(--set:1:13: error: grid.layout must be 'padded' or 'raw', not 'dense'
  grid.layout=dense
              ^~~~~)");
    CHECK(refusal(minimal, {"seed"}) == R"(--set:1:1: error: an assignment has the form key=value
  seed
  ^~~~
  for example --set grid.size=[64,64,64])");
    CHECK(refusal(minimal, {"grid.size=[1"}).find("--set:1:13: error: not TOML: ") == 0);
}

TEST_CASE("results go to the user's data folder unless app.toml says otherwise") {
    const char* before = std::getenv("XDG_DATA_HOME");
    const std::string kept = before == nullptr ? "" : before;
    setenv("XDG_DATA_HOME", "/data", 1);
    CHECK(read(minimal).store.path.value == "/data/gst/results.db");
    unsetenv("XDG_DATA_HOME");
    CHECK(read(minimal).store.path.value == std::filesystem::path(std::getenv("HOME")) / ".local/share/gst/results.db");
    if (before != nullptr) {
        setenv("XDG_DATA_HOME", kept.c_str(), 1);
    }
}

TEST_CASE("a file that is not there is named") {
    CHECK_THROWS_WITH(read_config("/nowhere/app.toml"),
                      "error: cannot read '/nowhere/app.toml' (No such file or directory)\n"
                      "  give the path of an app.toml, for example examples/heat3d/app.toml");
}
