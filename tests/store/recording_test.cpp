#include "core/base/error.hpp"
#include "core/base/random.hpp"
#include "core/store/recording/formats.hpp"
#include "core/store/recording/interchange.hpp"
#include "core/store/recording/results_recording.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <nlohmann/json.hpp>

#include <iostream>
#include <sstream>

using namespace gst;

namespace {

/// A number with all bits of its mantissa in use.
double some_number(random_source& rng) {
    return 1e-3 + 1e4 * rng.uniform() * rng.uniform();
}

std::vector<value> some_domain(random_source& rng, std::uint64_t kind) {
    std::vector<value> domain;
    const std::uint64_t size = 1 + rng.below(5);
    for (std::uint64_t i = 0; i < size; ++i) {
        switch (kind) {
        case 0:
            domain.emplace_back(static_cast<std::int64_t>(1U << i) - 4);
            break;
        case 1:
            domain.emplace_back(0.1 + static_cast<double>(i));
            break;
        case 2:
            return {value(false), value(true)};
        default: {
            static const std::vector<std::string> words{"local", "a b, \"c\"", "32", "true", "", "it's", "1e3", "'x'"};
            for (const std::string& word : words) {
                domain.emplace_back(word);
            }
            return domain;
        }
        }
    }
    return domain;
}

recorded some_entry(random_source& rng) {
    recorded e;
    e.outcome = static_cast<status>(rng.below(3) == 0 ? 1 + rng.below(5) : 0);
    if (e.outcome == status::correct) {
        e.time = some_number(rng);
        e.censored = rng.below(5) == 0;
        for (std::uint64_t i = rng.below(4); i > 0; --i) {
            e.times.push_back(some_number(rng));
        }
    } else {
        e.message = rng.below(2) == 0 ? "" : "line 1: \"x\", – broken\nline 2";
    }
    for (const char* name : cost_names) {
        if (rng.below(2) == 0) {
            e.cost[name] = some_number(rng);
        }
    }
    for (const char* name : {"GFLOP/s", "registers"}) {
        if (rng.below(2) == 0) {
            e.measurements[name] = some_number(rng);
        }
    }
    e.timestamp = rng.below(2) == 0 ? "" : "2023-12-22 09:54:05.502007+00:00";
    return e;
}

/// A recording of some of the configurations of four parameters of different types.
recording some_recording(random_source& rng) {
    recording_builder b;
    std::vector<std::vector<value>> domains;
    for (std::uint64_t kind = 0; kind < 4; ++kind) {
        domains.push_back(some_domain(rng, kind));
        b.declare("p" + std::to_string(kind), domains.back());
        b.set_default(domains.back().back());
    }
    for (std::uint64_t i = 1 + rng.below(40); i > 0; --i) {
        std::vector<std::pair<std::string, value>> named;
        for (std::size_t p = 0; p < domains.size(); ++p) {
            named.emplace_back("p" + std::to_string(p), domains[p][rng.below(domains[p].size())]);
        }
        b.add(named, some_entry(rng));
    }
    b.out.kernel = "some_kernel";
    b.out.device = "Some Device, 2nd";
    b.out.problem_size = {value(std::int64_t{4096}), value(std::string("n/2"))};
    b.out.constraints.push_back({expression::parse("p0 <= 2 or not p2"), "p0 <= 2 or not p2"});
    return b.finish();
}

std::string written(const recording& r, recording_format format) {
    std::ostringstream out;
    write_recording(r, format, out);
    return out.str();
}

void check_same_results(const recording& a, const recording& b) {
    CHECK(a.kernel == b.kernel);
    CHECK(a.device == b.device);
    CHECK(a.problem_size == b.problem_size);
    REQUIRE(a.parameters.size() == b.parameters.size());
    for (std::size_t p = 0; p < a.parameters.size(); ++p) {
        CHECK(a.parameters[p].name == b.parameters[p].name);
        CHECK(a.parameters[p].domain == b.parameters[p].domain);
    }
    REQUIRE(a.entries.size() == b.entries.size());
    for (std::size_t i = 0; i < a.entries.size(); ++i) {
        REQUIRE(a.entries[i] == b.entries[i]);
    }
}

void check_same_definition(const recording& a, const recording& b) {
    REQUIRE(a.parameters.size() == b.parameters.size());
    for (std::size_t p = 0; p < a.parameters.size(); ++p) {
        CHECK(a.parameters[p].name == b.parameters[p].name);
        CHECK(a.parameters[p].domain == b.parameters[p].domain);
        CHECK(a.parameters[p].neutral == b.parameters[p].neutral);
    }
    REQUIRE(a.constraints.size() == b.constraints.size());
    for (std::size_t i = 0; i < a.constraints.size(); ++i) {
        CHECK(a.constraints[i].condition.text() == b.constraints[i].condition.text());
        CHECK(a.constraints[i].reason == b.constraints[i].reason);
    }
}

recording read(const temporary_folder& folder, const std::string& text) {
    return read_recording(folder.write("recording", text), "recording");
}

std::string refusal(const std::string& text) {
    const temporary_folder folder;
    try {
        read(folder, text);
        return "read";
    } catch (const user_error& e) {
        return e.what();
    }
}

const std::string head = R"({"device_name": "D", "kernel_name": "k", "problem_size": [64, 32],
"tune_params_keys": ["x", "mode"], "tune_params": {"x": [4, 1, 2], "mode": ["a", "b"]}, "cache": {)";

} // namespace

