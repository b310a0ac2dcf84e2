#include "core/app/bench.hpp"
#include "core/base/error.hpp"
#include "core/codegen/presets.hpp"
#include "core/store/recording/interchange.hpp"
#include "tests/app/markdown.hpp"
#include "tests/app/recorded_playground.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

#include <regex>
#include <sstream>

using namespace gst;
using namespace gst::test;
using nlohmann::json;

TEST_CASE("what docs/recordings.md shows works") {
    const playground here;
    int searched = 0;
    int compared = 0;
    int studied = 0;
    int modelled = 0;
    for (const block& b : blocks_of("docs/recordings.md")) {
        if (b.mark.starts_with("<!-- recording: ")) {
            here.folder().write("small.csv", b.text);
        } else if (b.mark == "<!-- replay -->") {
            here.folder().write("replay.toml", b.text);
            const finished_command done = here.gst("tune replay.toml --quiet");
            INFO(done.err);
            CHECK(done.code == 0);
            CHECK(done.out.find("of the recorded optimum (1.5 ms)") != std::string::npos);
            ++searched;
        } else if (b.mark == "<!-- bench -->") {
            here.folder().write("strategies.toml", b.text);
            const finished_command done = here.gst("bench --output results strategies.toml");
            INFO(done.err);
            CHECK(done.code == 0);
            CHECK(done.out.find("blur: 6 configurations, optimum 1.5 ms, 30 runs each") == 0);
            CHECK(std::filesystem::exists(here.folder() / "results/convergence.svg"));
            ++compared;
        } else if (b.mark == "<!-- bench with a model -->") {
            here.folder().write("model.toml",
                                std::regex_replace(b.text, std::regex("tests/"), GST_SOURCE_DIR "/tests/"));
            const finished_command done = here.gst("bench --set seeds=1 model.toml");
            INFO(done.err);
            CHECK(done.code == 0);
            CHECK(done.out.find("\n  an5d ") != std::string::npos);
            ++modelled;
        } else if (b.mark == "<!-- study -->") {
            here.folder().write("study.toml", b.text);
            const finished_command done = here.gst("bench study.toml");
            INFO(done.err);
            CHECK(done.code == 0);
            CHECK(done.out.find("  space  launch  method  combined\n") != std::string::npos);
            ++studied;
        } else if (b.mark == "<!-- live -->") {
            const std::string random = "[[strategy]]\nname = \"random\"\n";
            const bench_settings s = read_bench(here.folder().write("live.toml", random + b.text));
            CHECK(s.spaces.front().app.value == here.folder() / "examples/heat3d/app.toml");
            CHECK(s.spaces.front().assignments == std::vector<std::string>{"grid.size=[64,64,64]"});
            CHECK(s.spaces.front().name == "heat3d, 64³");
        } else if (b.language == "toml") {
            const config c = read_config(here.folder().write("every.toml", b.text));
            CHECK(c.recording.since.value == "2026-01-31");
            CHECK(c.recording.roles.at("block_size_x").second.dimension.value == "x");
        }
    }
    CHECK(searched == 1);
    CHECK(compared == 1);
    CHECK(studied == 1);
    CHECK(modelled == 1);
}

TEST_CASE("every key of a recording is in docs/recordings.md") {
    const temporary_folder folder;
    const std::string documented = text_of(std::filesystem::path(GST_SOURCE_DIR) / "docs/recordings.md");
    try {
        read_config(folder.write("app.toml", "[backend]\nname = \"replay\"\n[backend.options]\nno_such_key = 1\n"));
        FAIL("an unknown key is accepted");
    } catch (const user_error& e) {
        const std::string hint = e.diagnostics().front().hint;
        std::istringstream keys(hint.substr(hint.find(": ") + 2));
        int count = 0;
        for (std::string key; keys >> key; ++count) {
            key = key.substr(0, key.find(','));
            INFO(key);
            CHECK((key == "and" || documented.find("\n" + key + " = ") != std::string::npos));
        }
        CHECK(count == 12);
    }
}

