#include "core/stencil/least_value.hpp"
#include "tests/catch.hpp"
#include "tests/stencil/formula.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>

using namespace gst;
using namespace gst::testing;

namespace {
std::string broken(const stencil& s) {
    try {
        verify(s);
    } catch (const std::logic_error& e) {
        return e.what();
    }
    return "";
}

stencil three_points() {
    sketch k(1, {field_named("u")});
    formula left = k.read(0, {-1, 0, 0});
    formula right = k.read(0, {2, 0, 0});
    formula sum = left + right;
    k.update(0, sum - 0.5 * k.read(0));
    return k.done();
}
} // namespace

TEST_CASE("types have names and sizes") {
    for (scalar s : {scalar::boolean, scalar::i32, scalar::f16, scalar::f32, scalar::f64}) {
        CHECK(scalar_named(name_of(s)) == s);
    }
    CHECK(scalar_named("float") == std::nullopt);
    CHECK(size_of(scalar::f16) == 2);
    CHECK(size_of(scalar::i32) == 4);
    CHECK(size_of(scalar::f64) == 8);
    CHECK(epsilon_of(scalar::f32) == std::numeric_limits<float>::epsilon());
    CHECK(epsilon_of(scalar::f64) == std::numeric_limits<double>::epsilon());
    CHECK(name_of(boundary_kind::mirror) == "mirror");
}

TEST_CASE("equal nodes are one node, and literals are told apart bit by bit") {
    stencil s;
    stencil_builder b(s);
    const node_id zero = b.number(0.0, scalar::f32);
    const double nan = std::nan("");
    CHECK(b.number(0.0, scalar::f32) == zero);
    CHECK(b.number(-0.0, scalar::f32) != zero);
    CHECK(b.number(0.0, scalar::f64) != zero);
    CHECK(b.number(nan, scalar::f32) == b.number(nan, scalar::f32));
    CHECK(b.binary(ir::binary_op::add, zero, zero) == b.binary(ir::binary_op::add, zero, zero));
    CHECK(b.binary(ir::binary_op::add, zero, zero) != b.binary(ir::binary_op::multiply, zero, zero));
    CHECK(b.convert(zero, scalar::f32) == zero);
}

TEST_CASE("a builder knows the nodes that were there before it") {
    stencil s = three_points();
    const std::size_t before = s.nodes.size();
    stencil_builder b(s);
    b.read(0, 0, {2, 0, 0});
    b.number(0.5, scalar::f32);
    CHECK(s.nodes.size() == before);
}

TEST_CASE("the builder derives types and refuses operands that do not fit") {
    stencil s;
    stencil_builder b(s);
    const node_id x = b.number(1, scalar::f32);
    const node_id i = b.number(1, scalar::i32);
    const node_id less = b.binary(ir::binary_op::less, x, x);
    CHECK(s.nodes[less].type == scalar::boolean);
    CHECK(s.nodes[b.binary(ir::binary_op::remainder, i, i)].type == scalar::i32);
    CHECK(s.nodes[b.call(ir::function::absolute, i)].type == scalar::i32);
    CHECK_THROWS_AS(b.binary(ir::binary_op::add, x, i), std::logic_error);
    CHECK_THROWS_AS(b.binary(ir::binary_op::add, less, less), std::logic_error);
    CHECK_THROWS_AS(b.binary(ir::binary_op::power, i, i), std::logic_error);
    CHECK_THROWS_AS(b.call(ir::function::sine, i), std::logic_error);
    CHECK_THROWS_AS(b.unary(ir::unary_op::negate, less), std::logic_error);
    CHECK_THROWS_AS(b.select(x, x, x), std::logic_error);
    CHECK_THROWS_AS(b.convert(x, scalar::boolean), std::logic_error);
}

TEST_CASE("reach and history follow from the reads that updates need") {
    sketch k(2, {field_named("u"), field_named("v"), field_named("w")});
    k.read(0, {9, 9, 0}); // dead
    k.update(0, k.read(0, {-3, 1, 0}) + k.read(0, {0, 0, 0}, -2));
    k.update(1, k.read(0, {0, 4, 0}, 1) + k.read(1));
    infer_reach(k.s);
    CHECK(k.s.fields[0].halo == offset3{3, 4, 0});
    CHECK(k.s.fields[0].history == 2);
    CHECK(k.s.fields[0].levels() == 4);
    CHECK(k.s.fields[1].halo == offset3{0, 0, 0});
    CHECK(k.s.fields[1].history == 0);
    CHECK(reach_of(k.s) == offset3{3, 4, 0});
}

