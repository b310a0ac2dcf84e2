#include "core/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/store/some_recording.hpp"

using namespace gst;

namespace {

std::string refusal(const std::string& text) {
    const temporary_folder folder;
    try {
        read(folder, text);
        return "read";
    } catch (const user_error& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("files that are no recordings are refused with place, reason and remedy") {
    CHECK(refusal("") == "error: 'recording' is empty\n  it is cut off, or not yet written");
    CHECK(refusal("{\"a\": 1}") ==
          "error: 'recording' begins like JSON, but is no recording that gst knows\n  it reads Kernel Tuner "
          "caches (tune_params_keys, cache), T4 (results) and T1 (ConfigurationSpace)");
    CHECK(refusal("[1, 2]").starts_with("error: 'recording' begins like JSON, but is no recording that gst knows"));
    CHECK(refusal(std::string("\x7f"
                              "ELF\2\1\0\0, status\n",
                              17)) ==
          "error: 'recording' is no recording: it is neither text nor a results database\n  a recording is a Kernel "
          "Tuner cache, a T4, T1 or CSV file, plain or gzip, or a results database of gst");
    CHECK(
        refusal(
            R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "a", "Values": [1]}, {"Name": "a", "Values": [2]}]}})")
            .find("the parameter 'a' is there twice") != std::string::npos);
    CHECK(refusal("hello\n") ==
          "recording:1:1: error: this is no recording\n  hello\n  ^~~~~\n"
          "  it may be a Kernel Tuner cache, T4, T1, a results database, or CSV: parameters, status, time_ms, …");
    CHECK(
        refusal("\xEF\xBB\xBFhello\n").starts_with("recording:1:1: error: this is no recording\n  hello\n")); // a mark
    CHECK(refusal("a,b\n1,2\n") == "recording:1:1: error: the column 'status' is missing\n  a,b\n  ^~~\n"
                                   "  the columns are the parameters, then status, time_ms and what else was measured");
    CHECK(refusal("a,status,time_ms\n1,correct,2.5\n2,corect,2\n") ==
          "recording:3:3: error: 'corect' is no outcome of a measurement – did you mean 'correct'?\n  2,corect,2\n"
          "    ^~~~~~\n  it is correct, compile, runtime, timeout, correctness, constraints");
    CHECK(refusal("a,status,time_ms,\"note\"\n1,correct,2.5,\n2,correct,2,\"slow, it was\"\n") ==
          "recording:3:13: error: 'slow, it was' in the column 'note' is no number\n  2,correct,2,\"slow, it was\"\n"
          "              ^~~~~~~~~~~~~~\n  write it like 0.25 or 2.5e-3, several with one blank between them, or leave "
          "the cell empty");
    CHECK(refusal("a,status,time_ms,status\n") ==
          "recording:1:18: error: there are two columns 'status'\n  a,status,time_ms,status\n"
          "                   ^~~~~~\n  rename or remove one of them");
    CHECK(refusal(cache_head + "\n\"1,a\": {\"x\": 1, \"ti") ==
          "recording:3:20: error: the file ends in the middle of its JSON text\n"
          "  \"1,a\": {\"x\": 1, \"ti\n"
          "                     ^\n"
          "  it is cut off: get it again");
    CHECK(refusal(cache_head + "\n\"1,a\": {\"x\": 7, \"mode\": \"a\", \"time\": 1}}}") ==
          "recording:3:8: error: the value 7 of 'x' is none of its values\n"
          "  \"1,a\": {\"x\": 7, \"mode\": \"a\", \"time\": 1}}}\n"
          "         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
          "  x is one of 4, 1 and 2");
    CHECK(refusal(cache_head + "\n\"1,a\": {\"x\": 1, \"time\": 1}}}") ==
          "recording:3:8: error: the parameter 'mode' has no value here\n"
          "  \"1,a\": {\"x\": 1, \"time\": 1}}}\n"
          "         ^~~~~~~~~~~~~~~~~~~\n"
          "  every configuration has a value for each parameter");
    CHECK(refusal(cache_head + "\n\"1,a\": {\"x\": 1, \"mode\": \"a\", \"time\": \"Lost\"}}}")
              .find("'Lost' is no failure of Kernel Tuner") != std::string::npos);
    CHECK(refusal(cache_head + "\n\"1,a\": {\"x\": 1, \"mode\": \"a\", \"time\": -1}}}")
              .find("is -1, no positive number") != std::string::npos);
    CHECK(refusal(cache_head + "\n\"1,a\": 3}}").find("recording:3:9: error: an entry of 'cache' is no object") == 0);
    CHECK(refusal(cache_head + "\n\"1,a\": {\"x\" 1}}}")
              .find("recording:3:13: error: this is not how JSON goes on here") == 0);
    CHECK(refusal(R"({"tune_params_keys": ["x"], "cache": {}})") ==
          "error: 'recording' is no Kernel Tuner cache: 'tune_params' is missing\n  it must be an object of values per "
          "parameter");
    CHECK(refusal(R"({"results": [{"configuration": {"x": 1}, "invalidity": "lost"}]})").find("'lost' is no outcome") !=
          std::string::npos);
    CHECK(refusal(R"({"results": [], "schema_version": "2.0.0"})") ==
          "error: 'recording' is no T4 file: its schema_version is 2.0.0\n  gst reads version 1");
    CHECK(refusal(R"({"results": [], "metadata": {"timeunit": "days"}})").find("'days' is no unit of time") !=
          std::string::npos);
    CHECK(refusal(R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Values": "[1, 2"}]}})")
              .find("recording:1:71: error: expected ']'") == 0);
    const auto condition = [](const std::string& written) {
        return refusal("{\"ConfigurationSpace\": {\"TuningParameters\": [{\"Name\": \"x\", \"Values\": \"[1]\"}],\n"
                       "\"Conditions\": [{\"Expression\": \"x > 0\"}, {\"Expression\": \"" +
                       written + "\"}]}}");
    };
    const std::string before = R"(  "Conditions": [{"Expression": "x > 0"}, {"Expression": ")";
    CHECK(condition("x === 1") == "recording:2:61: error: '=' does not compare\n" + before + "x === 1\"}]}}\n" +
                                      std::string(62, ' ') + "^\n  write ==");
    CHECK(condition("x > 0 and z == 1") == "recording:2:67: error: unknown name 'z' – did you mean 'x'?\n" + before +
                                               "x > 0 and z == 1\"}]}}\n" + std::string(68, ' ') +
                                               "^\n  the names are x");
    // Escapes: the line is shown as it reads, and nothing behind them moves.
    CHECK(condition(R"(x == 1 and \"a\" == x x)") ==
          "recording:2:77: error: expected an operator or the end, found 'x'\n" + before +
              "x == 1 and \"a\" == x x  \"}]}}\n" + std::string(78, ' ') + "^");
    CHECK(condition(R"(x >\n\u0020)").find("recording:2:62: error: expected a value, found the end") == 0);
    // The default is one of the values.
    CHECK(refusal("{\"ConfigurationSpace\": {\"TuningParameters\": [\n{\"Name\": \"x\", \"Values\": \"[1, 2]\", "
                  "\"Default\": 3}]}}") == "recording:2:46: error: the default 3 of 'x' is none of its values\n"
                                           "  {\"Name\": \"x\", \"Values\": \"[1, 2]\", \"Default\": 3}]}}\n" +
                                               std::string(47, ' ') + "^\n  x is one of 1 and 2");
    CHECK(refusal(R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Values": [1, 2], "Default": []}]}})")
              .find("recording:1:89: error: 'Default' must be a boolean, a number or text, not array") == 0);
    CHECK(refusal(R"({"ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Values": ["a", 2]}]}})")
              .find("recording:1:70: error: the values of 'x' are texts and numbers") == 0);
    CHECK(refusal("x,status,time_ms\n4,correct\n")
              .find("recording:2:1: error: this line has 2 fields, the first one 3") == 0);
    CHECK(refusal("x,status,time_ms\n4,correct,fast\n")
              .find("recording:2:11: error: 'fast' in the column 'time_ms' is no number") == 0);
    CHECK(refusal("x,status,message\n4,compile,\"half")
              .find("recording:2:1: error: the file ends inside of a quoted field") == 0);
    CHECK(refusal("x,x,status\n").find("recording:1:3: error: there are two columns 'x'") == 0);
}

