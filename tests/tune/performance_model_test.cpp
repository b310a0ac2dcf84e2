#include "core/tune/performance_model.hpp"
#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"

using namespace gst;

namespace {

const extent3 cube{256, 256, 256};
const roofline gpu{4e12, 100, 32};

stencil heat() {
    return in_3d("u[t+1] = u + 0.1 * (u[x-1] + u[x+1] + u[y-1] + u[y+1] + u[z-1] + u[z+1] - 6*u)");
}

schedule blocks(std::uint64_t x, std::uint64_t y, std::uint64_t z) {
    schedule s;
    s.work_group = {x, y, z};
    return s;
}

/// Tiles of 64 × 16 that stream along z, so many time steps per launch.
schedule streaming(int steps) {
    schedule s = blocks(32, 4, 1);
    s.block = {2, 4, 1};
    s.stream_axis = 2;
    s.stream_length = 256;
    s.local = true;
    s.steps = steps;
    return s;
}

double time_of(const schedule& s) {
    return estimate(heat(), cube, s, gpu);
}

} // namespace

TEST_CASE("nothing is expected to be faster than its traffic") {
    // One field read and written: 8 bytes per point.
    const double bound = 1e3 * 256 * 256 * 256 * 8 / 4e12;
    CHECK(time_of(blocks(32, 8, 1)) >= bound);
    CHECK(time_of(streaming(1)) >= bound);
    schedule many = streaming(1); // work-groups
    many.stream_length = 16;
    CHECK(time_of(many) < 3 * bound);
}

TEST_CASE("temporal blocking saves traffic until its overlap costs more") {
    CHECK(time_of(streaming(2)) < time_of(streaming(1)));
    CHECK(time_of(streaming(7)) > time_of(streaming(2)));
}

TEST_CASE("equal shares leave no compute unit idle") {
    const schedule whole = streaming(2); // 110 tiles on 100 units
    schedule shares = whole;
    shares.equal_shares = true;
    shares.multiprocessors = 100;
    CHECK(time_of(shares) < 0.9 * time_of(whole));
    CHECK(time_of(shares) > 0.55 * time_of(whole)); // of which one unit has two
}

TEST_CASE("tiles beyond whole rounds leave fewer compute units idle in blocks") {
    const schedule whole = streaming(2); // 110 tiles on 100 units
    schedule blocks = whole;
    blocks.rest_blocks = 8;
    blocks.multiprocessors = 100;
    CHECK(time_of(blocks) < 0.9 * time_of(whole));
    CHECK(time_of(blocks) > 0.55 * time_of(whole));
    blocks.multiprocessors = 55; // two whole rounds
    CHECK(rest_of(blocks, 110, 256).groups() == 110);
    CHECK(time_of(blocks) == time_of(whole));
}

TEST_CASE("lanes that idle, work-groups that leave compute units idle and values that spill cost time") {
    CHECK(time_of(blocks(4, 1, 1)) > 4 * time_of(blocks(32, 4, 1)));
    CHECK(time_of(blocks(1, 32, 1)) > time_of(blocks(32, 1, 1))); // reads along x are not coalesced
    schedule few = blocks(32, 8, 4);
    few.cyclic = {8, 32, 64};
    CHECK(time_of(few) > 10 * time_of(blocks(32, 8, 4)));
}

TEST_CASE("a processor pays for local memory, for images and for small work-groups") {
    const roofline cpu{3e10, 2, 1};
    const auto on_cpu = [&](const schedule& s) { return estimate(heat(), cube, s, cpu); };
    schedule plain = blocks(64, 4, 1);
    plain.cyclic = {4, 16, 16};
    schedule local = plain, image = plain;
    local.local = true;
    image.image = true;
    CHECK(on_cpu(local) > 5 * on_cpu(plain));
    CHECK(on_cpu(image) > 5 * on_cpu(local));
    CHECK(on_cpu(blocks(64, 4, 1)) > 2 * on_cpu(plain));
    CHECK(on_cpu(blocks(64, 8, 1)) < on_cpu(blocks(64, 4, 1)));
    CHECK(time_of(local) < 3 * time_of(plain));
}

TEST_CASE("vectors spare reads from the caches") {
    schedule vectors = blocks(32, 4, 1);
    vectors.vector_width = 4;
    vectors.block = {4, 1, 1};
    const stencil box = in_3d("u[t+1] = sum(o in box(1)) { 0.037 * u[o] }");
    CHECK(estimate(box, cube, vectors, gpu) < estimate(box, cube, blocks(32, 4, 1), gpu));
}

TEST_CASE("filtering rows together spares arithmetic where that is what a kernel waits for") {
    schedule sums = blocks(32, 4, 1);
    sums.stream_axis = 2;
    sums.stream_length = 128;
    sums.block = {2, 4, 1};
    sums.vector_width = 2;
    sums.local = sums.retiming = sums.prefetch = true;
    sums.ahead = 2;
    schedule filtered = sums;
    filtered.filtered_lines = 4;
    const stencil box = in_3d("u[t+1] = sum(o in box(2)) { 0.007 * u[o] }");
    CHECK(estimate(box, cube, filtered, gpu) < 0.7 * estimate(box, cube, sums, gpu));
    CHECK(estimate(heat(), cube, filtered, gpu) > 0.9 * estimate(heat(), cube, sums, gpu));
    // It keeps twice as many sums: where registers are short, it spares less.
    const auto ratio = [&] { return estimate(box, cube, filtered, gpu) / estimate(box, cube, sums, gpu); };
    const double of_few_points = ratio();
    sums.block = filtered.block = {4, 8, 1};
    CHECK(ratio() > 1.25 * of_few_points);
}
