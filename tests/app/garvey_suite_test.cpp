#include "core/app/garvey_suite.hpp"
#include "core/app/suite.hpp"
#include "core/stencil/features.hpp"
#include "tests/app/shell.hpp"
#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"
#include "tests/first_seed.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <set>

using namespace gst;

namespace {

double value_of(const features& all, const std::string& name) {
    for (const feature& f : all) {
        if (f.name == name) {
            return f.value;
        }
    }
    throw std::logic_error("no feature " + name);
}

/// Points of a shape, by formula.
double points_of(const std::string& family, int dimensions, int r) {
    const double side = 2 * r + 1;
    const double box = std::pow(side, dimensions);
    if (family == "star") {
        return 2 * dimensions * r + 1;
    }
    if (family == "diamond") {
        return dimensions == 2 ? 2 * r * r + 2 * r + 1 : side * (2 * r * r + 2 * r + 3) / 3;
    }
    if (family == "nocorners") {
        return box - std::pow(2, dimensions);
    }
    if (family == "thumbtack") {
        return side * side + 2 * r;
    }
    return box;
}

} // namespace

TEST_CASE("Garvey's suite has the paper's 104 stencils") {
    std::map<std::string, int> classes;
    std::set<std::set<offset3>> patterns;
    std::set<std::string> names;
    for (const synthetic_stencil& s : garvey_suite(1, false)) {
        const stencil parsed = stencil_of(s.text);
        CHECK(parsed.name == s.name);
        CHECK(parsed.dimensions == 3);
        CHECK(parsed.fields.at(0).type == scalar::f32);
        const access_summary a = accesses_of(parsed);
        const int dimensions = (a.high[0] > 0) + (a.high[1] > 0) + (a.high[2] > 0);
        ++classes[std::to_string(dimensions) + "-D " + s.family];
        patterns.insert(a.pattern);
        names.insert(s.name);
    }
    CHECK(classes == std::map<std::string, int>{{"0-D line", 1},
                                                {"1-D line", 15},
                                                {"2-D dense", 15},
                                                {"2-D star", 15},
                                                {"2-D diamond", 12},
                                                {"2-D nocorners", 12},
                                                {"3-D dense", 5},
                                                {"3-D star", 5},
                                                {"3-D diamond", 4},
                                                {"3-D nocorners", 5},
                                                {"3-D thumbtack", 15}});
    CHECK(patterns.size() == 104);
    CHECK(names.size() == 104);
}

TEST_CASE("the features of all shapes, orientations and radii are those of their formulas") {
    const std::regex form("([a-z]+)([123])d(?:_([xyz]+))?_r([1-5])");
    for (const synthetic_stencil& s : garvey_suite(1, false)) {
        if (s.name == "point") {
            continue; // tests/stencil has it
        }
        INFO(s.name);
        std::smatch m;
        REQUIRE(std::regex_match(s.name, m, form));
        const std::string family = m[1];
        const int dimensions = std::stoi(m[2]);
        const std::string axes = m[3].length() == 0 || family == "thumbtack" ? "xyz" : m[3].str();
        const int r = std::stoi(m[4]);
        const features f = stencil_features(stencil_of(s.text), {256, 256, 256});
        const double points = points_of(family, dimensions, r);
        CHECK(value_of(f, "size") == points);
        CHECK(value_of(f, "dimensionality") == dimensions);
        CHECK(value_of(f, "density") == Approx(points / std::pow(2 * r + 1, dimensions)));
        CHECK(value_of(f, "reads") == points);
        CHECK(value_of(f, "reuse") == points);
        CHECK(value_of(f, "multiplies_per_read") == 1);
        CHECK(value_of(f, "adds_per_read") == (points - 1) / points);
        CHECK(value_of(f, "bytes") == 8);
        double unique = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const bool along = axes.find("xyz"[axis]) != std::string::npos;
            CHECK(value_of(f, std::string("radius_") + "xyz"[axis]) == (along ? r : 0));
            const bool differs =
                family == "thumbtack" ? m[3].str()[0] == "xyz"[axis] : dimensions < 3 && along == (dimensions == 1);
            unique = differs ? axis + 1 : unique;
        }
        CHECK(value_of(f, "unique_dimension") == unique);
    }
}

