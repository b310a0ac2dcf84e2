#include "core/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"
#include "tests/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

using namespace gst;
using namespace gst::test;
using nlohmann::json;

namespace {

std::string text_of(const std::string& file) {
    std::ifstream in(file);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// A program in a folder of its own; what gst says to it goes to the file `heard` there.
class scripted_program {
  public:
    explicit scripted_program(const std::string& script, bool executable = true)
        : path_(folder_.write("script.sh", "#!/bin/sh\ncd \"$(dirname \"$0\")\" || exit 9\nhear() { read -r line && "
                                           "printf '%s\\n' \"$line\" >> heard; }\n" +
                                               script)) {
        if (executable) {
            std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
        }
    }

    tuned run(const space& where, std::uint64_t budget = 0, const timing& time = sum_of, std::uint64_t seed = 1,
              const std::string& arguments = "", double seconds = 20) const {
        const std::map<std::string, value> options{{"program", path_}, {"arguments", arguments}, {"seconds", seconds}};
        return test::run({"external", options, seed, budget}, where, time);
    }
    /// The whole message of the error that the run ends with.
    std::string failure(const space& where, double seconds = 20) const {
        try {
            run(where, 0, sum_of, 1, "", seconds);
        } catch (const user_error& e) {
            return folder_.without_path(render(e.diagnostics().front()));
        }
        return "no error";
    }
    std::vector<json> heard() const {
        std::istringstream lines(text_of(folder_.path() / "heard"));
        std::vector<json> all;
        for (std::string line; std::getline(lines, line);) {
            all.push_back(json::parse(line));
        }
        return all;
    }
    std::string text(const std::string& file) const { return text_of(folder_.path() / file); }
    bool has(const std::string& file) const { return std::filesystem::exists(folder_.path() / file); }

  private:
    temporary_folder folder_;
    std::string path_;
};

space small() {
    parameter a = numbers("a", {1, 2, 4});
    a.purpose = role::thread_block;
    a.dimension = 0;
    parameter b{"b", {std::string("global"), std::string("local")}, std::string("global"), role::load, -1, {}, "", {}};
    b.active = expression::parse("a > 1");
    return space({a, b}, {{expression::parse("a * n <= 8"), "too large"}}, {{"n", std::int64_t{2}}});
}

const std::string ask_all = R"(echo '{"ask": [{"a": 1, "b": "global"}, {"a": 2.0, "b": "local"}]}')";

} // namespace

TEST_CASE("an external program hears the space, asks, and hears what was measured") {
    const scripted_program p("hear\n" + ask_all + R"(
hear
echo '{"valid": [{"a": 1, "b": "local"}, {"a": 4, "b": "local"}]}'
hear
echo '{"neighbours": {"a": 4, "b": "global"}}'
hear
echo '{"sample": 2}'
hear
)");
    const tuned t = p.run(small());
    CHECK((t.measured == std::vector<configuration>{{0, 0}, {1, 1}}));
    CHECK((t.batches == std::vector<std::size_t>{2}));
    CHECK(t.stages == std::vector<std::string>{"program", "answers", "program", "answers", "program", "answers",
                                               "program", "answers", "program"});
    const std::vector<json> heard = p.heard();
    REQUIRE(heard.size() == 5);
    CHECK(heard[0]["protocol"] == 1);
    CHECK(heard[0]["seed"].is_number_unsigned());
    CHECK(heard[0]["budget"] == json{{"evaluations", 5}, {"seconds", nullptr}});
    CHECK(heard[0]["parallel"] == 1);
    CHECK(heard[0]["space"] == json::parse(R"({"count": 5, "constants": {"n": 2},
        "constraints": [{"condition": "a * n <= 8", "reason": "too large"}],
        "parameters": [
            {"name": "a", "values": [1, 2, 4], "neutral": 1, "role": "thread_block", "dimension": "x", "active": null},
            {"name": "b", "values": ["global", "local"], "neutral": "global", "role": "load", "dimension": null,
             "active": "a > 1"}]})"));
    CHECK(heard[1] == json::parse(R"({"tell": [{"status": "correct", "time": 1.0}, {"status": "correct", "time": 3.0}],
                                      "remaining": 3})"));
    CHECK(heard[2] == json{{"valid", {false, true}}});
    CHECK(heard[3]["neighbours"] ==
          json::parse(R"([{"a": 1, "b": "global"}, {"a": 2, "b": "global"}, {"a": 4, "b": "local"}])"));
    REQUIRE(heard[4]["sample"].size() == 2);
    for (const json& c : heard[4]["sample"]) {
        CHECK((c["a"] != 1 || c["b"] == "global"));
    }
}

TEST_CASE("an external program hears of failures and of the end of the budget, and may then end in its own time") {
    const scripted_program p("hear\n" + ask_all +
                             "\nhear\necho '{\"sample\": 1}'\nhear\nsleep 0.1\necho > ended\nexit 3\n");
    const tuned t = p.run(small(), 1, [](const configuration&) { return std::nullopt; });
    CHECK(t.measured.size() == 1);
    const json told = p.heard().at(1);
    CHECK(told == json::parse(R"({"tell": [{"status": "compile"}, {"status": "not_run"}], "remaining": 0})"));
    CHECK(p.heard().at(2)["sample"].size() == 1);
    CHECK(p.has("ended"));
    // One that does not end.
    CHECK(scripted_program("hear\nwhile true; do " + ask_all + "; hear; done\n").run(small(), 1).measured.size() == 1);
}

TEST_CASE("an external program that exits with code 0 has ended its search") {
    CHECK(scripted_program("exit 0\n").run(small()).measured.empty());
    const tuned nothing = test::run({"external", {{"program", std::string("true")}}}, small(), sum_of); // in PATH
    CHECK(nothing.measured.empty());
    CHECK(nothing.trace == std::vector<std::string>{"'true' exited with code 0"}); // and says so
    const tuned some = scripted_program("hear\n" + ask_all + "\nhear\n").run(small(), 0, sum_of, 1, "--fast 3");
    CHECK(some.measured.size() == 2);
    REQUIRE(some.trace.size() == 1);
    CHECK(some.trace[0].ends_with("/script.sh --fast 3' exited with code 0"));
    // Once the budget is spent, that is as it should be.
    CHECK(scripted_program("hear\n" + ask_all + "\nhear\n").run(small(), 2).trace.empty());
}

TEST_CASE("the same seed gives an external program the same seed, and arguments reach it") {
    const auto seed = [](std::uint64_t of) {
        const scripted_program p("hear\necho \"$@\" > arguments\n");
        p.run(small(), 0, sum_of, of, "--speed 3");
        CHECK(p.text("arguments") == "--speed 3\n");
        return p.heard().at(0)["seed"].get<std::uint64_t>();
    };
    CHECK(seed(1) == seed(1));
    CHECK(seed(1) != seed(2));
}

TEST_CASE("what an external program does wrong is told with the line that it said") {
    const std::string says = "what script.sh said:";
    const std::string one_object = "\n  it may write one JSON object per line to its standard output, and notes to its "
                                   "standard error";
    const std::string requests = "\n  a line is one of {\"ask\": […]}, {\"valid\": […]}, {\"sample\": n}, "
                                 "{\"neighbours\": {…}}";
    const std::string for_every = "\n  a configuration is an object with a value for every parameter: "
                                  "{\"name\": value, …}";
    const auto after_sample = [](const std::string& line) {
        return scripted_program("echo '{\"sample\": 1}'\necho '" + line + "'\nhear\nhear\nhear\n").failure(small());
    };
    CHECK(after_sample("Traceback") == says + "2:1: error: this is no JSON\n  Traceback\n  ^~~~~~~~~" + one_object);
    CHECK(after_sample("{\"ask\": 1} 2") ==
          says + "2:12: error: this is no JSON\n  {\"ask\": 1} 2\n             ^" + one_object);
    CHECK(after_sample("[]") == says + "2:1: error: this is no request\n  []\n  ^~" + requests);
    CHECK(after_sample("{\"aks\": []}") ==
          says + "2:1: error: unknown request 'aks' – did you mean 'ask'?\n  {\"aks\": []}\n  ^~~~~~~~~~~" + requests);
    CHECK(after_sample("{\"sample\": -1}") ==
          says + "2:1: error: sample takes a number up to 1000000\n  {\"sample\": -1}\n  ^~~~~~~~~~~~~~\n"
                 "  for example {\"sample\": 1}");
    CHECK(after_sample("{\"ask\": {}}") ==
          says + "2:1: error: this is no list of configurations: an object\n  {\"ask\": {}}\n  ^~~~~~~~~~~\n"
                 "  for example [{\"name\": value, …}]");
    CHECK(after_sample("{\"ask\": [3]}") ==
          says + "2:1: error: this is no configuration: 3\n  {\"ask\": [3]}\n  ^~~~~~~~~~~~" + for_every);
    CHECK(after_sample("{\"ask\": [{\"a\": 1}]}") ==
          says + "2:1: error: a configuration lacks 'b'\n  {\"ask\": [{\"a\": 1}]}\n  ^~~~~~~~~~~~~~~~~~~" + for_every);
    CHECK(after_sample("{\"neighbours\": {\"a\": 1, \"b\": \"loc\"}}").find("2:1: error: 'b' has no value \"loc\"\n") !=
          std::string::npos);
    CHECK(after_sample("{\"ask\": [{\"a\": 1, \"c\": 0}]}").find("2:1: error: unknown parameter 'c'") !=
          std::string::npos);
    const std::string invalid = after_sample("{\"ask\": [{\"a\": 1, \"b\": \"local\"}]}");
    CHECK(invalid.find("2:1: error: the configuration {\"a\":1,\"b\":\"local\"} is not valid: ") != std::string::npos);
    CHECK(invalid.ends_with("\n  {\"valid\": […]} says which are; those of sample and neighbours always are"));
}

TEST_CASE("an external program that dies or hangs ends the search with the reason") {
    CHECK(scripted_program("hear\necho '{\"sample\": 1}'\nhear\nexit 3\n").failure(small()) ==
          "error: 'script.sh' exited with code 3 before the budget was spent: line 1 was its last: "
          "{\"sample\": 1}\n"
          "  its standard error may say why; exit code 0 ends the search early");
    CHECK(scripted_program("hear\nprintf '{\"sample\": 1%300s}\\n' ''\nhear\nexit 3\n").failure(small()) ==
          "error: 'script.sh' exited with code 3 before the budget was spent: line 1 was its last: {\"sample\": 1" +
              std::string(200 - 12, ' ') + "…\n  its standard error may say why; exit code 0 ends the search early");
    CHECK(scripted_program("kill -SEGV $$\n").failure(small()).find("'script.sh' was ended by signal 11 before") !=
          std::string::npos);
    // What it started holds its output open.
    CHECK(scripted_program("sleep 1000 &\nexit 4\n").failure(small()).find("exited with code 4") != std::string::npos);
    CHECK(scripted_program("exec 0<&- 1>&-\nsleep 1000\n")
              .failure(small())
              .find("closed its standard output and goes on before") != std::string::npos);
    CHECK(scripted_program("hear\nsleep 1000\n").failure(small(), 0.2) ==
          "error: 'script.sh' did not say anything for 0.2 s: it had said nothing\n"
          "  it must flush its standard output after each line, and answer in time: the option seconds");
    CHECK(scripted_program("hear\nwhile echo '{\"sample\": 1000}'; do :; done\n").failure(small(), 0.3) ==
          "error: 'script.sh' did not read what it had asked for within 0.3 s\n"
          "  it must read the answer to each line before it writes the next");
    CHECK(scripted_program("printf '{\"ask\"'\nsleep 1000\n").failure(small(), 0.2) ==
          "what script.sh said:1:1: error: 'script.sh' did not say anything for 0.2 s\n  {\"ask\"\n  ^~~~~~\n"
          "  it must flush its standard output after each line, and answer in time: the option seconds");
}

TEST_CASE("a program that cannot be started is an error") {
    CHECK(scripted_program("", false).failure(small()) ==
          "error: the strategy 'external' cannot start 'script.sh': Permission denied\n"
          "  make it executable: chmod +x");
    const auto failure = [](const std::map<std::string, value>& options) {
        try {
            test::run({"external", options}, small(), sum_of);
        } catch (const user_error& e) {
            return render(e.diagnostics().front());
        }
        return std::string("no error");
    };
    CHECK(failure({{"program", std::string("/nowhere/search")}}) ==
          "error: the strategy 'external' cannot start '/nowhere/search': No such file or directory\n"
          "  program names an executable file, relative to the file that it is written in, or one in PATH");
    CHECK(failure({{"program", std::string("no_such_program_here")}}).find("cannot start 'no_such_program_here'") !=
          std::string::npos);
    CHECK(failure({{"program", std::string("/tmp")}}).ends_with("\n  it is a folder: name the program in it"));
    const temporary_folder folder;
    const std::string lost = folder.write("lost.sh", "#!/nowhere/interpreter\n");
    std::filesystem::permissions(lost, std::filesystem::perms::owner_all);
    CHECK(failure({{"program", lost}})
              .ends_with("No such file or directory\n  it is there; the interpreter that its first line names is not"));
    CHECK(failure({}) == "error: the strategy 'external' needs a program that searches\n"
                         "  program = \"my_search.py\": docs/plugins.md has one of 30 lines");
}

TEST_CASE("the program in docs/plugins.md is the example, which has at most 30 lines") {
    const std::string example = text_of(GST_SOURCE_DIR "/examples/external/local_search.py");
    CHECK(text_of(GST_SOURCE_DIR "/docs/plugins.md").find("```python\n" + example + "```\n") != std::string::npos);
    CHECK(std::count(example.begin(), example.end(), '\n') <= 30);
}
