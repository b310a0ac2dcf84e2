#include "core/stencil/interpret/arithmetic.hpp"
#include "core/stencil/interpreter.hpp"
#include "tests/catch.hpp"
#include "tests/stencil/formula.hpp"
#include "tests/stencil/pointwise.hpp"
#include "tests/stencil/same.hpp"

#include <cmath>
#include <limits>

using namespace gst;
using namespace gst::testing;
using ir::binary_op;
using ir::function;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// The f16 with these bits.
double f16_of(unsigned bits) {
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const double fraction = bits & 1023;
    const double magnitude = exponent == 0    ? std::ldexp(fraction, -24)
                             : exponent == 31 ? (fraction == 0 ? infinity : not_a_number)
                                              : std::ldexp(1024 + fraction, exponent - 25);
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// a op b, or op(a) for b absent, through a one-point stencil.
double computed(scalar type, double a, double b, binary_op op) {
    sketch k(1, {field_named("r", type), field_named("a", type), field_named("b", type)});
    k.s.fields[1].coefficient = k.s.fields[2].coefficient = true;
    k.update(0, k.read(1).with(op, k.read(2)));
    const stencil s = k.done();
    interpreter_state state = make_state(s, {1, 1, 1});
    state.levels[1][0].data[0] = a;
    state.levels[2][0].data[0] = b;
    interpret(s, state, {}, 1);
    return state.levels[0][0].data[0];
}

double converted(scalar from, scalar to, double a) {
    sketch k(1, {field_named("r", to), field_named("a", from)});
    k.s.fields[1].coefficient = true;
    k.update(0, k.read(1).convert(to));
    const stencil s = k.done();
    interpreter_state state = make_state(s, {1, 1, 1});
    state.levels[1][0].data[0] = a;
    interpret(s, state, {}, 1);
    return state.levels[0][0].data[0];
}

} // namespace

TEST_CASE("rounding to f16 gives every f16, and the even one of two at the same distance") {
    for (unsigned bits = 0; bits < 0x7c00; ++bits) {
        const double here = f16_of(bits);
        const double above = bits + 1 == 0x7c00 ? 65536 : f16_of(bits + 1);
        const double middle = (here + above) / 2;
        const double even = bits % 2 == 0 ? here : bits + 1 == 0x7c00 ? infinity : above;
        const double expected_above = bits + 1 == 0x7c00 ? infinity : above;
        for (double sign : {1.0, -1.0}) {
            auto both = [&](double x, double expected) {
                REQUIRE(arithmetic::round_to_f16(sign * x) == sign * expected);
                REQUIRE(arithmetic::round_to_f16(static_cast<float>(sign * x)) == sign * expected);
                REQUIRE(nearest_of(scalar::f16, sign * x) == sign * expected);
            };
            both(here, here);
            both(middle, even);
            REQUIRE(arithmetic::round_to_f16(sign * std::nextafter(middle, 0)) == sign * here);
            REQUIRE(arithmetic::round_to_f16(sign * std::nextafter(middle, infinity)) == sign * expected_above);
            REQUIRE(arithmetic::round_to_f16(std::nextafter(static_cast<float>(sign * middle), 0.0F)) == sign * here);
        }
    }
    CHECK(std::isnan(arithmetic::round_to_f16(not_a_number)));
    CHECK(std::isnan(arithmetic::round_to_f16(static_cast<float>(not_a_number))));
    CHECK(arithmetic::round_to_f16(-infinity) == -infinity);
    CHECK(std::signbit(arithmetic::round_to_f16(-1e-30)));
}

TEST_CASE("i32 arithmetic wraps around and divides by 0 to 0") {
    const double least = -0x1p31;
    const double most = 0x1p31 - 1;
    CHECK(computed(scalar::i32, most, 1, binary_op::add) == least);
    CHECK(computed(scalar::i32, least, 1, binary_op::subtract) == most);
    CHECK(computed(scalar::i32, 65537, 65537, binary_op::multiply) == 131073);
    CHECK(computed(scalar::i32, 7, 0, binary_op::divide) == 0);
    CHECK(computed(scalar::i32, 7, 0, binary_op::remainder) == 0);
    CHECK(computed(scalar::i32, least, -1, binary_op::divide) == least);
    CHECK(computed(scalar::i32, least, -1, binary_op::remainder) == 0);
    CHECK(computed(scalar::i32, -7, 2, binary_op::divide) == -3);
    CHECK(computed(scalar::i32, -7, 2, binary_op::remainder) == -1);
}

TEST_CASE("minimum and maximum of a NaN and a number are the number") {
    for (scalar type : {scalar::f16, scalar::f32, scalar::f64}) {
        CHECK(computed(type, not_a_number, 2, binary_op::minimum) == 2);
        CHECK(computed(type, 2, not_a_number, binary_op::minimum) == 2);
        CHECK(computed(type, not_a_number, 2, binary_op::maximum) == 2);
        CHECK(computed(type, 2, not_a_number, binary_op::maximum) == 2);
        CHECK(std::isnan(computed(type, not_a_number, not_a_number, binary_op::maximum)));
        CHECK(computed(type, 5.5, -2, binary_op::remainder) == 1.5);
        CHECK(computed(type, 1, 0, binary_op::divide) == infinity);
    }
}

TEST_CASE("conversions truncate, saturate and round") {
    CHECK(converted(scalar::f64, scalar::i32, -2.9) == -2);
    CHECK(converted(scalar::f32, scalar::i32, 3e9) == 0x1p31 - 1);
    CHECK(converted(scalar::f64, scalar::i32, -infinity) == -0x1p31);
    CHECK(converted(scalar::f64, scalar::i32, 2147483647.9) == 0x1p31 - 1);
    CHECK(converted(scalar::f32, scalar::i32, not_a_number) == 0);
    CHECK(converted(scalar::i32, scalar::f32, 16777217) == 16777216);
    CHECK(converted(scalar::i32, scalar::f16, 2049) == 2048);
    CHECK(converted(scalar::i32, scalar::f16, 70000) == infinity);
    // 2^-25 above the middle between 1 and the next f16: through an f32 it would be rounded twice, to 1.
    CHECK(converted(scalar::f64, scalar::f16, 1 + 0x1p-11 + 0x1p-30) == 1 + 0x1p-10);
}

TEST_CASE("given values, constants and parameters are rounded to their types") {
    sketch k(1, {field_named("u", scalar::f32, {boundary_kind::constant, 0.1})});
    k.s.parameters = {{"p", {}}};
    k.update(0, k.read(0, {-1, 0, 0}) * k.parameter(0, scalar::f32));
    const stencil s = k.done();
    interpreter_state state = make_state(s, {2, 1, 1});
    state.levels[0][0].at(0) = 0.3;
    interpret(s, state, std::vector<double>{0.7}, 1);
    CHECK(state.levels[0][0].at(0) == static_cast<double>(0.1F * 0.7F));
    CHECK(state.levels[0][0].at(1) == static_cast<double>(0.3F * 0.7F));
}

TEST_CASE("a stencil of f32 that computes in f64 rounds once, when it stores") {
    sketch k(1, {field_named("u")});
    k.s.fields[0].compute = scalar::f64;
    formula u = k.read(0).convert(scalar::f64);
    k.update(0, u * u + u.number(1e-9));
    const stencil s = k.done();
    interpreter_state state = make_state(s, {1, 1, 1});
    const double value = static_cast<double>(0.7F);
    state.levels[0][0].at(0) = value;
    interpret(s, state, {}, 1);
    CHECK(state.levels[0][0].at(0) == static_cast<double>(static_cast<float>(value * value + 1e-9)));
}
