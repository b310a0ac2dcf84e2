#include "dsl/pattern.hpp"

#include "core/base/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace gst::dsl {

namespace {

/// Whether the offset, a point of the box, belongs to the shape.
bool contains(shape s, const offset3& o, int radius, const std::array<bool, 3>& along, int pin) {
    int sum = 0;
    int zeros = 0;
    int extremes = 0;
    int axes = 0;
    bool diagonal = true;
    int largest = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        largest = std::max(largest, std::abs(o[i]));
    }
    for (std::size_t i = 0; i < 3; ++i) {
        if (along[i]) {
            const int distance = std::abs(o[i]);
            ++axes;
            sum += distance;
            zeros += distance == 0 ? 1 : 0;
            extremes += distance == radius ? 1 : 0;
            diagonal = diagonal && distance == largest;
        }
    }
    switch (s) {
    case shape::star:
        return zeros >= axes - 1;
    case shape::box:
        return true;
    case shape::diamond:
        return sum <= radius;
    case shape::nocorners:
        return radius == 0 || axes == 1 || extremes < axes;
    case shape::cross:
        return diagonal;
    case shape::thumbtack:
        return o[static_cast<std::size_t>(pin)] == 0 || zeros >= axes - 1;
    }
    return false;
}

std::vector<double> normalized(std::vector<double> weights) {
    const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
    for (double& w : weights) {
        w /= sum;
    }
    return weights;
}

} // namespace

std::optional<shape> shape_named(std::string_view name) {
    constexpr std::array<std::string_view, 6> names{"star", "box", "diamond", "nocorners", "cross", "thumbtack"};
    const auto found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<shape>(found - names.begin()));
}

std::vector<offset3> offsets_of(shape s, int radius, const std::array<bool, 3>& along, int pin) {
    const offset3 reach{along[0] ? radius : 0, along[1] ? radius : 0, along[2] ? radius : 0};
    std::vector<offset3> out;
    for (int z = -reach[2]; z <= reach[2]; ++z) {
        for (int y = -reach[1]; y <= reach[1]; ++y) {
            for (int x = -reach[0]; x <= reach[0]; ++x) {
                if (contains(s, {x, y, z}, radius, along, pin)) {
                    out.push_back({x, y, z});
                }
            }
        }
    }
    return out;
}

std::vector<double> gaussian_weights(const std::vector<offset3>& pattern, std::optional<double> sigma) {
    int radius = 0;
    for (const offset3& o : pattern) {
        radius = std::max({radius, std::abs(o[0]), std::abs(o[1]), std::abs(o[2])});
    }
    const double width = sigma.value_or(radius == 0 ? 1.0 : radius / 2.0);
    std::vector<double> weights;
    for (const offset3& o : pattern) {
        const double square = o[0] * o[0] + o[1] * o[1] + o[2] * o[2];
        weights.push_back(square == 0 ? 1 : std::exp(-square / (2 * width * width)));
    }
    return normalized(std::move(weights));
}

std::vector<double> random_weights(const std::vector<offset3>& pattern, std::uint64_t seed) {
    std::vector<double> weights;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        weights.push_back(0.5 + noise(seed, i));
    }
    return normalized(std::move(weights));
}

} // namespace gst::dsl
