#include "core/base/error.hpp"
#include "core/space/space.hpp"
#include "tests/catch.hpp"
#include "tests/space/random_space.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

using namespace gst;

namespace {

std::uint64_t seed() {
    const char* given = std::getenv("GST_TEST_SEED");
    return given ? std::strtoull(given, nullptr, 10) : 20240607;
}

std::string shown(const random_space::definition& d) {
    std::string text;
    for (const parameter& p : d.parameters) {
        text += p.name + " in";
        for (const value& v : p.domain) {
            text += " " + to_string(v);
        }
        text += ", neutral " + to_string(p.neutral) + (p.active ? " unless " + p.active->text() : "") + "\n";
    }
    for (const constraint& c : d.constraints) {
        text += c.condition.text() + "\n";
    }
    return text + "N = " + to_string(d.constants.at("N"));
}

std::vector<configuration> listed(const space& s) {
    std::vector<configuration> all;
    for (std::uint64_t i = 0; i < s.count(); ++i) {
        all.push_back(s.at(i));
        REQUIRE(s.rank(all.back()) == i);
    }
    return all;
}

/// The space holds exactly these configurations; returns how many.
std::size_t check(const space& s, const std::set<configuration>& expected, const std::vector<configuration>& all) {
    REQUIRE(s.count() == expected.size());
    const std::vector<configuration> found = listed(s);
    REQUIRE(std::set<configuration>(found.begin(), found.end()) == expected);
    for (const configuration& c : all) {
        const bool valid = expected.contains(c);
        REQUIRE(s.contains(c) == valid);
        REQUIRE(s.rank(c).has_value() == valid);
        REQUIRE(s.violations(c).empty() == valid);
        REQUIRE(s.find(s.describe(c)).has_value() == valid);
    }
    return expected.size();
}

std::set<configuration> valid_ones(const random_space::definition& d, const std::vector<configuration>& all) {
    std::set<configuration> valid;
    std::copy_if(all.begin(), all.end(), std::inserter(valid, valid.end()),
                 [&](const configuration& c) { return random_space::valid(d, c); });
    return valid;
}

/// What space::nearest says it minimises.
std::size_t steps(const std::vector<parameter>& parameters, const configuration& a, const configuration& b) {
    std::size_t sum = 0;
    for (std::size_t p = 0; p < a.size(); ++p) {
        const auto far = static_cast<std::size_t>(std::abs(int(a[p]) - int(b[p])));
        sum += is_ordered(parameters[p]) ? far : std::min<std::size_t>(far, 1);
    }
    return sum;
}

} // namespace

TEST_CASE("count, ranks, membership and neighbours of random spaces are those of brute force") {
    random_source rng(seed());
    std::size_t neither_empty_nor_full = 0; // about a third
    for (int round = 0; neither_empty_nor_full < 1000; ++round) {
        REQUIRE(round < 10000);
        const random_space::definition d = random_space::any(rng);
        INFO("seed " << seed() << ", round " << round << "\n" << shown(d));
        const std::vector<configuration> all = random_space::cartesian(d.parameters);
        const std::set<configuration> expected = valid_ones(d, all);
        const space s(d.parameters, d.constraints, d.constants);
        check(s, expected, all);
        neither_empty_nor_full += !expected.empty() && expected.size() < all.size() ? 1 : 0;

        const configuration& c = all[rng.below(all.size())];
        std::vector<configuration> neighbours;
        for (std::size_t p = 0; p < c.size(); ++p) {
            for (std::size_t v = 0; v < d.parameters[p].domain.size(); ++v) {
                configuration other = c;
                other[p] = static_cast<std::uint16_t>(v);
                if (other != c && expected.contains(other)) {
                    neighbours.push_back(other);
                }
            }
        }
        REQUIRE(s.neighbours(c) == neighbours);
    }
}

