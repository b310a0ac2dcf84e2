#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

namespace gst {

/// OpenTuner's multi-armed bandit with the area under the curve as credit (Ansel et al. 2014, §3.2): of the last
/// `window` uses, an arm has those in which it gave a new best. Its curve rises by one with each of them; the area
/// under it, normalised, is its exploitation term AUC = 2 / (n (n + 1)) Σ i·V_i over its n uses, and C √(2 log2 H / n)
/// its exploration term, with H the uses in the window.
class bandit {
  public:
    bandit(std::size_t arms, std::size_t window, double exploration)
        : arms_(arms), window_(window), exploration_(exploration) {}

    /// The arm with the largest sum of both terms, the first of equal ones; one without uses in the window comes first.
    std::size_t choose() const {
        const std::vector<double> all = scores();
        return static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
    }

    void used(std::size_t arm, bool new_best) {
        uses_.emplace_back(arm, new_best);
        if (uses_.size() > window_) {
            uses_.pop_front();
        }
    }

    std::vector<double> scores() const {
        std::vector<double> uses(arms_);
        std::vector<double> area(arms_);
        for (const auto& [arm, new_best] : uses_) {
            uses[arm] += 1;
            area[arm] += new_best ? uses[arm] : 0;
        }
        const double turns = std::log2(static_cast<double>(std::max<std::size_t>(uses_.size(), 1)));
        std::vector<double> out;
        for (std::size_t arm = 0; arm < arms_; ++arm) {
            const double n = uses[arm];
            out.push_back(n == 0 ? std::numeric_limits<double>::infinity()
                                 : 2 * area[arm] / (n * (n + 1)) + exploration_ * std::sqrt(2 * turns / n));
        }
        return out;
    }

  private:
    std::size_t arms_;
    std::size_t window_;
    double exploration_;
    std::deque<std::pair<std::size_t, bool>> uses_; ///< oldest first
};

} // namespace gst