TEST_CASE("every cut of a file is read or refused") {
    random_source rng(3);
    const recording r = some_recording(rng);
    for (const recording_format format :
         {recording_format::t1, recording_format::t4, recording_format::kernel_tuner, recording_format::csv}) {
        const std::string whole = written(r, format);
        for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 200) {
            const std::string outcome = refusal(whole.substr(0, length));
            CHECK((outcome == "read" || outcome.find("error: ") != std::string::npos));
        }
    }
}

TEST_CASE("every garbled file is read or refused") {
    random_source rng(8);
    const recording r = some_recording(rng);
    const std::vector<std::string> pieces{"\"", "{", "]", ",",    "null",   "1e999", "-",
                                          "\n", "#", "'", "true", "[1, 2]", "{}",    "\xff"};
    std::size_t refused = 0;
    for (const recording_format format :
         {recording_format::t1, recording_format::t4, recording_format::kernel_tuner, recording_format::csv}) {
        const std::string whole = written(r, format).substr(0, 3000);
        for (int round = 0; round < 400; ++round) {
            std::string text = whole;
            const std::size_t at = rng.below(text.size());
            text.replace(at, rng.below(12), pieces[rng.below(pieces.size())]);
            const std::string outcome = refusal(text);
            REQUIRE((outcome == "read" || outcome.find("error: ") != std::string::npos));
            refused += outcome == "read" ? 0 : 1;
        }
        for (const std::string from :
             {"true", "\"time\"", "1", "[", "\"correct\"", "\"p1\""}) { // another type in every place
            std::string text = written(r, format);
            for (std::size_t at = text.find(from); at != std::string::npos && at < 3000; at = text.find(from, at + 1)) {
                std::string mutant = text;
                mutant.replace(at, from.size(), from == "[" ? "[[]," : "[3]");
                const std::string outcome = refusal(mutant);
                REQUIRE((outcome == "read" || outcome.find("error: ") != std::string::npos));
            }
        }
    }
    CHECK(refused > 400);
}
