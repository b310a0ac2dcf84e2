#include "core/base/error.hpp"
#include "core/run/initial_state.hpp"
#include "core/run/npy.hpp"
#include "tests/catch.hpp"
#include "tests/run/support.hpp"

#include <cmath>

using namespace gst;
using namespace gst::test;

namespace {

/// One field `u` with a halo of 1 along each axis.
stencil with_field(scalar type, int dimensions) {
    stencil s;
    s.name = "s";
    s.dimensions = dimensions;
    s.fields = {some_field(type, dimensions)};
    return s;
}

field_data formula(const std::string& text, const stencil& s, extent3 size) {
    return make_initial(initial::formula{expression::parse(text)}, s, 0, size);
}

std::string refusal(const std::string& text) {
    try {
        formula(text, with_field(scalar::f32, 2), {4, 3, 1});
        return "made";
    } catch (const user_error& e) {
        return e.what();
    }
}

} // namespace

TEST_CASE("a formula has the coordinates and sizes of the stencil language, halo included") {
    const field_values v = to_values(formula("100*z + 10*y + x + 1000*nx", with_field(scalar::f64, 3), {4, 3, 2}));
    for (std::int64_t z = -1; z <= 2; ++z) {
        for (std::int64_t y = -1; y <= 3; ++y) {
            for (std::int64_t x = -1; x <= 4; ++x) {
                CHECK(v.at(x, y, z) == static_cast<double>(100 * z + 10 * y + x) + 4000);
            }
        }
    }
}

TEST_CASE("conditions of a formula are 0 and 1, and decide before what has no value") {
    const stencil s = with_field(scalar::f64, 1);
    CHECK(to_values(formula("2 * (1 <= x < 3)", s, {4, 1, 1})).data == std::vector<double>{0, 0, 2, 2, 0, 0});
    CHECK(to_values(formula("x in (0, 3) or x == 2", s, {4, 1, 1})).data == std::vector<double>{0, 1, 0, 1, 1, 0});
    CHECK(to_values(formula("x != 0 and 1 / x > 0.4", s, {4, 1, 1})).data == std::vector<double>{0, 0, 1, 1, 0, 0});
    CHECK(to_values(formula("not x", s, {2, 1, 1})).data == std::vector<double>{0, 1, 0, 0});
}

TEST_CASE("a formula for an integer field takes the integer part") {
    CHECK(to_values(formula("x / 2", with_field(scalar::i32, 1), {4, 1, 1})).data ==
          std::vector<double>{0, 0, 0, 1, 1, 2});
}

TEST_CASE("mistakes in a formula are shown in it") {
    CHECK(refusal("x + nz") ==
          "expression:1:1: error: unknown name 'nz' – did you mean 'nx'?\n  x + nz\n  ^~~~~~\n  a formula for "
          "initial data knows nx, ny, pi, x and y");
    CHECK(refusal("x + 'a'") ==
          "expression:1:5: error: a formula for initial data is over numbers\n  x + 'a'\n      ^~~");
    CHECK(refusal("1 / x") ==
          "expression:1:1: error: the formula has no value at (0, -1, 0)\n  1 / x\n  ^~~~~\n  points of the halo "
          "count as well: there coordinates are negative, or the size and more");
}

TEST_CASE("a check finds what making would find at the edges, on the grid that is meant") {
    const stencil s = with_field(scalar::f32, 3);
    const auto refused = [&](const std::string& text, extent3 size) -> std::string {
        try {
            check_initial(initial::formula{expression::parse(text)}, s, 0, size);
            return "";
        } catch (const user_error& e) {
            const std::string what = e.what();
            return what.substr(what.find("error: "), what.find('\n') - what.find("error: "));
        }
    };
    CHECK(refused("0.04 + 0.05 * max(0, min(1, z // (nz // 2)))", {8, 8, 8}).empty());
    CHECK(refused("z // (nz // 2)", {8, 8, 1}) == "error: the formula has no value at (-1, -1, -1)");
    CHECK(refused("1 / x", {8, 8, 8}) == "error: the formula has no value at (0, -1, -1)");
    CHECK(refused("1 / (y + z)", {8, 8, 8}) == "error: the formula has no value at (-1, 0, 0)");
    CHECK(refused("sqrt(ny - 1 - y)", {8, 8, 8}) == "error: the formula has no value at (-1, 8, -1)");
    CHECK_THROWS_WITH(check_initial(initial::constant{0.5}, with_field(scalar::i32, 1), 0, {4, 1, 1}),
                      "error: 0.5 is no value of the i32 field 'u'");
}

