#pragma once

#include "core/base/visibility.hpp"

#include <vector>

namespace gst {

/// Minimal filtering F(m, r): the m neighbouring sums y_i = Σ_k w_k d_{i+k} of r terms from m + r - 1 products instead
/// of m r (S. Winograd, Arithmetic Complexity of Computations, SIAM 1980, ch. V; A. Lavin and S. Gray, Fast Algorithms
/// for Convolutional Neural Networks, CVPR 2016, §4): y = A^T ((G w) ⊙ (B^T d)). The matrices are Toom and Cook's for
/// the points 0, ±p … and, where the products are even in number, infinity, so that a pair of points shares its even
/// and its odd part.
class GST_API minimal_filter {
  public:
    static constexpr int most_products = 8;

    /// m + r - 1 is 3 to 8: of other sizes there is none (std::invalid_argument).
    minimal_filter(int outputs, int taps);
    static bool exists(int outputs, int taps);

    int outputs() const { return outputs_; }
    int taps() const { return taps_; }
    int products() const { return outputs_ + taps_ - 1; }
    bool has_infinity() const { return products() % 2 == 0; }
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

/// F(m, r) of any r: filters with the same outputs side by side, which have the taps one after the other (D. Huang et
/// al., DWM: A Decomposable Winograd Method for Convolution Acceleration, AAAI 2020). Products at the same point are
/// added up, so that A^T comes once.
class GST_API decomposed_filter {
  public:
    struct part {
        int first; ///< of its taps, and of what it reads
        int taps;  ///< the filter's others are 0
        minimal_filter filter;

        /// G w of its weights among those of all taps; nothing: all of them are 0.
        std::vector<double> transformed(const std::vector<double>& weights) const;
    };

    /// As few parts as there can be. Throws std::invalid_argument where there are none.
    decomposed_filter(int outputs, int taps);
    static bool exists(int outputs, int taps) {
        return outputs > 1 && outputs + 2 <= minimal_filter::most_products && taps > 1;
    }

    int outputs() const { return outputs_; }
    int taps() const { return parts_.back().first + parts_.back().taps; }
    const std::vector<part>& parts() const { return parts_; }
    /// Whether there are two parts that are one filter and lie a multiple of the outputs apart: B^T d of the second one
    /// is then that of the first one of a later group of sums. That may take a product more.
    bool shares_inputs() const { return shares_inputs_; }
    /// How far beyond its own points a group of sums needs others: what it reads or, where inputs are shared, groups.
    int beyond() const;
    /// Sums of products that A^T takes: of 0, of +p and of -p for each pair, of infinity.
    int sums() const { return 1 + 2 * static_cast<int>(pairs().size()) + (has_infinity() ? 1 : 0); }
    /// Which of them a part's product is added to.
    int sum_of(const part& of, int product) const {
        return of.filter.has_infinity() && product + 1 == of.filter.products() ? sums() - 1 : product;
    }
    bool has_infinity() const;
    const std::vector<double>& pairs() const { return parts_.front().filter.pairs(); } ///< no part has others

  private:
    int outputs_;
    std::vector<part> parts_;
    bool shares_inputs_ = false;
};

} // namespace gst
