#pragma once

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
        std::size_t best = 0;
        for (std::size_t arm = 1; arm < arms_; ++arm) {
            best = score(arm) > score(best) ? arm : best;
        }
        return best;
    }

    void used(std::size_t arm, bool new_best) {
        uses_.emplace_back(arm, new_best);
        if (uses_.size() > window_) {
            uses_.pop_front();
        }
    }

    double score(std::size_t arm) const {
        double uses = 0;
        double area = 0;
        for (const auto& [which, new_best] : uses_) {
            if (which == arm) {
                uses += 1;
                area += new_best ? uses : 0;
            }
        }
        if (uses == 0) {
            return std::numeric_limits<double>::infinity();
        }
        return 2 * area / (uses * (uses + 1)) +
               exploration_ * std::sqrt(2 * std::log2(static_cast<double>(uses_.size())) / uses);
    }

  private:
    std::size_t arms_;
    std::size_t window_;
    double exploration_;
    std::deque<std::pair<std::size_t, bool>> uses_; ///< oldest first
};

} // namespace gst
