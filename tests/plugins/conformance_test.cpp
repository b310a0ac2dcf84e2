// What holds for every strategy: those of this build, and the plugins that GST_TEST_STRATEGIES names (files separated
// by ':'), on synthetic spaces.

#include "core/base/error.hpp"
#include "core/store/recording/interchange.hpp"
#include "core/tune/replay.hpp"
#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

using namespace gst;
using namespace gst::test;

namespace {

/// Strategies that end of themselves before a space is measured whole, by their paper.
const std::set<std::string> ending{"an5d", "artemis", "grouped", "oracle"};
/// Strategies with nothing random in them.
const std::set<std::string> fixed{"exhaustive"};

std::vector<std::string> strategies() {
    std::vector<std::string> all;
    for (const plugin_listing& l : list_plugins()) {
        if (l.kind == "search") {
            all.push_back(l.name);
        }
    }
    const char* more = std::getenv("GST_TEST_STRATEGIES");
    std::istringstream files(more ? more : "");
    for (std::string file; std::getline(files, file, ':');) {
        all.push_back(file);
    }
    return all;
}

/// `digits` parameters of ten values each, those of a kernel: work-group sizes, merge factors, a choice …
space kernel(int digits) {
    constexpr role purposes[] = {role::load,         role::thread_block, role::thread_block, role::thread_block,
                                 role::cyclic_merge, role::cyclic_merge, role::unroll,       role::streaming};
    constexpr int dimensions[] = {0, 0, 1, 2, 0, 1, 0, -1};
    std::vector<parameter> parameters;
    for (int i = 0; i < digits; ++i) {
        parameters.push_back(numbers("d" + std::to_string(i), {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
        parameters.back().purpose = purposes[i % 8];
        parameters.back().dimension = dimensions[i % 8];
    }
    return with(std::move(parameters));
}

/// Constraints, a choice in words, and parameters that are inactive with some of the choices: 133 configurations.
space awkward() {
    parameter d0{"d0",
                 {std::string("global"), std::string("local"), std::string("image")},
                 std::string("global"),
                 role::load,
                 -1,
                 {},
                 "",
                 {}};
    parameter a = numbers("a", {1, 2, 4, 8});
    a.purpose = role::thread_block;
    a.dimension = 0;
    parameter b = numbers("b", {1, 2, 4, 8});
    b.purpose = role::thread_block;
    b.dimension = 1;
    parameter c = numbers("c", {1, 2, 3});
    c.active = expression::parse("d0 != 'global'");
    c.purpose = role::cyclic_merge;
    c.dimension = 0;
    parameter e{"e", {false, true}, false, role::streaming, -1, expression::parse("c > 1"), "", {}};
    return with({d0, a, b, c, e}, {"a * b <= 16", "d0 != 'image' or a > 1", "c != 2 or a > 1"});
}

std::map<std::string, value> options_of(const std::string& name) {
    if (name == "oracle") {
        return {{"parameter", std::string("d0")}, {"strategy", std::string("random")}};
    }
    if (name == "grouped") { // the others speak of TBx
        return {{"specification", std::string("by_dimension")}};
    }
    if (name == "external") {
        return {{"program", std::string(GST_SOURCE_DIR "/examples/external/local_search.py")}};
    }
    return {};
}

double one(const configuration&) {
    return 1;
}

tuning how(const std::string& name, std::uint64_t budget = 0, std::uint64_t seed = 1, std::uint64_t compilers = 0) {
    return {name, options_of(name), seed, budget, 0, 0, one, compilers};
}

/// What must hold of any run.
void check_run(const tuned& t, const space& where) {
    CHECK(std::set<configuration>(t.measured.begin(), t.measured.end()).size() == t.measured.size());
    CHECK(std::all_of(t.measured.begin(), t.measured.end(), [&](const configuration& c) { return where.contains(c); }));
}

} // namespace

TEST_CASE("without a budget a strategy ends, having measured valid configurations, each once", "[conformance]") {
    for (const std::string& name : strategies()) {
        for (const space& where : {kernel(0), kernel(1), kernel(2), awkward()}) {
            if (name == "oracle" && where.parameters().empty()) {
                continue; // it has no parameter to go through
            }
            for (const std::uint64_t compilers : {0, 1, 3}) {
                INFO(name << " on " << where.count() << " with " << compilers << " compilers");
                const tuned t = run(how(name, 0, 1, compilers), where, sum_of);
                check_run(t, where);
                CHECK(!t.measured.empty());
                if (!ending.contains(name)) {
                    CHECK(t.measured.size() == where.count());
                }
            }
        }
    }
}

TEST_CASE("a strategy stops when its evaluations are spent, in a space of 10^12 as well", "[conformance]") {
    const space where = kernel(12);
    for (const std::string& name : strategies()) {
        for (const std::uint64_t budget : {1, 2, 50, 300}) {
            for (const std::uint64_t compilers : {0, 1, 3}) {
                INFO(name << " with " << budget << " and " << compilers << " compilers");
                const tuned t = run(how(name, budget, 1, compilers), where, sum_of);
                check_run(t, where);
                CHECK(t.measured.size() <= budget);
                CHECK(!t.measured.empty());
                if (!ending.contains(name)) {
                    CHECK(t.measured.size() == budget);
                }
            }
        }
    }
}

TEST_CASE("a strategy stops when its time is spent, and when it is interrupted", "[conformance]") {
    const space where = kernel(12);
    for (const std::string& name : strategies()) {
        INFO(name);
        tuning timed = how(name);
        timed.seconds = 40;
        const tuned late = run(timed, where, sum_of);
        check_run(late, where);
        CHECK(late.measured.size() <= 40);
        tuning stopped = how(name);
        stopped.interrupted_after = 7;
        const tuned cut = run(stopped, where, sum_of);
        check_run(cut, where);
        CHECK(cut.measured.size() <= 7);
        if (!ending.contains(name)) {
            CHECK(late.measured.size() == 40);
            CHECK(cut.measured.size() == 7);
        }
    }
}

TEST_CASE("a strategy goes on when every measurement fails, and ends", "[conformance]") {
    for (const std::string& name : strategies()) {
        INFO(name);
        for (const std::uint64_t compilers : {0, 1, 3}) {
            const tuned small = run(how(name, 0, 1, compilers), kernel(2), never);
            check_run(small, kernel(2));
            CHECK_FALSE(small.best);
            const tuned large = run(how(name, 70, 1, compilers), kernel(12), never);
            check_run(large, kernel(12));
            if (!ending.contains(name)) {
                CHECK(small.measured.size() == 100);
                CHECK(large.measured.size() == 70);
            }
        }
    }
}

TEST_CASE("a strategy copes with some measurements failing", "[conformance]") {
    const auto fails = [](const configuration& c) { return (c[0] + c[1] + c[3]) % 3 == 0 ? std::nullopt : sum_of(c); };
    for (const std::string& name : strategies()) {
        INFO(name);
        const tuned t = run(how(name, 200), kernel(6), fails);
        check_run(t, kernel(6));
        CHECK(t.best);
    }
}

TEST_CASE("a strategy measures nothing in an empty space", "[conformance]") {
    parameter d0 = numbers("d0", {1, 2});
    for (const std::string& name : strategies()) {
        INFO(name);
        CHECK(run(how(name), with({d0}, {"d0 > 2"}), sum_of).measured.empty());
    }
}

TEST_CASE("the same seed gives the same run, another seed another", "[conformance]") {
    const space where = kernel(6);
    for (const std::string& name : strategies()) {
        INFO(name);
        const auto measured = [&](std::uint64_t seed) { return run(how(name, 300, seed), where, sum_of).measured; };
        CHECK((measured(7) == measured(7)));
        if (!fixed.contains(name) && !ending.contains(name)) {
            CHECK((measured(7) != measured(8)));
        }
    }
}

TEST_CASE("a strategy searches a recording", "[conformance]") {
    recording kernel = read_recording(GST_SOURCE_DIR "/examples/replay/convolution_A100.csv.gz", "convolution_A100");
    assign_role(kernel, "block_size_x", role::thread_block, 0);
    assign_role(kernel, "block_size_y", role::thread_block, 1);
    assign_role(kernel, "tile_size_x", role::cyclic_merge, 0);
    assign_role(kernel, "tile_size_y", role::cyclic_merge, 1);
    assign_role(kernel, "use_shmem", role::load, -1);
    const auto device = std::make_shared<const recorded_device>(std::move(kernel));
    for (const std::string& name : strategies()) {
        INFO(name);
        tuning how_to = how(name, 80, 3);
        if (name == "oracle") {
            how_to.options["parameter"] = std::string("use_shmem");
        }
        const auto recorded_run = [&] {
            replay_evaluator replay(device);
            return run(how_to, device->space, [&](const configuration& c) {
                const measurement m = replay.measure(std::vector<configuration>{c}).front();
                return m.outcome == status::correct ? std::optional(m.time) : std::nullopt;
            });
        };
        const tuned t = recorded_run();
        check_run(t, device->space);
        CHECK(t.best);
        CHECK((recorded_run().measured == t.measured));
        if (!ending.contains(name)) {
            CHECK(t.measured.size() == 80);
        }
    }
}

TEST_CASE("what the measurements throw ends a strategy and reaches the caller", "[conformance]") {
    for (const std::string& name : strategies()) {
        INFO(name);
        int left = 3;
        const auto lost = [&](const configuration& c) {
            if (left-- == 0) {
                throw machine_error("the device is lost");
            }
            return sum_of(c);
        };
        CHECK_THROWS_AS(run(how(name), kernel(4), lost), machine_error);
    }
}

TEST_CASE("no two strategies are one algorithm under two names", "[conformance]") {
    std::map<std::vector<configuration>, std::string> seen;
    for (const std::string& name : strategies()) {
        const auto [found, fresh] = seen.emplace(run(how(name, 60), kernel(6), sum_of).measured, name);
        INFO(name << " and " << found->second);
        CHECK(fresh);
    }
}
