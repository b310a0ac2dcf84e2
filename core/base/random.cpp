#include "core/base/random.hpp"

#include <xxhash.h>

#include <bit>
#include <cmath>
#include <numbers>

namespace gst {

namespace {
std::uint64_t split_mix(std::uint64_t& state) {
    std::uint64_t z = (state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}
double unit(std::uint64_t bits) {
    return static_cast<double>(bits >> 11) * 0x1.0p-53;
}
} // namespace

random_source::random_source(std::uint64_t seed) : seed_(seed), state_{} {
    for (std::uint64_t& word : state_) {
        word = split_mix(seed);
    }
}

std::uint64_t random_source::next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

std::uint64_t random_source::below(std::uint64_t bound) {
    __extension__ using wide = unsigned __int128;
    wide product = static_cast<wide>(next()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
        const std::uint64_t threshold = (0 - bound) % bound;
        while (static_cast<std::uint64_t>(product) < threshold) {
            product = static_cast<wide>(next()) * bound;
        }
    }
    return static_cast<std::uint64_t>(product >> 64);
}

double random_source::uniform() {
    return unit(next());
}

double random_source::normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
}

random_source random_source::fork(std::string_view purpose) const {
    return random_source(XXH3_64bits_withSeed(purpose.data(), purpose.size(), seed_));
}

double noise(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t state = seed ^ (index * 0xD1342543DE82EF95ULL);
    split_mix(state);
    return unit(split_mix(state));
}

} // namespace gst
