#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace gst {

/// Linear least squares with a penalty on the weights (ridge regression, Hoerl and Kennard 1970). Features are
/// standardised; the intercept carries no penalty.
class ridge {
  public:
    /// One row of features per target, at least one row; penalty > 0.
    ridge(const std::vector<std::vector<double>>& rows, const std::vector<double>& targets, double penalty) {
        const std::size_t n = rows.front().size();
        const auto count = static_cast<double>(rows.size());
        mean_.assign(n, 0);
        scale_.assign(n, 0);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            intercept_ += targets[i] / count;
            for (std::size_t k = 0; k < n; ++k) {
                mean_[k] += rows[i][k] / count;
            }
        }
        for (const std::vector<double>& row : rows) {
            for (std::size_t k = 0; k < n; ++k) {
                scale_[k] += (row[k] - mean_[k]) * (row[k] - mean_[k]) / count;
            }
        }
        for (std::size_t k = 0; k < n; ++k) { // what changes by no more than rounding says nothing
            scale_[k] = scale_[k] > 1e-24 * mean_[k] * mean_[k] ? 1 / std::sqrt(scale_[k]) : 0;
        }
        // (XᵀX + penalty · I) w = Xᵀy
        std::vector<std::vector<double>> a(n, std::vector<double>(n));
        weights_.assign(n, 0);
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const std::vector<double> x = standardised(rows[i]);
            for (std::size_t k = 0; k < n; ++k) {
                weights_[k] += x[k] * (targets[i] - intercept_);
                for (std::size_t l = 0; l <= k; ++l) {
                    a[k][l] += x[k] * x[l];
                }
            }
        }
        for (std::size_t k = 0; k < n; ++k) {
            a[k][k] += penalty;
        }
        solve(a, weights_);
    }

    double predict(const std::vector<double>& row) const {
        const std::vector<double> x = standardised(row);
        double y = intercept_;
        for (std::size_t k = 0; k < x.size(); ++k) {
            y += weights_[k] * x[k];
        }
        return y;
    }

    /// The same as weights of the features as they are, and what is added to their sum.
    std::pair<std::vector<double>, double> affine() const {
        std::vector<double> w = weights_;
        double constant = intercept_;
        for (std::size_t k = 0; k < w.size(); ++k) {
            w[k] *= scale_[k];
            constant -= w[k] * mean_[k];
        }
        return {std::move(w), constant};
    }

  private:
    std::vector<double> standardised(std::vector<double> row) const {
        for (std::size_t k = 0; k < row.size(); ++k) {
            row[k] = (row[k] - mean_[k]) * scale_[k];
        }
        return row;
    }

    /// a x = b for a positive definite matrix by its lower half (Cholesky); x takes the place of b.
    static void solve(std::vector<std::vector<double>>& a, std::vector<double>& b) {
        const std::size_t n = b.size();
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t l = 0; l <= k; ++l) {
                double sum = a[k][l];
                for (std::size_t m = 0; m < l; ++m) {
                    sum -= a[k][m] * a[l][m];
                }
                a[k][l] = k == l ? std::sqrt(sum) : sum / a[l][l];
            }
        }
        for (std::size_t k = 0; k < n; ++k) {
            for (std::size_t m = 0; m < k; ++m) {
                b[k] -= a[k][m] * b[m];
            }
            b[k] /= a[k][k];
        }
        for (std::size_t k = n; k-- > 0;) {
            for (std::size_t m = k + 1; m < n; ++m) {
                b[k] -= a[m][k] * b[m];
            }
            b[k] /= a[k][k];
        }
    }

    double intercept_ = 0;
    std::vector<double> mean_;
    std::vector<double> scale_; ///< 1 / standard deviation
    std::vector<double> weights_;
};

} // namespace gst