TEST_CASE("products about 2^53 and beyond are compared as by brute force") {
    random_source rng(seed() + 5);
    const auto one_of = [&](const auto& all) { return all[rng.below(std::size(all))]; };
    const std::int64_t numbers[] = {
        0, 1, 2, 3, 7, 1 << 20, 1 << 26, 1 << 30, (1 << 30) - 1, 1 << 27, (1 << 26) + 1, 9007199254740991};
    const std::int64_t limits[] = {
        0, 1, 5, 1 << 20, 4503599627370496, 4503599627370497, 9007199254740991, 1 << 30, 18014398509};
    std::size_t neither_empty_nor_full = 0;
    for (int round = 0; neither_empty_nor_full < 300; ++round) {
        REQUIRE(round < 10000);
        random_space::definition d;
        d.constants["N"] = value(one_of(limits));
        const std::size_t factors = 3 + rng.below(3);
        std::string product = one_of(std::vector<std::string>{"", "2 * ", "3 * ", "N * "});
        for (std::size_t i = 0; i < factors; ++i) {
            std::set<std::int64_t> domain;
            while (domain.size() < 4) {
                domain.insert(one_of(numbers));
            }
            if (rng.below(8) == 0) {
                domain.insert(-2);
            }
            const std::string name(1, static_cast<char>('a' + i));
            d.parameters.push_back(
                {name, {domain.begin(), domain.end()}, *domain.begin(), role::other, -1, {}, "", {}});
            const std::string factor = one_of(std::vector<std::string>{name, name, name, "(" + name + " + 1)",
                                                                       "(2 * (" + name + " - 1))", "a // " + name});
            const bool nested = i > 0 && i + 1 < factors && rng.below(3) == 0;
            product += (i == 0 ? "" : " * ") + factor + (nested ? " * (a * " + name + ")" : "");
        }
        const std::string limit =
            one_of(std::vector<std::string>{"N", std::to_string(one_of(limits)), "9007199254740992"});
        const std::string compared = one_of(std::vector<std::string>{" <= ", " < ", " == ", " != ", " > ", " >= "});
        const std::string condition = rng.below(2) == 0 ? product + compared + limit : limit + compared + product;
        const std::string text = one_of(std::vector<std::string>{condition, "not (" + condition + ")",
                                                                 "b == 3 or " + condition, "c > 1 and " + condition});
        d.constraints.push_back({expression::parse(text), ""});
        INFO("seed " << seed() + 5 << ", round " << round << "\n" << shown(d));
        const std::vector<configuration> all = random_space::cartesian(d.parameters);
        const std::set<configuration> expected = valid_ones(d, all);
        check(space(d.parameters, d.constraints, d.constants), expected, all);
        neither_empty_nor_full += !expected.empty() && expected.size() < all.size() ? 1 : 0;
    }
}

TEST_CASE("no valid configuration of a random space is nearer than the nearest") {
    random_source rng(seed() + 3);
    std::size_t moved = 0;
    for (int round = 0; moved < 1000; ++round) {
        REQUIRE(round < 10000);
        const random_space::definition d = random_space::any(rng);
        INFO("seed " << seed() + 3 << ", round " << round << "\n" << shown(d));
        const std::vector<configuration> all = random_space::cartesian(d.parameters);
        const std::set<configuration> valid = valid_ones(d, all);
        const space s(d.parameters, d.constraints, d.constants);
        const configuration& c = all[rng.below(all.size())];
        if (valid.empty()) {
            REQUIRE_THROWS_AS(s.nearest(c), std::logic_error);
            continue;
        }
        std::size_t least = c.size() * 100;
        for (const configuration& other : valid) {
            least = std::min(least, steps(d.parameters, c, other));
        }
        const configuration found = s.nearest(c);
        REQUIRE(valid.contains(found));
        REQUIRE(steps(d.parameters, c, found) == least);
        moved += least > 0 ? 1 : 0;
    }
}

