#include "core/base/error.hpp"
#include "core/space/space.hpp"
#include "core/space/space_definition.hpp"
#include "tests/catch.hpp"
#include "tests/space/garvey.hpp"
#include "tests/space/peer_spaces.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace gst;

namespace {

constraint where(const std::string& text, const std::string& reason = "") {
    return {expression::parse(text), reason};
}

value integer(std::int64_t i) {
    return i;
}

std::vector<value> integers(std::int64_t low, std::int64_t high) {
    std::vector<value> all;
    for (std::int64_t i = low; i <= high; ++i) {
        all.emplace_back(i);
    }
    return all;
}

parameter choice(const std::string& name, const std::vector<std::string>& words) {
    return {name, {words.begin(), words.end()}, words.front(), role::load, -1, {}, "", {}};
}

parameter over(const std::string& name, std::vector<value> domain) {
    const value neutral = domain.front();
    return {name, std::move(domain), neutral, role::other, -1, {}, "", {}};
}

/// The restricted space of Garvey's experiments: one data loading technique,
/// vector widths only with `vector`.
space restricted_garvey(std::int64_t points) {
    std::vector<parameter> parameters{choice("load", {"global", "vector", "local", "image"})};
    std::vector<constraint> constraints;
    for (const std::string axis : {"X", "Y", "Z"}) {
        parameters.push_back(garvey::number("W" + axis, garvey::powers_of_two(points)));
        parameters.push_back(garvey::number("C" + axis, garvey::powers_of_two(points)));
        constraints.push_back(where("W" + axis + " * C" + axis + (axis == "X" ? " * VX" : "") + " <= N"));
    }
    parameters.push_back(garvey::number("VX", garvey::powers_of_two(16)));
    parameters.back().active = expression::parse("load == 'vector'");
    constraints.push_back(where("load != 'vector' or VX > 1"));
    return {std::move(parameters), std::move(constraints), {{"N", points}}};
}

std::string failure(const std::function<void()>& f) {
    try {
        f();
        return "no error";
    } catch (const user_error& e) {
        return render(e.diagnostics().front());
    }
}

} // namespace

TEST_CASE("a listed space has its configurations and no others") {
    // Every subset-like list of random rows, against the list itself.
    random_source rng(5);
    for (int round = 0; round < 30; ++round) {
        const std::vector<parameter> parameters{over("a", integers(1, 4)), choice("load", {"local", "global"}),
                                                over("c", integers(0, 9))};
        std::vector<configuration> rows;
        for (std::uint64_t r = rng.below(60); r > 0; --r) {
            rows.push_back({static_cast<std::uint16_t>(rng.below(4)), static_cast<std::uint16_t>(rng.below(2)),
                            static_cast<std::uint16_t>(rng.below(10))});
        }
        const space s = space::listed(parameters, rows, "it is not in the list");
        std::sort(rows.begin(), rows.end());
        rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
        REQUIRE(s.count() == rows.size());
        for (std::size_t r = 0; r < rows.size(); ++r) {
            REQUIRE(s.at(r) == rows[r]);
            REQUIRE(s.rank(rows[r]) == r);
        }
        std::size_t narrowed = 0;
        const space even =
            s.constrained({where("c % 2 == 0", "c is odd")}).restricted({{"a", {integer(2), integer(3)}}});
        for (std::uint16_t a = 0; a < 4; ++a) {
            for (std::uint16_t b = 0; b < 2; ++b) {
                for (std::uint16_t c = 0; c < 10; ++c) {
                    const configuration one{a, b, c};
                    const bool there = std::binary_search(rows.begin(), rows.end(), one);
                    REQUIRE(s.contains(one) == there);
                    const std::vector<std::string> reasons = s.violations(one);
                    REQUIRE(reasons ==
                            (there ? std::vector<std::string>{} : std::vector<std::string>{"it is not in the list"}));
                    const bool left = there && c % 2 == 0 && (a == 1 || a == 2);
                    REQUIRE(even.contains(one) == left);
                    REQUIRE(even.violations(one).empty() == left);
                    narrowed += left ? 1 : 0;
                    for (const configuration& n : s.neighbours(one)) {
                        REQUIRE(std::binary_search(rows.begin(), rows.end(), n));
                    }
                }
            }
        }
        CHECK(even.count() == narrowed);
    }
}

