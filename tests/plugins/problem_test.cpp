#include "core/api/search.hpp"
#include "core/base/error.hpp"
#include "tests/catch.hpp"
#include "tests/scripted.hpp"

#include <cmath>
#include <stdexcept>

using namespace gst;
using gst::test::scripted;

namespace {

space eight() {
    parameter a{"a", {}, std::int64_t{1}, role::other, -1, {}, "", {}};
    parameter b{"b", {false, true}, false, role::other, -1, {}, "", {}};
    for (std::int64_t i = 1; i <= 5; ++i) {
        a.domain.emplace_back(i);
    }
    return {{a, b}, {{expression::parse("a <= 3 or not b"), "b needs a small a"}}};
}

/// Every measurement takes a second and gives 10 ms less the position of a; `change` makes it fail.
struct fake_host {
    std::vector<std::vector<configuration>> batches;
    std::vector<std::vector<configuration>> ahead;
    double seconds = 0;
    bool interrupted = false;
    std::size_t answers = 1000; ///< after so many, not_run
    std::function<void(const configuration&, measurement&)> change = [](const configuration&, measurement&) {};

    problem::host host(std::uint64_t max_evaluations = 0, double max_seconds = 0) {
        problem::host h;
        h.measure = [this](std::span<const configuration> batch) {
            batches.emplace_back(batch.begin(), batch.end());
            std::vector<measurement> out;
            for (const configuration& c : batch) {
                measurement m;
                if (answers > 0) {
                    --answers;
                    m.outcome = status::correct;
                    m.time = 10.0 - c[0];
                    seconds += 1;
                    change(c, m);
                }
                out.push_back(m);
            }
            return out;
        };
        h.prefetch = [this](std::span<const configuration> c) { ahead.emplace_back(c.begin(), c.end()); };
        h.elapsed = [this] { return seconds; };
        h.interrupted = [this] { return interrupted; };
        h.max_evaluations = max_evaluations;
        h.max_seconds = max_seconds;
        h.features = {{"reads", 7}};
        return h;
    }
};

using batch = std::vector<configuration>;

std::vector<double> times(const std::vector<measurement>& all) {
    std::vector<double> out;
    for (const measurement& m : all) {
        out.push_back(m.time);
    }
    return out;
}

std::vector<status> outcomes(const std::vector<measurement>& all) {
    std::vector<status> out;
    for (const measurement& m : all) {
        out.push_back(m.outcome);
    }
    return out;
}

} // namespace

TEST_CASE("measurements come in the order of the requests, each configuration measured once") {
    fake_host h;
    problem p(eight(), 1, h.host());
    CHECK(p.remaining() == 8);
    CHECK(p.features().at("reads") == 7);
    const auto first = p.measure(batch{{2, 0}, {0, 0}, {2, 0}});
    CHECK(times(first) == std::vector<double>{8, 10, 8});
    CHECK(h.batches == std::vector<batch>{{{2, 0}, {0, 0}}});
    CHECK_FALSE(first[0].known);
    CHECK(first[2].known);
    const auto second = p.measure(batch{{1, 0}, {2, 0}});
    CHECK(times(second) == std::vector<double>{9, 8});
    CHECK(h.batches.back() == batch{{1, 0}});
    CHECK(second[1].known);
    CHECK(p.evaluations() == 3);
    CHECK(p.remaining() == 5);
    CHECK(p.known({1, 0}));
    CHECK_FALSE(p.known({1, 1}));
}

TEST_CASE("what is answered from the cache comes without times, metrics and cost") {
    fake_host h;
    h.change = [](const configuration&, measurement& m) {
        m.times = {1, 2, 3};
        m.metrics = {{"registers", 64}};
        m.cost = {{"compile", 0.3}};
        m.message = "as it was told";
        m.row = 7;
    };
    problem p(eight(), 1, h.host());
    for (const measurement& m : p.measure(batch{{2, 0}, {0, 0}})) {
        CHECK(m.times == std::vector<double>{1, 2, 3});
        CHECK(m.metrics.at("registers") == 64);
        CHECK(m.cost.at("compile") == 0.3);
    }
    const measurement known = p.measure({2, 0});
    CHECK(known.known);
    CHECK(known.outcome == status::correct);
    CHECK(known.time == 8);
    CHECK(known.message == "as it was told");
    CHECK(known.row == 7);
    CHECK((known.times.empty() && known.metrics.empty() && known.cost.empty()));
}

