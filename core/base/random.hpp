#pragma once

#include "core/base/visibility.hpp"

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace gst {

/// A seeded source of randomness (xoshiro256**, Blackman and Vigna 2018), the same numbers on every platform.
class GST_API random_source {
  public:
    explicit random_source(std::uint64_t seed);

    std::uint64_t next();
    /// Uniform in [0, bound), without bias (Lemire 2019). bound > 0.
    std::uint64_t below(std::uint64_t bound);
    /// Uniform in [0, 1).
    double uniform();
    /// Uniform in [low, high).
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Standard normal (Box and Muller 1958).
    double normal();
    /// An independent source for a named purpose: the same name gives the same stream, whatever was drawn before.
    random_source fork(std::string_view purpose) const;

    template<class T>
    void shuffle(std::vector<T>& items) {
        for (std::size_t i = items.size(); i > 1; --i) {
            std::swap(items[i - 1], items[below(i)]);
        }
    }

  private:
    std::uint64_t seed_;
    std::array<std::uint64_t, 4> state_;
};

/// A stateless random number in [0, 1) from a seed and an index: noise that any thread computes alike (SplitMix64).
GST_API double noise(std::uint64_t seed, std::uint64_t index);

} // namespace gst
