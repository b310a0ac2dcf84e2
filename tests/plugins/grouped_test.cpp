#include "core/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>
#include <set>

using namespace gst;
using namespace gst::test;

namespace {

parameter of(role purpose, int dimension, const std::string& name, std::vector<std::int64_t> domain) {
    parameter p = numbers(name, std::move(domain));
    p.purpose = purpose;
    p.dimension = dimension;
    return p;
}

/// Garvey's restricted space (§4.7) on a cube of so many points.
space garvey(std::int64_t points) {
    std::vector<std::int64_t> sizes;
    for (std::int64_t v = 1; v <= points; v *= 2) {
        sizes.push_back(v);
    }
    parameter load = of(role::load, -1, "load", {1});
    load.domain = {std::string("global"), std::string("vector"), std::string("local"), std::string("image")};
    load.neutral = load.domain[0];
    std::vector<parameter> all{load, of(role::vector_width, 0, "VX", {1, 2, 4, 8, 16})};
    std::vector<constraint> conditions{{expression::parse("(load == 'vector') == (VX > 1)"), ""},
                                       {expression::parse("VX * TBx * CMx <= N"), ""},
                                       {expression::parse("TBy * CMy <= N"), ""},
                                       {expression::parse("TBz * CMz <= N"), ""}};
    for (int d = 0; d < 3; ++d) {
        const std::string axis(1, "xyz"[d]);
        all.push_back(of(role::thread_block, d, "TB" + axis, sizes));
        all.push_back(of(role::cyclic_merge, d, "CM" + axis, sizes));
    }
    return {std::move(all), std::move(conditions), {{"N", points}}};
}

space with_load(const space& s, const std::string& load) {
    return s.restricted({{"load", {load}}});
}

tuned heuristic(const std::string& specification, const space& where, const timing& time) {
    return run({"grouped", {{"specification", specification}}}, where, time);
}

std::int64_t get(const space& s, const configuration& c, const std::string& name) {
    return std::get<std::int64_t>(s.get(c, s.index_of(name)));
}

/// The lines of the trace up to the colon and the number of configurations behind it.
std::vector<std::string> steps(const tuned& t) {
    std::vector<std::string> out;
    for (const std::string& line : t.trace) {
        out.push_back(line.substr(0, line.find(" configurations")));
    }
    return out;
}

/// Fastest at TB = (8, 4, 2), CM = (2, 1, 1).
std::optional<double> separable(const space& s, const configuration& c) {
    double time = 1;
    const std::map<std::string, double> best{{"TBx", 3}, {"TBy", 2}, {"TBz", 1}, {"CMx", 1}, {"CMy", 0}, {"CMz", 0}};
    for (const auto& [name, position] : best) {
        const double off = c[s.index_of(name)] - position;
        time += off * off;
    }
    return time;
}

using lines = std::vector<std::string>;

} // namespace

TEST_CASE(
    "by dimension: x, y and z, each exhaustively from the best so far; a pass that measures nothing new ends it") {
    const space where = with_load(garvey(16), "global");
    const tuned t = heuristic("by_dimension", where, [&](const configuration& c) { return separable(where, c); });
    // Pairs of powers of two with a product of at most 16: 5 + 4 + 3 + 2 + 1.
    CHECK(steps(t) == lines{"x: 15", "y: 15", "z: 15", "x: 15", "y: 15", "z: 15", "x: 15", "y: 15", "z: 15"});
    // The second pass sees x at the best y and z and y at the best z for the first time, z not; the third nothing.
    CHECK(t.measured.size() == 15 + 14 + 14 + 14 + 14);
    for (std::size_t i = 0; i < 15; ++i) { // WY = WZ = CY = CZ = 1 at first
        for (const char* name : {"TBy", "TBz", "CMy", "CMz"}) {
            CHECK(get(where, t.measured[i], name) == 1);
        }
    }
    for (std::size_t i = 15; i < 29; ++i) { // then the best x
        CHECK(get(where, t.measured[i], "TBx") == 8);
        CHECK(get(where, t.measured[i], "CMx") == 2);
        CHECK(get(where, t.measured[i], "TBz") == 1);
    }
    CHECK(t.best->what.time == 1);
}

TEST_CASE("by dimension with vector loads begins at the least legal width, 2") {
    const space where = with_load(garvey(16), "vector");
    const tuned t = heuristic("by_dimension", where, [&](const configuration& c) { return separable(where, c); });
    CHECK(t.trace[0] == "x: 20 configurations around load=vector VX=2 TBx=1 CMx=1 TBy=1 CMy=1 TBz=1 CMz=1");
}