TEST_CASE("a configuration outside the space costs nothing and says why") {
    fake_host h;
    problem p(eight(), 1, h.host(1));
    const auto m = p.measure(batch{{4, 1}, {0, 0}});
    CHECK(outcomes(m) == std::vector<status>{status::constraints, status::correct});
    CHECK(m[0].message == "b needs a small a");
    CHECK(p.evaluations() == 1);
    CHECK(h.batches == std::vector<batch>{{{0, 0}}});
    CHECK(p.measure({4, 1}).outcome == status::constraints);
    CHECK_FALSE(p.known({4, 1}));
}

TEST_CASE("the budget of evaluations cuts a batch, and known results stay free") {
    fake_host h;
    problem p(eight(), 1, h.host(2));
    CHECK(p.remaining() == 2);
    const auto m = p.measure(batch{{0, 0}, {1, 0}, {2, 0}, {0, 0}});
    CHECK(outcomes(m) == std::vector<status>{status::correct, status::correct, status::not_run, status::correct});
    CHECK(p.exhausted());
    CHECK(h.batches.size() == 1);
    CHECK(p.measure({2, 0}).outcome == status::not_run);
    CHECK(p.measure({1, 0}).time == 9);
    CHECK(h.batches.size() == 1);
    CHECK_FALSE(p.known({2, 0}));
}

TEST_CASE("the budget of time ends the work") {
    fake_host h;
    problem p(eight(), 1, h.host(0, 2.5));
    p.measure(batch{{0, 0}, {1, 0}});
    CHECK(p.remaining() == 6);
    p.measure(configuration{2, 0});
    CHECK(p.exhausted());
    CHECK(p.measure({3, 0}).outcome == status::not_run);
    CHECK(p.evaluations() == 3);
}

TEST_CASE("an interruption ends the work, also within a batch") {
    fake_host h;
    problem p(eight(), 1, h.host());
    h.answers = 1;
    CHECK(outcomes(p.measure(batch{{0, 0}, {1, 0}, {1, 0}})) ==
          std::vector<status>{status::correct, status::not_run, status::not_run});
    CHECK(p.evaluations() == 1);
    CHECK_FALSE(p.known({1, 0}));
    h.interrupted = true;
    CHECK(p.exhausted());
    CHECK(p.measure({1, 0}).outcome == status::not_run);
    CHECK(h.batches.size() == 1);
}

TEST_CASE("the best is the fastest correct one, never a censored one") {
    fake_host h;
    h.change = [](const configuration& c, measurement& m) {
        if (c[0] == 4) {
            m.outcome = status::runtime;
            m.time = 0;
        }
        m.censored = c[0] == 3;
    };
    problem p(eight(), 1, h.host());
    CHECK_FALSE(p.best().has_value());
    p.measure(batch{{4, 0}, {3, 0}});
    CHECK_FALSE(p.best().has_value());
    p.measure(batch{{0, 0}, {2, 1}, {1, 0}, {2, 0}});
    REQUIRE(p.best().has_value());
    CHECK(p.best()->which == configuration{2, 1});
    CHECK(p.best()->what.time == 8);
    CHECK(p.remaining() == 2);
}

TEST_CASE("only what may still be measured is compiled ahead") {
    fake_host h;
    problem p(eight(), 1, h.host(3));
    p.measure(configuration{0, 0});
    p.prefetch(batch{{0, 0}, {4, 1}, {1, 0}, {1, 0}, {2, 0}, {3, 0}});
    CHECK(h.ahead == std::vector<batch>{{{1, 0}, {2, 0}}});
    p.prefetch(batch{{0, 0}});
    CHECK(h.ahead.size() == 1);
}

