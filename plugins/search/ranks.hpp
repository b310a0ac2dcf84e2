#pragma once

#include "core/base/random.hpp"

#include <cstdint>
#include <unordered_map>

namespace gst {

/// Draws the numbers 0 … count-1 in random order, each once: a Fisher–Yates shuffle done as far as it is asked for.
/// Exactly uniform over the permutations; memory grows with the draws, not with the count.
class ranks {
  public:
    explicit ranks(std::uint64_t count) : count_(count) {}
    std::uint64_t left() const { return count_ - drawn_; }

    /// The next number; left() > 0.
    std::uint64_t draw(random_source& rng) {
        const std::uint64_t from = drawn_ + rng.below(count_ - drawn_);
        const std::uint64_t rank = at(from);
        moved_[from] = at(drawn_); // the place of what was drawn is taken by the first that was not
        moved_.erase(drawn_);
        ++drawn_;
        return rank;
    }

  private:
    std::uint64_t at(std::uint64_t place) const {
        const auto found = moved_.find(place);
        return found == moved_.end() ? place : found->second;
    }

    std::uint64_t count_;
    std::uint64_t drawn_ = 0;
    std::unordered_map<std::uint64_t, std::uint64_t>
        moved_; ///< places from drawn_ on that no longer hold their own number
};

} // namespace gst