TEST_CASE("by optimization: work-group, merge factors; on repeats what a work-group covers stays") {
    const space where = with_load(garvey(16), "local");
    const tuned t = heuristic("by_optimization", where, [&](const configuration& c) { return separable(where, c); });
    const lines found = steps(t);
    REQUIRE(found.size() >= 6);
    CHECK(found[0] == "work-group: 125");    // 5 sizes along each axis, all merge factors 1
    CHECK(found[1] == "block merging: 1");   // only vector loads have a width
    CHECK(found[2] == "cyclic merging: 24"); // TB = (8, 4, 2): CMx of 1, 2; CMy of 1, 2, 4; CMz of 1, 2, 4, 8
    CHECK(found[3] == "work-group, its tile kept: 30"); // 16 = TBx CMx in 5 ways, 4 = TBy CMy in 3, 2 = TBz CMz in 2
    const std::size_t first_pass = 125 + 23;
    for (std::size_t i = first_pass; i < first_pass + 10; ++i) {
        CHECK(get(where, t.measured[i], "TBx") * get(where, t.measured[i], "CMx") == 16);
        CHECK(get(where, t.measured[i], "TBy") * get(where, t.measured[i], "CMy") == 4);
    }
    CHECK(t.best->what.time == 1);
}

TEST_CASE("hybrid: by dimension, then shapes with as many work-items") {
    const space where = with_load(garvey(16), "image");
    const tuned t = heuristic("hybrid", where, [&](const configuration& c) { return separable(where, c); });
    // TB = (8, 4, 2) are 64 work-items: x + y + z = 6 with CM = (2, 1, 1), so that x ≤ 3, y ≤ 4, z ≤ 4: 3 + 4 + 5 + 4
    // ways.
    const lines pass{"x: 15", "y: 15", "z: 15", "shape of the work-group: 16"};
    const lines all = steps(t);
    REQUIRE(all.size() == 12);
    CHECK(lines(all.begin(), all.begin() + 4) == pass);
    for (std::size_t i = 43; i < 43 + 14; ++i) { // the best and TB = (8, 8, 1) are known
        const configuration& c = t.measured[i];
        CHECK(get(where, c, "TBx") * get(where, c, "TBy") * get(where, c, "TBz") == 64);
    }
}

TEST_CASE("the expert looks at 1,404 configurations of 256³, the restricted heuristics at a part of 98,865") {
    const space where = garvey(256);
    REQUIRE(where.count() == 475875);
    const tuned t = heuristic("expert", where, sum_of);
    CHECK(t.measured.size() == 1404);
    CHECK(where.constrained({{expression::parse("TBx >= 16 and TBy <= 32 and TBz <= 32"), ""}}).count() == 98865);
    const tuned r = heuristic("restricted", where, sum_of);
    CHECK(!r.measured.empty());
    for (const configuration& c : r.measured) {
        CHECK(get(where, c, "TBx") >= 16);
        CHECK(get(where, c, "TBy") <= 32);
    }
}

TEST_CASE("a specification has lists, ranges, samples of ranges and values that follow others") {
    const temporary_folder folder;
    const space where = with_load(garvey(64), "global");
    const std::string file = folder.write("mine.toml", R"(
start = { CMx = 2 }
[[step]]
name = "lists and ranges"
when = "first"
tune = { TBx = [4, 16], TBy = { range = [2, "N / 8"] }, TBz = { range = [1, 64], samples = 2 } }
[[step]]
name = "followers"
tune = { TBx = "all", CMx = "best_TBx * best_CMx / TBx" }
)");
    const tuned t = heuristic(file, where, [&](const configuration& c) { return separable(where, c); });
    CHECK(steps(t) == lines{"lists and ranges: 12", "followers: 4"}); // 2 · 3 · 2; 8 = TBx · CMx in 4 ways
    std::set<std::int64_t> z;
    for (std::size_t i = 0; i < 12; ++i) {
        CHECK(get(where, t.measured[i], "CMx") == 2);
        CHECK(std::set<std::int64_t>{4, 16}.contains(get(where, t.measured[i], "TBx")));
        CHECK(std::set<std::int64_t>{2, 4, 8}.contains(get(where, t.measured[i], "TBy")));
        z.insert(get(where, t.measured[i], "TBz"));
    }
    CHECK(z.size() == 2);
}