TEST_CASE("what is exported is imported without loss") {
    random_source rng(11);
    const temporary_folder folder;
    for (int round = 0; round < 40; ++round) {
        const recording r = some_recording(rng);
        const recording definition = read(folder, written(r, recording_format::t1));
        check_same_definition(definition, r);
        for (const recording_format format :
             {recording_format::t4, recording_format::kernel_tuner, recording_format::csv}) {
            INFO("round " << round << ", format " << recording_formats[static_cast<std::size_t>(format)]);
            const recording back = defined_by(read(folder, written(r, format)), definition);
            check_same_results(back, r);
            check_same_definition(back, r);
        }
    }
}

TEST_CASE("a T1 file keeps what gst does not read") {
    const temporary_folder folder;
    const auto text = nlohmann::ordered_json::parse(R"({"General": {"BenchmarkName": "b", "FormatVersion": 1},
        "ConfigurationSpace": {"TuningParameters": [{"Name": "x", "Type": "int", "Values": "[1, 2]", "Default": 2}],
                               "Conditions": [{"Expression": "x < 2", "Parameters": ["x"]}]},
        "KernelSpecification": {"Language": "CUDA", "KernelName": "k", "KernelFile": "k.cu", "ProblemSize": [64],
                                "GlobalSize": {"X": "64 // x"}, "Arguments": [{"Name": "a", "Size": 4}]}})");
    const recording r = read(folder, text.dump());
    CHECK(nlohmann::ordered_json::parse(written(r, recording_format::t1)) == text);
}

TEST_CASE("a recording goes through the results database") {
    const temporary_folder folder;
    random_source rng(12);
    recording r = some_recording(rng);
    for (recorded& e : r.entries) {
        for (auto& [name, milliseconds] : e.cost) {
            milliseconds = std::floor(1e6 * milliseconds) / 1e6; // the database holds seconds
        }
    }
    result_store store(folder / "results.db");
    store_recording(store, r, "a.json", "gst import a.json", "1.0");
    store_recording(store, r, "a.json", "gst import a.json", "1.0"); // the newest count
    recording back = recording_of(store, {});
    CHECK(back.problem_size == std::vector<value>{value(std::string("4096xn/2"))});
    back.problem_size = r.problem_size;
    check_same_results(defined_by(back, r), r);

    r.device = "another";
    store_recording(store, r, "b.json", "", "");
    try {
        recording_of(store, {});
        FAIL("two devices are one recording");
    } catch (const user_error& e) {
        CHECK(std::string(e.what()).find("results of 2 problems and devices that fit:\n  stencil 'some_kernel', grid "
                                         "'4096xn/2', device 'Some Device, 2nd', backend 'recorded', problem ") !=
              std::string::npos);
    }
    result_filter other;
    other.device = "another";
    CHECK(recording_of(store, other).device == "another");
    other.device = "a third";
    CHECK_THROWS_AS(recording_of(store, other), user_error);
}

