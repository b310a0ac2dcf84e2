#include "dsl/limits.hpp"
#include "dsl/pattern.hpp"
#include "tests/catch.hpp"

#include <numeric>
#include <set>

using namespace gst;
using namespace gst::dsl;

namespace {
constexpr std::array<bool, 3> line{true, false, false};
constexpr std::array<bool, 3> plane{true, true, false};
constexpr std::array<bool, 3> space{true, true, true};

std::size_t points(shape s, int radius, std::array<bool, 3> along) {
    return offsets_of(s, radius, along, 0).size();
}
} // namespace

TEST_CASE("patterns have the known numbers of points") {
    struct row {
        shape s;
        int radius;
        std::size_t in_1d, in_2d, in_3d;
    };
    const row rows[]{
        {shape::star, 1, 3, 5, 7},         {shape::star, 2, 5, 9, 13},      {shape::star, 4, 9, 17, 25},
        {shape::box, 1, 3, 9, 27},         {shape::box, 2, 5, 25, 125},     {shape::diamond, 1, 3, 5, 7},
        {shape::diamond, 2, 5, 13, 25},    {shape::diamond, 3, 7, 25, 63},  {shape::nocorners, 1, 3, 5, 19},
        {shape::nocorners, 2, 5, 21, 117}, {shape::cross, 1, 3, 5, 9},      {shape::cross, 2, 5, 9, 17},
        {shape::thumbtack, 1, 3, 5, 11},   {shape::thumbtack, 2, 5, 9, 29}, {shape::star, 0, 1, 1, 1},
        {shape::box, 0, 1, 1, 1},          {shape::diamond, 0, 1, 1, 1},    {shape::nocorners, 0, 1, 1, 1},
        {shape::cross, 0, 1, 1, 1},        {shape::thumbtack, 0, 1, 1, 1},
    };
    for (const row& r : rows) {
        INFO("shape " << static_cast<int>(r.s) << ", radius " << r.radius);
        CHECK(points(r.s, r.radius, line) == r.in_1d);
        CHECK(points(r.s, r.radius, plane) == r.in_2d);
        CHECK(points(r.s, r.radius, space) == r.in_3d);
    }
}

TEST_CASE("a thumbtack is a dense plane with a pin to both sides") {
    for (const int pin : {0, 1, 2}) {
        for (const offset3& o : offsets_of(shape::thumbtack, 2, space, pin)) {
            int off_plane = 0;
            for (int axis = 0; axis < 3; ++axis) {
                off_plane += axis != pin && o[static_cast<std::size_t>(axis)] != 0 ? 1 : 0;
            }
            CHECK((o[static_cast<std::size_t>(pin)] == 0 || off_plane == 0));
        }
    }
}

TEST_CASE("Garvey's suite has 104 distinct patterns") {
    std::set<std::vector<offset3>> distinct;
    for (int radius = 0; radius <= 5; ++radius) {
        for (unsigned axes = 1; axes < 8; ++axes) {
            const std::array<bool, 3> along{(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0};
            for (const shape s : {shape::box, shape::star, shape::diamond, shape::nocorners}) {
                distinct.insert(offsets_of(s, radius, along));
            }
            for (const int pin : {0, 1, 2}) {
                if (along[static_cast<std::size_t>(pin)]) {
                    distinct.insert(offsets_of(shape::thumbtack, radius, along, pin));
                }
            }
        }
    }
    CHECK(distinct.size() == 104);
}

TEST_CASE("generated weights sum to one and none of them is zero") {
    const auto pattern = offsets_of(shape::box, 2, space);
    for (const auto& weights :
         {gaussian_weights(pattern, {}), gaussian_weights(pattern, 0.7), random_weights(pattern, 3)}) {
        CHECK(std::accumulate(weights.begin(), weights.end(), 0.0) == Approx(1));
        CHECK(std::all_of(weights.begin(), weights.end(), [](double w) { return w > 0; }));
    }
    CHECK(random_weights(pattern, 3) == random_weights(pattern, 3));
    CHECK(random_weights(pattern, 3) != random_weights(pattern, 4));
    CHECK(gaussian_weights(offsets_of(shape::star, 0, space), {}) == std::vector<double>{1});
}

TEST_CASE("a Gaussian is separable") {
    const auto row = gaussian_weights(offsets_of(shape::box, 2, line), 1.0);
    const auto both = gaussian_weights(offsets_of(shape::box, 2, plane), 1.0);
    for (std::size_t y = 0; y < 5; ++y) {
        for (std::size_t x = 0; x < 5; ++x) {
            CHECK(both[y * 5 + x] == Approx(row[y] * row[x]));
        }
    }
}
