#include "core/base/error.hpp"
#include "tests/tune/fake_device.hpp"

#include <chrono>
#include <set>
#include <thread>

using namespace gst;
using namespace gst::test;

namespace {

/// A store in memory.
struct memory_store {
    std::map<configuration, measurement> rows;
    void connect(session_options& o) {
        o.lookup = [this](std::span<const configuration> batch) {
            std::vector<std::optional<measurement>> out;
            for (const configuration& c : batch) {
                const auto found = rows.find(c);
                out.push_back(found == rows.end() ? std::nullopt : std::optional(found->second));
            }
            return out;
        };
        o.insert = [this](const configuration& c, measurement m) {
            m.row = static_cast<std::int64_t>(rows.size()) + 1;
            CHECK(rows.emplace(c, m).second);
        };
    }
};

/// Everything, ten configurations open at a time, one measured at a time; says in which order.
std::unique_ptr<search> as_they_come(std::vector<configuration>& order) {
    return strategy([&order](problem& p) {
        std::vector<configuration> open;
        for (std::uint64_t rank = 0; !p.exhausted();) {
            for (; open.size() < 10 && rank < p.space().count(); ++rank) {
                open.push_back(p.space().at(rank));
            }
            const std::optional<problem::answer> one = p.measure_any(open);
            if (!one) {
                return;
            }
            order.push_back(open[one->place]);
            open.erase(open.begin() + static_cast<std::ptrdiff_t>(one->place));
        }
    });
}

} // namespace

TEST_CASE("what is compiled first is measured first, and a run that goes on takes the same course") {
    const auto slow = [](const configuration& c) { return (7 * c[0] + 3 * c[1]) % 10; };
    fake_device device;
    int looks = 0;
    device.on_ready = [&](std::span<const configuration> all) -> std::optional<std::size_t> {
        if (++looks % 3 != 0) { // the compilers are still busy
            device.now += 0.1;
            return std::nullopt;
        }
        return static_cast<std::size_t>(std::ranges::min_element(all, {}, slow) - all.begin());
    };
    memory_store kept;
    session_options o;
    kept.connect(o);
    o.max_evaluations = 40;
    std::vector<configuration> first;
    const session_result r = run_session(as_they_come(first), square(), device, o);
    CHECK(r.evaluations == 40);
    CHECK(first.size() == 40);
    CHECK(device.measured == first);
    CHECK(std::set(first.begin(), first.end()).size() == 40);
    CHECK(first != device.prefetched); // in another order than they were asked for
    CHECK(r.cost.at("wait") == Approx(40 * 0.2));
    double walls = 0;
    for (const auto& [c, m] : kept.rows) {
        walls += m.cost.at("wall");
    }
    CHECK(walls == Approx(device.now - 100));

    // Now other programs are compiled first, and 60 more are measured.
    device.on_ready = [](std::span<const configuration> all) { return all.size() - 1; };
    device.prefetched.clear();
    device.measured.clear();
    o.max_evaluations = 100;
    std::vector<configuration> again;
    const session_result more = run_session(as_they_come(again), square(), device, o);
    CHECK(more.evaluations == 100);
    CHECK(more.known == 40);
    CHECK(std::vector(again.begin(), again.begin() + 40) == first);
    CHECK(device.measured == std::vector(again.begin() + 40, again.end()));
}

TEST_CASE("while a strategy thinks, the device waits for the compilers as long as nothing is compiled") {
    for (const bool compiled : {true, false}) {
        fake_device device;
        int looks = 0;
        device.on_ready = [&](std::span<const configuration>) -> std::optional<std::size_t> {
            return compiled || ++looks % 2 == 0 ? std::optional<std::size_t>(0) : std::nullopt;
        };
        auto thinking = strategy([&](problem& p) {
            std::vector<configuration> open{p.space().at(0), p.space().at(1), p.space().at(2), p.space().at(3)};
            for (int i = 0; i < 3; ++i) {
                device.now += 5;
                const std::optional<problem::answer> one = p.measure_any(open);
                REQUIRE(one);
                open.erase(open.begin() + static_cast<std::ptrdiff_t>(one->place));
            }
        });
        session_result r = run_session(std::move(thinking), square(), device, {});
        CHECK(r.evaluations == 3);
        CHECK(r.seconds == 3 * (5 + 1));
        // Before the first request the compilers had nothing to do.
        CHECK(r.cost["wait"] == Approx(compiled ? 0 : 2 * 5));
    }
}