TEST_CASE("with intensities there are 416 stencils, of 1 and 2 adds and multiplies per element") {
    const std::vector<synthetic_stencil> all = garvey_suite(1, true);
    CHECK(all.size() == 416);
    std::set<std::string> names;
    std::map<std::string, int> intensities;
    for (const synthetic_stencil& s : all) {
        INFO(s.text);
        names.insert(s.name);
        const access_summary a = accesses_of(stencil_of(s.text));
        const auto n = static_cast<int>(a.reads);
        const int adds = static_cast<int>(a.additions) - (n - 1);
        const int multiplies = static_cast<int>(a.multiplications);
        CHECK((adds == 0 || adds == n));
        CHECK((multiplies == n || multiplies == 2 * n));
        const bool plain = s.name.find("_a") == std::string::npos;
        const std::string suffix = "_a" + std::to_string(adds / n + 1) + "m" + std::to_string(multiplies / n);
        CHECK((plain ? suffix == "_a1m1" : s.name.ends_with(suffix)));
        ++intensities[suffix];
    }
    CHECK(names.size() == 416);
    CHECK(intensities == std::map<std::string, int>{{"_a1m1", 104}, {"_a1m2", 104}, {"_a2m1", 104}, {"_a2m2", 104}});
}

TEST_CASE("the stencils of a suite go through the language and back") {
    for (const synthetic_stencil& s : garvey_suite(testing::first_seed(), true)) {
        const stencil once = stencil_of(s.text);
        INFO(s.text);
        CHECK(stencil_of(to_dsl(once)) == once);
        CHECK(std::all_of(once.nodes.begin(), once.nodes.end(), [](const node& n) {
            const auto* weight = std::get_if<ir::number>(&n.op);
            return weight == nullptr || (weight->value > 0 && weight->value < 1);
        }));
    }
}

TEST_CASE("a suite follows from its seed byte for byte") {
    const std::uint64_t seed = testing::first_seed();
    const std::vector<synthetic_stencil> one = garvey_suite(seed, false);
    const std::vector<synthetic_stencil> same = garvey_suite(seed, false);
    const std::vector<synthetic_stencil> other = garvey_suite(seed + 1, false);
    const std::vector<synthetic_stencil> with_intensities = garvey_suite(seed, true);
    for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(one[i].text == same[i].text);
        CHECK(one[i].name == other[i].name);
        CHECK(one[i].text != other[i].text);
        CHECK(with_intensities[4 * i].text == one[i].text); // what was measured of the one counts for the other
    }
}

TEST_CASE("gst synth writes a suite that gst train reads") {
    const playground here;
    const finished_command done = here.gst("synth garvey suite --seed 3");
    INFO(done.err);
    REQUIRE(done.code == 0);
    CHECK(done.out == "104 stencils and suite/suite.toml. Next:\n  gst train suite/suite.toml\n");
    CHECK(text_of(here.folder() / "suite/star2d_xz_r2.gst")
              .starts_with("# 2-D star of radius 2, along x and z: 9 points.\n"
                           "stencil star2d_xz_r2(x, y, z) {\n"
                           "    const w = random("));
    const std::filesystem::path file = here.folder() / "suite/suite.toml";
    const suite s = read_suite(read_suite_document(file), file);
    CHECK(s.stencils.size() == 104);
    CHECK(s.references.size() == 2);
    CHECK(s.heuristics.size() == 3);
    CHECK(s.stencils.at(0).app.grid.size.value == std::vector<std::int64_t>{256, 256, 256});
    CHECK(s.stencils.at(0).app.measure.timing.method == "paper");
    const finished_command again = here.gst("synth garvey suite");
    CHECK(again.code == 2);
    CHECK(again.err == "error: 'suite' has a suite already\n  choose another folder\n");
}
