#include "core/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/tuned_suite.hpp"

#include <iterator>

using namespace gst;

namespace {

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    if (at == std::string::npos) {
        throw std::logic_error("there is no " + what);
    }
    return text.replace(at, what.size(), by);
}

/// What is said of the table with one text in it replaced by another.
std::string refusal(const std::string& what, const std::string& by) {
    const temporary_folder folder;
    write_tuned_suite(folder / "tuned.json", small_tuned_suite());
    folder.write("tuned.json", replaced(bytes_of(folder / "tuned.json"), what, by));
    try {
        read_tuned_suite(folder / "tuned.json", "tuned.json");
    } catch (const user_error& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("a tuned suite is read back as it was written") {
    const temporary_folder folder;
    tuned_suite t = small_tuned_suite();
    t.runs[0].time = 0.1 + 0.2;
    t.stencils[1].left_out = "the \"device\" – µ";
    t.runs[1].admitted = false;
    t.predictor_options["extra"] = std::string("text");
    t.times = {{"a", {{"TBx", std::int64_t{32}}, {"load", std::string("local")}, {"useTB", false}}, 0.1 + 0.2},
               {"b", {{"TBx", std::int64_t{1}}}, 1e-5}};
    for (const std::string name : {"tuned.json", "tuned.json.gz"}) {
        write_tuned_suite(folder / name, t);
        const tuned_suite back = read_tuned_suite(folder / name, name);
        CHECK(back.notes.empty());
        CHECK(back.runs.size() == 12);
        CHECK(back.runs[0].time == t.runs[0].time);
        CHECK(!back.runs[1].admitted);
        CHECK(back.stencils[1].left_out == t.stencils[1].left_out);
        CHECK(back.predictor_options == t.predictor_options);
        CHECK(back.features == t.features);
        CHECK(back.times == t.times);
        write_tuned_suite(folder / ("again-" + name), back);
        CHECK(bytes_of(folder / ("again-" + name)) == bytes_of(folder / name));
    }
    CHECK(bytes_of(folder / "tuned.json.gz").starts_with("\x1f\x8b"));
    CHECK(bytes_of(folder / "tuned.json.gz").size() < bytes_of(folder / "tuned.json").size());
}

TEST_CASE("runs are found by stencil, strategy and value") {
    const tuned_suite t = small_tuned_suite();
    REQUIRE(t.find("c", "hybrid", "local") != nullptr);
    CHECK(t.find("c", "hybrid", "local")->time == 2);
    CHECK(t.find("c", "hybrid", "") == nullptr);
    CHECK(t.find("e", "random", "") == nullptr);
}

TEST_CASE("runs with times that are none are left out, and the others stay") {
    const temporary_folder folder;
    for (const std::string wrong : {"NaN", "null", "-1.0", "Infinity"}) {
        write_tuned_suite(folder / "tuned.json", small_tuned_suite());
        const std::string text = bytes_of(folder / "tuned.json");
        folder.write("tuned.json", replaced(text, "\"time_ms\":2.0", "\"time_ms\":" + wrong));
        const tuned_suite back = read_tuned_suite(folder / "tuned.json", "tuned.json");
        INFO(wrong);
        CHECK(back.runs.size() == 11);
        CHECK(back.notes ==
              std::vector<std::string>{"a, hybrid, global: left out, for its times are no numbers from 0 on"});
    }
}

TEST_CASE("stencils with features that are no numbers are left out") {
    const temporary_folder folder;
    write_tuned_suite(folder / "tuned.json", small_tuned_suite());
    folder.write("tuned.json", replaced(bytes_of(folder / "tuned.json"), "[7.0,0.1]", "[7.0,NaN]"));
    const tuned_suite back = read_tuned_suite(folder / "tuned.json", "tuned.json");
    CHECK(back.stencils[0].left_out.empty());
    CHECK(back.stencils[1].left_out == "its features are not all numbers");
    folder.write("tuned.json",
                 replaced(bytes_of(folder / "tuned.json"), "\"operations\":1000000.0", "\"operations\":-1"));
    CHECK(read_tuned_suite(folder / "tuned.json", "tuned.json").stencils[0].left_out ==
          "its operations are no number from 0 on");
}

TEST_CASE("times of configurations that are none are left out and counted") {
    const temporary_folder folder;
    tuned_suite t = small_tuned_suite();
    t.times = {{"a", {{"TBx", std::int64_t{1}}}, 2.5},
               {"a", {{"TBx", std::int64_t{2}}}, 3.5},
               {"b", {{"TBx", std::int64_t{1}}}, 4.5},
               {"b", {{"TBx", std::int64_t{2}}}, 5.5}};
    write_tuned_suite(folder / "tuned.json", t);
    std::string text = bytes_of(folder / "tuned.json");
    text = replaced(text, "\"time_ms\":2.5", "\"time_ms\":NaN");
    text = replaced(text, "\"time_ms\":4.5", "\"time_ms\":-1");
    text = replaced(text, "\"time_ms\":5.5", "\"time_ms\":0");
    folder.write("tuned.json", text);
    const tuned_suite back = read_tuned_suite(folder / "tuned.json", "tuned.json");
    CHECK(back.times == std::vector<tuned_suite::timing>{t.times[1]});
    CHECK(back.notes == std::vector<std::string>{"a: the time of a configuration is left out, no number above 0",
                                                 "b: the times of 2 configurations are left out, no numbers above 0"});
}

TEST_CASE("runs that belong to nothing are left out and counted; a configuration has one time") {
    const temporary_folder folder;
    write_tuned_suite(folder / "tuned.json", small_tuned_suite());
    folder.write("tuned.json", replaced(bytes_of(folder / "tuned.json"), "\"stencil\":\"a\"", "\"stencil\":\"z\""));
    const tuned_suite back = read_tuned_suite(folder / "tuned.json", "tuned.json");
    CHECK(back.runs.size() == 11);
    CHECK(back.notes ==
          std::vector<std::string>{"a run is left out, of stencils or strategies that the table does not list"});
    tuned_suite t = small_tuned_suite();
    t.times = {{"a", {{"TBx", std::int64_t{1}}}, 2.5}, {"a", {{"TBx", std::int64_t{1}}}, 3.5}};
    write_tuned_suite(folder / "tuned.json", t);
    CHECK_THROWS_WITH(
        read_tuned_suite(folder / "tuned.json", "tuned.json"),
        "error: 'tuned.json': there are two times of a configuration of 'a'\n  the file is damaged: get it "
        "again");
}

TEST_CASE("tables that do not fit are refused with the reason") {
    CHECK(refusal("gst tuned suite", "something") == "error: 'tuned.json': this is not what gst train writes\n"
                                                     "  give its table, e.g. tuned.json");
    CHECK(refusal("\"version\": 1", "\"version\": 2") ==
          "error: 'tuned.json': the table is of version 2, and this gst reads version 1\n"
          "  use the gst that wrote it, or measure again");
    CHECK(refusal("\"features_version\": 1", "\"features_version\": 9") ==
          "error: 'tuned.json': the table's features are of version 9, and this gst computes version 1\n"
          "  use the gst that wrote it, or measure again");
    CHECK(refusal("\"parameter\"", "\"parametre\"") ==
          "error: 'tuned.json': 'parameter' is missing\n  it must be a text");
    CHECK(refusal("[5.0,0.1]", "[5.0]") == "error: 'tuned.json': the stencil 'a' has 1 features, not 2\n"
                                           "  the file is damaged: get it again");
    for (const std::string label : {"../hybrid", "/tmp/hybrid", "", "..", "a\\nb"}) {
        INFO(label);
        const std::string told = refusal("\"heuristics\": [\"hybrid\"]", "\"heuristics\": [\"" + label + "\"]");
        CHECK(told.find("can have no model of its own\n  its label names the model's file") != std::string::npos);
    }
    CHECK(refusal("\"compiled\":8", "\"compiled\":\"8\"").starts_with("tuned.json:"));
    CHECK(refusal("\"compiled\":8", "\"compiled\":\"8\"").find("'compiled' must be a count, not string") !=
          std::string::npos);
    CHECK(refusal("\"time_ms\":2.0", "\"time\":2.0").find("'time_ms' is missing, or no number") != std::string::npos);
    for (const std::string list : {"values", "references", "heuristics"}) {
        INFO(list);
        CHECK(refusal("\"" + list + "\": [", "\"" + list + "\": [], \"before\": [")
                  .find("'" + list + "' is empty\n  the file is damaged: get it again") != std::string::npos);
    }
    CHECK(refusal("\"values\": [\"global\",", "\"values\": [\"local\",").find("'values' has something twice") !=
          std::string::npos);
    CHECK(refusal("\"heuristics\": [\"hybrid\"]", "\"heuristics\": [\"random\"]")
              .find("'references and heuristics' has something twice") != std::string::npos);
    CHECK(refusal("\"admitted\":true", "\"admitted\":\"yes\"").find("'admitted' must be true or false, not string") !=
          std::string::npos);
    CHECK(refusal("\"name\":\"b\"", "\"name\":\"a\"") ==
          "error: 'tuned.json': there are two stencils 'a'\n  the file is damaged: get it again");
    CHECK(refusal("\"value\":\"local\"", "\"value\":\"global\"") ==
          "error: 'tuned.json': there are two runs of 'a' by 'hybrid' with load = global\n"
          "  the file is damaged: get it again");
    CHECK(refusal("\"runs\"", "runs").find("this is not how JSON goes on here") != std::string::npos);
}

TEST_CASE("a table that is not there is refused") {
    try {
        read_tuned_suite("/no/such/table.json", "table.json");
        FAIL();
    } catch (const user_error& e) {
        CHECK(std::string(e.what()) == "error: cannot read 'table.json' (No such file or directory)\n"
                                       "  give the path of a table that gst train wrote, e.g. tuned.json");
    }
}

namespace {

/// The small suite with the runs of these stencils only.
tuned_suite part_with(const std::string& names) {
    tuned_suite t = small_tuned_suite();
    std::erase_if(t.runs, [&](const tuned_suite::run& r) { return names.find(r.stencil) == std::string::npos; });
    return t;
}

std::string refusal_to_join(const tuned_suite& one, const tuned_suite& other) {
    try {
        joined({one, other}, {"one.json", "other.json"});
    } catch (const user_error& e) {
        return e.what();
    }
    return "";
}

} // namespace

TEST_CASE("tables of parts of a suite are joined to that of the whole") {
    tuned_suite first = part_with("ac");
    first.stencils[1].left_out = "it was too slow";
    tuned_suite second = part_with("bd");
    second.stencils.erase(second.stencils.begin() + 2);
    second.stencils.push_back({"e", "line", "45", 1e3, {3, 1}, ""});
    second.times = {{"b", {{"TBx", std::int64_t{1}}}, 2}};
    const tuned_suite t = joined({first, second}, {"first.json", "second.json"});
    CHECK(t.notes.empty());
    REQUIRE(t.stencils.size() == 5);
    CHECK(t.stencils[4].name == "e");
    CHECK(t.stencils[1].left_out.empty()); // the other one could
    const tuned_suite whole = small_tuned_suite();
    CHECK(t.runs.size() == whole.runs.size());
    for (const tuned_suite::run& r : whole.runs) {
        const tuned_suite::run* found = t.find(r.stencil, r.strategy, r.value);
        REQUIRE(found != nullptr);
        CHECK(found->time == r.time);
    }
    CHECK(t.times == second.times);
}

TEST_CASE("stencils that were tuned otherwise are named in the joined table") {
    tuned_suite other = part_with("d");
    other.settings = "{space={preset=small}}";
    other.driver = "2.0";
    const tuned_suite t = joined({part_with("abc"), other}, {"one.json", "other.json"});
    CHECK(t.settings == small_tuned_suite().settings);
    CHECK(t.notes == std::vector<std::string>{"d: tuned with the driver 2.0",
                                              "d: tuned with the settings {space={preset=small}}"});
}

TEST_CASE("tables that are not of one suite are not joined") {
    tuned_suite other = part_with("d");
    CHECK(refusal_to_join(part_with("ad"), other) == "error: 'one.json' and 'other.json' both have runs of d\n"
                                                     "  leave it out of one of them");
    other.device = "Another GPU";
    CHECK(refusal_to_join(part_with("abc"), other) ==
          "error: 'other.json' was measured with the device 'Another GPU', and 'one.json' with 'Some GPU'\n"
          "  tables are joined that were measured alike");
    other = part_with("d");
    other.heuristics = {"expert"};
    CHECK(refusal_to_join(part_with("abc"), other) ==
          "error: 'other.json' was measured with the heuristics 'expert', and 'one.json' with 'hybrid'\n"
          "  tables are joined that were measured alike");
    other = part_with("d");
    other.features[1].name = "radius";
    CHECK(refusal_to_join(part_with("abc"), other) == "error: 'other.json' has other features than 'one.json'\n"
                                                      "  tables are joined that were measured alike");
    other = part_with("d");
    other.stencils[3].problem = "4567";
    CHECK(refusal_to_join(part_with("abc"), other) == "error: d is another stencil in 'other.json' than in 'one.json'\n"
                                                      "  tables are joined whose stencils have names of their own");
}