TEST_CASE("a recording is tuned on like a device") {
    const recorded_playground here;
    const finished_command all = here.gst("tune app.toml --json --quiet");
    REQUIRE(all.code == 0);
    const json j = json::parse(all.out);
    CHECK(j["best"]["configuration"] == json{{"block", 64}, {"unroll", 2}});
    CHECK(j["best"]["time_ms"] == 1.0);
    CHECK(j["fraction_of_optimum"] == 1.0);
    CHECK(j["evaluations"] == 4);
    CHECK(j["seconds"] == 7.5);
    CHECK(j["outcomes"] == json{{"correct", 3}, {"compile", 1}});
    CHECK(here.gst("results").code == 1); // nothing new was measured

    const finished_command some =
        here.gst("tune app.toml --json --quiet --set budget.seconds=2 --set space.domain.unroll=[1]");
    CHECK(json::parse(some.out)["evaluations"] == 2);
    CHECK(json::parse(some.out)["fraction_of_optimum"] == 0.25);
    CHECK(here.gst("tune app.toml --dry-run --json").out.find("\"admitted\": 4") != std::string::npos);
    CHECK(here.gst("space app.toml --count").out == "4 configurations, 4 admitted by an unnamed device\n");
    CHECK(here.gst("tune app.toml --dry-run").out.starts_with("small.csv, recorded\n  device     an unnamed device\n"));
    CHECK(here.gst("tune app.toml --quiet")
              .out.starts_with("small.csv, an unnamed device (replay), strategy exhaustive, seed 1\n"));
    const finished_command nothing = here.gst("tune app.toml --set 'space.constraints=block>64'");
    CHECK(nothing.code == 2);
    const finished_command failed =
        here.gst("tune app.toml --quiet --set 'space.constraints=[\"block + unroll == 65\"]'");
    CHECK(failed.code == 1);
}

TEST_CASE("a strategy that ends by itself says so in the report") {
    const recorded_playground here;
    const std::string external =
        "tune app.toml --quiet --set search.strategy=external --set 'search.options.program=\"true\"'";
    const finished_command done = here.gst(external);
    CHECK(done.code == 1);
    CHECK(done.out.find("  best          none: nothing was measured\n") != std::string::npos);
    CHECK(
        done.out.find("  note          the strategy 'external' ended by itself after 0 configurations; the end of its "
                      "log: 'true' exited with code 0\n") != std::string::npos);
    CHECK(json::parse(here.gst(external + " --json").out)["notes"].size() == 1);
    CHECK(here.gst("tune app.toml --quiet").out.find("ended by itself") == std::string::npos);
    // In a comparison, too.
    here.folder().write("ends.toml", "seeds = 1\nevaluations = 2\n[[strategy]]\nname = \"external\"\n"
                                     "options = { program = \"true\" }\n[[space]]\nfile = \"small.csv\"\n");
    const finished_command compared = here.gst("bench ends.toml");
    CHECK(compared.code == 0);
    CHECK(compared.err == "strategy 'external', space 'small', seed 1: ended by itself after 0 configurations; the end "
                          "of its log: 'true' exited with code 0\n");
}

TEST_CASE("a strategy that fails leaves the best so far, and its reason") {
    const recorded_playground here;
    here.folder().write("dies.sh",
                        "read start\necho '{\"ask\": [{\"block\": 32, \"unroll\": 2}]}'\nread told\nexit 3\n");
    const finished_command failed = here.gst("tune app.toml --quiet --set search.strategy=external --set "
                                             "'search.options={program=\"sh\",arguments=\"dies.sh\"}'");
    INFO(failed.out);
    CHECK(failed.code == 2);
    CHECK(failed.err.find("error: 'sh' exited with code 3 before the budget was spent: line 1 was its last: "
                          "{\"ask\": [{\"block\": 32, \"unroll\": 2}]}\n") == 0);
    CHECK(failed.out.find("\n  evaluations   1 of the ") != std::string::npos);
    CHECK(failed.out.find("\n  best          block=32 unroll=2\n") != std::string::npos);
    CHECK(failed.out.find("ended by itself") == std::string::npos);
}

