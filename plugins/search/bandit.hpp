#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
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
    std::size_t choose() const { return best_of(arms_, uses_.size()); }

    /// So many arms in turn, each chosen as if those before had found nothing.
    std::vector<std::size_t> choose(std::size_t count) const {
        std::vector<curve> arms = arms_;
        std::vector<std::size_t> chosen;
        std::size_t left_window = 0;
        while (chosen.size() < count) {
            const std::size_t arm = best_of(arms, uses_.size() + chosen.size() - left_window);
            chosen.push_back(arm);
            arms[arm].add(false);
            if (uses_.size() + chosen.size() - left_window > window_) {
                const bool before = left_window < uses_.size();
                const use oldest = before ? uses_[left_window] : use{chosen[left_window - uses_.size()], false};
                arms[oldest.arm].drop_first(oldest.new_best);
                ++left_window;
            }
        }
        return chosen;
    }

    void used(std::size_t arm, bool new_best) {
        uses_.push_back({arm, new_best});
        arms_[arm].add(new_best);
        if (uses_.size() > window_) {
            arms_[uses_.front().arm].drop_first(uses_.front().new_best);
            uses_.pop_front();
        }
    }

    /// The sum of both terms of each arm.
    std::vector<double> scores() const {
        std::vector<double> out;
        for (const curve& c : arms_) {
            out.push_back(score(c, uses_.size()));
        }
        return out;
    }

  private:
    struct curve { ///< of an arm, within the window
        std::uint64_t uses = 0;
        std::uint64_t bests = 0; ///< Σ V_i
        std::uint64_t area = 0;  ///< Σ i·V_i

        void add(bool new_best) {
            ++uses;
            bests += new_best ? 1 : 0;
            area += new_best ? uses : 0;
        }
        void drop_first(bool was_best) {
            --uses;
            area -= bests; // each best's i is one less; that of the first was 1
            bests -= was_best ? 1 : 0;
        }
    };
    struct use {
        std::size_t arm;
        bool new_best;
    };

    double score(const curve& c, std::size_t uses) const {
        if (c.uses == 0) {
            return std::numeric_limits<double>::infinity();
        }
        const double turns = std::log2(static_cast<double>(std::max<std::size_t>(uses, 1)));
        const auto n = static_cast<double>(c.uses);
        return 2 * static_cast<double>(c.area) / (n * (n + 1)) + exploration_ * std::sqrt(2 * turns / n);
    }

    std::size_t best_of(const std::vector<curve>& arms, std::size_t uses) const {
        std::size_t best = 0;
        for (std::size_t arm = 1; arm < arms.size(); ++arm) {
            best = score(arms[arm], uses) > score(arms[best], uses) ? arm : best;
        }
        return best;
    }

    std::vector<curve> arms_;
    std::size_t window_;
    double exploration_;
    std::deque<use> uses_; ///< oldest first
};

} // namespace gst
