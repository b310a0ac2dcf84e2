#include "core/base/error.hpp"
#include "core/codegen/unit_suite.hpp"
#include "core/host/check_options.hpp"
#include "core/tune/measure_units.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/execute.hpp"
#include "tests/first_seed.hpp"
#include "tests/stencil/random_stencil.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <set>

using namespace gst;
using namespace gst::testing;

namespace {

constexpr std::int64_t transaction = 32;

std::int64_t rounded(std::int64_t n) {
    return (n + transaction - 1) / transaction * transaction;
}

/// What the template computes, written out from its description; in f64, with the sum of all magnitudes.
class by_hand {
  public:
    by_hand(const synthetic_knobs& knobs, const std::vector<double>& target, const std::vector<double>& context)
        : k_(knobs), target_(target), context_(context) {
        const bool full = knobs.neighbours == "rectangular";
        for (int row = -k_.radius; row <= k_.radius; ++row) {
            for (int column = -k_.radius; column <= k_.radius; ++column) {
                const bool near = std::abs(row) + std::abs(column) <= k_.radius;
                if (full || (knobs.neighbours == "diamond" ? near : row * column == 0)) {
                    offsets_.emplace_back(row, column);
                }
            }
        }
        const auto [row, column] = home(k_.units_x - 1, k_.units_y - 1, k_.outer - 1, k_.inner - 1);
        (void)row;
        target_pitch_ = rounded(column + 1 + 2 * k_.radius);
        // Exchanged, the unit's x goes along the rows.
        context_pitch_ = rounded(std::max(k_.units_x + k_.outer, k_.units_y + k_.inner) - 1);
    }

    struct result {
        double value = 0;
        double magnitudes = 0;
    };
    result unit(std::int64_t x, std::int64_t y) const {
        result sum;
        for (std::int64_t i = 0; i < k_.outer; ++i) {
            for (std::int64_t j = 0; j < k_.inner; ++j) {
                const auto [row, column] = home(x, y, i, j);
                for (std::size_t n = 0; n < offsets_.size(); ++n) {
                    const std::int64_t at =
                        (row + k_.radius + offsets_[n].first) * target_pitch_ + column + k_.radius + offsets_[n].second;
                    add(sum, target_[static_cast<std::size_t>(at)] * (static_cast<double>(n * 37 % 64) + 1) / 64);
                }
                beside(sum, k_.loop, x, y, i, j);
            }
        }
        beside(sum, k_.epilogue, x, y, 0, 0);
        return sum;
    }

  private:
    std::pair<std::int64_t, std::int64_t> home(std::int64_t x, std::int64_t y, std::int64_t i, std::int64_t j) const {
        const std::int64_t N = k_.outer;
        const std::int64_t M = k_.inner;
        const std::map<std::string, std::pair<std::int64_t, std::int64_t>> all{
            {"xy_reuse", {i, j}},
            {"x_reuse_row", {N * y + i, j}},
            {"x_reuse_col", {j, N * y + i}},
            {"y_reuse_row", {i, M * x + j}},
            {"y_reuse_col", {M * x + j, i}},
            {"no_reuse_row", {N * y + i, M * x + j}},
            {"no_reuse_col", {M * x + j, N * y + i}},
        };
        return all.at(k_.home);
    }
    static void add(result& sum, double term) {
        sum.value += term;
        sum.magnitudes += std::fabs(term);
    }
    void beside(result& sum, const unit_context& what, std::int64_t x, std::int64_t y, std::int64_t i,
                std::int64_t j) const {
        const auto element = [&](std::int64_t row, std::int64_t column) {
            return context_[static_cast<std::size_t>(row * context_pitch_ + column)];
        };
        for (int n = 0; n < what.coalesced; ++n) {
            add(sum, element(y + j + n, x + i));
        }
        for (int n = 0; n < what.uncoalesced; ++n) {
            add(sum, element(x + i + n, y + j));
        }
        for (int n = 0; n < what.multiply_adds; ++n) {
            sum.value = sum.value * 0.75 + 0.5;
            sum.magnitudes = sum.magnitudes * 0.75 + 0.5;
        }
    }