TEST_CASE("what is not recorded is searched only when T1's conditions are the space") {
    const recorded_playground here;
    here.folder().write("t1.json", R"({"ConfigurationSpace": {"TuningParameters": [
        {"Name": "block", "Values": "[32, 64, 128]"}, {"Name": "unroll", "Values": "[1, 2]"}],
        "Conditions": [{"Expression": "block * unroll <= 128", "Parameters": []}]}})");
    const std::string with = " --set backend.options.definition=t1.json";
    CHECK(here.gst("space app.toml" + with).out.find("4 configurations") == 0);
    CHECK(here.gst("space app.toml --set backend.options.space=conditions" + with).out.find("5 configurations") == 0);
    const json j =
        json::parse(here.gst("tune app.toml --json --quiet --set backend.options.space=conditions" + with).out);
    CHECK(j["outcomes"] == json{{"correct", 3}, {"compile", 1}, {"constraints", 1}});
    here.folder().write("nothing.json", R"({"ConfigurationSpace": {"TuningParameters": [
        {"Name": "block", "Values": "[32, 64]"}, {"Name": "unroll", "Values": "[1, 2]"}],
        "Conditions": [{"Expression": "block > 8"}, {"Expression": "unroll > 2"}]}})");
    const finished_command nothing =
        here.gst("tune app.toml --set backend.options.space=conditions --set backend.options.definition=nothing.json");
    CHECK(nothing.code == 2);
    CHECK(nothing.err.find("nothing.json:3:69: error: the space has no configuration: of 4 none satisfies this "
                           "condition\n") == 0);
    here.folder().write("all.json", R"({"ConfigurationSpace": {"TuningParameters": [
        {"Name": "block", "Values": "[32, 64, 128]"}, {"Name": "unroll", "Values": "[1, 2]"}]}})");
    CHECK(here.gst("space app.toml --set backend.options.space=conditions --set backend.options.definition=all.json")
              .out.find("6 configurations") == 0);
    const finished_command none = here.gst("tune app.toml --set backend.options.space=conditions");
    CHECK(none.code == 2);
    CHECK(none.err == "--set:1:23: error: the recording has no conditions\n  backend.options.space=conditions\n"
                      "                        ^~~~~~~~~~\n  name its T1 file: definition = \"…\"\n");
}

TEST_CASE("a recording cannot be run, and mistakes in its settings have places") {
    const recorded_playground here;
    for (const std::string command : {"run", "check", "show --stage ast", "show --stage stencil", "compile"}) {
        const finished_command c = here.gst(command + " app.toml");
        INFO(command);
        CHECK(c.code == 2);
        CHECK(c.err == "app.toml:2:8: error: a recording has no kernels: it can be searched, not run\n"
                       "  name = \"replay\"\n         ^~~~~~~~\n"
                       "  gst tune, space and bench work with it; the others need backend.name = \"auto\"\n");
    }
    const auto refusal = [&](const std::string& set) {
        const finished_command c = here.gst("tune app.toml --set backend.options." + set);
        CHECK(c.code == 2);
        return c.err.substr(0, c.err.find('\n'));
    };
    CHECK(refusal("file=nowhere.csv") == "--set:1:22: error: cannot read 'nowhere.csv' (No such file or directory)");
    CHECK(refusal("roles.blck=load") == "--set:1:23: error: unknown parameter 'blck' – did you mean 'block'?");
    CHECK(refusal("roles.block=lod") ==
          "--set:1:29: error: backend.options.roles.block.role must be 'thread_block', 'block_merge', "
          "'cyclic_merge', 'unroll', 'vector_width', 'load', 'streaming', 'temporal' or "
          "'other', not 'lod'");
    CHECK(refusal("tme=mean") == "--set:1:17: error: unknown key 'tme' in [backend.options] – did you mean 'time'?");
    here.folder().write("no_file.toml", "[backend]\nname = \"replay\"\n");
    CHECK(here.gst("tune no_file.toml").err.find("no_file.toml:1:2: error: backend.options.file is missing") == 0);
}

TEST_CASE("tests/bench/recordings has the roles of gst's own space for recordings of it") {
    const std::filesystem::path root = GST_SOURCE_DIR;
    const space own = make_space("gest", read_stencil(read_config(root / "examples/heat3d/app.toml")), {64, 64, 64});
    recording r;
    r.kernel = "heat3d";
    r.parameters = own.parameters();
    recorded first;
    first.which = own.at(0);
    first.time = 1;
    r.entries = {first};
    const temporary_folder folder;
    std::ostringstream text;
    write_recording(r, recording_format::csv, text);
    folder.write("gest.csv", text.str());
    const std::string roles = (root / "tests/bench/recordings/gest.toml").string();
    const bench_settings s = read_bench(folder.write(
        "bench.toml", "[[strategy]]\nname = \"random\"\n[[space]]\nfile = \"gest.csv\"\nroles = \"" + roles + "\"\n"));
    const recording read = load_recording(s.spaces.front().recording);
    REQUIRE(read.parameters.size() == own.parameters().size());
    for (const parameter& p : read.parameters) {
        INFO(p.name);
        const parameter& is = own.parameters()[own.index_of(p.name)];
        CHECK(name_of(p.purpose) == name_of(is.purpose));
        CHECK(p.dimension == is.dimension);
    }
}