TEST_CASE("so it does while a strategy thinks that has announced what it asks for") {
    for (const bool compiled : {true, false}) {
        fake_device device;
        device.on_ready = [&](std::span<const configuration>) {
            return compiled ? std::optional<std::size_t>(0) : std::nullopt;
        };
        auto thinking = strategy([&](problem& p) {
            const std::vector<configuration> all{p.space().at(0), p.space().at(1), p.space().at(2), p.space().at(3)};
            device.now += 7; // the compilers have nothing to do yet
            p.prefetch(std::span(all).first(2));
            for (int i = 0; i < 2; ++i) {
                device.now += 5;
                p.measure(all[i]);
            }
            device.now += 20; // nor here
            p.measure(std::span(all).last(2));
            const std::vector<configuration> more{p.space().at(4), p.space().at(5)};
            p.prefetch(more);
            p.measure(more[1]);
            device.now += 20; // the first one has been skipped
            p.measure(more[0]);
        });
        session_result r = run_session(std::move(thinking), square(), device, {});
        CHECK(r.evaluations == 6);
        CHECK(r.seconds == 7 + 2 * 5 + 20 + 20 + 6);
        CHECK(r.cost["wait"] == (compiled ? 0 : 2 * 5));
    }
}

TEST_CASE("no time is spent on what is open when the budget ends, and no time that another run gave up counts") {
    fake_device device;
    device.on_ready = [&](std::span<const configuration>) -> std::optional<std::size_t> {
        device.now += 0.1;
        return std::nullopt;
    };
    session_options o;
    o.max_seconds = 3;
    std::vector<configuration> order;
    const session_result r = run_session(as_they_come(order), square(), device, o);
    CHECK(r.evaluations == 0);
    CHECK(r.cost.at("wait") == Approx(3).margin(0.11));
    CHECK(order.empty());
    CHECK(device.now < 104);

    device.on_ready = nullptr;
    device.prefetched.clear();
    memory_store kept;
    kept.connect(o);
    measurement given_up;
    given_up.outcome = status::correct;
    given_up.time = 50;
    given_up.censored = true;
    kept.rows[{0, 3}] = given_up;
    o.censor_factor = 100; // of the best: this run would not give it up
    o.insert = [&](const configuration& c, const measurement& m) { kept.rows[c] = m; };
    o.max_seconds = 0;
    o.max_evaluations = 10;
    const session_result measured = run_session(as_they_come(order), square(), device, o);
    CHECK(measured.evaluations == 10);
    CHECK(kept.rows.at({0, 3}).time == 31);
    CHECK(measured.given_up == 0);

    device.prefetched.clear();
    kept.rows = {{{9, 9}, given_up}};
    o.censor_factor = 2; // this run would give it up, too
    o.max_evaluations = 0;
    const session_result given_up_again = run_session(in_order(7), square(), device, o);
    CHECK(given_up_again.evaluations == 100);
    CHECK(given_up_again.given_up == 1);
}

TEST_CASE("a session measures what the strategy asks for and knows the best") {
    fake_device device;
    const session_result r = run_session(in_order(7), square(), device, {});
    CHECK(r.end == session_end::done);
    CHECK(!r.abandoned);
    CHECK(r.evaluations == 100);
    CHECK(r.known == 0);
    CHECK(device.measured.size() == 100);
    REQUIRE(r.best());
    CHECK(r.best()->which == configuration{0, 0});
    CHECK(r.best()->what.time == 1);
    REQUIRE(r.fastest.size() == 5);
    CHECK(std::is_sorted(r.fastest.begin(), r.fastest.end(),
                         [](const auto& a, const auto& b) { return a.what.time < b.what.time; }));
    CHECK(r.outcomes == std::map<status, std::uint64_t>{{status::correct, 90}, {status::compile, 10}});
    CHECK(r.seconds == 100);
    CHECK(r.cost.at("compile") == 25);
    CHECK(r.cost.at("measure") == 75);
    CHECK(r.cost.at("search") > 0);
}

TEST_CASE("failures are grouped by outcome and message, numbers aside") {
    fake_device device;
    const session_result r = run_session(in_order(1), square(), device, {});
    REQUIRE(r.failures.size() == 1);
    CHECK(r.failures[0].outcome == status::compile);
    CHECK(r.failures[0].message == "line 0 is wrong");
    CHECK(r.failures[0].first == configuration{0, 9});
    CHECK(r.failures[0].count == 10);
}

TEST_CASE("the rest of a request is compiled ahead") {
    fake_device device;
    run_session(in_order(4), square(), device, {});
    CHECK(device.prefetched == device.measured);
}

