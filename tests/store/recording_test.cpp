#include "core/base/error.hpp"
#include "core/store/recording/results_recording.hpp"
#include "tests/catch.hpp"
#include "tests/store/some_recording.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

using namespace gst;

namespace {

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
    r.entries.front().cost["compile"] = 1010.0142359733582; // …358.1 ms give the same seconds
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
    const recording r = read(folder, cache_head + R"(
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
    CHECK(first.cost ==
          named_numbers{{"compile", 100.5}, {"verify", 0}, {"measure", 7}, {"search", 1}, {"framework", 2}});
    CHECK(first.measurements == named_numbers{{"GFLOP/s", 12.5}});
    CHECK(first.timestamp == "then");
    CHECK(r.entries[1].outcome == status::compile);
    CHECK(r.entries[2].outcome == status::runtime);
    CHECK(r.entries[2].times.size() == 2);
    CHECK(r.entries[3].outcome == status::constraints);
    CHECK(r.entries[4].times.empty());
    CHECK(optimum(r)->which == configuration{2, 1});

    CHECK(read(folder, cache_head).entries.empty()); // begun, nothing measured yet
    CHECK(read(folder, cache_head + "}}").entries.empty());
    const recorded odd =
        read(folder, cache_head + R"("4,b": {"x": 4, "mode": "b", "time": 1, "times": [1, NaN], "GFLOP/s": -Infinity,
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
    CHECK(r.entries[2].cost == named_numbers{{"compile", 3000}, {"measure", 5000}});
    CHECK(r.entries[2].measurements == named_numbers{{"power", 7}});
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