TEST_CASE("roles come from a table or from a file") {
    const recorded_playground here;
    here.folder().write("roles.toml", "block = { role = \"thread_block\", dimension = \"x\" }\nunroll = \"unroll\"\n");
    for (const std::string roles :
         {"roles=roles.toml",
          "roles={ block = { role = \"thread_block\", dimension = \"x\" }, unroll = \"unroll\" }"}) {
        const std::string out = here.gst("space app.toml --explain --set 'backend.options." + roles + "'").out;
        CHECK(out.find("block      32, 64\n           role: thread_block along x\n") == 0);
        CHECK(out.find("role: unroll\n") != std::string::npos);
    }
}

TEST_CASE("import fills the database, which is searched and exported again") {
    const recorded_playground here;
    const finished_command unnamed = here.gst("import small.csv");
    CHECK(unnamed.code == 2);
    CHECK(unnamed.err ==
          "error: 'small.csv' does not say which kernel was measured\n  say it: --kernel NAME --device NAME\n");
    CHECK(here.gst("export --format t1 --output t1.json small.csv").code == 0);
    CHECK(
        here.gst("import t1.json --device GPU").err ==
        "error: 't1.json' has no configurations\n  name a file with results; a T1 file goes with one: --definition\n");
    here.folder().write("wide.csv", "block,unroll,status,time_ms\n128,1,correct,1\n");
    for (const std::string command : {"import wide.csv", "export --format csv wide.csv"}) {
        const finished_command wide = here.gst(command + " --definition t1.json");
        CHECK(wide.code == 2);
        CHECK(wide.err == "error: 'wide.csv' is not what 't1.json' defines: the value 128 of 'block' is none of its "
                          "values\n  block is one of 32 and 64\n");
    }
    const finished_command done = here.gst("import small.csv --kernel blur --device 'Some GPU'");
    CHECK(done.code == 0);
    CHECK(done.out == "small.csv: 4 configurations of blur, Some GPU; 3 correct\n");
    const json rows = json::parse(here.gst("results --json --stencil blur").out);
    CHECK(rows.size() == 4);
    const finished_command tuned =
        here.gst("tune app.toml --json --quiet --set backend.options.file=data/gst/results.db");
    INFO(tuned.err);
    CHECK(json::parse(tuned.out)["seconds"] == 7.5);

    for (const std::string format : {"csv", "t4", "kernel_tuner"}) {
        INFO(format);
        CHECK(here.gst("export --format " + format + " --stencil blur --output out." + format).code == 0);
        const recording r = read_recording(here.folder() / ("out." + format), "out");
        CHECK(r.kernel == "blur");
        CHECK(r.entries.size() == 4);
        CHECK(optimum(r)->time == 1);
    }
    CHECK(here.gst("export --format t1 small.csv").out.find("\"Values\": \"[32, 64]\"") != std::string::npos);
    here.gst("import small.csv --kernel other --device 'Some GPU'");
    CHECK(here.gst("export --format csv")
              .err.find("error: the database has results of 2 problems and devices that fit:") == 0);
    CHECK(here.gst("export --format cvs small.csv").code == 2);
    // What was imported is exported as it was: 1500.1 ms are not 1500.1000000000001.
    here.folder().write("odd.csv", "a,status,time_ms,compile_ms\n1,correct,2,1395.6111\n2,correct,3,918.6\n");
    here.gst("import odd.csv --kernel odd --device 'Some GPU'");
    const std::string odd = here.gst("export --format t4 --stencil odd").out;
    CHECK(odd.find("1395.6111,") != std::string::npos);
    CHECK(odd.find("918.6,") != std::string::npos);
    CHECK(here.gst("export --format csv --output small.csv.gz small.csv").code == 0);
    CHECK(text_of(here.folder() / "small.csv.gz").starts_with("\x1f\x8b"));
    CHECK(read_recording(here.folder() / "small.csv.gz", "gz").entries.size() == 4);
    // A link stays, and a device is written to.
    std::filesystem::create_symlink("target.csv", here.folder() / "link.csv");
    CHECK(here.gst("export --format csv --output link.csv small.csv").code == 0);
    CHECK(std::filesystem::is_symlink(here.folder() / "link.csv"));
    CHECK(read_recording(here.folder() / "target.csv", "target").entries.size() == 4);
    CHECK(here.gst("export --format csv --output /dev/full small.csv").code == 3);
    CHECK(std::filesystem::is_character_file("/dev/full"));
}
