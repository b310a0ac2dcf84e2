#include "core/stencil/canonical.hpp"
#include "core/stencil/interpreter.hpp"
#include "tests/catch.hpp"
#include "tests/dsl/random_stencil.hpp"
#include "tests/dsl/stencils_of.hpp"

using namespace gst;

namespace {

void check_round_trip(const stencil& s) {
    const std::string text = to_dsl(s);
    INFO(text);
    const auto again = stencils_of(text);
    REQUIRE(again.size() == 1);
    INFO(dump(s) << "\n" << dump(again[0]));
    CHECK((again[0] == s));
}

} // namespace

TEST_CASE("every example is printed as a text that compiles to the same stencil") {
    REQUIRE(example_files().size() >= 8);
    for (const auto& path : example_files()) {
        for (const scalar type : {scalar::f32, scalar::f64, scalar::f16}) {
            dsl::options options;
            options.type = type;
            for (const stencil& s : stencils_of(text_of(path), options)) {
                check_round_trip(s);
            }
        }
    }
}

TEST_CASE("random stencils are printed as texts that compile to the same stencils") {
    for (std::uint64_t seed = 1; seed <= 400; ++seed) {
        INFO("seed " << seed);
        check_round_trip(random_stencil(seed));
    }
}

TEST_CASE("the error companions of the examples survive printing") {
    for (const auto& path : example_files()) {
        INFO(path.string());
        for (const stencil& s : stencils_of(text_of(path))) {
            check_round_trip(canonical(with_error_bounds(s).program));
        }
    }
}

TEST_CASE("deep and shared expressions are printed in linear space") {
    std::string text;
    std::string before = "u";
    for (int i = 0; i < 200; ++i) { // 2^200 terms when written out
        const std::string name = "a" + std::to_string(i);
        text += "let " + name + " = " + before + " * (1 + 0.5 * " + before + "[x+0])\n";
        before = name;
    }
    const stencil s = in_3d(text + "u[t+1] = " + before);
    CHECK(to_dsl(s).size() < 20000);
    check_round_trip(s);
}

TEST_CASE("a long sum is printed flat") {
    const stencil s = in_3d("u[t+1] = sum(o in box(4)) { u[o] }");
    CHECK(to_dsl(s).find("let") == std::string::npos);
    check_round_trip(s);
}

TEST_CASE("the canonical form drops what no update needs and orders the rest") {
    stencil s = in_3d("u[t+1] = u + 1");
    stencil_builder build(s);
    stencil shuffled = s;
    shuffled.nodes.clear();
    stencil_builder other(shuffled);
    other.number(7, scalar::f32);
    const node_id one = other.number(1, scalar::f32);
    shuffled.updates[0].value = other.binary(ir::binary_op::add, other.read(0, 0, {}), one);
    CHECK((shuffled == s) == false);
    CHECK((canonical(shuffled) == s));
}
