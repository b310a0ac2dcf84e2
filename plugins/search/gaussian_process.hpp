#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <vector>

namespace gst {

/// A Gaussian process (Rasmussen and Williams 2006, algorithm 2.1) with a Matérn 5/2 kernel, one length per coordinate,
/// and noise. Lengths and noise maximise the marginal likelihood. Targets have mean 0 and variance 1.
class gaussian_process {
  public:
    using point = std::vector<double>;

    struct settings {
        std::vector<double> length; ///< of each coordinate
        double noise = 0.01;        ///< variance
    };

    struct prediction {
        double mean = 0;
        double deviation = 1;
    };

    explicit gaussian_process(std::size_t coordinates) { how_.length.assign(coordinates, 1.0); }

    /// Learns these; lengths and noise stay.
    void learn(std::vector<point> points, std::vector<double> targets) {
        points_ = std::move(points);
        targets_ = std::move(targets);
        measure();
    }

    /// One sweep over lengths and noise: each is made longer or shorter while that raises the marginal likelihood.
    void fit() {
        double best = likelihood(how_, square_);
        for (std::size_t k = 0; k <= how_.length.size(); ++k) {
            for (const double factor : {2.0, 0.5}) {
                while (true) {
                    settings other = how_;
                    double& changed = k < other.length.size() ? other.length[k] : other.noise;
                    const double low = k < other.length.size() ? 0.1 : 1e-4;
                    const double high = k < other.length.size() ? 20.0 : 0.5;
                    changed = std::clamp(changed * factor, low, high);
                    if (changed == value(how_, k)) {
                        break;
                    }
                    std::vector<double> moved = k < other.length.size() ? moved_to(k, changed) : square_;
                    const double found = likelihood(other, moved);
                    if (found <= best + 1e-9) {
                        break;
                    }
                    best = found;
                    how_ = other;
                    square_ = std::move(moved);
                }
            }
        }
        measure();
    }

    prediction predict(const point& x) const {
        std::vector<double> k(points_.size());
        const point at = scaled(x);
        double mean = 0;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            k[i] = kernel(distance(at, scaled_[i]));
            mean += k[i] * weights_[i];
        }
        // Forward substitution, column by column.
        double variance = 1;
        for (std::size_t j = 0; j < points_.size(); ++j) {
            const double* column = &factor_[j * points_.size()];
            k[j] /= column[j];
            variance -= k[j] * k[j];
            for (std::size_t i = j + 1; i < points_.size(); ++i) {
                k[i] -= column[i] * k[j];
            }
        }
        return {mean, std::sqrt(std::max(variance, 1e-12))};
    }

  private:
    static double value(const settings& s, std::size_t k) { return k < s.length.size() ? s.length[k] : s.noise; }

    /// Of two points by the square of their distance in lengths.
    static double kernel(double square) {
        const double r = std::sqrt(5 * square);
        return (1 + r + r * r / 3) * std::exp(-r);
    }

    static double distance(const point& a, const point& b) {
        double square = 0;
        for (std::size_t k = 0; k < a.size(); ++k) {
            square += (a[k] - b[k]) * (a[k] - b[k]);
        }
        return square;
    }

    /// In lengths.
    point scaled(point x) const {
        for (std::size_t k = 0; k < x.size(); ++k) {
            x[k] /= how_.length[k];
        }
        return x;
    }

    /// Takes the distances of all points, and learns them.
    void measure() {
        const std::size_t n = points_.size();
        scaled_.clear();
        std::transform(points_.begin(), points_.end(), std::back_inserter(scaled_),
                       [this](const point& x) { return scaled(x); });
        square_.assign(n * n, 0);
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = j + 1; i < n; ++i) {
                square_[j * n + i] = distance(scaled_[i], scaled_[j]);
            }
        }
        factorise(square_, how_.noise);
    }

    /// The squares of all distances when the coordinate k gets this length.
    std::vector<double> moved_to(std::size_t k, double length) const {
        const std::size_t n = points_.size();
        const double change = 1 / (length * length) - 1 / (how_.length[k] * how_.length[k]);
        std::vector<double> out = square_;
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = j + 1; i < n; ++i) {
                const double d = points_[i][k] - points_[j][k];
                out[j * n + i] = std::max(out[j * n + i] + d * d * change, 0.0);
            }
        }
        return out;
    }

    /// The Cholesky factor of the kernel matrix and its solution for the targets.
    void factorise(const std::vector<double>& square, double noise) {
        const std::size_t n = points_.size();
        factor_.assign(n * n, 0);
        for (std::size_t j = 0; j < n; ++j) {
            factor_[j * n + j] = 1 + noise + 1e-8;
            for (std::size_t i = j + 1; i < n; ++i) {
                factor_[j * n + i] = kernel(square[j * n + i]);
            }
        }
        half_ = targets_;
        for (std::size_t j = 0; j < n; ++j) {
            double* column = &factor_[j * n];
            const double root = std::sqrt(std::max(column[j], 1e-12));
            for (std::size_t i = j; i < n; ++i) {
                column[i] /= root;
            }
            half_[j] /= root;
            for (std::size_t i = j + 1; i < n; ++i) {
                half_[i] -= column[i] * half_[j];
                double* other = &factor_[i * n];
                const double scale = column[i];
                for (std::size_t k = i; k < n; ++k) {
                    other[k] -= scale * column[k];
                }
            }
        }
        weights_ = half_;
        for (std::size_t i = n; i-- > 0;) {
            const double* column = &factor_[i * n];
            for (std::size_t j = i + 1; j < n; ++j) {
                weights_[i] -= column[j] * weights_[j];
            }
            weights_[i] /= column[i];
        }
    }

    /// log p(targets), with a weak prior that keeps lengths near 1 and noise near 0.01 where the data says nothing.
    double likelihood(const settings& s, const std::vector<double>& square) {
        factorise(square, s.noise);
        double sum = 0;
        for (std::size_t i = 0; i < points_.size(); ++i) {
            sum -= half_[i] * half_[i] / 2 + std::log(factor_[i * points_.size() + i]);
        }
        for (const double l : s.length) {
            sum -= std::pow(std::log(l), 2) / 4;
        }
        return sum - std::pow(std::log(s.noise / 0.01), 2) / 8;
    }

    settings how_;
    std::vector<point> points_;
    std::vector<point> scaled_;  ///< in lengths
    std::vector<double> square_; ///< of the points' distances in lengths; lower triangle, column by column
    std::vector<double> targets_;
    std::vector<double> factor_;  ///< lower triangle, column by column
    std::vector<double> weights_; ///< of the points in the mean
    std::vector<double> half_;    ///< the factor's solution for the targets
};

} // namespace gst