TEST_CASE("a listed space shares equal rests and may be a list of one") {
    const parameter a = over("a", integers(0, 299));
    std::vector<configuration> all;
    for (std::uint16_t i = 0; i < 300; ++i) {
        for (std::uint16_t j = 0; j < 300; ++j) {
            all.push_back({i, j, static_cast<std::uint16_t>(i % 3)});
        }
    }
    std::vector<std::vector<std::uint16_t>> rows(all.begin(), all.end());
    CHECK(listed_diagram(3, rows).nodes() == 1 + 3 + 3);
    const space one = space::listed({a}, {{7}, {7}}, "");
    CHECK(one.count() == 1);
    CHECK(one.at(0) == configuration{7});
    CHECK(failure([&] { space::listed({a, a}, {}, ""); }) == "error: there are two parameters 'a'");
}

TEST_CASE("Garvey's spaces have the sizes of the thesis") {
    CHECK(garvey::full(256).count() == 50094000);
    const space s = restricted_garvey(256);
    CHECK(s.count() == 475875);
    CHECK(s.constrained({where("WX * WY * WZ <= 1024")}).count() == 368490);
    CHECK(s.constrained({where("WX >= 16 and WY <= 32 and WZ <= 32")}).count() == 98865);
    CHECK(s.restricted({{"load", {std::string("vector")}}}).count() == 100 * 45 * 45);
}

TEST_CASE("a constraint given at once or afterwards leaves the same configurations") {
    const constraint device = where("WX * WY * WZ <= 1024");
    const space at_once = garvey::full(64, {device});
    const space afterwards = garvey::full(64).constrained({device});
    CHECK(at_once.count() == afterwards.count());
    random_source rng(7);
    for (int i = 0; i < 1000; ++i) {
        REQUIRE(at_once.contains(afterwards.sample(rng)));
        REQUIRE(afterwards.contains(at_once.sample(rng)));
    }
}

TEST_CASE("samples are uniform by chi-square") {
    const space s({over("a", integers(0, 9)), over("b", integers(0, 9)), over("c", integers(0, 4))},
                  {where("a + b <= 9"), where("c * a <= 12")});
    random_source rng(11);
    const double expected = 200;
    std::vector<double> seen(s.count());
    for (std::uint64_t i = 0; i < s.count() * 200; ++i) {
        ++seen[*s.rank(s.sample(rng))];
    }
    double chi_square = 0;
    for (const double n : seen) {
        chi_square += (n - expected) * (n - expected) / expected;
    }
    // Five standard deviations of the chi-square distribution.
    const double freedom = static_cast<double>(s.count() - 1);
    INFO(s.count() << " configurations");
    CHECK(std::abs(chi_square - freedom) < 5 * std::sqrt(2 * freedom));
}

TEST_CASE("a count beyond 2^64 - 1 is an error, and narrower sub-spaces are "
          "counted") {
    std::vector<parameter> parameters;
    for (int i = 0; i < 20; ++i) {
        parameters.push_back(over("p" + std::to_string(i), integers(1, 10)));
    }
    const space s(parameters, {});
    CHECK(s.cartesian() == 1e20L);
    CHECK(failure([&] { (void)s.count(); }) == "error: the search space has more than 2^64 - 1 configurations\n  "
                                               "narrow the domains of its parameters");
    CHECK(s.contains(configuration(20, 3)));
    CHECK(s.neighbours(configuration(20, 3)).size() == 180);
    CHECK(s.restricted({{"p0", {integer(1)}}}).count() == 10000000000000000000U);
    CHECK(s.constrained({where("p0 == 1 and p1 == 2")}).count() == 1000000000000000000U);
}

TEST_CASE("a constraint sees every value of a space of more than 2^64 - 1") {
    std::vector<parameter> parameters{over("a", integers(1, 4))};
    for (int i = 0; i < 63; ++i) {
        parameters.push_back(over("b" + std::to_string(i), integers(0, 1)));
    }
    const space s(parameters, {where("a >= 4")}); // of 2^65, where a's third value comes behind 2^64
    CHECK(s.count() == std::uint64_t{1} << 63);
    CHECK(space(parameters, {}).constrained({where("a == 3")}).count() == std::uint64_t{1} << 63);
}

