#include "core/codegen/launch_features.hpp"
#include "core/codegen/unit_suite.hpp"
#include "tests/catch.hpp"
#include "tests/stencil/formula.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

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
        : all(launch_features(stencil_profiles(s, make_layout(size, reach_of(s), padded_rows)).of(how))) {}
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
    CHECK(f["work_items"] == 256);
    CHECK(f["region_rows"] == 16);
    CHECK(f["region_reads"] == 4);
    CHECK(f["loop_reads"] == 4);
    CHECK(f["transactions"] == 1);
    CHECK(f["context_reads"] == 1);
    CHECK(f["context_per_read"] == 0.25);
    CHECK(f["item_operations"] == 4);
    CHECK(f["operations_per_read"] == 0); // no more than two for each of the four
    CHECK(f["parallel_groups"] == 128);
    CHECK(launched(group_of(2, 1, 1))["parallel_groups"] == 4096);
    CHECK(f["register_estimate"] == 5);
    CHECK(f["local_bytes"] == 0);
    CHECK(f["region_copies"] == 1);
    CHECK(f["bank_conflicts"] == 1);
    CHECK(f["sectors"] == 4);
    CHECK(f["elements"] == 32);
    CHECK(f["array_bytes"] == 4 * 64 * 32 * 16);
    CHECK(f["resident_items"] == 256); // no more work-groups than multiprocessors
    CHECK(f["resident_bytes"] == 16 * (34 * 4 + 124) + 8 * (32 * 4 + 124));
    CHECK(f["loop_operations"] == 8);
    CHECK(f["distinct_reads"] == 4);
    CHECK(f["alike_points"] == 1);
    CHECK(f["item_rows"] == 3);
    CHECK(f["item_columns"] == 3);
    CHECK(f["lines_per_read"] == 3 * (1 + 2.0 / 32) / 4);
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
    CHECK(f["transactions"] == 4); // 8 work-items, 2 points apart, in each of 4 rows
    CHECK(f["region_reads"] == 4);
    CHECK(f["loop_reads"] == 4);
    CHECK(f["context_per_read"] == 1);
    CHECK(f["region_copies"] == 1.0 / 16);
    CHECK(f["bank_conflicts"] == 4); // (3, 0), (2, 1), (1, 2) and (0, 3): rows are 34 apart, which is 2 banks
    CHECK(f["elements"] == 32);
    CHECK(f["sectors"] == 8);
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
    CHECK(f["item_operations"] == 1);
    CHECK(f["transactions"] == 1);
}

TEST_CASE("what reads nothing has no region") {
    sketch k(2, {field_named("u")});
    k.update(0, k.number(1, scalar::f32));
    const launched f(group_of(16, 4, 1), k.done());
    CHECK(f["region_bytes"] == 0);
    CHECK(f["region_reuse"] == 0);
    CHECK(f["transactions"] == 0);
    CHECK(f["operations_per_read"] == 0);
    CHECK(f["access_ratio"] == 1);
    CHECK(f["lines_per_read"] == 0);
}

TEST_CASE("transactions of the work-items that read together") {
    CHECK(transactions(group_of(32, 1, 1), 4) == 1);
    CHECK(transactions(group_of(256, 1, 1), 4) == 1);
    CHECK(transactions(group_of(8, 8, 1), 4) == 4);   // four rows of 32 bytes
    CHECK(transactions(group_of(1, 1, 64), 4) == 32); // a column
    CHECK(transactions(group_of(1, 1, 1), 8) == 1);
    CHECK(transactions(group_of(32, 1, 1), 8) == 2);
    schedule apart = group_of(32, 1, 1);
    apart.block = {4, 1, 1};
    CHECK(transactions(apart, 4) == 4);
    apart.vector_width = 4;
    CHECK(transactions(apart, 4) == 1);
}

TEST_CASE("a unit kernel that is a stencil has the features of the stencil") {
    // jacobi_1024: the four neighbours with weights, and in an epilogue a right-hand side and one multiply-add.
    sketch k(2, {field_named("u"), field_named("rhs")});
    const auto weighted = [&](double weight, offset3 at) { return weight * k.read(0, at); };
    k.update(0, (weighted(0.25, {0, -1, 0}) + weighted(0.5, {-1, 0, 0}) + weighted(0.125, {1, 0, 0}) +
                 weighted(0.75, {0, 1, 0}) + k.read(1)) *
                        k.number(0.75, scalar::f32) +
                    k.number(0.5, scalar::f32));
    const auto& all = real_unit_kernels();
    const auto jacobi = std::ranges::find(all, "jacobi_1024", &unit_kernel::name);
    REQUIRE(jacobi != all.end());
    for (const bool local : {false, true}) {
        for (const auto& [x, y] : {std::pair{32, 8}, {128, 1}, {16, 16}, {8, 4}, {1, 64}, {512, 2}}) {
            schedule how = group_of(static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y), 1);
            how.local = local;
            const launched stencil(how, k.done(), {1024, 1024, 1});
            const features unit =
                launch_features(unit_profile(*jacobi, {how.work_group[0], how.work_group[1], 1, 1, local}));
            REQUIRE(unit.size() == stencil.all.size());
            for (std::size_t i = 0; i < unit.size(); ++i) {
                INFO(x << " × " << y << ": " << unit[i].name);
                CHECK(unit[i].name == stencil.all[i].name);
                if (unit[i].name != "row_alignment") { // rows of the stencil's arrays are padded
                    CHECK(unit[i].value == stencil.all[i].value);
                }
            }
        }
    }
    // Merged points are read as one region by a stencil, and one after the other by a unit kernel: all that a work-item
    // does is the same, but not what the copy costs and how it compares.
    const std::set<std::string> of_region{"register_estimate", "row_alignment",     "bank_conflicts", "resident_bytes",
                                          "estimated_speedup", "access_ratio",      "access_saved",   "latency_ratio",
                                          "latency_share",     "computation_share", "context_share"};
    schedule merged = group_of(32, 4, 1);
    merged.cyclic = {1, 4, 1};
    const launched stencil(merged, k.done(), {1024, 1024, 1});
    for (const feature& f : launch_features(unit_profile(*jacobi, {32, 4, 1, 4, false}))) {
        if (!f.name.starts_with("region_") && !of_region.contains(f.name)) {
            INFO(f.name);
            CHECK(f.value == stencil[f.name]);
        }
    }
}