TEST_CASE("the results database keeps the order of the parameters") {
    const auto names = [](const recording& r) {
        std::vector<std::string> out;
        for (const parameter& p : r.parameters) {
            out.push_back(p.name);
        }
        return out;
    };
    const temporary_folder folder;
    const std::string text =
        "# kernel: k\n# device: D\nz,b,a,status,time_ms\n1,true,x,correct,2\n1,true,y,compile,\n2,true,x,correct,1\n";
    const recording r = read(folder, text);
    const std::vector<std::string> order{"z", "b", "a"};
    REQUIRE(names(r) == order);
    const std::string file = (folder / "results.db").string();
    {
        result_store store(file);
        store_recording(store, r, "a.csv", "gst import a.csv", "1.0");
    }
    const recording back = read_recording(file, file);
    CHECK(names(back) == order);
    for (const recording_format format :
         {recording_format::t4, recording_format::kernel_tuner, recording_format::csv, recording_format::t1}) {
        CHECK(names(read(folder, written(back, format))) == order);
    }

    // Rows that were stored before the order was kept do not decide it.
    const temporary_folder other;
    result_store mixed(other / "results.db");
    const session_id session = mixed.begin_session({"", "", "recorded", 0, "", ""});
    measurement m;
    m.outcome = status::correct;
    m.time = 1;
    result_key key;
    key.stencil = key.problem = key.grid = "k";
    mixed.insert(key, {{"a", std::string("x")}, {"b", true}, {"z", std::int64_t{1}}}, m, session);
    key.program = "2";
    mixed.insert(key, {{"z", std::int64_t{2}}, {"b", true}, {"a", std::string("x")}}, m, session);
    CHECK(names(recording_of(mixed, {})) == order);
    CHECK(recording_of(mixed, {}).entries.size() == 2);
}

TEST_CASE("a Kernel Tuner cache is read with all that is odd about it") {
    const temporary_folder folder;
    const recording r = read(folder, head + R"(
"1,a": {"x": 1, "mode": "a", "time": 2.5, "times": [2, 3], "compile_time": 100.5, "verification_time": 0,
        "benchmark_time": 7, "strategy_time": 1, "framework_time": 2, "GFLOP/s": 12.5, "timestamp": "then"},
"2,a": {"x": 2, "mode": "a", "time": "CompilationFailedConfig", "times": []},
"2,b": {"x": 2, "mode": "b", "time": "RuntimeFailedConfig", "times": [1, 2], "GFLOP/s": 3},
"4,a": {"x": 4, "mode": "a", "__error__": "InvalidConfig"},
"4,b": {"x": 4, "mode": "b", "time": 1},)");
    CHECK(r.kernel == "k");
    CHECK(r.device == "D");
    CHECK(problem_text(r) == "64x32");
    CHECK(r.parameters[0].domain ==
          std::vector<value>{value(std::int64_t{1}), value(std::int64_t{2}), value(std::int64_t{4})});
    REQUIRE(r.entries.size() == 5);
    const recorded& first = r.entries[0];
    CHECK(first.which == configuration{0, 0});
    CHECK(first.time == 2.5);
    CHECK(first.times == std::vector<double>{2, 3});
    CHECK(first.cost == std::map<std::string, double>{
                            {"compile", 100.5}, {"verify", 0}, {"measure", 7}, {"search", 1}, {"framework", 2}});
    CHECK(first.measurements == std::map<std::string, double>{{"GFLOP/s", 12.5}});
    CHECK(first.timestamp == "then");
    CHECK(r.entries[1].outcome == status::compile);
    CHECK(r.entries[2].outcome == status::runtime);
    CHECK(r.entries[2].times.size() == 2);
    CHECK(r.entries[3].outcome == status::constraints);
    CHECK(r.entries[4].times.empty());
    CHECK(optimum(r)->which == configuration{2, 1});

    CHECK(read(folder, head).entries.empty()); // begun, nothing measured yet
    CHECK(read(folder, head + "}}").entries.empty());
    const recorded odd =
        read(folder, head + R"("4,b": {"x": 4, "mode": "b", "time": 1, "times": [1, NaN], "GFLOP/s": -Infinity,
        "timestamp": "the \"NaN\" day"}}})")
            .entries.front();
    CHECK(odd.times == std::vector<double>{1});
    CHECK(odd.measurements.empty());
    CHECK(odd.timestamp == "the \"NaN\" day");
    const std::string without_size =
        R"({"tune_params_keys": ["x"], "tune_params": {"x": [1]}, "cache": {"1": {"x": 1, "time": 3}}})";
    CHECK(problem_text(read(folder, without_size)).empty());
}

