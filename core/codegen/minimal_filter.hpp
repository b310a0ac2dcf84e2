#pragma once

#include "core/base/visibility.hpp"

#include <vector>

namespace gst {

/// Minimal filtering F(m, r): the m neighbouring sums y_i = Σ_k w_k d_{i+k} of r terms from m + r - 1 products instead
/// of m r (S. Winograd, Arithmetic Complexity of Computations, SIAM 1980, ch. V; A. Lavin and S. Gray, Fast Algorithms
/// for Convolutional Neural Networks, CVPR 2016, §4): y = A^T ((G w) ⊙ (B^T d)). The matrices are Toom and Cook's for
/// the points 0, ±p … and infinity, so that a pair of points shares its even and its odd part.
class GST_API minimal_filter {
  public:
    /// m + r - 1 is 4, 6 or 8: of other sizes there is none (std::invalid_argument).
    minimal_filter(int outputs, int taps);
    static bool exists(int outputs, int taps);

    int outputs() const { return outputs_; }
    int taps() const { return taps_; }
    int products() const { return outputs_ + taps_ - 1; }
    /// p of the points ±p. The products are of 0, of +p and of -p for each of these, of infinity.
    const std::vector<double>& pairs() const { return pairs_; }
    /// B^T d at 0 is the sum over k of these times d_2k, at infinity of these times d_{2k+1}; the last one is 1.
    const std::vector<double>& at_ends() const { return at_ends_; }
    /// B^T d at ±p is the sum over k of these times d_{2k+2} ± p d_{2k+1}; the last one is 1.
    const std::vector<double>& at_pair(std::size_t which) const { return at_pair_[which]; }

    /// G w of r weights.
    std::vector<double> transformed(const std::vector<double>& weights) const;
    /// By how much the sums amplify rounding errors of the products, relative to max |d|: the greatest of
    /// |A^T| (|G w| ⊙ |B^T| 1), given G w.
    double amplification(const std::vector<double>& transformed) const;

  private:
    int outputs_;
    int taps_;
    std::vector<double> pairs_;
    std::vector<double> at_ends_;
    std::vector<std::vector<double>> at_pair_;
};

} // namespace gst