TEST_CASE("random spaces without some combinations are those of brute force") {
    random_source rng(seed() + 4);
    std::size_t part = 0; // about a third
    for (int round = 0; part < 500; ++round) {
        REQUIRE(round < 10000);
        const random_space::definition d = random_space::any(rng);
        space s(d.parameters, d.constraints, d.constants);
        const std::vector<configuration> all = random_space::cartesian(d.parameters);
        std::set<configuration> expected = valid_ones(d, all);
        const std::size_t before = expected.size();
        for (int step = 0; step < 2; ++step) {
            std::vector<std::size_t> among;
            for (std::size_t p = 0; p < d.parameters.size(); ++p) {
                among.insert(among.begin() + static_cast<std::ptrdiff_t>(rng.below(among.size() + 1)), p);
            }
            among.resize(1 + rng.below(among.size()));
            const auto part_of = [&](const configuration& c) {
                configuration out;
                for (const std::size_t p : among) {
                    out.push_back(c[p]);
                }
                return out;
            };
            std::vector<configuration> combinations;
            for (std::uint64_t n = rng.below(6); n > 0; --n) {
                combinations.push_back(part_of(all[rng.below(all.size())]));
            }
            s = s.without(among, combinations, "it is unwanted");
            std::erase_if(expected, [&](const configuration& c) {
                return std::ranges::find(combinations, part_of(c)) != combinations.end();
            });
            INFO("seed " << seed() + 4 << ", round " << round << "\n" << shown(d));
            check(s, expected, all);
        }
        part += !expected.empty() && expected.size() < before ? 1 : 0;
    }
}

TEST_CASE("parts of random spaces, restricted, constrained and around a point, are those of brute force") {
    random_source rng(seed() + 1);
    std::size_t not_empty = 0; // about one a round
    for (int round = 0; not_empty < 1000; ++round) {
        REQUIRE(round < 10000);
        random_space::definition d = random_space::any(rng);
        space s(d.parameters, d.constraints, d.constants);
        const std::vector<configuration> all = random_space::cartesian(d.parameters);
        std::set<configuration> expected = valid_ones(d, all);
        for (int step = 0; step < 3; ++step) {
            const std::uint64_t kind = rng.below(5);
            if (kind < 2) {
                const std::vector<constraint> more = random_space::constraints(rng, d.parameters);
                d.constraints.insert(d.constraints.end(), more.begin(), more.end());
                INFO("seed " << seed() + 1 << ", round " << round << "\n" << shown(d));
                s = s.constrained(more, d.constants);
                std::erase_if(expected, [&](const configuration& c) { return !random_space::valid(d, c); });
                not_empty += check(s, expected, all) > 0 ? 1 : 0;
            } else if (kind == 2) {
                const configuration& centre = all[rng.below(all.size())];
                std::vector<bool> free(centre.size());
                for (std::size_t p = 0; p < free.size(); ++p) {
                    free[p] = rng.below(3) > 0;
                }
                INFO("seed " << seed() + 1 << ", round " << round << "\n" << shown(d));
                s = s.around(centre, free);
                std::erase_if(expected, [&](const configuration& c) {
                    bool differs = false;
                    for (std::size_t p = 0; p < free.size(); ++p) {
                        differs = differs || (!free[p] && c[p] != centre[p]);
                    }
                    return differs;
                });
                not_empty += check(s, expected, all) > 0 ? 1 : 0;
            } else {
                const std::size_t p = rng.below(d.parameters.size());
                std::vector<value> values{std::int64_t{77}};
                std::set<std::uint16_t> positions;
                for (std::size_t v = 0; v < d.parameters[p].domain.size(); ++v) {
                    if (rng.below(3) > 0) {
                        values.push_back(d.parameters[p].domain[v]);
                        positions.insert(static_cast<std::uint16_t>(v));
                    }
                }
                INFO("seed " << seed() + 1 << ", round " << round << "\n" << shown(d));
                s = s.restricted({{d.parameters[p].name, values}});
                std::erase_if(expected, [&](const configuration& c) { return !positions.contains(c[p]); });
                not_empty += check(s, expected, all) > 0 ? 1 : 0;
            }
        }
    }
}

TEST_CASE("equal definitions have equal orders") {
    random_source rng(seed() + 2);
    for (int round = 0; round < 100; ++round) {
        const random_space::definition d = random_space::any(rng);
        const space a(d.parameters, d.constraints, d.constants);
        const space b(d.parameters, d.constraints, d.constants);
        REQUIRE(listed(a) == listed(b));
    }
}
