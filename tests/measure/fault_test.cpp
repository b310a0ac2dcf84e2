#include "core/measure/list_devices.hpp"
#include "tests/catch.hpp"
#include "tests/measure/simulated.hpp"
#include "tests/temporary_folder.hpp"

#include <chrono>
#include <csignal>
#include <regex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace gst;

namespace {

/// No worker of ours is left, dead or alive, and nothing that one of them started.
void check_that_nothing_is_left() {
    CHECK(simulated::workers_of(::getpid()).empty());
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
    CHECK(errno == ECHILD);
}

/// The simulated method with deadlines that are not reached, however busy the machine is.
measuring unhurried() {
    measuring how = simulated::method();
    how.limits.compile_seconds = how.limits.configuration_seconds = 600;
    return how;
}

struct expected {
    std::string fault;
    status outcome;
    std::string message;
};

/// Measures a slow program, the one with the fault, and a fast one.
void check_fault(const expected& e) {
    INFO(e.fault);
    {
        device_evaluator evaluator(simulated::workload({"ms=1.5", "fault=" + e.fault + ";", "ms=1"}),
                                   simulated::backend(), simulated::device(), simulated::method());
        const std::vector<configuration> batch{simulated::configuration(0), simulated::configuration(1),
                                               simulated::configuration(2)};
        const std::vector<measurement> got = evaluator.measure(batch);
        REQUIRE(got.size() == 3);
        CHECK(got[0].outcome == status::correct);
        CHECK(got[0].time == 1.5);
        CHECK(name_of(got[1].outcome) == name_of(e.outcome));
        // The device's deadline grows with the time of the plain kernel, which a busy machine takes long for.
        const std::string message =
            std::regex_replace(got[1].message, std::regex("the device worker did not answer within [0-9.]+ s"),
                               "the device worker did not answer within N s");
        CHECK(message == e.message);
        CHECK(got[1].time == 0);
        CHECK(got[2].outcome == status::correct);
        CHECK(got[2].time == 1);
        CHECK(evaluator.remeasure(batch[0]).time == 1.5);
    }
    check_that_nothing_is_left();
}

} // namespace

TEST_CASE("a fault of the device worker costs one configuration") {
    const auto e = GENERATE(values<expected>({
        {"segfault", status::runtime, "the device worker was ended by signal SIGSEGV"},
        {"load segfault", status::runtime, "the device worker was ended by signal SIGSEGV"},
        {"abort", status::runtime, "the device worker was ended by signal SIGABRT"},
        {"exit", status::runtime, "the device worker exited with code 3; it printed:\nso long"},
        {"hang", status::timeout, "the device worker did not answer within N s and was ended"},
        {"stubborn", status::timeout, "the device worker did not answer within N s and was ended"},
        {"garbage", status::runtime, "the device worker answered nonsense: the bytes are no frame"},
        {"nonsense", status::runtime, "the device worker answered nonsense: a frame's body is damaged"},
        {"close", status::runtime, "the device worker closed the connection and was ended"},
        {"child", status::runtime, "the device worker was ended by signal SIGSEGV"},
        {"throw", status::runtime, "the backend plugin 'fault' failed to run a program: no such luck"},
        {"throw 42", status::runtime,
         "the backend plugin 'fault' failed to run a program: it threw something that is no std::exception"},
        {"lose device", status::runtime,
         "the backend plugin 'fault' failed to run a program: an illegal address was accessed"},
    }));
    check_fault(e);
}

TEST_CASE("a device worker that takes memory without end is ended") {
    device_evaluator evaluator(simulated::workload({"ms=2", "fault=memory;"}), simulated::backend(),
                               simulated::device(), unhurried());
    const std::vector<configuration> batch{simulated::configuration(1), simulated::configuration(0)};
    const std::vector<measurement> got = evaluator.measure(batch);
    CHECK(got[0].outcome == status::runtime);
    CHECK_THAT(got[0].message, Catch::Matchers::StartsWith("the device worker took more than ") &&
                                   Catch::Matchers::EndsWith(" MiB of memory and was ended"));
    CHECK(got[1].outcome == status::correct);
}

