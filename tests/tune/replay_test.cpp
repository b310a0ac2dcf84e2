#include "core/store/recording/interchange.hpp"
#include "core/tune/replay.hpp"
#include "core/tune/session.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <set>

using namespace gst;

namespace {

std::shared_ptr<const recorded_device> device_of(const std::string& csv) {
    const temporary_folder folder;
    return std::make_shared<const recorded_device>(read_recording(folder.write("a.csv", csv), "a.csv"));
}

/// x = 1, 2, 3, 4; 3 does not compile.
std::shared_ptr<const recorded_device> four() {
    return device_of("x,status,time_ms,times_ms,compile_ms,verify_ms,measure_ms,framework_ms\n"
                     "1,correct,4,3 5,1000,500,2000,9000\n"
                     "2,correct,2,1 2 3,1000,,,\n"
                     "3,compile,,,7000,,,\n"
                     "4,correct,1,,1000,,,\n");
}

/// Measures everything in the order of the space.
class in_order : public search {
  public:
    void run(problem& p) override {
        for (std::uint64_t rank = 0; rank < p.space().count() && !p.exhausted(); ++rank) {
            p.measure(p.space().at(rank));
        }
    }
};

} // namespace

TEST_CASE("a replay answers with what was recorded and takes as long as it took") {
    const auto device = four();
    replay_evaluator replay(device);
    const auto at = [&](std::uint64_t rank) {
        const configuration c = device->space.at(rank);
        return replay.measure({&c, 1}).front();
    };
    const measurement first = at(0);
    CHECK(first.outcome == status::correct);
    CHECK(first.time == 4);
    CHECK(first.times == std::vector<double>{3, 5});
    CHECK(first.cost == named_numbers{{"compile", 1}, {"verify", 0.5}, {"measure", 2}});
    CHECK(replay.elapsed() == 3.5);
    CHECK(at(1).cost.at("measure") == Approx(0.006)); // the sum of its samples
    CHECK(replay.elapsed() == Approx(4.506));
    CHECK(at(2).outcome == status::compile);
    CHECK(replay.elapsed() == Approx(11.506));
    CHECK(replayed_seconds(device->recording.entries[2]) == 7);
}

TEST_CASE("what was not recorded has a status of its own and costs nothing") {
    const auto device = device_of("x,y,status,time_ms,compile_ms\n1,1,correct,1,5\n2,2,correct,1,5\n");
    replay_evaluator replay(device);
    const configuration missing{0, 1};
    const measurement m = replay.measure({&missing, 1}).front();
    CHECK(m.outcome == status::constraints);
    CHECK(m.message == "it was not recorded");
    CHECK(replay.elapsed() == 0);
}

TEST_CASE("samples are drawn by seed, one for each configuration") {
    const auto device = device_of("x,status,time_ms,times_ms\n1,correct,2,1 2 3\n2,correct,5,\n");
    std::set<double> seen;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        replay_evaluator replay(device, replayed_time::sample, seed);
        const std::vector<configuration> both{{0}, {1}};
        const std::vector<measurement> m = replay.measure(both);
        CHECK(replay.measure(both).front().time == m.front().time);
        CHECK(m.front().times == std::vector<double>{m.front().time});
        CHECK(m.back().time == 5); // no samples: the mean
        seen.insert(m.front().time);
    }
    CHECK(seen == std::set<double>{1, 2, 3});
}

TEST_CASE("a session on a recording spends recorded seconds") {
    const auto device = four();
    session_options options;
    options.max_seconds = 10;
    replay_evaluator replay(device);
    const session_result r = run_session(std::make_unique<in_order>(), device->space, replay, options);
    CHECK(r.evaluations == 3); // the third ends after 11.5 s
    CHECK(r.seconds == Approx(11.506));
    CHECK(r.best()->what.time == 2);
    CHECK(r.outcomes.at(status::compile) == 1);
}

TEST_CASE("a narrower space is searched on the same recording") {
    const auto device = four();
    const space odd = device->space.constrained({{expression::parse("x % 2 == 0"), "x is odd"}});
    replay_evaluator replay(device);
    const session_result r = run_session(std::make_unique<in_order>(), odd, replay, {});
    CHECK(r.evaluations == 2);
    CHECK(r.best()->what.time == 1);
}
