#include "core/stencil/features.hpp"
#include "tests/catch.hpp"
#include "tests/stencil/formula.hpp"

#include <cmath>
#include <regex>

using namespace gst;
using namespace gst::testing;

namespace {

double value_of(const features& all, const std::string& name) {
    for (const feature& f : all) {
        if (f.name == name) {
            return f.value;
        }
    }
    throw std::logic_error("no feature " + name);
}

/// The features of a stencil by name, on a grid of 64 × 32 × 16 points.
struct known {
    features all;
    explicit known(const stencil& s, extent3 size = {64, 32, 16}) : all(stencil_features(s, size)) {}
    double operator[](const std::string& name) const { return value_of(all, name); }
};

/// 0.5 * u[o] + 0.5 * u[o] + … over the offsets.
stencil weighted_sum(const std::vector<offset3>& pattern) {
    sketch k(3, {field_named("u")});
    formula sum = 0.5 * k.read(0, pattern.front());
    for (std::size_t i = 1; i < pattern.size(); ++i) {
        sum = sum + 0.5 * k.read(0, pattern[i]);
    }
    k.update(0, sum);
    return k.done();
}

} // namespace

TEST_CASE("features of seven points in three dimensions") {
    const known f(weighted_sum({{0, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}));
    CHECK(f["size"] == 7);
    CHECK(f["dimensionality"] == 3);
    CHECK(f["density"] == 7.0 / 27);
    CHECK(f["unique_dimension"] == 0);
    CHECK(f["radius_x"] == 1);
    CHECK(f["radius_y"] == 1);
    CHECK(f["radius_z"] == 1);
    CHECK(f["adds_per_read"] == 6.0 / 7);
    CHECK(f["multiplies_per_read"] == 1);
    CHECK(f["operations"] == 13);
    CHECK(f["reads"] == 7);
    CHECK(f["writes"] == 1);
    CHECK(f["arrays_read"] == 1);
    CHECK(f["reuse"] == 7);
    CHECK(f["unaligned_share"] == 2.0 / 7);
    CHECK(f["value_bytes"] == 4);
    CHECK(f["bytes"] == 8);
    CHECK(f["intensity"] == 13.0 / 8);
    CHECK(f["grid_x"] == 64);
    CHECK(f["grid_y"] == 32);
    CHECK(f["grid_z"] == 16);
}

TEST_CASE("features of one point") {
    const known f(weighted_sum({{0, 0, 0}}));
    CHECK(f["size"] == 1);
    CHECK(f["dimensionality"] == 0);
    CHECK(f["density"] == 1);
    CHECK(f["unique_dimension"] == 0);
    CHECK(f["adds_per_read"] == 0);
    CHECK(f["multiplies_per_read"] == 1);
    CHECK(f["reuse"] == 1);
}

TEST_CASE("features of a flat pattern to one side") {
    // u[x-1], u[x+2], u[x+2, z+3]: a box of 4 × 1 × 4 with the centre.
    const known f(weighted_sum({{-1, 0, 0}, {2, 0, 0}, {2, 0, 3}}));
    CHECK(f["size"] == 3);
    CHECK(f["dimensionality"] == 2);
    CHECK(f["density"] == 3.0 / 16);
    CHECK(f["unique_dimension"] == 0); // no two of its axes are alike
    CHECK(f["radius_x"] == 2);
    CHECK(f["radius_y"] == 0);
    CHECK(f["radius_z"] == 3);
    CHECK(f["unaligned_share"] == 1);
}

TEST_CASE("the unique dimension is the axis that differs from the other two") {
    CHECK(unique_axis({{0, 0, 0}}) == -1);
    CHECK(unique_axis({{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}}) == 0);
    CHECK(unique_axis({{0, 0, 0}, {0, 1, 0}}) == 1);
    CHECK(unique_axis({{1, 0, 0}, {0, 1, 0}}) == 2);  // flat in x and y
    CHECK(unique_axis({{1, 0, 0}, {0, 2, 0}}) == -1); // all three differ
    CHECK(unique_axis({{1, 1, 0}, {1, 0, 1}, {2, 0, 0}}) == 0);
    CHECK(unique_axis({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) == -1);
    CHECK(unique_axis({}) == -1);
}

TEST_CASE("features of several arrays, levels and updates") {
    // p[t+1] = 2p - p[t-1] + c*(p[x-1] + p[x+1]); q[t+1] = p[t+1, y+1] * q
    sketch k(2, {field_named("p"), field_named("c"), field_named("q", scalar::f64)});
    const formula p = k.read(0);
    k.update(0, 2.0 * p - k.read(0, {}, -1) + k.read(1) * (k.read(0, {-1, 0, 0}) + k.read(0, {1, 0, 0})));
    k.update(2, k.read(0, {0, 1, 0}, 1).convert(scalar::f64) * k.read(2));
    const known f(k.done(), {10, 20, 1});
    CHECK(f["size"] == 4); // the centre, x-1, x+1, y+1
    CHECK(f["reads"] == 7);
    CHECK(f["writes"] == 2);
    CHECK(f["arrays_read"] == 5); // p, p[t-1], c; p[t+1], q
    CHECK(f["reuse"] == 7.0 / 5);
    CHECK(f["adds_per_read"] == 3.0 / 7);
    CHECK(f["multiplies_per_read"] == 3.0 / 7);
    CHECK(f["operations"] == 6);
    CHECK(f["value_bytes"] == 8);
    CHECK(f["bytes"] == 4 + 4 + 4 + 4 + 8 + 8); // p, p[t-1], c in, p out; q in and out
    CHECK(f["unique_dimension"] == 0);
}

TEST_CASE("a value that is read and nothing else has features") {
    sketch k(1, {field_named("u")});
    k.update(0, k.coordinate(0).convert(scalar::f32));
    const known f(k.done(), {8, 1, 1});
    CHECK(f["reads"] == 0);
    CHECK(f["size"] == 0);
    CHECK(f["adds_per_read"] == 0);
    CHECK(f["reuse"] == 0);
    CHECK(f["bytes"] == 4);
}

TEST_CASE("every feature of a stencil says what it is") {
    std::set<std::string> names;
    for (const feature& f : stencil_features(weighted_sum({{0, 0, 0}}), {8, 8, 8})) {
        INFO(f.name);
        CHECK(std::regex_match(f.name, std::regex("[a-z][a-z_]*")));
        CHECK(names.insert(f.name).second);
        CHECK(!f.unit.empty());
        CHECK(!f.definition.empty());
        CHECK(!f.source.empty());
        CHECK(std::isfinite(f.value));
    }
}