TEST_CASE("a fault of the compiler costs one configuration") {
    const auto e = GENERATE(values<expected>({
        {"compile error", status::compile, "line 1: error: this is no program"},
        {"compile segfault", status::compile, "the compiler was ended by signal SIGSEGV"},
        {"compile abort", status::compile, "the compiler was ended by signal SIGABRT"},
        {"compile exit", status::compile, "the compiler exited with code 3; it printed:\nso long"},
        {"compile hang", status::timeout, "the compiler did not answer within 1 s and was ended"},
        {"compile stubborn", status::timeout, "the compiler did not answer within 1 s and was ended"},
        {"compile garbage", status::compile, "the compiler answered nonsense: the bytes are no frame"},
        {"compile close", status::compile, "the compiler closed the connection and was ended"},
        {"compile child", status::compile, "the compiler was ended by signal SIGSEGV"},
        {"compile throw", status::compile, "the backend plugin 'fault' failed to compile: no such luck"},
    }));
    check_fault(e);
}

TEST_CASE("a compiler that fails is told apart from one that refuses a module") {
    compile_pool compilers(simulated::backend(), simulated::device(), unhurried().limits, 1);
    for (const auto& [text, failed] : {std::pair{"fault=compile error;", false},
                                       {"fault=compile throw;", false},
                                       {"fault=compile abort;", true},
                                       {"fault=compile memory;", true},
                                       {"ms=1", false}}) {
        INFO(text);
        CHECK(compilers.compile({text, ""}).get()->compiler_failed == failed);
    }
}

TEST_CASE("what fails where the machine is short of something is compiled again by new compilers") {
    const temporary_folder folder;
    compile_pool compilers(simulated::backend(), simulated::device(), unhurried().limits, 1);
    const auto compile = [&](int failures) {
        const auto file = folder.write(std::to_string(failures), std::string(static_cast<std::size_t>(failures), 'x'));
        return compilers.compile({"fault=compile scarce " + file.string() + ";", ""}).get();
    };
    CHECK(compile(0)->outcome == status::correct);
    CHECK(compile(2)->outcome == status::correct);
    const auto refused = compile(3);
    CHECK(refused->outcome == status::compile);
    CHECK(refused->message == "the backend plugin 'fault' failed to compile: memory is short");
}

TEST_CASE("a compiler that takes memory without end is ended") {
    device_evaluator evaluator(simulated::workload({"ms=2", "fault=compile memory;"}), simulated::backend(),
                               simulated::device(), unhurried());
    const std::vector<configuration> batch{simulated::configuration(1), simulated::configuration(0)};
    const std::vector<measurement> got = evaluator.measure(batch);
    CHECK(got[0].outcome == status::compile);
    CHECK_THAT(got[0].message, Catch::Matchers::StartsWith("the compiler took more than ") &&
                                   Catch::Matchers::EndsWith(" MiB of memory and was ended"));
    CHECK(got[1].outcome == status::correct);
}

TEST_CASE("a program that computes wrongly is told apart, with the first wrong point") {
    check_fault({"wrong", status::correctness,
                 "1000 wrong points; the first: u at (0, 0, 0) is 6.4571009 instead of 3.4571009 ± 6e-06"});
}

TEST_CASE("a program that writes where it must not does not spoil the verdict on others") {
    device_evaluator evaluator(simulated::workload({"ms=3", "fault=damage; ms=2", "fault=wrong; ms=2"}),
                               simulated::backend(), simulated::device(), simulated::method());
    const std::vector<configuration> batch{simulated::configuration(1), simulated::configuration(0),
                                           simulated::configuration(2), simulated::configuration(0)};
    const std::vector<measurement> got = evaluator.measure(batch);
    CHECK(got[0].outcome == status::correctness);
    CHECK(got[1].outcome == status::correct);
    CHECK(got[2].outcome == status::correctness);
    CHECK(got[3].outcome == status::correct);
}

