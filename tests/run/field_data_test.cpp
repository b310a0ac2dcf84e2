#include "core/run/field_data.hpp"
#include "tests/catch.hpp"
#include "tests/run/support.hpp"

#include <cmath>
#include <limits>

using namespace gst;
using namespace gst::test;

TEST_CASE("every finite half is its own nearest") {
    for (unsigned bits = 0; bits < 65536; ++bits) {
        half h;
        h.bits = static_cast<std::uint16_t>(bits);
        const double v = static_cast<double>(h);
        if (!std::isnan(v)) {
            CHECK(half(v).bits == bits);
        }
    }
}

TEST_CASE("a half is rounded to nearest, ties to even") {
    CHECK(static_cast<double>(half(1 + 0x1p-11)) == 1);
    CHECK(static_cast<double>(half(1 + 3 * 0x1p-11)) == 1 + 0x1p-9);
    CHECK(static_cast<double>(half(65519)) == 65504);
    CHECK(std::isinf(static_cast<double>(half(65520))));
    CHECK(static_cast<double>(half(0x1p-25)) == 0);
    CHECK(static_cast<double>(half(0x1.8p-25)) == 0x1p-24);
    CHECK(std::isnan(static_cast<double>(half(std::nan("")))));
}

TEST_CASE("integers truncate and saturate") {
    field_data d = make_field_data(some_field(scalar::i32, 0), 1, {5, 1, 1});
    write_row(d, 0, std::vector<double>{1.9, -1.9, 1e20, -1e20, std::nan("")});
    CHECK(to_values(d).data == std::vector<double>{1, -1, 2147483647, -2147483648.0, 0});
}

TEST_CASE("an array goes through the interpreter's form unchanged") {
    for (const scalar type : {scalar::i32, scalar::f16, scalar::f32, scalar::f64}) {
        const field_data d = counting(some_field(type, 3), 3, {5, 4, 3});
        field_data back = make_field_data(some_field(type, 3), 3, {5, 4, 3});
        from_values(to_values(d), back);
        CHECK(back == d);
        CHECK(value_at(d, -1, -1, -1) == 1);
        CHECK(value_at(d, 0, -1, -1) == 2);
        CHECK(value_at(d, -1, 0, -1) == 8);
        CHECK(value_at(d, -1, -1, 0) == 43);
    }
}

TEST_CASE("a change counts the interior alone") {
    const field f = some_field(scalar::f32, 2);
    const field_data before = counting(f, 2, {4, 3, 1});
    field_values changed = to_values(before);
    changed.at(-1, 0) += 100;
    changed.at(4, 3) += 100;
    changed.at(3, 2) -= 2;
    changed.at(1, 1) += 1;
    field_data after = make_field_data(f, 2, {4, 3, 1});
    from_values(changed, after);
    CHECK(norm_of_change(after, before, norm::maximum) == 2);
    CHECK(norm_of_change(after, before, norm::rms) == Approx(std::sqrt((2 * 2 + 1) / 12.0)));
    CHECK(norm_of_change(before, before, norm::maximum) == 0);
    CHECK(norm_of_change(before, before, norm::rms) == 0);
}

TEST_CASE("a NaN is never taken for a small change") {
    const field f = some_field(scalar::f32, 2);
    const field_data before = counting(f, 2, {4, 3, 1});
    for (const std::int64_t x : {0, 3}) {
        field_values changed = to_values(before);
        changed.at(x, 1) = std::nan("");
        changed.at(2, 2) += 1;
        field_data after = make_field_data(f, 2, {4, 3, 1});
        from_values(changed, after);
        CHECK(std::isnan(norm_of_change(after, before, norm::maximum)));
        CHECK(std::isnan(norm_of_change(after, before, norm::rms)));
    }
}