TEST_CASE("what cannot be is an empty space, not an error") {
    const space nothing({}, {where("1 > 2")});
    CHECK(nothing.count() == 0);
    CHECK(nothing.restricted({}).count() == 0);
    CHECK(nothing.constrained({where("1 < 2")}).count() == 0);
    CHECK(space({}, {}).count() == 1);
    CHECK(listed_diagram(0, {}).count == 0);
    const space s({over("a", integers(1, 4))}, {where("1 > 2")});
    CHECK(s.count() == 0);
    CHECK_FALSE(s.contains({0}));
    CHECK(s.neighbours({0}).empty());
    const space t({over("a", integers(1, 4))}, {});
    CHECK(t.restricted({{"a", {integer(9)}}}).count() == 0);
    CHECK(t.restricted({{"a", {integer(9)}}}).constrained({where("a > 0")}).count() == 0);
    CHECK(space({}, {}).count() == 1);
}

TEST_CASE("inactive parameters are neutral, and violations say so") {
    const space s = restricted_garvey(256);
    const auto c = s.find({{"load", std::string("vector")}, {"VX", integer(4)}, {"WX", integer(32)}});
    REQUIRE(c.has_value());
    CHECK(s.to_string(*c) == "load=vector WX=32 CX=1 WY=1 CY=1 WZ=1 CZ=1 VX=4");
    configuration off = *c;
    off[0] = 0;
    CHECK_FALSE(s.contains(off));
    CHECK(s.violations(off) == std::vector<std::string>{"VX has no effect here and must be 1"});
    CHECK(s.find({{"load", std::string("vector")}}) == std::nullopt);
}

TEST_CASE("violations give the reasons of constraints, their text where there "
          "is none, and what has no value") {
    const space s({over("a", integers(0, 4)), over("b", integers(0, 4))},
                  {where("a + b <= 4", "too much in all"), where("a != 3"), where("8 % b == 0")});
    CHECK(s.violations({4, 4}) == std::vector<std::string>{"too much in all"});
    CHECK(s.violations({3, 2}) == std::vector<std::string>{"too much in all", "'a != 3' does not hold"});
    CHECK(s.violations({0, 0}) == std::vector<std::string>{"'8 % b == 0' does not hold: division by zero"});
    CHECK(s.restricted({{"a", {integer(1)}}}).violations({0, 1}) ==
          std::vector<std::string>{"a is restricted to other values than 0"});
}

TEST_CASE("parameters go by their aliases too") {
    parameter p = over("TBx", garvey::powers_of_two(8));
    p.aliases = {"WX"};
    const space s({p}, {where("WX >= 2")});
    CHECK(s.count() == 3);
    CHECK(s.find({{"WX", integer(4)}}) == configuration{2});
    CHECK(s.restricted({{"WX", {integer(2), integer(8)}}}).count() == 2);
}

TEST_CASE("the constraint that empties a space is found, alone or with those before it") {
    const space s({over("a", {integer(1), integer(2), integer(4)}), over("b", {integer(1), integer(2)})}, {});
    const auto found = [&](const std::vector<std::string>& conditions, const space& in) {
        std::vector<constraint> all;
        for (const std::string& c : conditions) {
            all.push_back(where(c));
        }
        const auto by = what_empties(in, all, {{"limit", integer(4)}});
        return by ? std::to_string(by->which) + (by->alone ? " alone" : " together") : "none";
    };
    CHECK(found({}, s) == "none");
    CHECK(found({"a <= limit", "a * b <= limit"}, s) == "none");
    CHECK(found({"a > 1", "b > 2", "a > limit"}, s) == "1 alone");
    CHECK(found({"a * b > limit", "a < 4", "b > 2"}, s) == "2 alone");
    CHECK(found({"a * b > limit", "b > 1", "a < 4", "a > 1"}, s) == "2 together");
    CHECK(found({"a > 4"}, s.constrained({where("b > 2")})) == "none"); // it is empty already
}

TEST_CASE("integers are exact up to 2^53") {
    const std::int64_t most = 9007199254740992;
    const space s({over("a", {integer(most - 1), integer(most)}), over("b", {integer(2), integer(3)})},
                  {where("a // b * b == a")});
    CHECK(s.count() == 1);
}