    const synthetic_knobs& k_;
    const std::vector<double>& target_;
    const std::vector<double>& context_;
    std::vector<std::pair<int, int>> offsets_;
    std::int64_t target_pitch_ = 0;
    std::int64_t context_pitch_ = 0;
};

/// Knobs of kernels that a CPU computes at once.
synthetic_knobs small_knobs(random_source& rng) {
    synthetic_knobs knobs = random_knobs(rng);
    knobs.units_x = std::int64_t{16} << rng.below(3);
    knobs.units_y = std::int64_t{2} << rng.below(5);
    knobs.outer = 1 + static_cast<int>(rng.below(5));
    knobs.inner = 1 + static_cast<int>(rng.below(5));
    return knobs;
}

/// "", or the first unit that is off by more than f32 arithmetic explains.
std::string wrong_unit(test_device& on, const synthetic_knobs& knobs, const unit_launch& how, std::uint64_t seed) {
    const unit_kernel k = synthetic_kernel(knobs);
    const stencil s = unit_fields(k);
    const interpreter_state start = random_state(s, unit_grid(k), seed);
    const interpreter_state end = execute(on, unit_program(k, how, on.info.language), s, start, {}, 1);
    const by_hand expected(knobs, start.levels[0][0].data, start.levels[1][0].data);
    const double operations = knobs.outer * knobs.inner *
                                  (2.0 * static_cast<double>(k.neighbours.size()) + 8 + 2 * knobs.loop.multiply_adds) +
                              2 * knobs.epilogue.multiply_adds + 8;
    for (std::int64_t y = 0; y < knobs.units_y; ++y) {
        for (std::int64_t x = 0; x < knobs.units_x; ++x) {
            const by_hand::result unit = expected.unit(x, y);
            const double value = end.levels[2][0].data[static_cast<std::size_t>(y * knobs.units_x + x)];
            if (!(std::fabs(value - unit.value) <= 0x1p-24 * operations * unit.magnitudes)) {
                return fmt::format("unit ({}, {}): {} instead of {}", x, y, value, unit.value);
            }
        }
    }
    return "";
}

} // namespace

TEST_CASE("random synthetic kernels compute what is written out by hand", "[device][unit]") {
    test_device on = open_test_device();
    std::set<std::string> copied;
    const std::uint64_t kernels = std::getenv("GST_TEST_LONG") ? 70 : 14;
    for (std::uint64_t i = 0; i < kernels; ++i) {
        random_source rng(first_seed() + i);
        synthetic_knobs knobs = small_knobs(rng);
        knobs.home = home_patterns()[i % 7];
        const unit_kernel k = synthetic_kernel(knobs);
        const space all = unit_space(k, 256, on.info.local_bytes);
        REQUIRE(all.count() > 0);
        unit_launch how = unit_launch_of(all, all.sample(rng));
        INFO("seed " << first_seed() + i << ": " << k.name << ", " << how.group_x << " × " << how.group_y);
        how.local = false;
        CHECK(wrong_unit(on, knobs, how, i) == "");
        how.local = true;
        if (4 * region_of(k, how)[0] * region_of(k, how)[1] <= 32768) {
            CHECK(wrong_unit(on, knobs, how, i) == "");
            copied.insert(knobs.home);
        }
    }
    CHECK(copied.size() > 2);
}

TEST_CASE("launches of unit kernels are verified and timed like any other configuration", "[device][unit]") {
    const device_info device = open_test_device().info;
    const backend_choice backend{test_backend().file.string(), check_options(test_backend(), {}).all()};
    std::vector<unit_kernel> kernels;
    for (unit_kernel k : real_unit_kernels()) {
        k.units_x = std::min<std::int64_t>(k.units_x, 64);
        k.units_y = std::min<std::int64_t>(k.units_y, 32);
        k.inner = std::min(k.inner, 16);
        kernels.push_back(k);
    }
    measuring how;
    how.timing.min_repetitions = 1;
    how.timing.max_repetitions = 1;
    how.timing.repetition_ms = 0;
    random_source rng(first_seed());
    std::map<bool, int> correct;
    std::optional<device_evaluator> evaluator; // one for all
    for (std::size_t n = 0; n < kernels.size(); n += 3) {
        const workload w = unit_workload(kernels[n], device);
        if (evaluator) {
            evaluator->change(w);
        } else {
            evaluator.emplace(w, backend, device, how);
        }
        std::vector<configuration> some;
        for (int i = 0; i < 2; ++i) {
            some.push_back(w.space.sample(rng));
        }
        const std::vector<measurement> all = evaluator->measure(some);
        for (std::size_t i = 0; i < some.size(); ++i) {
            INFO(kernels[n].name << ": " << w.space.to_string(some[i]) << ": " << all[i].message);
            CHECK(all[i].outcome == status::correct);
            CHECK(all[i].time > 0);
            ++correct[unit_launch_of(w.space, some[i]).local];
        }
    }
    CHECK(correct[false] > 0);
}

TEST_CASE("a unit kernel that reads beside its home element is caught", "[device][unit]") {
    const device_info device = open_test_device().info;
    synthetic_knobs knobs;
    knobs.home = "no_reuse_row";
    knobs.units_x = knobs.units_y = 64;
    const unit_kernel right = synthetic_kernel(knobs);
    unit_kernel shifted = right;
    shifted.neighbours = {{0, 1}};
    workload w = unit_workload(right, device);
    w.generate = [&, s = w.space](const configuration& c) {
        return unit_program(shifted, unit_launch_of(s, c), device.language);
    };
    device_evaluator evaluator(w, {test_backend().file.string(), check_options(test_backend(), {}).all()}, device, {});
    random_source rng(1);
    const std::vector<configuration> one{w.space.sample(rng)};
    CHECK(evaluator.measure(one).front().outcome == status::correctness);
}