TEST_CASE("mistakes in a specification are told with their place and a remedy") {
    const temporary_folder folder;
    const space where = with_load(garvey(16), "global");
    const auto mistake = [&](const std::string& text) {
        const std::string file = folder.write("s.toml", text);
        try {
            heuristic(file, where, sum_of);
        } catch (const user_error& e) {
            const std::string shown = render(e.diagnostics().at(0));
            const std::size_t at = shown.find("s.toml:");
            return at == std::string::npos ? shown : shown.substr(at);
        }
        return std::string("no mistake");
    };
    CHECK(mistake("[[step]]\ntune = { TBw = \"all\" }\n") ==
          "s.toml:2:10: error: unknown parameter 'TBw' – did you mean 'TBx'?\n"
          "  tune = { TBw = \"all\" }\n"
          "           ^~~\n"
          "  the parameters are load, VX, TBx, CMx, TBy, CMy, TBz and CMz");
    CHECK(mistake("[[step]]\ntune = { \"@thread\" = \"all\" }\n").find("unknown group '@thread'") != std::string::npos);
    CHECK(mistake("[[step]]\ntune = { \"@unroll\" = \"all\" }\n")
              .starts_with("s.toml:1:1: error: the specification selects no parameter of this space\n"));
    CHECK(mistake("[[step]]\ntune = { TBx = [3] }\n").starts_with("s.toml:2:17: error: TBx cannot be 3 here\n"));
    CHECK(mistake("[[step]]\ntune = { TBx = \"best_TBx *\" }\n")
              .starts_with("s.toml:2:27: error: expected a value, found the end\n"));
    CHECK(mistake("[[step]]\ntune = { TBx = \"worst_TBx\" }\n").find("unknown parameter 'worst_TBx'") !=
          std::string::npos);
    CHECK(mistake("[[step]]\ntunes = 1\n").find("unknown key 'tunes' – did you mean 'tune'?") != std::string::npos);
    CHECK(mistake("[[step]]\nwhen = \"never\"\ntune = { TBx = \"all\" }\n").find("unknown passes 'never'") !=
          std::string::npos);
    CHECK(mistake("where = [\"TBx > 16\"]\n[[step]]\ntune = { TBx = \"all\" }\n")
              .starts_with("s.toml:1:11: error: with this condition no configuration of the space is left\n"));
    CHECK(
        mistake("[[step]]\nwhere = [\"TBx > 16\"]\ntune = { TBx = \"all\" }\n")
            .starts_with("s.toml:2:11: error: with this condition the step selects no configuration of the space, and "
                         "no other step does\n  where = [\"TBx > 16\"]\n            ^~~~~~~~\n"));
    CHECK(mistake("[[step]]\ntune = { TBx = [] }\n").starts_with("s.toml:2:16: error: the list has no value\n"));
    CHECK(mistake("[[step]]\ntune = { TBx = { range = [5, 2] } }\n")
              .starts_with("s.toml:2:26: error: the range is empty: its first bound is the lower one\n"));
    CHECK(mistake("[[step]]\nwhen = \"later\"\ntune = { TBx = \"all\" }\n")
              .starts_with("s.toml:1:1: error: no step is done in the first pass, which so measures nothing\n"));
    CHECK(mistake("[[step]]\ntune = { TBx = { range = [3, 3] } }\n")
              .starts_with("s.toml:1:1: error: no step selects a configuration of this space\n"));
    CHECK(mistake("passes = 0\n").find("at least one pass") != std::string::npos);
    CHECK(mistake("passes = 1\n").find("has no step") != std::string::npos);
    CHECK(mistake("[[step]\n").starts_with("s.toml:1:"));
    const space foreign = with({numbers("block", {1, 2}), numbers("unroll", {1, 2})}, {});
    try {
        heuristic("hybrid", foreign, sum_of);
        FAIL("a specification for parameters that are not there");
    } catch (const user_error& e) {
        CHECK(std::string(e.what()).find("the specification 'hybrid' of the strategy 'grouped' is for other "
                                         "parameters: unknown parameter 'TBx'") != std::string::npos);
        CHECK(e.diagnostics().front().hint.find("by_dimension") != std::string::npos);
    }
    CHECK_THROWS_AS(heuristic("./no_such.toml", where, sum_of), user_error);
    CHECK_THROWS_AS(heuristic("no_such", where, sum_of), user_error);
}

TEST_CASE("the path of a specification is relative to the file it is written in, a name stays") {
    const plugin& p = find_plugin("search", "grouped", "/");
    CHECK(resolved(p, "specification", std::string("../mine.toml"), "/a/b") == value(std::string("/a/mine.toml")));
    CHECK(resolved(p, "specification", std::string("/mine.toml"), "/a/b") == value(std::string("/mine.toml")));
    CHECK(resolved(p, "specification", std::string("hybrid"), "/a/b") == value(std::string("hybrid")));
    CHECK(resolved(p, "request", std::int64_t{3}, "/a/b") == value(std::int64_t{3}));
}
