#include "core/measure/initial_data.hpp"
#include "tests/catch.hpp"
#include "tests/measure/simulated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <sys/resource.h>
#include <thread>
#include <unistd.h>

using namespace gst;

namespace {

/// So many steps per call, all but the first one in place.
program several_in_place(int steps, const std::string& text) {
    program p = simulated::program(text);
    p.steps = steps;
    p.remainder = std::move(p.call);
    p.call.clear();
    for (int step = 0; step < steps; ++step) {
        launch l = std::get<launch>(p.remainder.front());
        std::get<field_argument>(l.arguments.at(0)).level = step == 0 ? 0 : steps;
        std::get<field_argument>(l.arguments.at(1)).level = steps;
        p.call.emplace_back(std::move(l));
    }
    return p;
}

measuring one_compiler() {
    measuring how = simulated::method();
    how.compilers = 1;
    return how;
}

std::vector<configuration> first_configurations(std::size_t count) {
    std::vector<configuration> all;
    for (std::size_t i = 0; i < count; ++i) {
        all.push_back(simulated::configuration(i));
    }
    return all;
}

/// Of so many configurations the first takes 1 ms, the next 2 ms …
workload one_ms_more_each(std::size_t count) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i) {
        texts.push_back(fmt::format("ms={}", i + 1));
    }
    return simulated::workload(texts);
}

} // namespace

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

TEST_CASE("compilers give way to the device worker") {
    device_evaluator evaluator(simulated::workload({"ms=2"}), simulated::backend(), simulated::device(),
                               one_compiler());
    CHECK(evaluator.measure(std::vector<configuration>{simulated::configuration(0)}).front().time == 2);
    const int own = ::getpriority(PRIO_PROCESS, 0);
    const auto priority = [](const std::string& role) {
        return ::getpriority(PRIO_PROCESS, static_cast<id_t>(simulated::workers_of(::getpid(), role).at(0)));
    };
    CHECK(priority("measure") == own);
    CHECK(priority("compile") == std::min(own + 5, 19));
}

TEST_CASE("one evaluator measures one workload after the other with the same processes") {
    device_evaluator evaluator(simulated::workload({"ms=2"}), simulated::backend(), simulated::device(),
                               one_compiler()); // another one would be started when there is work for it
    const std::vector<configuration> first{simulated::configuration(0)};
    CHECK(evaluator.measure(first).front().time == 2);
    const std::vector<int> before = simulated::workers_of(::getpid());
    const std::vector<configuration> both{simulated::configuration(0), simulated::configuration(1)};
    evaluator.change(simulated::workload({"fault=wrong; ms=1", "ms=3"}));
    const std::vector<measurement> got = evaluator.measure(both);
    CHECK(got[0].outcome == status::correctness);
    CHECK(got[1].time == 3);
    CHECK_FALSE(got[1].censored); // 2 ms were of the workload before
    CHECK(simulated::workers_of(::getpid()) == before);

    evaluator.change(simulated::workload({"fault=segfault; ms=1", "ms=4"})); // and a new worker where one dies
    const std::vector<measurement> after = evaluator.measure(both);
    CHECK(after[0].outcome == status::runtime);
    CHECK(after[1].time == 4);
    CHECK(simulated::workers_of(::getpid()) != before);
}

TEST_CASE("a program that needs more local memory than the device has is not compiled") {
    workload w = simulated::workload({"ms=2", "ms=1"});
    w.generate = [generate = w.generate](const configuration& c) {
        program p = generate(c);
        std::get<launch>(p.call.front()).local_bytes = c == simulated::configuration(0) ? 1001 : 1000;
        return p;
    };
    device_info device = simulated::device();
    device.local_bytes = 1000;
    device_evaluator evaluator(w, simulated::backend(), device, simulated::method());
    const std::vector<configuration> batch{simulated::configuration(0), simulated::configuration(1)};
    const std::vector<measurement> got = evaluator.measure(batch);
    CHECK(got[0].outcome == status::constraints);
    CHECK(got[0].message.find("needs 1001 bytes of local memory, the device has 1000") != std::string::npos);
    CHECK(got[0].cost.count("compile") == 0);
    CHECK(got[1].outcome == status::correct);
}

TEST_CASE("a program that needs more local memory once it is compiled is not run") {
    device_info device = simulated::device();
    device.local_bytes = 1000;
    device_evaluator evaluator(simulated::workload({"ms=2; local=1128", "ms=1; local=1000"}), simulated::backend(),
                               device, simulated::method());
    const std::vector<measurement> got =
        evaluator.measure(std::vector<configuration>{simulated::configuration(0), simulated::configuration(1)});
    CHECK(got[0].outcome == status::compile);
    CHECK(got[0].message == "the compiled program needs 1128 bytes of local memory, the device has 1000");
    CHECK(got[1].outcome == status::correct);
}

