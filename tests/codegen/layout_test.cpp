#include "core/base/error.hpp"
#include "core/codegen/generate.hpp"
#include "core/codegen/layout.hpp"
#include "tests/catch.hpp"

#include <set>

using namespace gst;

TEST_CASE("a padded layout aligns the first interior point of every row") {
    for (const extent3 size : {extent3{5, 3, 2}, extent3{64, 1, 1}, extent3{1, 7, 13}, extent3{127, 2, 3}}) {
        for (const auto& [h, alignment] : {std::pair{0, padded_rows},
                                           {1, padded_rows},
                                           {4, padded_rows},
                                           {17, padded_rows},
                                           {1, 4L},
                                           {5, 4L},
                                           {1, 8L},
                                           {9, 8L}}) {
            const array_layout a = make_layout(size, {h, h, h}, alignment);
            for (std::int64_t y = -h; y < size[1] + h; ++y) {
                CHECK(a.index(0, y, 0) % alignment == 0);
            }
            for (const std::int64_t width : {2, 4, 8, 16}) {
                CHECK(a.aligns(width) == (width <= alignment));
                if (!a.aligns(width)) {
                    continue;
                }
                // They hold what the first and the last row have.
                const auto [low, high] = a.vectors(width);
                CHECK((low % width == 0 && low <= -h && high % width == 0 && high + width >= size[0] + h));
                CHECK(a.index(low, -h, -h) >= 0);
                CHECK(a.index(high, size[1] + h - 1, size[2] + h - 1) + width <= a.elements);
            }
            CHECK(a.row < size[0] + 2 * h + alignment);
        }
    }
}

TEST_CASE("every point of interior and halo has an element of its own inside the allocation") {
    for (const std::int64_t alignment : {padded_rows, raw_rows}) {
        const extent3 size{5, 4, 3};
        const offset3 halo{2, 1, 3};
        const array_layout a = make_layout(size, halo, alignment);
        std::set<std::int64_t> seen;
        for (std::int64_t z = -3; z < 6; ++z) {
            for (std::int64_t y = -1; y < 5; ++y) {
                for (std::int64_t x = -2; x < 7; ++x) {
                    const std::int64_t e = a.index(x, y, z);
                    CHECK((e >= 0 && e < a.elements));
                    seen.insert(e);
                }
            }
        }
        CHECK(seen.size() == 9 * 6 * 9);
        if (alignment == raw_rows) { // nothing between
            CHECK(a.elements == 9 * 6 * 9);
        }
    }
}

TEST_CASE("arrays beyond 2^40 elements are refused with the grid") {
    CHECK_THROWS_WITH(
        make_layout({100000, 100000, 1000}, {1, 1, 1}, padded_rows),
        "error: a grid of 100000 × 100000 × 1000 points is more than gst can address (2^40 elements per array)");
}

TEST_CASE("images are as wide as the device allows and hold the whole array, or there are none") {
    const array_layout a = make_layout({512, 512, 512}, {1, 1, 1}, padded_rows);
    CHECK(image_width_for(a, 16384, 16384) == 16384);
    CHECK(image_width_for(a, 8192, 8192) == 0);
    CHECK(image_width_for(make_layout({256, 256, 256}, {1, 1, 1}, padded_rows), 8192, 8192) == 8192);
    CHECK(image_width_for(a, 0, 0) == 0);
}
