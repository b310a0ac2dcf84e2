#include "core/codegen/launch_features.hpp"
#include "tests/catch.hpp"
#include "tests/stencil/formula.hpp"

using namespace gst;
using namespace gst::testing;

namespace {

/// u[t+1] = c * (u[x-1] + u[x+1] + u[y-2] + u[y+2])
stencil four_points() {
    sketch k(3, {field_named("u"), field_named("c")});
    k.update(0,
             k.read(1) * (k.read(0, {-1, 0, 0}) + k.read(0, {1, 0, 0}) + k.read(0, {0, -2, 0}) + k.read(0, {0, 2, 0})));
    return k.done();
}

struct launched {
    features all;
    explicit launched(const schedule& how, const stencil& s = four_points(), extent3 size = {64, 32, 16})
        : all(launch_features(s, make_layout(size, reach_of(s), layout_kind::padded), how)) {}
    double operator[](const std::string& name) const {
        for (const feature& f : all) {
            if (f.name == name) {
                return f.value;
            }
        }
        throw std::logic_error("no feature " + name);
    }
};

schedule group_of(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    schedule how;
    how.work_group = {x, y, z};
    return how;
}

} // namespace

TEST_CASE("features of a launch: one point per work-item") {
    const launched f(group_of(32, 4, 2));
    CHECK(f["work_group_x"] == 32);
    CHECK(f["work_group_y"] == 4);
    CHECK(f["work_group_z"] == 2);
    CHECK(f["work_groups"] == 2 * 8 * 8);
    CHECK(f["points_per_item"] == 1);
    CHECK(f["vector_width"] == 1);
    CHECK(f["time_steps"] == 1);
    CHECK(f["region_x"] == 34);
    CHECK(f["region_y"] == 8);
    CHECK(f["region_z"] == 2);
    CHECK(f["region_bytes"] == 4 * 34 * 8 * 2); // u alone: c is read at one point
    CHECK(f["region_reuse"] == 4.0 * 256 / (34 * 8 * 2));
    CHECK(f["coalescing"] == 1);
    CHECK(f["context_reads"] == 1);
    CHECK(f["item_operations"] == 4);
    CHECK(f["register_estimate"] == 5);
    CHECK(f["local_bytes"] == 0);
}

TEST_CASE("features of a launch: merged points through local memory") {
    schedule how = group_of(8, 4, 1);
    how.block = {2, 1, 1};
    how.cyclic = {2, 1, 4};
    how.local = true;
    const launched f(how);
    CHECK(f["points_per_item"] == 16);
    CHECK(f["work_groups"] == 2 * 8 * 4);
    CHECK(f["region_x"] == 34);
    CHECK(f["region_y"] == 8);
    CHECK(f["region_z"] == 4);
    CHECK(f["local_bytes"] == f["region_bytes"]);
    CHECK(f["context_reads"] == 16);
    CHECK(f["item_operations"] == 64);
    CHECK(f["register_estimate"] == 16);
    // 8 work-items, 2 apart, read 4 of the 16 · 4 bytes of a row that lie in one segment; 4 rows.
    CHECK(f["coalescing"] == 32.0 * 4 / (4 * 128));
}

TEST_CASE("features of a streaming launch with temporal blocking") {
    sketch k(3, {field_named("u")});
    k.update(0, k.read(0, {0, 0, -1}) + k.read(0, {1, 0, 1}));
    schedule how = group_of(16, 8, 1);
    how.stream_axis = 2;
    how.stream_length = 8;
    how.planes = 2;
    how.steps = 3;
    const launched f(how, k.done());
    CHECK(f["work_groups"] == 4 * 4 * 2);
    CHECK(f["points_per_item"] == 2);
    CHECK(f["time_steps"] == 3);
    CHECK(f["region_x"] == 16 + 3);
    CHECK(f["region_y"] == 8);
    CHECK(f["region_z"] == 2 + 2 * 3);
    CHECK(f["register_estimate"] == 2 * (1 + 2) + 2 * 2 * 3);
}

TEST_CASE("of several updates the one with the largest region counts") {
    sketch k(3, {field_named("a"), field_named("b", scalar::f64)});
    k.update(0, k.read(0, {1, 0, 0}));
    k.update(1, k.read(1, {2, 0, 0}) + k.read(1));
    const launched f(group_of(16, 1, 1), k.done());
    CHECK(f["region_x"] == 18);
    CHECK(f["region_bytes"] == 8 * 18);
    CHECK(f["region_reuse"] == 2.0 * 16 / 18);
    CHECK(f["coalescing"] == 1);
}

TEST_CASE("coalescing is the used share of the segments") {
    CHECK(coalescing(group_of(32, 1, 1), 4) == 1);
    CHECK(coalescing(group_of(256, 1, 1), 4) == 1);
    CHECK(coalescing(group_of(8, 8, 1), 4) == 0.25);     // four rows of 32 bytes
    CHECK(coalescing(group_of(1, 1, 64), 4) == 0.03125); // a column
    CHECK(coalescing(group_of(1, 1, 1), 8) == 0.0625);
    CHECK(coalescing(group_of(16, 1, 1), 8) == 1);
    schedule apart = group_of(32, 1, 1);
    apart.block = {4, 1, 1};
    CHECK(coalescing(apart, 4) == 0.25);
    apart.vector_width = 4;
    CHECK(coalescing(apart, 4) == 1);
}