TEST_CASE("a generator that throws costs one configuration") {
    workload w = simulated::workload({"ms=1", "ms=2"});
    w.generate = [inner = w.generate](const configuration& c) {
        if (c[0] == 1) {
            throw std::runtime_error("no loop nest for this");
        }
        return inner(c);
    };
    device_evaluator evaluator(std::move(w), simulated::backend(), simulated::device(), simulated::method());
    const std::vector<configuration> batch{simulated::configuration(1), simulated::configuration(0)};
    const std::vector<measurement> got = evaluator.measure(batch);
    CHECK(got[0].outcome == status::compile);
    CHECK(got[0].message == "the program cannot be generated: no loop nest for this");
    CHECK(got[1].outcome == status::correct);
}

TEST_CASE("a device that never starts is the machine's fault") {
    device_evaluator evaluator(simulated::workload({"ms=1"}), simulated::backend("segfault"), simulated::device(),
                               simulated::method());
    const std::vector<configuration> batch{simulated::configuration(0)};
    CHECK_THROWS_MATCHES(
        evaluator.measure(batch), machine_error,
        Catch::Matchers::Message("the device simulated cannot be used: the device worker was ended by signal "
                                 "SIGSEGV (3 attempts)"));
}

TEST_CASE("a device that refuses to open says why") {
    device_evaluator evaluator(simulated::workload({"ms=1"}), simulated::backend("throw"), simulated::device(),
                               simulated::method());
    const std::vector<configuration> batch{simulated::configuration(0)};
    CHECK_THROWS_MATCHES(
        evaluator.measure(batch), machine_error,
        Catch::Matchers::Message("the device simulated cannot be used: the backend plugin 'fault' failed to "
                                 "open a device: no such luck"));
}

TEST_CASE("listing devices cannot take the program down") {
    const auto devices = list_devices(simulated::backend());
    REQUIRE(devices.size() == 1);
    CHECK(devices[0].name == "simulated");
    CHECK_THROWS_MATCHES(list_devices(simulated::backend("well", "segfault")), machine_error,
                         Catch::Matchers::Message("the process that lists the devices was ended by signal SIGSEGV"));
    CHECK_THROWS_MATCHES(
        list_devices(simulated::backend("well", "hang"), 0.3), machine_error,
        Catch::Matchers::Message("the process that lists the devices did not answer within 0.3 s and was ended"));
    check_that_nothing_is_left();
}

TEST_CASE("workers die with a parent that is killed, whatever they do") {
    const auto fault = GENERATE(as<std::string>{}, "hang", "compile hang", "stubborn", "compile stubborn");
    const bool frozen = GENERATE(false, true); // as compilers are while a CPU is timed
    INFO(fault);
    const pid_t parent = ::fork();
    REQUIRE(parent >= 0);
    if (parent == 0) {
        measuring how = simulated::method();
        how.limits.compile_seconds = how.limits.configuration_seconds = 60;
        device_evaluator evaluator(simulated::workload({"fault=" + fault + ";"}), simulated::backend(),
                                   simulated::device(), how);
        evaluator.measure(std::vector<configuration>{simulated::configuration(0)});
        ::_exit(0);
    }
    const auto wait_for = [&](auto&& condition) {
        for (int i = 0; i < 1000 && !condition(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        return condition();
    };
    const std::string role = fault.starts_with("compile") ? "compile" : "measure";
    CHECK(wait_for([&] { return !simulated::workers_of(parent, role).empty(); }));
    std::this_thread::sleep_for(std::chrono::milliseconds(200)); // they are at it
    if (frozen) {
        for (const int worker : simulated::workers_of(parent)) {
            ::kill(worker, SIGSTOP);
        }
    }
    ::kill(parent, SIGKILL);
    ::waitpid(parent, nullptr, 0);
    CHECK(wait_for([&] { return simulated::workers_of(parent).empty(); }));
}