TEST_CASE("of several the host measures which it likes, and what is known or invalid comes first") {
    fake_host from;
    problem::host h = from.host(4);
    h.measure_any = [&](std::span<const configuration> wanted) {
        std::vector<measurement> out(wanted.size());
        out.back() = from.host().measure(wanted.last(1)).front();
        return out;
    };
    problem p(eight(), 1, h);
    const batch open{{0, 0}, {1, 0}, {2, 0}};
    auto one = p.measure_any(open);
    REQUIRE(one);
    CHECK(one->place == 2);
    CHECK(one->what.time == 8);
    CHECK(!one->what.known);
    CHECK(p.known({2, 0}));
    CHECK(p.best()->which == configuration{2, 0});
    one = p.measure_any(open); // it is known now
    REQUIRE(one);
    CHECK(one->place == 2);
    CHECK(one->what.known);
    CHECK(p.evaluations() == 1);
    one = p.measure_any(batch{{1, 0}, {4, 1}});
    REQUIRE(one);
    CHECK(one->place == 1);
    CHECK(one->what.outcome == status::constraints);
    CHECK(one->what.message == "b needs a small a");
    CHECK(!p.measure_any({}));
    for (std::uint16_t a = 0; a < 2; ++a) {
        CHECK(p.measure_any(batch{{a, 0}})->what.outcome == status::correct);
    }
    {
        const auto in_child = [&](problem& inner) {
            const auto found = inner.measure_any(batch{{3, 0}, {2, 0}});
            REQUIRE(found);
            CHECK(found->place == 1); // known outside
            CHECK(inner.measure_any(batch{{3, 0}})->what.time == 7);
        };
        problem::host outer = h;
        outer.max_evaluations = 4;
        outer.make_search = [&](const std::string&, const std::map<std::string, value>&) {
            return std::make_unique<scripted>(in_child);
        };
        problem q(eight(), 1, outer);
        CHECK(q.measure_any(batch{{2, 0}})->what.time == 8);
        q.child(q.space(), "scripted");
        CHECK(q.evaluations() == 2);
    }
    CHECK(p.evaluations() == 3);
    CHECK(p.measure_any(batch{{3, 0}, {4, 0}})->place == 1);
    CHECK(p.exhausted());
    CHECK(!p.measure_any(batch{{3, 0}}));

    problem plain(eight(), 1, from.host()); // a host that has no choice
    CHECK(plain.measure_any(open)->place == 0);
}

TEST_CASE("without a clock, a hint or an interruption a problem ends with the space") {
    problem::host h;
    h.measure = [](std::span<const configuration> b) {
        measurement m;
        m.outcome = status::correct;
        return std::vector<measurement>(b.size(), m);
    };
    problem p(eight(), 1, h);
    p.prefetch(batch{{0, 0}});
    for (std::uint64_t i = 0; i < p.space().count(); ++i) {
        CHECK(p.measure(p.space().at(i)).outcome == status::correct);
    }
    CHECK(p.exhausted());
    CHECK(p.evaluations() == 8);
}

TEST_CASE("a host that answers with too few measurements is an error of the program") {
    problem::host h;
    h.measure = [](std::span<const configuration>) { return std::vector<measurement>{}; };
    problem p(eight(), 1, h);
    CHECK_THROWS_AS(p.measure({0, 0}), std::logic_error);
}

TEST_CASE("the same seed gives the same random numbers, and lines of the trace are kept") {
    fake_host h;
    problem a(eight(), 5, h.host());
    problem b(eight(), 5, h.host());
    CHECK(a.rng().next() == b.rng().next());
    a.trace("one");
    a.trace("two");
    CHECK(a.trace_lines() == std::vector<std::string>{"one", "two"});
}

namespace {

/// A host that knows one strategy, "scripted".
problem::host with_child(fake_host& h, std::function<void(problem&)> script, std::uint64_t budget = 0) {
    problem::host host = h.host(budget);
    host.make_search = [script](const std::string& name, const std::map<std::string, value>& options) {
        if (name != "scripted") {
            throw user_error("there is no search plugin '" + name + "'");
        }
        CHECK(options == std::map<std::string, value>{{"n", std::int64_t{3}}});
        return std::make_unique<scripted>(script);
    };
    return host;
}

const std::map<std::string, value> three{{"n", std::int64_t{3}}};

} // namespace