TEST_CASE("features of a unit kernel, by hand", "[unit]") {
    synthetic_knobs knobs;
    knobs.home = "no_reuse_col"; // (M·x + j, N·y + i)
    knobs.neighbours = "rectangular";
    knobs.radius = 1;
    knobs.outer = 2;
    knobs.inner = 3;
    knobs.loop = {5, 1, 2};
    knobs.epilogue = {7, 3, 4};
    knobs.units_x = 64;
    knobs.units_y = 128;
    const unit_kernel k = synthetic_kernel(knobs);
    const unit_launch how{16, 4, 2, 1, true};
    CHECK(region_of(k, how) == std::array<std::int64_t, 2>{3 * 16 + 2, 2 * 4 + 2});
    std::map<std::string, double> f;
    for (const feature& one : launch_features(unit_profile(k, how))) {
        f[one.name] = one.value;
    }
    CHECK(f.at("work_items") == 64);
    CHECK(f.at("work_groups") == 64 / 32 * 128 / 4);
    CHECK(f.at("points_per_item") == 2);
    CHECK(f.at("region_x") == 10);
    CHECK(f.at("region_rows") == 50);
    CHECK(f.at("region_bytes") == 4 * 50 * 10);
    CHECK(f.at("local_bytes") == 4 * 50 * 10);
    // 6 iterations of 9 reads by 64 work-items
    CHECK(f.at("region_reuse") == 6 * 9 * 64 / 500.0);
    CHECK(f.at("region_reads") == 54);
    CHECK(f.at("loop_reads") == 9);
    // 16 work-items along x read 16 rows; the two rows of work-items read the same rows, 2 columns apart.
    CHECK(f.at("transactions") == 16);
    CHECK(f.at("context_reads") == 2 * (6 * 3 + 7));
    // Coalesced, 2 rows of 16 elements; exchanged, 16 rows of 2.
    CHECK(f.at("context_per_read") == (6 * (1 * 2 + 2 * 16) + 3 * 2 + 4 * 16) / 54.0);
    CHECK(f.at("item_operations") == 2 * (6 * (2 * 9 + 3 + 2 * 5) + 7 + 2 * 7 - 1));
    CHECK(f.at("operations_per_read") == (f.at("item_operations") - 2 * 108) / 108);
    CHECK(f.at("parallel_groups") == f.at("work_groups"));
}

TEST_CASE("the space of a unit kernel's launches is what brute force finds", "[unit]") {
    synthetic_knobs knobs;
    knobs.home = "y_reuse_col"; // (M·x + j, i)
    knobs.radius = 2;
    knobs.outer = 3;
    knobs.inner = 4;
    knobs.units_x = 64;
    knobs.units_y = 8;
    const std::uint64_t local_bytes = 4096;
    std::uint64_t count = 0;
    for (std::int64_t x = 1; x <= 64; x *= 2) {
        for (std::int64_t y = 1; y <= 8; y *= 2) {
            for (std::int64_t cx = 1; cx <= 8 && x * cx <= 64; cx *= 2) {
                for (std::int64_t cy = 1; y * cy <= 8; cy *= 2) {
                    const bool whole = x * y % 32 == 0 && x * y <= 128;
                    const auto region = static_cast<std::uint64_t>((4 * (x - 1) + 4 + 4) * (3 + 4));
                    count += whole ? 1 : 0;
                    count += whole && 4 * region <= local_bytes ? 1 : 0;
                }
            }
        }
    }
    CHECK(unit_space(synthetic_kernel(knobs), 128, local_bytes).count() == count);
}

TEST_CASE("mistakes in the knobs of a synthetic kernel", "[unit]") {
    const auto message = [](auto change) {
        synthetic_knobs knobs;
        change(knobs);
        try {
            synthetic_kernel(knobs);
        } catch (const user_error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(message([](synthetic_knobs&) {}) == "");
    CHECK(message([](synthetic_knobs& k) { k.home = "x_reuse_rwo"; }) ==
          "error: unknown home access pattern 'x_reuse_rwo' – did you mean 'x_reuse_row'?\n"
          "  known: xy_reuse, x_reuse_row, x_reuse_col, y_reuse_row, y_reuse_col, no_reuse_row and no_reuse_col");
    CHECK(message([](synthetic_knobs& k) { k.neighbours = "box"; }) ==
          "error: unknown stencil pattern 'box'\n  known: rectangular, diamond and star");
    CHECK(message([](synthetic_knobs& k) { k.radius = 9; }) == "error: the radius is 9\n  it lies between 0 and 8");
    CHECK(message([](synthetic_knobs& k) { k.inner = 0; }) ==
          "error: the inner trip count is 0\n  it lies between 1 and 4096");
    CHECK(message([](synthetic_knobs& k) { k.units_x = 48; }) ==
          "error: 48 work units along an axis\n  choose a power of two");
}

TEST_CASE("samples of knobs are drawn by seed and reach every home pattern", "[unit]") {
    random_source a(first_seed()), b(first_seed());
    std::map<std::string, int> homes;
    for (int i = 0; i < 700; ++i) {
        const synthetic_knobs knobs = random_knobs(a);
        REQUIRE(knobs == random_knobs(b));
        ++homes[knobs.home];
        CHECK(unit_grid(synthetic_kernel(knobs))[0] <= 1 << 24);
    }
    CHECK(homes.size() == 7);
}
