#include "core/codegen/minimal_filter.hpp"
#include "tests/catch.hpp"
#include "tests/first_seed.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace gst;
using namespace gst::testing;

namespace {

/// B^T d, of what the filter reads from d on.
std::vector<double> inputs_of(const minimal_filter& f, const double* d) {
    const auto polynomial = [&](const std::vector<double>& c, std::size_t from) {
        double sum = 0;
        for (std::size_t k = 0; k < c.size(); ++k) {
            sum += c[k] * d[from + 2 * k];
        }
        return sum;
    };
    std::vector<double> out{polynomial(f.at_ends(), 0)};
    for (std::size_t i = 0; i < f.pairs().size(); ++i) {
        const double even = polynomial(f.at_pair(i), 2);
        const double odd = f.pairs()[i] * polynomial(f.at_pair(i), 1);
        out.push_back(even + odd);
        out.push_back(even - odd);
    }
    if (f.has_infinity()) {
        out.push_back(polynomial(f.at_ends(), 1));
    }
    return out;
}

/// Row i of A^T, straight from the definition, times the products at 0, +p, -p …, infinity.
template<class Filter>
double output_of(const Filter& f, int i, const std::vector<double>& products) {
    double sum = i == 0 ? products.front() : 0;
    for (std::size_t k = 0; k < f.pairs().size(); ++k) {
        const double p = f.pairs()[k];
        sum += std::pow(p, i) * products[1 + 2 * k] + std::pow(-p, i) * products[2 + 2 * k];
    }
    return sum + (i == f.outputs() - 1 && f.has_infinity() ? products.back() : 0);
}

/// The sum that it stands for.
double plain_sum(const std::vector<double>& w, const std::vector<double>& d, int i) {
    double sum = 0;
    for (std::size_t k = 0; k < w.size(); ++k) {
        sum += w[k] * d[static_cast<std::size_t>(i) + k];
    }
    return sum;
}

} // namespace

TEST_CASE("a minimal filter computes the sums with fewer products") {
    std::mt19937_64 random(first_seed());
    std::uniform_real_distribution<double> draw(-1, 1);
    for (const auto& [outputs, taps] :
         {std::pair{2, 3}, {4, 3}, {2, 5}, {4, 5}, {2, 7}, {6, 3}, {3, 2}, {2, 2}, {3, 4}, {3, 3}, {4, 4}, {2, 4}}) {
        CAPTURE(outputs, taps);
        const minimal_filter f(outputs, taps);
        CHECK(f.products() == outputs + taps - 1);
        std::vector<double> w(static_cast<std::size_t>(taps)), d(static_cast<std::size_t>(f.products()));
        std::generate(w.begin(), w.end(), [&] { return draw(random); });
        std::generate(d.begin(), d.end(), [&] { return draw(random); });
        const std::vector<double> g = f.transformed(w);
        std::vector<double> products = inputs_of(f, d.data());
        REQUIRE(f.has_infinity() == ((outputs + taps) % 2 == 1));
        REQUIRE(g.size() == products.size());
        REQUIRE(products.size() == static_cast<std::size_t>(f.products()));
        std::transform(g.begin(), g.end(), products.begin(), products.begin(), std::multiplies<>());
        double magnitude = 0;
        for (int i = 0; i < outputs; ++i) {
            const double exact = plain_sum(w, d, i);
            CHECK(std::abs(output_of(f, i, products) - exact) < 1e-14 * (1 + f.amplification(g)));
            magnitude = std::max(magnitude, std::abs(exact));
        }
        CHECK(f.amplification(g) >= magnitude); // |d| <= 1
    }
    CHECK_FALSE(minimal_filter::exists(1, 3));
    CHECK_FALSE(minimal_filter::exists(4, 7));
    CHECK_THROWS_AS(minimal_filter(3, 7), std::invalid_argument);
}