TEST_CASE("a strategy inside another shares its results: what either knows costs the other nothing") {
    fake_host h;
    const auto script = [](problem& inner) {
        CHECK(inner.space().count() == 4);
        CHECK(inner.remaining() == 4);
        CHECK(inner.known({0, 0}));
        CHECK(times(inner.measure(batch{{0, 0}, {3, 0}})) == std::vector<double>{10, 7});
        CHECK(inner.measure({0, 1}).outcome == status::constraints); // of the whole space, not of the part
        CHECK(inner.best()->which == configuration{3, 0});
    };
    problem p(eight(), 1, with_child(h, script));
    p.measure(batch{{0, 0}, {2, 1}});
    const space part = p.space().constrained({{expression::parse("not b and a <= 4"), "by the test"}});
    const auto best = p.child(part, "scripted", three);
    REQUIRE(best);
    CHECK(best->which == configuration{3, 0});
    CHECK(h.batches.back() == batch{{3, 0}});
    CHECK(p.evaluations() == 3);
    CHECK(p.known({3, 0}));
    CHECK(p.best()->which == configuration{3, 0});
}

TEST_CASE("a strategy inside another ends with the other's budget, or with its own share of it") {
    fake_host h;
    std::uint64_t seen = 0;
    const auto script = [&](problem& inner) {
        seen = inner.remaining();
        for (std::uint64_t i = 0; i < inner.space().count(); ++i) {
            inner.measure(inner.space().at(i));
        }
        CHECK(inner.exhausted());
    };
    problem p(eight(), 1, with_child(h, script, 5));
    p.child(p.space(), "scripted", three, 2);
    CHECK(seen == 2);
    CHECK(p.evaluations() == 2);
    p.child(p.space(), "scripted", three, 2); // the two that are known come free
    CHECK(p.evaluations() == 4);
    p.child(p.space(), "scripted", three);
    CHECK(seen == 1);
    CHECK(p.evaluations() == 5);
    CHECK(p.exhausted());
}

TEST_CASE("an interruption reaches the strategy inside another, and its randomness and trace belong to the other") {
    fake_host h;
    std::vector<std::uint64_t> drawn;
    const auto script = [&](problem& inner) {
        drawn.push_back(inner.rng().next());
        inner.trace("inside");
        h.interrupted = true;
        CHECK(inner.exhausted());
    };
    for (int round = 0; round < 2; ++round) {
        problem p(eight(), 5, with_child(h, script));
        p.child(p.space(), "scripted", three);
        CHECK(p.trace_lines() == std::vector<std::string>{"  inside"});
    }
    CHECK(drawn[0] == drawn[1]);
}

TEST_CASE("no strategy of the name, and a host that makes none") {
    fake_host h;
    problem p(eight(), 1, with_child(h, [](problem&) {}));
    CHECK_THROWS_AS(p.child(p.space(), "other", three), user_error);
    problem without(eight(), 1, h.host());
    CHECK_THROWS_AS(without.child(without.space(), "scripted"), std::logic_error);
}

TEST_CASE("a workload without a performance model says so") {
    fake_host h;
    problem p(eight(), 1, h.host());
    try {
        p.estimate({0, 0});
        FAIL("an estimate of nothing");
    } catch (const user_error& e) {
        CHECK(e.diagnostics().at(0).message ==
              "the strategy ranks configurations by a performance model, which this workload does not have");
        CHECK(e.diagnostics().at(0).hint == "choose a strategy that needs measurements alone, e.g. auto");
    }
    CHECK_FALSE(p.estimates());
    problem::host host = h.host();
    host.estimate = [](const configuration& c) { return 2.0 + c[0]; };
    problem with_model(eight(), 1, host);
    CHECK(with_model.estimates());
    CHECK(with_model.estimate({3, 0}) == 5);
}

TEST_CASE("an estimate is a time, whatever the model answers") {
    fake_host h;
    problem::host host = h.host();
    double answer = 0;
    host.estimate = [&](const configuration&) { return answer; };
    problem p(eight(), 1, host);
    for (const double no_time : {0.0, -1.0, double(NAN), double(INFINITY), -double(INFINITY), 1e300}) {
        answer = no_time;
        CHECK(p.estimate({0, 0}) == problem::unbelievable);
    }
    answer = 1e-9;
    CHECK(p.estimate({0, 0}) == 1e-9);
}
