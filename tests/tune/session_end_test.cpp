#include "core/base/error.hpp"
#include "tests/tune/fake_device.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace gst;
using namespace gst::test;

TEST_CASE("a session ends with its evaluations") {
    fake_device device;
    session_options o;
    o.max_evaluations = 10;
    CHECK(run_session(in_order(4), square(), device, o).evaluations == 10);
    CHECK(device.measured.size() == 10);
}

TEST_CASE("a session ends with its seconds, within a request too") {
    fake_device device;
    session_options o;
    o.max_seconds = 10;
    const session_result r = run_session(in_order(100), square(), device, o);
    CHECK(r.evaluations == 10);
    CHECK(r.seconds == 10);
}

TEST_CASE("a strategy that ends by itself is told from one that has spent its budget") {
    fake_device device;
    session_options few;
    few.max_evaluations = 3;
    const auto ask = [](std::uint64_t n) {
        return strategy([n](problem& p) {
            for (std::uint64_t rank = 0; rank < n; ++rank) {
                p.measure(p.space().at(rank));
            }
            p.trace("enough");
        });
    };
    const session_result early = run_session(ask(2), square(), device, few);
    CHECK(early.early);
    CHECK(early_end_text(early) == "ended by itself after 2 configurations; the end of its log: enough");
    CHECK_FALSE(run_session(ask(3), square(), device, few).early);
    CHECK_FALSE(run_session(ask(100), square(), device, {}).early); // nothing is left
    session_options interrupted;
    interrupted.interrupted = [] { return true; };
    CHECK_FALSE(run_session(ask(1), square(), device, interrupted).early);
    const session_result nothing = run_session(strategy([](problem&) {}), square(), device, few);
    CHECK(early_end_text(nothing) == "ended by itself after 0 configurations");
}

TEST_CASE("an interrupt finishes the configuration and keeps the best") {
    fake_device device;
    session_options o;
    o.interrupted = [&] { return device.measured.size() == 3; };
    const session_result r = run_session(in_order(100), square(), device, o);
    CHECK(r.end == session_end::interrupted);
    CHECK(r.evaluations == 3);
    CHECK(r.best()->what.time == 1);
}

TEST_CASE("when the device is lost, the best so far survives and the reason is kept") {
    fake_device device;
    device.on_measure = [&] {
        if (device.measured.size() == 2) {
            throw machine_error("the device fell off the bus");
        }
    };
    const session_result r = run_session(in_order(5), square(), device, {});
    CHECK(r.end == session_end::lost);
    CHECK(r.evaluations == 2);
    REQUIRE(r.best());
    REQUIRE(r.fault);
    CHECK_THROWS_WITH(std::rethrow_exception(r.fault), "the device fell off the bus");
}

TEST_CASE("what a strategy throws reaches the caller, with the best so far") {
    fake_device device;
    auto failing = strategy([](problem& p) {
        p.measure(p.space().at(0));
        throw machine_error("the strategy failed");
    });
    const session_result r = run_session(std::move(failing), square(), device, {});
    CHECK(r.end == session_end::failed);
    REQUIRE(r.best());
    CHECK(r.best()->which == square().at(0));
    CHECK_FALSE(r.early); // it did not return
    REQUIRE(r.fault);
    CHECK_THROWS_WITH(std::rethrow_exception(r.fault), "the strategy failed");
}

TEST_CASE("a strategy that ignores the end of its budget is abandoned") {
    enum class way { asks, asks_without_pause, never_asks };
    const way how = GENERATE(way::asks, way::asks_without_pause, way::never_asks);
    struct leash { // lets the abandoned thread end before the test does
        std::mutex mutex;
        std::condition_variable changed;
        bool release = false;
        bool gone = false;
    } leash;
    std::atomic<bool> measured_late = false;
    auto stubborn = strategy([&, how](problem& p) {
        p.measure(p.space().at(0));
        p.measure(p.space().at(1));
        std::unique_lock lock(leash.mutex);
        while (!leash.release) {
            if (how != way::never_asks) {
                measured_late = measured_late || p.measure(p.space().at(2)).outcome != status::not_run;
            }
            if (how != way::asks_without_pause) {
                leash.changed.wait_for(lock, std::chrono::milliseconds(1));
            } else {
                lock.unlock();
                lock.lock();
            }
        }
        leash.gone = true;
        leash.changed.notify_all();
    });
    fake_device device;
    session_options o;
    o.max_evaluations = 2;
    o.grace_seconds = 0.05;
    const session_result r = run_session(std::move(stubborn), square(), device, o);
    CHECK(r.abandoned);
    CHECK(r.evaluations == 2);
    CHECK(r.best()->what.time == 1);
    std::unique_lock lock(leash.mutex);
    leash.release = true;
    leash.changed.notify_all();
    CHECK(leash.changed.wait_for(lock, std::chrono::seconds(10), [&] { return leash.gone; }));
    CHECK(!measured_late);
}

TEST_CASE("the time that the last measurement takes is not the strategy's") {
    fake_device device;
    device.on_measure = [] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); };
    session_options o;
    o.max_evaluations = 2;
    o.grace_seconds = 0.1;
    CHECK(!run_session(in_order(2), square(), device, o).abandoned);
}
