#include "core/base/random.hpp"
#include "core/measure/initial_data.hpp"
#include "core/measure/typed_values.hpp"
#include "tests/catch.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <map>

using namespace gst;

namespace {

double through(scalar type, double x) {
    std::array<std::byte, 8> bytes{};
    put_value(type, x, bytes.data());
    return get_value(type, bytes.data());
}

std::vector<std::byte> all_rows(const field& f, const array_layout& layout, int age) {
    std::vector<std::byte> bytes(static_cast<std::size_t>(layout.elements) * size_of(f.type));
    initial_rows(f, layout, {7}, age, 0, bytes);
    return bytes;
}

} // namespace

TEST_CASE("f16 holds every one of its numbers and rounds the others to the nearest") {
    CHECK(through(scalar::f16, 65504) == 65504);
    CHECK(std::isinf(through(scalar::f16, 65520)));
    CHECK(through(scalar::f16, 65519.99) == 65504);
    CHECK(through(scalar::f16, -0x1p-24) == -0x1p-24);
    CHECK(through(scalar::f16, 0x1p-25) == 0);             // a tie: to even
    CHECK(through(scalar::f16, 1.5 * 0x1p-24) == 0x1p-23); // a tie: to even
    CHECK(through(scalar::f16, 1 + 0x1p-11) == 1);
    CHECK(through(scalar::f16, 1 + 3 * 0x1p-11) == 1 + 0x1p-9);
    CHECK(through(scalar::f16, 2047.9) == 2048);
    CHECK(std::isnan(through(scalar::f16, NAN)));
    for (std::uint16_t bits = 0; bits < 0x7c00; ++bits) {
        const double x = get_value(scalar::f16, reinterpret_cast<const std::byte*>(&bits));
        std::uint16_t back = 0;
        put_value(scalar::f16, x, reinterpret_cast<std::byte*>(&back));
        REQUIRE(back == bits);
    }
}

TEST_CASE("rows packed and unpacked are the values again, and what lies between is poison") {
    const auto alignment = GENERATE(padded_rows, raw_rows);
    const array_layout layout = make_layout({5, 4, 3}, {2, 1, 1}, alignment);
    field_values values({5, 4, 3}, {1, 1, 0});
    random_source rng(1);
    for (double& v : values.data) {
        v = std::floor(rng.uniform(-100, 100));
    }
    for (const scalar type : {scalar::i32, scalar::f16, scalar::f32, scalar::f64}) {
        std::vector<std::byte> bytes(static_cast<std::size_t>(layout.rows() * layout.row) * size_of(type));
        const std::size_t half = static_cast<std::size_t>(layout.rows() / 2 * layout.row) * size_of(type);
        pack_rows(values, type, layout, 0, std::span(bytes).first(half));
        pack_rows(values, type, layout, layout.rows() / 2, std::span(bytes).subspan(half));
        field_values got({5, 4, 3}, {1, 1, 0});
        unpack_rows(bytes, type, layout, 0, got);
        CHECK(got.data == values.data);
        std::size_t poisoned = 0;
        for (std::int64_t i = 0; i < layout.rows() * layout.row; ++i) {
            const double x = get_value(type, &bytes[static_cast<std::size_t>(i) * size_of(type)]);
            poisoned += std::isnan(x) || x == 0x5ca1ab1e ? 1 : 0;
        }
        CHECK(poisoned == static_cast<std::size_t>(layout.rows() * layout.row) - values.data.size());
    }
}

TEST_CASE("an element is a point of the grid or padding") {
    const array_layout layout = make_layout({5, 4, 3}, {2, 1, 1}, padded_rows);
    CHECK(point_of(layout, layout.index(0, 0, 0)) == extent3{0, 0, 0});
    CHECK(point_of(layout, layout.index(-2, 4, -1)) == extent3{-2, 4, -1});
    CHECK(point_of(layout, layout.index(6, 3, 3)) == extent3{6, 3, 3});
    CHECK_FALSE(point_of(layout, layout.index(7, 0, 0)));
    CHECK_FALSE(point_of(layout, layout.index(-3, 0, 0)));
    CHECK_FALSE(point_of(layout, layout.elements));
}

TEST_CASE("initial halos follow the field's rules, and the buffer of t+1 holds only what a step need not write") {
    field f{"u", scalar::f64, scalar::f64, false, {}, 0, {1, 1, 0}};
    f.faces[0] = {boundary{boundary_kind::constant, 4}, boundary{boundary_kind::periodic, 0}};
    f.faces[1] = {boundary{boundary_kind::fixed, 0}, boundary{boundary_kind::mirror, 0}};
    const array_layout layout = make_layout({4, 3, 1}, {2, 1, 0}, padded_rows);
    const auto now = all_rows(f, layout, 0);
    const auto before = all_rows(f, layout, 1);
    const auto after = all_rows(f, layout, -1);
    const auto at = [&](const std::vector<std::byte>& bytes, std::int64_t x, std::int64_t y) {
        return get_value(scalar::f64, &bytes[static_cast<std::size_t>(layout.index(x, y, 0) - layout.lead) * 8]);
    };
    for (std::int64_t y = 0; y < 3; ++y) {
        for (std::int64_t x = 0; x < 4; ++x) {
            CHECK(at(now, x, y) == initial_value(f, layout.size, layout.halo, {7}, 0, {x, y, 0}));
            CHECK(at(now, x, y) != at(before, x, y));
            CHECK(std::isnan(at(after, x, y)));
        }
        CHECK(at(now, -1, y) == 4);
        CHECK(at(after, -1, y) == 4);
        CHECK(at(now, 4, y) == at(now, 0, y));
        CHECK(std::isnan(at(after, 4, y)));
        CHECK(std::isnan(at(now, -2, y))); // the layout has it, the field does not
    }
    for (std::int64_t x = 0; x < 4; ++x) {
        CHECK(at(before, x, -1) == at(now, x, -1)); // fixed: the newest level's at every time
        CHECK(at(after, x, -1) == at(now, x, -1));
        CHECK(at(now, x, 3) == at(now, x, 1));
        CHECK(std::isnan(at(after, x, 3)));
    }
}

TEST_CASE("initial data is the same on any number of threads and in any pieces") {
    const field f{"u", scalar::f32, scalar::f32, false, {}, 0, {1, 1, 1}};
    const array_layout layout = make_layout({130, 70, 20}, {1, 1, 1}, padded_rows);
    const auto whole = all_rows(f, layout, 0);
    const std::size_t row_bytes = static_cast<std::size_t>(layout.row) * 4;
    std::vector<std::byte> row(row_bytes);
    for (std::int64_t r = 0; r < layout.rows(); r += 17) {
        initial_rows(f, layout, {7}, 0, r, row);
        CHECK(std::memcmp(row.data(), &whole[static_cast<std::size_t>(r) * row_bytes], row_bytes) == 0);
    }
}

TEST_CASE("integer noise is mostly 0 and 1, up to 7") {
    const field f{"cell", scalar::i32, scalar::i32, false, {}, 0, {}};
    std::map<int, int> seen;
    for (std::int64_t x = 0; x < 64000; ++x) {
        ++seen[static_cast<int>(initial_value(f, {64000, 1, 1}, {}, {3}, 0, {x, 0, 0}))];
    }
    CHECK(seen.size() == 8);
    CHECK(seen[0] > 28000);
    CHECK(seen[1] > 26000);
    CHECK(seen[7] > 700);
}
