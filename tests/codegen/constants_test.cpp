#include "core/base/random.hpp"
#include "core/codegen/generate.hpp"
#include "core/codegen/presets.hpp"
#include "tests/catch.hpp"
#include "tests/codegen/streaming_case.hpp"
#include "tests/dsl/stencils_of.hpp"
#include "tests/first_seed.hpp"

#include <fmt/format.h>

#include <set>
#include <string>
#include <variant>
#include <vector>

using namespace gst;
using namespace gst::testing;

namespace {

bool is_load(const nest::value& v) {
    return std::holds_alternative<nest::load>(v->op);
}

stencil box(const char* type) {
    return stencil_of(fmt::format("stencil box(x, y) {{\nfield u: {}\nconst w = random(9)\n"
                                  "u[t+1] = sum(o in box(1)) {{ w[o] * u[o] }}\n}}\n",
                                  type));
}

/// Its parameter CN.
parameter numbers_of(const stencil& s) {
    const space all = make_space("full", s, {64, 64, 1});
    return all.parameters()[all.index_of("CN")];
}

/// Numbers of a program's constant memory, in order.
std::vector<double> in_constant_memory(const stencil& s, int most) {
    schedule how;
    how.constant = true;
    how.most_constants = most;
    for (const std::vector<nest::kernel>& module : lower(s, {64, 64, 1}, padded_rows, how).modules) {
        for (const nest::kernel& k : module) {
            if (!k.constants.empty()) {
                return k.constants.front().elements;
            }
        }
    }
    return {};
}

} // namespace

TEST_CASE("the first numbers of a type lie in constant memory, the others are literals") {
    nest::kernel k;
    k.name = "k";
    CHECK(is_load(nest::constant_element(k, 0.1, nest::type::f64, 2)));
    CHECK(is_load(nest::constant_element(k, 0.2, nest::type::f64, 2)));
    CHECK_FALSE(is_load(nest::constant_element(k, 0.3, nest::type::f64, 2)));
    CHECK(is_load(nest::constant_element(k, 0.1, nest::type::f64, 2)));
    CHECK(is_load(nest::constant_element(k, 0.3, nest::type::f32, 2)));
    REQUIRE(k.constants.size() == 2);
    CHECK(k.constants[0].elements == std::vector<double>{0.1, 0.2});
    CHECK(k.constants[1].elements == std::vector<double>{0.3});
    CHECK(is_load(nest::constant_element(k, 0.4, nest::type::f64, 0)));
    CHECK_FALSE(is_load(nest::constant_element(k, 0.375, nest::type::f64, 0))); // instructions hold it
    CHECK(is_load(nest::constant_element(k, 0.375, nest::type::f32, 0)));

    const stencil s = box("f64");
    const std::vector<double> all = in_constant_memory(s, 0);
    REQUIRE(all.size() == 9);
    CHECK(in_constant_memory(s, 4) == std::vector<double>(all.begin(), all.begin() + 4));
    CHECK(in_constant_memory(s, 9) == all);
}

TEST_CASE("how many numbers lie in constant memory is a parameter where f64 has more than that") {
    CHECK(numbers_of(box("f64")).domain == std::vector<value>{std::int64_t{0}, std::int64_t{8}});
    const parameter none = numbers_of(box("f32"));
    CHECK(none.domain == std::vector<value>{std::int64_t{0}});
    CHECK(none.meaning.ends_with(
        "(inactive: no update has more than 8 numbers of type f64 that instructions do not hold)"));

    const space all = make_space("full", box("f64"), {64, 64, 1});
    random_source rng(first_seed());
    for (const bool constant : {true, false}) {
        const space some = all.restricted({{"useConstant", {constant}}, {"CN", {std::int64_t{0}, std::int64_t{8}}}});
        std::set<int> met;
        for (int n = 0; n < 40; ++n) {
            const schedule how = schedule_of(some, some.sample(rng), {});
            met.insert(how.most_constants);
            const bool said = to_string(how).find(", up to 8 numbers from constant memory") != std::string::npos;
            CHECK(said == (how.most_constants == 8));
        }
        CHECK(met == (constant ? std::set<int>{0, 8} : std::set<int>{0}));
    }
}

TEST_CASE("numbers from constant memory beside literals", "[device][stream]") {
    test_device on = open_test_device();
    int most = 1; // of 27
    for (const char* kind : {"fixed", "periodic", "clamp"}) {
        for (const char* type : {"f32", "f64"}) {
            for (const bool sums : {false, true}) {
                program_case c = streaming_case(
                    fmt::format("stencil box(x, y, z) {{\nfield u: {} {{ all: {} }}\nconst w = random(27)\n"
                                "u[t+1] = sum(o in box(1)) {{ w[o] * u[o] }}\n}}\n",
                                type, kind),
                    {21, 14, 9}, 2);
                c.how.work_group = {4, 4, 1};
                c.how.retiming = sums;
                c.how.constant = true;
                c.how.most_constants = most;
                most += 2;
                CAPTURE(kind, type, sums, c.how.most_constants);
                check_case(on, c);
            }
        }
    }
}