TEST_CASE("a program whose registers spill far is not run, unless those of the plain kernels do") {
    const auto measured = [](const std::string& plain) {
        workload w = simulated::workload({"ms=2; spill=4096", "ms=1; spill=4100"});
        w.reference.reference.modules.front().text += plain;
        device_evaluator evaluator(w, simulated::backend(), simulated::device(), simulated::method());
        return evaluator.measure(std::vector<configuration>{simulated::configuration(0), simulated::configuration(1)});
    };
    const std::vector<measurement> got = measured("");
    CHECK(got[0].outcome == status::correct);
    CHECK(got[1].outcome == status::compile);
    CHECK(got[1].message ==
          "registers of the program spill (4100 bytes of stores and loads): what spills more than 4096 is "
          "slow, and the assembler is not to be trusted with it");
    CHECK(got[1].metrics.at("spill_bytes") == 4100);
    CHECK(measured("; spill=9000")[1].time == 1);
    // Nor does what an earlier run has measured of such a program count.
    device_evaluator evaluator(simulated::workload({"ms=1"}), simulated::backend(), simulated::device(),
                               simulated::method());
    evaluator.prepare();
    measurement known = got[0];
    CHECK(evaluator.accepts(known));
    known.metrics["spill_bytes"] = 4100;
    CHECK_FALSE(evaluator.accepts(known));
    CHECK(evaluator.accepts(got[1])); // it is known to be refused
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

TEST_CASE("what is asked for does not wait for what was prefetched and never taken") {
    const std::vector<configuration> all = first_configurations(40);
    device_evaluator evaluator(one_ms_more_each(all.size()), simulated::backend(), simulated::device(), one_compiler());
    const std::span<const configuration> every(all);
    evaluator.prefetch(every.first(37));
    const std::span<const configuration> wanted = every.subspan(37, 2);
    evaluator.prefetch(wanted);
    const std::optional<std::size_t> place = evaluator.ready(wanted, 20);
    REQUIRE(place == 0U); // the first of them was begun first
    CHECK(evaluator.measure(wanted.first(1)).front().time == 38);
    CHECK(evaluator.ready(wanted.last(1), 20) == 0U);
    CHECK(evaluator.ready(every.last(1), 20) == 0U); // not even expected
    CHECK(evaluator.measure(every.last(1)).front().time == 40);
    CHECK(evaluator.measure(every.first(1)).front().time == 1);
}

TEST_CASE("another run has the compilers for itself") {
    const std::vector<configuration> all = first_configurations(40);
    std::atomic<int> generated = 0;
    workload w = one_ms_more_each(all.size());
    w.generate = [&, generate = w.generate](const configuration& c) {
        ++generated;
        return generate(c);
    };
    const auto generated_at_last = [&](int wanted) {
        for (int i = 0; i < 2000 && generated < wanted; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        return generated.load();
    };
    device_evaluator evaluator(w, simulated::backend(), simulated::device(), one_compiler());
    const std::span<const configuration> every(all);
    evaluator.prefetch(every);
    const int ahead = generated_at_last(6);
    CHECK(ahead == 6); // no more, as nothing is taken
    evaluator.begin_run();
    CHECK(generated_at_last(ahead) == ahead); // the others are expected no more
    evaluator.prefetch(every.last(6));
    CHECK(generated_at_last(ahead + 6) == ahead + 6); // those of the run before do not count as ahead
    CHECK(evaluator.ready(every.last(6), 20) == 0U);
    CHECK(evaluator.measure(every.first(1)).front().time == 1);
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

TEST_CASE("a program of several steps per call is verified with its remainder and timed per step") {
    const int steps = GENERATE(range(2, 14), 22, 24);
    CAPTURE(steps);
    device_evaluator evaluator(simulated::workload({"ms=1"}), simulated::backend(), simulated::device(),
                               simulated::method());
    const program right = several_in_place(steps, "ms=3");
    const measurement m = evaluator.measure_program(right);
    CHECK(m.outcome == status::correct);
    CHECK(m.time == 3);
    CHECK(m.times == std::vector<double>(5, 3.0));

    program without = right;
    without.remainder.clear();
    CHECK(evaluator.measure_program(without).outcome == status::correctness);
    program twice = right; // t+1 + 1
    launch again = std::get<launch>(right.remainder.front());
    std::get<field_argument>(again.arguments.at(0)).level = 1;
    twice.remainder.emplace_back(again);
    CHECK_THAT(evaluator.measure_program(twice).message, Catch::Matchers::StartsWith("1000 wrong points"));
    program half = right;
    half.call.pop_back();
    CHECK(evaluator.measure_program(half).outcome == status::correctness);
    CHECK(evaluator.measure_program(right).outcome == status::correct);
}

TEST_CASE("a program that wants a level without a buffer is refused") {
    device_evaluator evaluator(simulated::workload({"ms=1"}), simulated::backend(), simulated::device(),
                               simulated::method());
    program p = several_in_place(2, "ms=1");
    std::get<field_argument>(std::get<launch>(p.call[0]).arguments.at(1)).level = 1;
    const measurement m = evaluator.measure_program(p);
    CHECK(m.outcome == status::runtime);
    CHECK(m.message == "no buffer has level 1 of 2 steps");
}

TEST_CASE("references after several numbers of steps are kept as long as memory allows, and checked for damage") {
    const std::uint64_t references = GENERATE(0, 2, 100); // that a quarter of the memory holds
    device_info device = simulated::device();
    device.memory_bytes = references * 4 * (2 * 16384 * sizeof(float));
    device_evaluator evaluator(simulated::workload({"ms=1"}), simulated::backend(), device, simulated::method());
    for (const int steps : {2, 3, 2, 4, 3, 2}) {
        INFO(steps << " steps");
        CHECK(evaluator.measure_program(several_in_place(steps, "ms=1")).outcome == status::correct);
        CHECK(evaluator.measure_program(simulated::program("ms=1")).outcome == status::correct);
    }
    CHECK(evaluator.measure_program(several_in_place(3, "fault=damage; ms=1")).outcome == status::correctness);
    CHECK(evaluator.measure_program(several_in_place(2, "ms=1")).outcome == status::correct);
    CHECK(evaluator.measure_program(several_in_place(3, "fault=wrong; ms=1")).outcome == status::correctness);
    CHECK(evaluator.measure_program(several_in_place(4, "ms=1")).outcome == status::correct);
}

TEST_CASE("no reference is computed from data that a program has overwritten") {
    device_evaluator evaluator(simulated::workload({"ms=1"}), simulated::backend(), simulated::device(),
                               simulated::method());
    CHECK(evaluator.measure_program(simulated::program("fault=damage later; ms=1")).outcome == status::correct);
    const measurement wrong = evaluator.measure_program(several_in_place(2, "fault=wrong; ms=1"));
    CHECK(wrong.outcome == status::correctness);
    CHECK_THAT(wrong.message, Catch::Matchers::StartsWith("1000 wrong points"));
}

TEST_CASE("the level before is there after a step that ran by itself") {
    device_session session(simulated::backend(), simulated::device(), simulated::method().limits);
    compile_pool compilers(simulated::backend(), simulated::device(), simulated::method().limits, 1);
    const workload w = simulated::workload({"ms=1"});
    session.start(w.stencil, build(compilers, several_in_place(2, "ms=1")), {}, make_state(w.stencil, w.size));
    CHECK(session.advance(5) == 5);
    CHECK(session.read(0, 0).at(7) == 5);
    CHECK(session.read(0, 1).at(7) == 4);
    session.advance(2);
    CHECK(session.read(0, 0).at(7) == 7);
    CHECK_THROWS_MATCHES(session.read(0, 1), refused, Catch::Matchers::Message("no buffer has t-1"));
    session.advance(1);
    CHECK(session.read(0, 1).at(7) == 7);
    CHECK(session.advance(4001) == 4001);
    CHECK(session.read(0, 0).at(7) == 4009);
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

TEST_CASE("what is far slower than the best while it is verified is not timed again, and a wrong one is still wrong") {
    device_evaluator evaluator(simulated::workload({"ms=2", "ms=9", "fault=wrong; ms=9", "ms=5"}), simulated::backend(),
                               simulated::device(), simulated::method());
    const std::vector<configuration> batch{simulated::configuration(0), simulated::configuration(1),
                                           simulated::configuration(2), simulated::configuration(3)};
    const auto got = evaluator.measure(batch);
    CHECK(got[1].outcome == status::correct);
    CHECK(got[1].censored);
    CHECK(got[1].times == std::vector<double>{9});
    CHECK(got[1].cost.count("measure") == 0);
    CHECK(got[2].outcome == status::correctness);
    CHECK(got[3].censored); // less than twice as slow as what is given up: the compilers might have been the reason
    CHECK(got[3].cost.count("measure") == 1);

    measuring how = simulated::method();
    how.timing.method = "paper";
    device_evaluator four_runs(simulated::workload({"ms=2", "ms=9"}), simulated::backend(), simulated::device(), how);
    CHECK(four_runs.measure(std::vector{batch[0], batch[1]})[1].times == std::vector<double>(3, 9.0));
}