TEST_CASE("T4 is read with its units and both names of the compile time") {
    const temporary_folder folder;
    const recording r = read(folder, R"({"results": [
{"configuration": {"x": 2, "flag": true}, "times": {"compilation_time": 3, "benchmark": 5, "runtimes": [0.5]},
 "invalidity": "correct", "measurements": [{"name": "time", "value": 0.25, "unit": ""}, {"name": "power", "value": 7, "unit": "W"}],
 "objectives": ["time"]},
{"configuration": {"x": 1, "flag": true}, "times": {"compilation": 4}, "invalidity": "correct",
 "measurements": [{"name": "time", "value": 1500, "unit": "us"}]},
{"configuration": {"x": 1, "flag": false}, "times": {"compilation": 1}, "invalidity": "timeout",
 "measurements": [{"name": "time", "value": "RuntimeFailedConfig", "unit": ""}], "objectives": ["time"]}],
"metadata": {"timeunit": "seconds"}, "schema_version": "1.0.0"})");
    REQUIRE(r.entries.size() == 3);
    CHECK(r.entries[0].outcome == status::timeout);
    CHECK(r.entries[0].time == 0);
    CHECK(r.entries[1].time == 1.5);
    CHECK(r.entries[2].time == 250);
    CHECK(r.entries[2].times == std::vector<double>{500});
    CHECK(r.entries[2].cost == std::map<std::string, double>{{"compile", 3000}, {"measure", 5000}});
    CHECK(r.entries[2].measurements == std::map<std::string, double>{{"power", 7}});
    CHECK(r.units == std::map<std::string, std::string>{{"power", "W"}});
    CHECK(read(folder, written(r, recording_format::t4)).units == r.units);
}

TEST_CASE("T1's conditions are Python's, and what is valid is what they say") {
    const temporary_folder folder;
    const recording r = read(folder, R"j({"ConfigurationSpace": {"TuningParameters": [
{"Name": "x", "Type": "int", "Values": "[8, 1, 2, 4]", "Default": 4}, {"Name": "y", "Type": "int", "Values": [1, 2, 3], "Default": 1},
{"Name": "m", "Type": "string", "Values": "['a', 'b']", "Default": "b"}],
"Conditions": [{"Expression": "2 <= x * y <= 8 and not (x // y == 1)", "Parameters": ["x"]
},
{"Expression": "m == 'a' or y % 2 == 1 and x / y > 1.5", "Parameters": ["x", "y", "m"]}]
}
, "KernelSpecification" : {
    "KernelName" : "k", "ProblemSize" : [ 4, 5 ]
}
})j");
    CHECK(to_string(r.parameters[0].neutral) == "4");
    CHECK(to_string(r.parameters[2].neutral) == "b");
    const space s = conditional_space(r);
    std::uint64_t valid = 0;
    for (const int x : {1, 2, 4, 8}) {
        for (const int y : {1, 2, 3}) {
            for (const bool a : {true, false}) {
                const bool first = 2 <= x * y && x * y <= 8 && x / y != 1;
                valid += first && (a || (y % 2 == 1 && 2 * x > 3 * y)) ? 1 : 0;
            }
        }
    }
    CHECK(s.count() == valid);
    CHECK(valid > 3);
}

TEST_CASE("a recorded space has the recorded configurations alone") {
    const temporary_folder folder;
    const recording r = read(folder, "x,m,status,time_ms\n4,a,correct,2\n1,b,correct,3\n4,b,compile,\n");
    const space s = recorded_space(r);
    CHECK(s.count() == 3);
    for (std::size_t i = 0; i < r.entries.size(); ++i) {
        CHECK(s.at(i) == r.entries[i].which);
    }
    CHECK(s.violations({0, 0}) == std::vector<std::string>{"it was not recorded"});
    CHECK(optimum(r)->time == 2);
}

TEST_CASE("a gzip file is read as what is in it, and one that is cut off is refused") {
    const temporary_folder folder;
    folder.write("a.csv", "x,status,time_ms\n4,correct,2\n");
    REQUIRE(std::system(("gzip -k '" + (folder / "a.csv").string() + "'").c_str()) == 0);
    CHECK(read_recording(folder / "a.csv.gz", "a.csv.gz").entries.size() == 1);
    std::filesystem::resize_file(folder / "a.csv.gz", std::filesystem::file_size(folder / "a.csv.gz") - 9);
    try {
        read_recording(folder / "a.csv.gz", "a.csv.gz");
        FAIL("half a file is read");
    } catch (const user_error& e) {
        CHECK(std::string(e.what()) == "error: cannot read 'a.csv.gz' (its compressed data ends too early)\n"
                                       "  get the file again");
    }
}

