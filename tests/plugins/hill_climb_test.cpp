#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"

#include <algorithm>

using namespace gst;
using namespace gst::test;

namespace {

const std::map<std::string, value> one_climb{{"restart", false}};

/// What was measured, as "a=1 b=2" each.
std::vector<std::string> shown(const tuned& t, const space& where) {
    std::vector<std::string> out;
    for (const configuration& c : t.measured) {
        std::string line;
        for (const auto& [name, v] : where.describe(c)) {
            line += (line.empty() ? "" : " ") + name + "=" + to_string(v);
        }
        out.push_back(line);
    }
    return out;
}

using lines = std::vector<std::string>;

} // namespace

TEST_CASE("the climb of the paper: raise each, move to the best even if it is slower, to the maximum of all") {
    const space where = with({numbers("a", {1, 2, 4}), numbers("b", {1, 2, 4})});
    const double times[3][3] = {{10, 7, 6}, {8, 9, 6.5}, {9, 3, 5}}; // [a][b]
    const timing time = [&](const configuration& c) { return std::optional(times[c[0]][c[1]]); };
    const tuned t = run({"hill_climb", one_climb}, where, time);
    CHECK(shown(t, where) == lines{"a=1 b=1",            // the start
                                   "a=2 b=1", "a=1 b=2", // 8 and 7: b is raised
                                   "a=2 b=2", "a=1 b=4", // 9 and 6: b again, and it drops out
                                   "a=2 b=4",            // 6.5, slower, and the only raise
                                   "a=4 b=4"});          // 5: the maximum of all
    CHECK(t.batches == std::vector<std::size_t>{1, 2, 2, 1, 1});
    REQUIRE(t.best);
    CHECK(t.best->what.time == 5);
    CHECK(t.trace == lines{"climb from " + where.to_string(t.measured[0]), "every parameter is at its maximum"});
}

TEST_CASE("new climbs from random points use the rest of the budget") {
    const space where = with({numbers("a", {1, 2, 4}), numbers("b", {1, 2, 4})});
    const double times[3][3] = {{10, 7, 6}, {8, 9, 6.5}, {9, 3, 5}};
    const timing time = [&](const configuration& c) { return std::optional(times[c[0]][c[1]]); };
    const tuned t = run({"hill_climb"}, where, time);
    CHECK(t.measured.size() == 9);
    CHECK(t.best->what.time == 3);
}

TEST_CASE("a raise that is not valid goes to the next higher valid value") {
    const space where = with({numbers("a", {1, 2, 4, 8})}, {"a != 2"});
    CHECK(shown(run({"hill_climb", one_climb}, where, sum_of), where) == lines{"a=1", "a=4", "a=8"});
}

TEST_CASE("a raise that needs another parameter takes it along, as little as it needs") {
    parameter load;
    load.name = "load";
    load.domain = {std::string("global"), std::string("vector"), std::string("local")};
    load.neutral = std::string("global");
    const space where = with({load, numbers("VX", {1, 2, 4})}, {"(load == 'vector') == (VX > 1)"});
    const timing time = [&](const configuration& c) { return std::optional(c[0] == 1 ? 4.0 - c[1] : 9.0); };
    CHECK(shown(run({"hill_climb", one_climb}, where, time), where) ==
          lines{"load=global VX=1", "load=vector VX=2", "load=vector VX=4"});
}

TEST_CASE("where all-minimum is not valid the climb starts at the first configuration, lowered") {
    const space where = with({numbers("a", {1, 2, 4}), numbers("b", {1, 2, 4})}, {"a * b >= 4"});
    const tuned t = run({"hill_climb", one_climb}, where, sum_of);
    const configuration start = t.measured.at(0);
    for (std::size_t k = 0; k < start.size(); ++k) {
        for (std::uint16_t lower = 0; lower < start[k]; ++lower) {
            configuration c = start;
            c[k] = lower;
            CHECK_FALSE(where.contains(c));
        }
    }
}

TEST_CASE("inactive parameters stay neutral until a raise makes them active") {
    parameter streaming;
    streaming.name = "stream";
    streaming.domain = {false, true};
    streaming.neutral = false;
    parameter blocks = numbers("blocks", {1, 2, 4});
    blocks.neutral = std::int64_t{2};
    blocks.active = expression::parse("stream");
    const space where = with({blocks, streaming});
    REQUIRE(where.count() == 4);
    CHECK(shown(run({"hill_climb", one_climb}, where, sum_of), where) ==
          lines{"blocks=2 stream=false", "blocks=2 stream=true", "blocks=4 stream=true"});
}

TEST_CASE("a raise makes others inactive, however many values the condition is about") {
    std::vector<std::int64_t> many;
    for (std::int64_t v = 0; v < 65; ++v) {
        many.push_back(v);
    }
    parameter last = numbers("last", {1, 2});
    last.neutral = std::int64_t{1};
    last.active = expression::parse("a + b + c < 64");
    const space where = with({numbers("a", many), numbers("b", many), numbers("c", many), last});
    const auto c_is_best = [](const configuration& c) { return 1000.0 - 100.0 * c[3] - 10.0 * c[2] + c[0] + c[1]; };
    const lines measured = shown(run({"hill_climb", one_climb}, where, c_is_best), where);
    CHECK(std::ranges::count(measured, "a=0 b=0 c=63 last=2") == 1);
    CHECK(std::ranges::count(measured, "a=0 b=0 c=64 last=1") == 1);
}

TEST_CASE("a climb ends where no raise runs, and the next one starts elsewhere") {
    const space where = with({numbers("a", {1, 2, 4}), numbers("b", {1, 2, 4})});
    const timing time = [](const configuration& c) { // only all-minimum runs, and what has a at its maximum
        return c[0] == 2 || c[0] + c[1] == 0 ? std::optional(5.0 - c[1]) : std::nullopt;
    };
    const tuned alone = run({"hill_climb", one_climb}, where, time);
    CHECK(shown(alone, where) == lines{"a=1 b=1", "a=2 b=1", "a=1 b=2"});
    CHECK(alone.trace.back() == "no raise ran");
    CHECK(run({"hill_climb"}, where, time).best->what.time == 3);
}
