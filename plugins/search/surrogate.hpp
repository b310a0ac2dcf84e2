#pragma once

#include "plugins/search/gaussian_process.hpp"
#include "plugins/search/levels.hpp"
#include "plugins/search/technique.hpp"

#include <bit>
#include <functional>

namespace gst {

/// What `auto` believes of a space: a Gaussian process over the configurations that it has seen.
class surrogate {
  public:
    /// What of the times it learns: the root of the speed, in which slow ones hardly differ and failures are the
    /// slowest; the logarithm of the time, all of the slower half (and failures) being alike; or the logarithm of all
    /// times, in which factors add up, so that it tells what makes the slow ones slow – failures are like the slowest.
    enum class view : std::uint8_t { speed, faster_half, time };

    /// `most`: configurations that the process learns from at once; its time grows with their cube.
    /// `expected`: ms per step by a model of the host, one coordinate more; empty: there is no model.
    surrogate(const space& s, view what, std::size_t most, std::function<double(const configuration&)> expected = {})
        : coordinates_(coordinates_of(s)), expected_(std::move(expected)), view_(what), most_(most),
          process_(coordinates_.size() + (expected_ ? 1 : 0)) {}

    /// Learns what is known, oldest first; at least one configuration.
    void learn(const std::vector<candidate>& known) {
        const std::vector<candidate> seen = worth_learning(known);
        std::vector<gaussian_process::point> points;
        for (const candidate& c : seen) {
            points.push_back(point(c.which));
        }
        process_.learn(std::move(points), targets(seen));
        const std::size_t grown = known.size() - fitted_;
        if (grown >= 4 && grown >= fitted_ / 4) {
            process_.fit();
            fitted_ = known.size();
        }
    }

    /// How much faster than the fastest one c is to be expected, in the process's units (expected improvement, Jones,
    /// Schonlau and Welch 1998).
    double improvement(const configuration& c) const {
        const gaussian_process::prediction expected = process_.predict(point(c));
        const double z = (best_ - expected.mean) / expected.deviation;
        const double probability = std::erfc(-z / std::sqrt(2.0)) / 2;
        const double density = std::exp(-z * z / 2) / std::sqrt(2 * 3.14159265358979323846);
        return expected.deviation * (z * probability + density);
    }

  private:
    /// A number that a parameter contributes to a point, by the position of its value.
    struct coordinate {
        std::size_t parameter;
        std::vector<double> values;
    };

    static std::vector<coordinate> coordinates_of(const space& s) {
        std::vector<coordinate> out;
        for (std::size_t k = 0; k < s.parameters().size(); ++k) {
            const parameter& p = s.parameters()[k];
            const auto add = [&](auto value_at) {
                coordinate c{k, {}};
                for (std::size_t i = 0; i < p.domain.size(); ++i) {
                    c.values.push_back(value_at(i));
                }
                out.push_back(std::move(c));
            };
            if (p.domain.size() == 1) {
                continue;
            }
            if (!is_ordered(p) && p.domain.size() > 2) { // words: each as far from each other
                for (std::size_t word = 0; word < p.domain.size(); ++word) {
                    add([&](std::size_t i) { return i == word ? 0.5 : 0.0; });
                }
                continue;
            }
            add([&](std::size_t i) { return level(p, static_cast<std::uint16_t>(i)) / 3; });
            if (has_mixed_factors(p)) {
                add([&](std::size_t i) { return twos(p.domain[i]) / 3; });
                add([&](std::size_t i) { return is_power_of_two(p.domain[i]) ? 0.0 : 0.5; });
            }
        }
        return out;
    }

    static std::uint64_t whole(const value& v) { return static_cast<std::uint64_t>(std::get<std::int64_t>(v)); }

    /// How often a whole number has the factor 2, as far as hardware cares.
    static double twos(const value& v) { return std::min(6, std::countr_zero(whole(v))); }

    static bool is_power_of_two(const value& v) { return std::has_single_bit(whole(v)); }

    /// Whether the values are positive whole numbers, and not only powers of two: 48 is near 64 and still another thing
    /// to warps, banks and cache lines; 3 is near 4 and divides no grid of 4096 points.
    static bool has_mixed_factors(const parameter& p) {
        const auto positive = [](const value& v) {
            const std::int64_t* n = std::get_if<std::int64_t>(&v);
            return n != nullptr && *n > 0;
        };
        return std::all_of(p.domain.begin(), p.domain.end(), positive) &&
               !std::all_of(p.domain.begin(), p.domain.end(), is_power_of_two);
    }

    gaussian_process::point point(const configuration& c) const {
        gaussian_process::point x;
        x.reserve(coordinates_.size());
        for (const coordinate& k : coordinates_) {
            x.push_back(k.values[c[k.parameter]]);
        }
        if (expected_) {
            x.push_back(std::log2(expected_(c)) / 3);
        }
        return x;
    }

    /// All, or the fastest and the latest ones, half of each.
    std::vector<candidate> worth_learning(std::vector<candidate> known) const {
        if (known.size() <= most_) {
            return known;
        }
        const auto latest = known.end() - static_cast<std::ptrdiff_t>(most_ / 2);
        const auto fast = known.begin() + static_cast<std::ptrdiff_t>(most_ - most_ / 2);
        std::partial_sort(known.begin(), fast, latest);
        known.erase(fast, latest);
        return known;
    }

    /// What is learned, with mean 0 and variance 1.
    std::vector<double> targets(const std::vector<candidate>& seen) {
        std::vector<double> costs; // of those that run
        for (const candidate& c : seen) {
            if (std::isfinite(c.cost)) {
                costs.push_back(c.cost);
            }
        }
        std::sort(costs.begin(), costs.end());
        const double fastest = costs.empty() ? 1 : costs.front();
        const std::size_t last = view_ == view::faster_half ? seen.size() / 2 : seen.size();
        const double slowest = costs.empty() ? 1 : costs[std::min(last, costs.size() - 1)];
        std::vector<double> y;
        for (const candidate& c : seen) {
            y.push_back(view_ == view::speed ? -std::sqrt(fastest / c.cost) : std::log(std::min(c.cost, slowest)));
        }
        standardise(y);
        best_ = *std::min_element(y.begin(), y.end());
        return y;
    }

    static void standardise(std::vector<double>& y) {
        double mean = 0;
        for (const double v : y) {
            mean += v / static_cast<double>(y.size());
        }
        double variance = 0;
        for (double& v : y) {
            v -= mean;
            variance += v * v / static_cast<double>(y.size());
        }
        for (double& v : y) {
            v /= variance > 0 ? std::sqrt(variance) : 1;
        }
    }

    std::vector<coordinate> coordinates_;
    std::function<double(const configuration&)> expected_; ///< may be empty
    view view_;
    std::size_t most_;
    gaussian_process process_;
    std::size_t fitted_ = 0; ///< configurations known at the last fit
    double best_ = 0;        ///< least target
};

} // namespace gst