TEST_CASE("noise fills its range, depends on seed, field and point, and on nothing else") {
    const stencil s = with_field(scalar::f64, 2);
    const auto noise = [&](initial::noise n, extent3 size) { return to_values(make_initial(n, s, 0, size)); };
    const field_values a = noise({-1, 3, 7}, {64, 64, 1});
    double sum = 0;
    for (const double v : a.data) {
        CHECK(v >= -1);
        CHECK(v < 3);
        sum += v;
    }
    CHECK(std::abs(sum / static_cast<double>(a.data.size()) - 1) < 0.1);
    CHECK(noise({-1, 3, 7}, {64, 64, 1}).data == a.data);
    CHECK(noise({-1, 3, 8}, {64, 64, 1}).data != a.data);
    const field_values larger = noise({-1, 3, 7}, {100, 80, 1});
    CHECK(larger.at(5, 6) == a.at(5, 6));
    stencil other = s;
    other.fields[0].name = "v";
    CHECK(to_values(make_initial(initial::noise{-1, 3, 7}, other, 0, {64, 64, 1})).data != a.data);
}

TEST_CASE("noise of an integer field takes every integer of its range") {
    const field_values v = to_values(make_initial(initial::noise{0, 2, 1}, with_field(scalar::i32, 2), 0, {32, 32, 1}));
    std::map<double, int> seen;
    for (const double d : v.data) {
        ++seen[d];
    }
    REQUIRE(seen.size() == 3);
    for (const auto& [which, count] : seen) {
        CHECK(count > 300);
    }
    CHECK(seen.begin()->first == 0);
}

TEST_CASE("a Gaussian stands in the middle of the grid unless told, a tenth of x wide") {
    const stencil s = with_field(scalar::f64, 2);
    const field_values v = to_values(make_initial(initial::gaussian{std::nullopt, 0, 2}, s, 0, {21, 11, 1}));
    CHECK(v.at(10, 5) == 2);
    CHECK(v.at(10 + 3, 5 - 2) == Approx(2 * std::exp(-13 / (2 * 2.1 * 2.1))));
    const field_values moved =
        to_values(make_initial(initial::gaussian{std::vector<double>{3, 4}, 1.5, 1}, s, 0, {21, 11, 1}));
    CHECK(moved.at(3, 4) == 1);
    CHECK(moved.at(-1, 4) == Approx(std::exp(-16 / 4.5)));
}

TEST_CASE("a constant that the field cannot hold is refused") {
    const stencil s = with_field(scalar::i32, 1);
    CHECK(value_at(make_initial(initial::constant{-3}, s, 0, {4, 1, 1}), 2) == -3);
    CHECK_THROWS_WITH(make_initial(initial::constant{0.5}, s, 0, {4, 1, 1}),
                      "error: 0.5 is no value of the i32 field 'u'");
    CHECK_THROWS_WITH(make_initial(initial::constant{2147483648.0}, s, 0, {4, 1, 1}),
                      "error: 2147483648 is no value of the i32 field 'u'");
}

TEST_CASE("a state has every level that steps read; what is not given repeats the oldest given") {
    const stencil s = some_stencil();
    const extent3 size{4, 3, 1};
    const run_state one = make_initial_state(s, size, {{"u", {initial::constant{2}}}, {"k", {initial::constant{3}}}});
    REQUIRE(one.levels.size() == 2);
    REQUIRE(one.levels[0].size() == 2);
    REQUIRE(one.levels[1].size() == 1);
    CHECK(one.step == 0);
    CHECK(value_at(one.levels[0][0], 1, 1) == 2);
    CHECK(one.levels[0][1] == one.levels[0][0]);
    CHECK(value_at(one.levels[1][0], 1, 1) == 3);
    const run_state two = make_initial_state(s, size, {{"u", {initial::constant{2}, initial::constant{5}}}});
    CHECK(value_at(two.levels[0][1], 1, 1) == 5);
    CHECK(two.levels[1][0] == make_initial(initial::noise{}, s, 1, size));
    CHECK(memory_of_state(s, size) == one.levels[0][0].bytes.size() * 2 + one.levels[1][0].bytes.size());
}

TEST_CASE("a state goes through the interpreter's form unchanged") {
    run_state state = make_initial_state(some_stencil(), {4, 3, 1}, {});
    state.step = 12;
    run_state back =
        make_initial_state(some_stencil(), {4, 3, 1}, {{"u", {initial::constant{0}}}, {"k", {initial::constant{0}}}});
    from_interpreter(to_interpreter(state), back);
    CHECK(back == state);
}
