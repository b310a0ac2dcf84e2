#include "core/codegen/unit_suite.hpp"

#include "core/base/error.hpp"
#include "core/codegen/unit_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>

namespace gst {

namespace {

constexpr std::int64_t most_elements = std::int64_t{1} << 24;

/// Of a work unit.
std::int64_t reads_of(const unit_kernel& k) {
    const auto of = [](const unit_context& c) { return std::int64_t{c.coalesced} + c.uncoalesced; };
    return k.outer * k.inner * (static_cast<std::int64_t>(k.neighbours.size()) + of(k.loop)) + of(k.epilogue);
}

bool in_pattern(const std::string& pattern, int radius, int row, int column) {
    if (pattern == "star") {
        return row == 0 || column == 0;
    }
    return pattern == "rectangular" || std::abs(row) + std::abs(column) <= radius;
}

std::vector<std::pair<int, int>> pattern_offsets(const std::string& pattern, int radius) {
    std::vector<std::pair<int, int>> out;
    for (int row = -radius; row <= radius; ++row) {
        for (int column = -radius; column <= radius; ++column) {
            if (in_pattern(pattern, radius, row, column)) {
                out.emplace_back(row, column);
            }
        }
    }
    return out;
}

void need_known(const std::string& what, const std::string& name, const std::vector<std::string>& known) {
    if (std::ranges::find(known, name) == known.end()) {
        throw user_error(fmt::format("unknown {} '{}'{}", what, name, did_you_mean(name, known)),
                         "known: " + enumerate(known));
    }
}

void need_range(const char* what, std::int64_t n, std::int64_t low, std::int64_t high) {
    if (n < low || n > high) {
        throw user_error(fmt::format("{} is {}", what, n), fmt::format("it lies between {} and {}", low, high));
    }
}

void check(const synthetic_knobs& knobs) {
    need_known("home access pattern", knobs.home, home_patterns());
    need_known("stencil pattern", knobs.neighbours, neighbour_patterns());
    need_range("the radius", knobs.radius, 0, 8);
    need_range("the outer trip count", knobs.outer, 1, 4096);
    need_range("the inner trip count", knobs.inner, 1, 4096);
    for (const unit_context* c : {&knobs.loop, &knobs.epilogue}) {
        need_range("a number of multiply-adds", c->multiply_adds, 0, 1024);
        need_range("a number of coalesced reads", c->coalesced, 0, 64);
        need_range("a number of reads a row apart", c->uncoalesced, 0, 64);
    }
    for (const std::int64_t units : {knobs.units_x, knobs.units_y}) {
        need_range("a number of work units", units, 1, 1 << 16);
        if (!std::has_single_bit(static_cast<std::uint64_t>(units))) {
            throw user_error(fmt::format("{} work units along an axis", units), "choose a power of two");
        }
    }
}

template<class T, std::size_t n>
T one_of(random_source& rng, const T (&domain)[n]) {
    return domain[rng.below(n)];
}

unit_context random_context(random_source& rng, bool epilogue) {
    static constexpr int operations[] = {0, 1, 2, 4, 8, 16, 32};
    static constexpr int reads[] = {0, 0, 1, 2, 4};
    unit_context c;
    c.multiply_adds = one_of(rng, operations) * (epilogue ? 4 : 1);
    c.coalesced = one_of(rng, reads);
    c.uncoalesced = one_of(rng, reads);
    return c;
}

std::vector<unit_kernel> made_real_kernels() {
    std::vector<unit_kernel> all;
    const auto add = [&](std::string name, linear_index row, linear_index column, std::int64_t x, std::int64_t y) {
        unit_kernel k;
        k.name = std::move(name);
        k.row = row;
        k.column = column;
        k.units_x = x;
        k.units_y = y;
        all.push_back(std::move(k));
        return &all.back();
    };
    const linear_index by_x{1, 0, 0, 0};
    const linear_index by_y{0, 1, 0, 0};
    const linear_index by_inner{0, 0, 0, 1};
    for (const std::int64_t n : {512, 1024, 4096}) {
        add(fmt::format("transpose_{}", n), by_x, by_y, n, n); // out[y][x] = target[x][y]
    }
    const auto multiply = [](unit_kernel* k, int inner, linear_index row, linear_index column) { // by the context
        k->inner = inner;
        k->product = true;
        k->loop.coalesced = 1;
        k->context_row = row;
        k->context_column = column;
    };
    for (const int n : {256, 512}) { // C[y][x] = Σ A[y][k] B[k][x], A or B the target
        multiply(add(fmt::format("matrix_product_a_{}", n), by_y, by_inner, n, n), n, by_inner, by_x);
        multiply(add(fmt::format("matrix_product_b_{}", n), by_inner, by_x, n, n), n, by_y, by_inner);
    }
    // y[x] = Σ A[x][k] v[k]
    multiply(add("matrix_vector_product_16384", by_x, by_inner, 16384, 1), 256, {}, by_inner);
    for (const int radius : {1, 2, 4, 8}) {
        unit_kernel* k = add(fmt::format("convolution_{0}x{0}", 2 * radius + 1), by_y, by_x, 2048, 2048);
        k->neighbours = pattern_offsets("rectangular", radius);
    }
    for (const std::int64_t n : {1024, 4096}) { // with a right-hand side
        unit_kernel* k = add(fmt::format("jacobi_{}", n), by_y, by_x, n, n);
        k->neighbours = {{-1, 0}, {0, -1}, {0, 1}, {1, 0}};
        k->epilogue = {1, 1, 0};
        k->context_row = by_y;
        k->context_column = by_x;
    }
    return all;
}

} // namespace

std::vector<std::string> home_patterns() {
    return {"xy_reuse", "x_reuse_row", "x_reuse_col", "y_reuse_row", "y_reuse_col", "no_reuse_row", "no_reuse_col"};
}

std::vector<std::string> neighbour_patterns() {
    return {"rectangular", "diamond", "star"};
}

unit_kernel synthetic_kernel(const synthetic_knobs& knobs) {
    check(knobs);
    const linear_index of_y{0, knobs.home.starts_with("y_") || knobs.home == "xy_reuse" ? 0 : knobs.outer, 1, 0};
    const linear_index of_x{knobs.home.starts_with("x") ? 0 : knobs.inner, 0, 0, 1};
    const bool columns = knobs.home.ends_with("_col");
    unit_kernel k;
    k.name = fmt::format("{}_{}{}", knobs.home, knobs.neighbours, knobs.radius);
    k.row = columns ? of_x : of_y;
    k.column = columns ? of_y : of_x;
    k.neighbours = pattern_offsets(knobs.neighbours, knobs.radius);
    k.outer = knobs.outer;
    k.inner = knobs.inner;
    k.loop = knobs.loop;
    k.epilogue = knobs.epilogue;
    k.units_x = knobs.units_x;
    k.units_y = knobs.units_y;
    return k;
}

synthetic_knobs random_knobs(random_source& rng, std::int64_t most_reads) {
    assert(most_reads >= 1 << 18);
    static constexpr int radii[] = {0, 0, 1, 1, 2, 3};
    static constexpr int trips[] = {1, 2, 4, 8, 16, 32};
    static constexpr std::int64_t units[] = {256, 512, 1024, 2048};
    const std::vector<std::string> homes = home_patterns();
    const std::vector<std::string> patterns = neighbour_patterns();
    while (true) {
        synthetic_knobs knobs;
        knobs.home = homes[rng.below(homes.size())];
        knobs.neighbours = patterns[rng.below(patterns.size())];
        knobs.radius = one_of(rng, radii);
        knobs.outer = one_of(rng, trips);
        knobs.inner = one_of(rng, trips);
        knobs.loop = random_context(rng, false);
        knobs.epilogue = random_context(rng, true);
        knobs.units_x = one_of(rng, units);
        knobs.units_y = one_of(rng, units);
        const unit_kernel k = synthetic_kernel(knobs);
        if (unit_elements(k) <= most_elements && k.units_x * k.units_y * reads_of(k) <= most_reads) {
            return knobs;
        }
    }
}

const std::vector<unit_kernel>& real_unit_kernels() {
    static const std::vector<unit_kernel> all = made_real_kernels();
    return all;
}

} // namespace gst