TEST_CASE("a product that may pass 2^53 is compared with a smaller number before it is known") {
    constexpr std::size_t factors = 11;
    constexpr std::int64_t most = 40; // of the factors but the first one; 40^10 passes 2^53
    constexpr std::size_t limit = 60;
    std::vector<parameter> parameters;
    std::string product;
    for (std::size_t i = 0; i < factors; ++i) {
        parameters.push_back(over("p" + std::to_string(i), i == 0 ? integers(0, 1) : integers(1, most)));
        product += (i == 0 ? "p" : i == 3 ? " * (p" : " * p") + std::to_string(i);
    }
    product += ")";
    std::vector<std::uint64_t> with_product(limit + 1); // where the first factor is 1
    with_product[1] = 1;
    std::uint64_t others = 1; // combinations of those
    for (std::size_t i = 1; i < factors; ++i) {
        std::vector<std::uint64_t> next(limit + 1);
        for (std::size_t p = 1; p <= limit; ++p) {
            for (std::size_t factor = 1; factor <= most && p * factor <= limit; ++factor) {
                next[p * factor] += with_product[p];
            }
        }
        with_product = next;
        others *= most;
    }
    const std::uint64_t small = std::accumulate(with_product.begin(), with_product.end(), std::uint64_t{0});
    const auto count = [&](const std::string& condition) {
        space_definition definition = checked_parameters(parameters, {});
        diagram_limits limits;
        limits.nodes = 2000; // all products would be more than this behind three factors
        return ordered_diagram(definition, {where(condition)}, {}, limits).count;
    };
    CHECK(count(product + " <= 60") == others + small);
    CHECK(count("61 > " + product) == others + small);
    CHECK(count("2 * (" + product + ") < 121") == others + small);
    CHECK(count("not 60 < " + product) == others + small);
    CHECK(count(product + " > 60") == others - small);
    CHECK(count("60 == " + product) == with_product[60]);
    CHECK(count(product + " == 0") == others);
    // What the limit above refuses where no bounds are known: not a whole number.
    CHECK(failure([&] { (void)count(product + " <= 60.5"); }).find("is too large") != std::string::npos);
}

TEST_CASE("a factor 0 comes before what its product would be infinite without") {
    std::string product = "0";
    for (int i = 0; i < 20; ++i) {
        product += " * 2**a"; // up to 2^1060
    }
    CHECK(space({over("a", {integer(1), integer(53)})}, {where(product + " < 1")}).count() == 2);
}

TEST_CASE("mistakes in the definition of a space are the user's") {
    const parameter a = over("WX", integers(1, 4));
    const auto made = [&](std::vector<parameter> p, std::vector<constraint> c, std::map<std::string, value> k = {}) {
        return failure([&] { space(std::move(p), std::move(c), std::move(k)); });
    };
    CHECK(made({a}, {where("WX <= 4 * WZ")}, {{"N", integer(5)}}) ==
          "expression:1:11: error: unknown name 'WZ' – did you mean 'WX'?\n  WX "
          "<= 4 * WZ\n            ^~\n"
          "  the names are WX and N");
    CHECK(made({choice("load", {"a", "b"})}, {where("load > 3")}) ==
          "expression:1:1: error: a text is compared with a number here\n  load "
          "> 3\n  ^~~~\n  they are never equal");
    CHECK(made({over("a", {integer(9007199254740993)})}, {}) ==
          "error: the value 9007199254740993 of 'a' is beyond 2^53");

    CHECK(made({a, a}, {}) == "error: there are two parameters 'WX'");
    CHECK(made({a}, {}, {{"WX", integer(1)}}) == "error: 'WX' is both a parameter and a constant");
}

TEST_CASE("a diagram over its limit names the constraint that fills it") {
    std::vector<parameter> parameters;
    for (const std::string name : {"a", "b", "c", "d"}) {
        parameters.push_back(over(name, integers(1, 40)));
    }
    const std::vector<constraint> constraints{where("a <= b"), where("(a * a + b * b * b + c * c) % 97 == d")};
    const std::string message = failure([&] {
        space_definition definition = checked_parameters(parameters, {});
        diagram_limits limits;
        limits.nodes = 500;
        (void)ordered_diagram(definition, constraints, {}, limits);
    });
    CHECK(message.find("expression:1:1: error: the diagram of this search space "
                       "is too large\n"
                       "  (a * a + b * b * b + c * c) % 97 == d\n") == 0);
}

TEST_CASE("the benchmark spaces of other tuners have as many configurations as published") {
    for (const peer_spaces::definition& d : peer_spaces::all()) {
        INFO(d.name);
        const space s = peer_spaces::make(d);
        CHECK(s.cartesian() == d.cartesian);
        CHECK(s.count() == d.valid);
    }
}