TEST_CASE("files that are no recordings are refused with place, reason and remedy") {
    CHECK(refusal("") == "error: 'recording' is empty\n  it is cut off, or not yet written");
    CHECK(refusal("{\"a\": 1}") ==
          "error: 'recording' is JSON, but no recording that gst knows\n  it reads Kernel Tuner "
          "caches (tune_params_keys, cache), T4 (results) and T1 (ConfigurationSpace)");
    CHECK(refusal("[1, 2]").starts_with("error: 'recording' is JSON, but no recording that gst knows"));
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
    CHECK(refusal(head + "\n\"1,a\": {\"x\": 1, \"ti") ==
          "recording:3:20: error: the file ends in the middle of its JSON text\n"
          "  \"1,a\": {\"x\": 1, \"ti\n"
          "                     ^\n"
          "  it is cut off: get it again");
    CHECK(refusal(head + "\n\"1,a\": {\"x\": 7, \"mode\": \"a\", \"time\": 1}}}") ==
          "recording:3:8: error: the value 7 of 'x' is none of its values\n"
          "  \"1,a\": {\"x\": 7, \"mode\": \"a\", \"time\": 1}}}\n"
          "         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
          "  x is one of 4, 1 and 2");
    CHECK(refusal(head + "\n\"1,a\": {\"x\": 1, \"time\": 1}}}") ==
          "recording:3:8: error: the parameter 'mode' has no value here\n"
          "  \"1,a\": {\"x\": 1, \"time\": 1}}}\n"
          "         ^~~~~~~~~~~~~~~~~~~\n"
          "  every configuration has a value for each parameter");
    CHECK(refusal(head + "\n\"1,a\": {\"x\": 1, \"mode\": \"a\", \"time\": \"Lost\"}}}")
              .find("'Lost' is no failure of Kernel Tuner") != std::string::npos);
    CHECK(refusal(head + "\n\"1,a\": {\"x\": 1, \"mode\": \"a\", \"time\": -1}}}").find("is -1, no positive number") !=
          std::string::npos);
    CHECK(refusal(head + "\n\"1,a\": 3}}").find("recording:3:9: error: an entry of 'cache' is no object") == 0);
    CHECK(refusal(head + "\n\"1,a\": {\"x\" 1}}}").find("recording:3:13: error: this is not how JSON goes on here") ==
          0);
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

namespace {
const std::filesystem::path data = std::filesystem::path(GST_SOURCE_DIR) / "../shared/data";
bool lacks_data() {
    if (std::filesystem::exists(data)) {
        return false;
    }
    std::cout << "skipped: there are no recordings in " << data.string() << "\n";
    return true;
}
recording recorded_file(const std::string& name) {
    return read_recording(data / ("benchmark_hub_" + name), name);
}
} // namespace

TEST_CASE("the recordings of the benchmark hub are read, and their T1 defines exactly what was recorded") {
    if (lacks_data()) {
        return;
    }
    struct expected {
        std::string file;
        std::string definition;
        std::size_t count;
        double best;
    };
    for (const expected& e :
         {expected{"convolution_milo_A100.json.gz", "T1_convolution_milo.json", 4362, 0.5536000076681376},
          {"convolution_milo_A6000.json.gz", "T1_convolution_milo.json", 4362, 0.6030377962291835},
          {"convolution_milo_W6600.json.gz", "T1_convolution_milo.json", 4362, 1.7276193872094154},
          {"dedispersion_milo_W6600.json.gz", "T1_dedispersion_milo.json", 11130, 135.0808186531067}}) {
        INFO(e.file);
        const recording r = defined_by(recorded_file(e.file), recorded_file(e.definition));
        CHECK(r.entries.size() == e.count);
        CHECK(optimum(r)->time == e.best);
        const space listed = recorded_space(r);
        const space conditional = conditional_space(r);
        CHECK(conditional.count() == e.count);
        bool all = true;
        for (std::uint64_t i = 0; i < e.count; ++i) {
            all = all && conditional.contains(listed.at(i));
        }
        CHECK(all);
    }
}

TEST_CASE("the T4 file of the benchmark hub is its cache") {
    if (lacks_data()) {
        return;
    }
    const recording cache = recorded_file("convolution_milo_A100.json.gz");
    const recording t4 = recorded_file("convolution_milo_A100_T4.json.gz");
    REQUIRE(t4.entries.size() == cache.entries.size());
    for (std::size_t i = 0; i < t4.entries.size(); ++i) {
        REQUIRE(t4.entries[i].outcome == cache.entries[i].outcome);
        REQUIRE(t4.entries[i].time == cache.entries[i].time);
        REQUIRE(t4.entries[i].times == cache.entries[i].times);
        REQUIRE(t4.entries[i].cost.at("compile") == cache.entries[i].cost.at("compile"));
    }
}
