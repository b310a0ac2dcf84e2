#include "core/measure/initial_data.hpp"
#include "tests/catch.hpp"
#include "tests/measure/simulated.hpp"

#include <fmt/format.h>

using namespace gst;

TEST_CASE("a measurement holds the times, what the compiler and the device told, and where the time went") {
    device_evaluator evaluator(simulated::workload({"ms=2"}), simulated::backend(), simulated::device(),
                               simulated::method());
    const measurement m = evaluator.measure(std::vector<configuration>{simulated::configuration(0)}).front();
    CHECK(m.outcome == status::correct);
    CHECK(m.time == 2);
    CHECK(m.times == std::vector<double>(5, 2.0));
    CHECK_FALSE(m.censored);
    CHECK(m.metrics.at("registers") == 7);
    CHECK(m.metrics.at("spill_bytes") == 3);
    for (const char* stage : {"generate", "compile", "wait", "setup", "verify", "measure"}) {
        INFO(stage);
        CHECK(m.cost.count(stage) == 1);
    }
}

TEST_CASE("the device's state right after the timing is told, and one that cannot be spoils nothing") {
    device_evaluator evaluator(simulated::workload({"ms=66", "ms=2"}), simulated::backend(), simulated::device(),
                               simulated::method());
    const std::vector<configuration> batch{simulated::configuration(0), simulated::configuration(1)};
    const std::vector<measurement> got = evaluator.measure(batch);
    CHECK(got[0].outcome == status::correct);
    CHECK(got[0].metrics.count("clock_mhz") == 0);
    CHECK(got[1].outcome == status::correct);
    CHECK(got[1].metrics.at("clock_mhz") == 500);
}

TEST_CASE("the first wrong point is told with what was got and expected") {
    device_evaluator evaluator(simulated::workload({"fault=wrong; ms=1"}), simulated::backend(), simulated::device(),
                               simulated::method());
    const measurement m = evaluator.measure(std::vector<configuration>{simulated::configuration(0)}).front();
    CHECK(m.outcome == status::correctness);
    const field u{"u", scalar::f32, scalar::f32, false, {}, 0, {}};
    const double initial = initial_value(u, {1000, 1, 1}, {0, 0, 0}, {1}, 0, {0, 0, 0});
    CHECK(m.message == fmt::format("1000 wrong points; the first: u at (0, 0, 0) is {:.8g} instead of {:.8g} ± 6e-06",
                                   initial + 6, initial + 3)); // three steps, each adding 2 instead of 1
}

TEST_CASE("after a first run clearly worse than the best a program is given up") {
    device_evaluator evaluator(simulated::workload({"ms=2", "ms=5", "ms=3"}), simulated::backend(), simulated::device(),
                               simulated::method());
    const std::vector<configuration> batch{simulated::configuration(0), simulated::configuration(1),
                                           simulated::configuration(2)};
    const auto got = evaluator.measure(batch);
    CHECK_FALSE(got[0].censored);
    CHECK(got[1].censored);
    CHECK(got[1].outcome == status::correct);
    CHECK(got[1].times == std::vector<double>{5});
    CHECK_FALSE(got[2].censored);
    CHECK_FALSE(evaluator.remeasure(batch[1]).censored);
}

TEST_CASE("a best time from elsewhere counts") {
    device_evaluator evaluator(simulated::workload({"ms=5"}), simulated::backend(), simulated::device(),
                               simulated::method());
    evaluator.best_known(2);
    CHECK(evaluator.measure(std::vector<configuration>{simulated::configuration(0)}).front().censored);
}

TEST_CASE("method paper: four runs, mean of the last three") {
    measuring how = simulated::method();
    how.timing.method = "paper";
    device_evaluator evaluator(simulated::workload({"ms=4"}), simulated::backend(), simulated::device(), how);
    const measurement m = evaluator.measure(std::vector<configuration>{simulated::configuration(0)}).front();
    CHECK(m.times == std::vector<double>(3, 4.0));
    CHECK(m.time == 4);
}

TEST_CASE("each measurement is told as it happens, and the rest of a batch is left when asked") {
    std::vector<configuration> told;
    device_evaluator::hooks hooks;
    hooks.stop = [&] { return told.size() == 2; };
    hooks.measured = [&](const configuration& c, const measurement& m) {
        told.push_back(c);
        CHECK(m.outcome == status::correct);
    };
    device_evaluator evaluator(simulated::workload({"ms=1", "ms=2", "ms=3", "ms=4"}), simulated::backend(),
                               simulated::device(), simulated::method(), hooks);
    std::vector<configuration> batch;
    for (std::size_t i = 0; i < 4; ++i) {
        batch.push_back(simulated::configuration(i));
    }
    const auto got = evaluator.measure(batch);
    CHECK(told == std::vector<configuration>(batch.begin(), batch.begin() + 2));
    CHECK(got[1].outcome == status::correct);
    CHECK(got[2].outcome == status::not_run);
    CHECK(got[3].outcome == status::not_run);
}

TEST_CASE("many configurations, prefetched or not, each get their own time") {
    std::vector<std::string> texts;
    std::vector<configuration> batch;
    for (std::size_t i = 0; i < 200; ++i) {
        texts.push_back("ms=" + std::to_string(10 + i % 7) + "; program " + std::to_string(i));
        batch.push_back(simulated::configuration(i));
    }
    device_evaluator evaluator(simulated::workload(texts), simulated::backend(), simulated::device(),
                               simulated::method());
    evaluator.prefetch(std::vector<configuration>(batch.rbegin(), batch.rend()));
    const auto got = evaluator.measure(batch);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        CHECK(got[i].time == static_cast<double>(10 + i % 7));
    }
}

TEST_CASE("a program runs on the values that it is given") {
    device_session session(simulated::backend(), simulated::device(), simulated::method().limits);
    compile_pool compilers(simulated::backend(), simulated::device(), simulated::method().limits, 1);
    const workload w = simulated::workload({"ms=1"});
    interpreter_state state = make_state(w.stencil, w.size);
    for (std::int64_t x = 0; x < 1000; ++x) {
        state.levels[0][0].at(x) = static_cast<double>(x);
    }
    const auto after = session.execute(w.stencil, build(compilers, simulated::program("ms=1")), {}, state, 1001);
    CHECK(after.step == 1001);
    for (std::int64_t x = 0; x < 1000; ++x) {
        REQUIRE(after.levels[0][0].at(x) == static_cast<double>(x + 1001));
    }
}

TEST_CASE("the copy bandwidth is that of the best way") {
    device_session session(simulated::backend(), simulated::device(), simulated::method().limits);
    compile_pool compilers(simulated::backend(), simulated::device(), simulated::method().limits, 1);
    copy_benchmark ways;
    ways.module = {"ms=0.5", ""};
    ways.kernels = {launch{"copy", {1, 1, 1}, {1, 1, 1}, {0, 0, 0}, {extra_argument{0}, extra_argument{1}}}};
    const auto module = compilers.compile(ways.module).get();
    const bandwidth_report r = session.bandwidth(1 << 20, ways, module);
    CHECK(r.way == "copy");
    CHECK(r.gigabytes_per_second == Approx(2.0 * (1 << 20) / 0.5e6));
}