TEST_CASE("what a work unit reads, and with whom it shares that") {
    synthetic_knobs knobs;
    knobs.outer = 2;
    knobs.inner = 4;
    knobs.neighbours = "star";
    knobs.radius = 1;
    struct expected {
        const char* home;
        double distinct, rows, columns, alike, copies, conflicts, elements, transactions;
    };
    // Work-groups of 16 × 2, 4 × 2 units per work-item. Without its corners the box of 2 × 4 elements and their
    // neighbours has 20 elements.
    const expected table[] = {
        {"xy_reuse", 20, 4, 6, 8, 1, 1, 1, 1},      {"x_reuse_row", 20, 4, 6, 4, 8, 1, 2, 2},
        {"x_reuse_col", 20, 6, 4, 4, 8, 1, 2, 1},   {"y_reuse_row", 20, 4, 6, 1, 8, 2, 16, 2},
        {"y_reuse_col", 20, 6, 4, 1, 8, 8, 16, 16}, {"no_reuse_row", 20, 4, 6, 1, 8, 4, 32, 4},
    };
    for (const expected& e : table) {
        INFO(e.home);
        knobs.home = e.home;
        const launch_profile p = unit_profile(synthetic_kernel(knobs), {16, 2, 4, 2, false});
        CHECK(p.distinct_reads == e.distinct);
        CHECK(p.item_rows == e.rows);
        CHECK(p.item_columns == e.columns);
        CHECK(p.alike_points == e.alike);
        CHECK(p.region_copies == e.copies);
        CHECK(p.bank_conflicts == e.conflicts);
        CHECK(p.elements == e.elements);
        CHECK(p.transactions == e.transactions);
    }
    knobs.home = "y_reuse_col";
    CHECK(unit_profile(synthetic_kernel(knobs), {16, 2, 1, 2, false}).alike_points == 2); // no loop between them
}

TEST_CASE("what local memory is good and bad for changes the estimated cycles") {
    launch_profile p;
    p.work_group = {32, 4, 1};
    p.work_groups = 10000;
    p.region_reads = p.distinct_reads = p.loop_reads = 9;
    p.operations = p.loop_operations = 18;
    p.region_segments = 12;
    p.region_bytes = 4 * 34 * 6;
    p.bank_conflicts = 1;
    p.transactions = 1;
    const auto cycles = [](const launch_profile& of, bool local) { return estimated_cycles(of, local).all; };
    const double without = cycles(p, false);
    const double with = cycles(p, true);
    const auto changed = [&](double launch_profile::*what, double to) {
        launch_profile q = p;
        q.*what = to;
        return q;
    };
    const launch_profile apart = changed(&launch_profile::transactions, 32);
    CHECK(cycles(apart, false) > cycles(apart, true)); // it pays
    CHECK(cycles(apart, true) == with);
    CHECK(without < with); // it does not
    CHECK(cycles(changed(&launch_profile::bank_conflicts, 8), true) > with);
    CHECK(cycles(changed(&launch_profile::bank_conflicts, 8), false) == without);
    CHECK(cycles(changed(&launch_profile::region_segments, 40), true) > with);
    CHECK(cycles(changed(&launch_profile::region_copies, 2), true) > with);
    CHECK(cycles(changed(&launch_profile::row_alignment, 8192), false) > without);
    CHECK(cycles(changed(&launch_profile::alike_points, 2), false) < without);
    const launch_profile large = changed(&launch_profile::region_bytes, 100 * 1024);
    CHECK(estimated_cycles(large, false).resident == 2048);
    CHECK(estimated_cycles(large, true).resident == 2 * 128);
    CHECK(cycles(large, true) > with);
    CHECK(estimated_cycles(changed(&launch_profile::work_groups, 200), false).resident == 2 * 128);
}

TEST_CASE("predictors of local memory learn from features of launches that change among unit kernels") {
    const features all = launch_features(launch_profile());
    const std::vector<double> values = launch_values(launch_profile());
    REQUIRE(values.size() == all.size());
    std::set<std::string> names;
    for (std::size_t i = 0; i < all.size(); ++i) {
        CHECK(values[i] == all[i].value);
        CHECK_FALSE(all[i].definition.empty());
        CHECK(names.insert(all[i].name).second);
    }
    std::map<std::string, std::set<double>> seen;
    random_source rng(3);
    for (int i = 0; i < 50; ++i) {
        const unit_kernel k = synthetic_kernel(random_knobs(rng));
        const std::uint64_t x = std::uint64_t{1} << rng.below(6);
        for (const feature& f : launch_features(unit_profile(k, {x, 64 / x, 1, 1 + rng.below(2), false}))) {
            CHECK(std::isfinite(f.value));
            seen[f.name].insert(f.value);
        }
    }
    for (const std::string& name : local_memory_features()) {
        INFO(name);
        CHECK(names.contains(name));
        CHECK((seen[name].size() > 1 || name == "work_items"));
    }
}