TEST_CASE("a filter of many taps is made of several", "[stream]") {
    const auto taps_of = [](int outputs, int taps) {
        std::vector<int> out;
        int first = 0;
        const decomposed_filter f(outputs, taps);
        for (const decomposed_filter::part& p : f.parts()) {
            CHECK(p.first == first);
            CHECK(p.filter.outputs() == outputs);
            CHECK(p.filter.taps() == (f.shares_inputs() ? std::max(f.parts()[0].taps, f.parts()[1].taps) : p.taps));
            CHECK((!f.shares_inputs() || first % outputs == 0));
            out.push_back(p.taps);
            first += p.taps;
        }
        CHECK(first == taps);
        CHECK(f.taps() == taps);
        CHECK(f.beyond() >= taps / 2);
        CHECK(f.beyond() <= taps / 2 + 1);
        CHECK((!f.shares_inputs() || f.parts().back().first <= f.beyond()));
        return out;
    };
    CHECK(taps_of(4, 3) == std::vector{3});
    CHECK(taps_of(4, 5) == std::vector{5});
    CHECK(taps_of(4, 7) == std::vector{4, 3});
    CHECK(taps_of(4, 9) == std::vector{4, 5});
    CHECK(taps_of(4, 11) == std::vector{4, 4, 3});
    CHECK(taps_of(4, 17) == std::vector{5, 4, 4, 4});
    CHECK(taps_of(2, 7) == std::vector{7});
    CHECK(taps_of(2, 9) == std::vector{4, 5});
    CHECK(taps_of(2, 11) == std::vector{6, 5}); // 4 and 7 would take more products
    CHECK(taps_of(2, 13) == std::vector{6, 7});
    CHECK(taps_of(2, 17) == std::vector{6, 6, 5});
    CHECK_FALSE(decomposed_filter(4, 5).shares_inputs());
    CHECK_FALSE(decomposed_filter(4, 11).shares_inputs());
    for (const auto& [outputs, taps, beyond] : {std::array{4, 7, 4}, {4, 9, 4}, {2, 9, 4}, {2, 11, 6}, {2, 13, 6}}) {
        const decomposed_filter shared(outputs, taps);
        CHECK(shared.shares_inputs());
        CHECK(shared.beyond() == beyond);
        CHECK(shared.sums() == shared.parts()[0].filter.products());
    }
    CHECK_FALSE(decomposed_filter::exists(4, 1));
    CHECK_FALSE(decomposed_filter::exists(1, 3));
    CHECK_FALSE(decomposed_filter::exists(7, 3));
    CHECK_THROWS_AS(decomposed_filter(1, 3), std::invalid_argument);
    // The parts of four taps have no product of infinity, that of three has neither ±1/2: of 8 sums each has some.
    const decomposed_filter f(4, 11);
    CHECK(f.sums() == 8);
    CHECK(f.parts()[0].filter.products() == 7);
    CHECK(f.parts()[2].filter.products() == 6);
    CHECK(f.sum_of(f.parts()[0], 6) == 6);
    CHECK(f.sum_of(f.parts()[2], 4) == 4);
    CHECK(f.sum_of(f.parts()[2], 5) == 7);
    // Weights that are all 0 have none.
    const std::vector<double> w{1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0};
    CHECK(f.parts()[1].transformed(w) == f.parts()[1].filter.transformed({5, 6, 7, 8}));
    CHECK(f.parts()[2].transformed(w).empty());
    const decomposed_filter shared(4, 9);
    CHECK(shared.parts()[0].transformed({1, 2, 3, 4, 5, 6, 7, 8, 9}) ==
          shared.parts()[0].filter.transformed({1, 2, 3, 4, 0}));
    CHECK(shared.parts()[1].transformed({1, 2, 3, 4, 5, 6, 7, 8, 9}) ==
          shared.parts()[1].filter.transformed({5, 6, 7, 8, 9}));
    const decomposed_filter longer_first(4, 7);
    CHECK(longer_first.parts()[1].transformed({1, 2, 3, 4, 5, 6, 7}) ==
          longer_first.parts()[1].filter.transformed({5, 6, 7, 0}));
}

TEST_CASE("a filter in parts computes the sums", "[stream]") {
    std::mt19937_64 random(first_seed());
    std::uniform_real_distribution<double> draw(-1, 1);
    for (const int outputs : {2, 4}) {
        for (int taps = 3; taps <= 17; taps += 2) {
            CAPTURE(outputs, taps);
            const decomposed_filter f(outputs, taps);
            // Of shared inputs the last one may have no weight.
            std::vector<double> w(static_cast<std::size_t>(taps)), d(static_cast<std::size_t>(taps + outputs));
            std::generate(w.begin(), w.end(), [&] { return draw(random); });
            std::generate(d.begin(), d.end(), [&] { return draw(random); });
            std::vector<double> sums(static_cast<std::size_t>(f.sums()));
            double error = 0;
            for (const decomposed_filter::part& p : f.parts()) {
                REQUIRE(p.first + p.filter.products() <= taps + outputs - (f.shares_inputs() ? 0 : 1));
                const std::vector<double> inputs = inputs_of(p.filter, d.data() + p.first);
                const std::vector<double> g = p.transformed(w);
                REQUIRE(g.size() == inputs.size());
                for (std::size_t q = 0; q < g.size(); ++q) {
                    sums.at(static_cast<std::size_t>(f.sum_of(p, static_cast<int>(q)))) += g[q] * inputs[q];
                }
                error += p.filter.amplification(g);
            }
            for (int i = 0; i < outputs; ++i) {
                CHECK(std::abs(output_of(f, i, sums) - plain_sum(w, d, i)) < 1e-14 * (1 + error));
            }
        }
    }
}
