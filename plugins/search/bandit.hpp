#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
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
        curve& now = arms_[arm];
        ++now.uses;
        now.bests += new_best ? 1 : 0;
        now.area += new_best ? now.uses : 0;
        if (uses_.size() > window_) {
            const auto [oldest, was_best] = uses_.front();
            curve& before = arms_[oldest];
            --before.uses;
            before.area -= before.bests; // each best's i is one less; that of the oldest was 1
            before.bests -= was_best ? 1 : 0;
            uses_.pop_front();
        }
    }

    std::vector<double> scores() const {
        const double turns = std::log2(static_cast<double>(std::max<std::size_t>(uses_.size(), 1)));
        std::vector<double> out;
        for (const curve& c : arms_) {
            const auto n = static_cast<double>(c.uses);
            out.push_back(c.uses == 0 ? std::numeric_limits<double>::infinity()
                                      : 2 * static_cast<double>(c.area) / (n * (n + 1)) +
                                            exploration_ * std::sqrt(2 * turns / n));
        }
        return out;
    }

  private:
    struct curve { ///< of an arm, within the window
        std::uint64_t uses = 0;
        std::uint64_t bests = 0; ///< Σ V_i
        std::uint64_t area = 0;  ///< Σ i·V_i
    };

    std::vector<curve> arms_;
    std::size_t window_;
    double exploration_;
    std::deque<std::pair<std::size_t, bool>> uses_; ///< oldest first
};

} // namespace gst