TEST_CASE("reachable nodes come in ascending order") {
    const stencil s = three_points();
    const node_id root = s.updates[0].value;
    CHECK(reachable(s, root).size() == s.nodes.size());
    CHECK(reachable(s, 2) == std::vector<node_id>{0, 1, 2});
}

TEST_CASE("values that are never below a number are known, NaN aside") {
    sketch k(1, {field_named("u", scalar::f64), field_named("v", scalar::f32)});
    const formula u = k.read(0), w = k.read(0, {1, 0, 0}), one = u.number(1);
    const double unknown = -std::numeric_limits<double>::infinity();
    const auto larger = [](formula a, formula b) { return a.with(ir::binary_op::maximum, b); };
    const auto smaller = [](formula a, formula b) { return a.with(ir::binary_op::minimum, b); };
    const std::vector<std::pair<formula, double>> cases{
        {u, unknown},
        {u * w, unknown},
        {u * u, 0},
        {one + u * u, 1},
        {one - u * u, unknown},
        {(one + u * u) * (one + w * w), 1},
        {(one + u * u) * w, unknown},
        {(one + u * u) / (one + w * w), unknown}, // not looked at
        {u.call(ir::function::absolute) + w.call(ir::function::exponential) + 2.0 * one, 2},
        {u.call(ir::function::square_root), 0},
        {u.call(ir::function::sine), unknown},
        {larger(u, one) + one, 2},
        {larger(u, u.number(-3)), -3},
        {larger(u, u.number(-3)) + one, unknown}, // may cancel but for what was rounded
        {larger(u * u, one + w * w), 0},          // one + w * w may be a NaN
        {smaller(one + u * u, w * w), 0},
        {smaller(one + u * u, w), unknown},
        {u.with(ir::binary_op::less, w).choose(one, one + u * u), 1},
        {u.with(ir::binary_op::less, w).choose(one, u), unknown},
        {k.read(1) * k.read(1), unknown}, // f32 may round to less
        {(k.read(1) * k.read(1)).convert(scalar::f64), unknown},
    };
    const std::vector<double> least = least_values(k.s);
    for (std::size_t i = 0; i < cases.size(); ++i) {
        INFO(i);
        CHECK(least[cases[i].first.id] == cases[i].second);
    }
}

TEST_CASE("the verifier names the invariant that is broken") {
    const stencil good = three_points();
    CHECK(broken(good).empty());
    stencil s = good;
    s.fields[0].halo = {1, 0, 0};
    CHECK(broken(s) == "stencil: node 1 reads beyond the halo");
    s = good;
    s.nodes[2].type = scalar::f64;
    CHECK(broken(s) == "stencil: node 2 has a wrong type");
    s = good;
    s.nodes.push_back(s.nodes[0]);
    CHECK(broken(s) == "stencil: node " + std::to_string(s.nodes.size() - 1) + " is there twice");
    s = good;
    std::get<ir::binary>(s.nodes[2].op).b = 2;
    CHECK(broken(s) == "stencil: node 2 comes before its operand");
    s = good;
    s.updates.push_back(s.updates[0]);
    CHECK(broken(s) == "stencil: field u is a coefficient or updated twice");
    s = good;
    s.updates.clear();
    CHECK(broken(s) == "stencil: field u is neither updated nor a coefficient");
    s = good;
    std::get<ir::read>(s.nodes[0].op).level = 1;
    CHECK(broken(s) == "stencil: u reads a new value that is not computed yet");
    s = good;
    std::get<ir::read>(s.nodes[0].op).level = -1;
    CHECK(broken(s) == "stencil: node 0 reads a time level that is not kept");
    s = good;
    s.fields[0].compute = scalar::f16;
    CHECK(broken(s) == "stencil: field u is stored as f32 but computed in f16");
    s = good;
    s.nodes[s.updates[0].value] = {ir::number{0.5}, scalar::i32};
    CHECK(broken(s).ends_with("is a fraction or too large for i32"));
}