TEST_CASE("what a session costs is compiling, and the device's time") {
    session_result r;
    r.evaluations = 5;
    r.outcomes = {{status::correct, 2}, {status::compile, 1}, {status::constraints, 2}};
    r.cost = {{"compile", 2}, {"verify", 0.5}, {"measure", 3}, {"search", 7}};
    CHECK(cost_of(r).compiled == 3);
    CHECK(cost_of(r).compile_seconds == 2);
    CHECK(cost_of(r).device_seconds == 3.5);
    CHECK(cost_of({}).device_seconds == 0);
}

TEST_CASE("each new measurement is stored, and what is stored is not measured again") {
    memory_store store;
    session_options o;
    store.connect(o);
    o.max_evaluations = 30;
    fake_device first;
    const session_result before = run_session(in_order(8), square(), first, o);
    CHECK(store.rows.size() == 30);

    fake_device second;
    o.max_evaluations = 50;
    const session_result after = run_session(in_order(8), square(), second, o);
    CHECK(after.evaluations == 50);
    CHECK(after.known == 30);
    CHECK(second.measured.size() == 20);
    CHECK(store.rows.size() == 50);
    for (const configuration& c : second.prefetched) {
        CHECK(std::find(first.measured.begin(), first.measured.end(), c) == first.measured.end());
    }
}

TEST_CASE("a killed session taken up again ends like one that was never interrupted") {
    const std::uint64_t seed = GENERATE(1, 2, 3);
    const auto random_walk = [] {
        return strategy([](problem& p) {
            while (!p.exhausted()) {
                p.measure(p.space().sample(p.rng()));
            }
        });
    };
    session_options o;
    o.seed = seed;
    o.max_seconds = 40;
    fake_device undisturbed;
    const session_result whole = run_session(random_walk(), square(), undisturbed, o);

    memory_store store;
    store.connect(o);
    fake_device killed;
    killed.on_measure = [&] {
        if (killed.measured.size() == 17) {
            throw std::runtime_error("killed");
        }
    };
    CHECK(run_session(random_walk(), square(), killed, o).end == session_end::lost);
    CHECK(store.rows.size() == 17);
    fake_device resumed;
    const session_result rest = run_session(random_walk(), square(), resumed, o);

    INFO("seed " << seed);
    CHECK(rest.known == 17);
    CHECK(resumed.measured.size() == 23);
    CHECK(rest.evaluations == whole.evaluations);
    CHECK(rest.seconds == whole.seconds);
    CHECK(rest.outcomes == whole.outcomes);
    CHECK(rest.best()->which == whole.best()->which);
}

TEST_CASE("progress is reported after each configuration") {
    fake_device device;
    session_options o;
    o.max_evaluations = 3;
    std::vector<tuning_progress> seen;
    o.progress = [&](const tuning_progress& p) { seen.push_back(p); };
    run_session(in_order(3), square(), device, o);
    REQUIRE(seen.size() == 3);
    CHECK(seen[2].evaluations == 3);
    CHECK(seen[2].correct == 3);
    CHECK(seen[2].best == 1);
    CHECK(seen[2].seconds == 3);
}

TEST_CASE("the stages of a strategy share its own time") {
    fake_device device;
    const auto pause = [] { std::this_thread::sleep_for(std::chrono::milliseconds(20)); };
    const session_result r = run_session(strategy([&](problem& p) {
                                             pause();
                                             p.stage("grouping");
                                             pause();
                                             p.measure(p.space().at(0));
                                             pause();
                                             p.stage("sampling");
                                             p.measure(p.space().at(1));
                                             pause();
                                         }),
                                         square(), device, {});
    REQUIRE(r.stages.size() == 2);
    CHECK(r.stages.at("grouping") >= 0.04);
    CHECK(r.stages.at("sampling") >= 0.02);
    CHECK(r.cost.at("search") >= r.stages.at("grouping") + r.stages.at("sampling") + 0.02);
    CHECK(run_session(in_order(1), square(), device, {}).stages.empty());
}

TEST_CASE("the evaluator is asked on the strategy's thread, which is not the caller's") {
    fake_device device;
    std::set<std::thread::id> asked;
    device.on_measure = [&] { asked.insert(std::this_thread::get_id()); };
    std::thread::id of_strategy;
    const session_result r = run_session(strategy([&](problem& p) {
                                             of_strategy = std::this_thread::get_id();
                                             p.measure(p.space().at(0));
                                             std::this_thread::sleep_for(std::chrono::milliseconds(50));
                                             p.measure(p.space().at(1));
                                         }),
                                         square(), device, {});
    CHECK(asked == std::set{of_strategy});
    CHECK(of_strategy != std::this_thread::get_id());
    CHECK(r.evaluations == 2);
    CHECK(r.cost.at("search") >= 0.05);
}
