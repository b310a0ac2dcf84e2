#include "tests/catch.hpp"
#include "tests/program/tuning.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace gst;
using namespace gst::test;
using nlohmann::json;

namespace {

constexpr int evaluations = 12;

json to_json(const named_values& configuration) {
    json out;
    for (const auto& [name, v] : configuration) {
        std::visit([&, &key = name](const auto& plain) { out[key] = plain; }, v);
    }
    return out;
}

/// Starts the command, ends it with the signal once so many rows are stored, and sees that nothing of it stays.
finished_command end_after(const playground& here, std::size_t rows, const std::string& arguments, int signal) {
    running_command tuning = here.start_gst(arguments);
    REQUIRE(eventually([&] { return rows_of(here).size() >= rows; }));
    CHECK(tuning.processes() > 1);
    tuning.signal(signal);
    const finished_command ended = tuning.finish();
    CHECK(eventually([&] { return tuning.processes() == 0; }, 5));
    return ended;
}

/// Kills a tuning twice on its way, finishes it, and checks what must hold for every strategy.
std::vector<result_row> killed_and_finished(const playground& here, const std::string& strategy) {
    const std::string command = "tune --json " + small(strategy, evaluations);
    CHECK(end_after(here, 3, command, SIGKILL).code == 128 + SIGKILL);
    CHECK(end_after(here, 7, command, SIGKILL).code == 128 + SIGKILL);
    const std::vector<result_row> before = rows_of(here);
    const finished_command last = here.gst(command);
    INFO(last.err);
    REQUIRE(last.code == 0);

    const std::vector<result_row> rows = rows_of(here);
    const json report = json::parse(last.out);
    CHECK(keys_of(rows).size() == rows.size()); // nothing was measured twice …
    CHECK(report["evaluations"] == evaluations);
    CHECK(report["known"] >= before.size()); // … everything stored was used …
    CHECK(rows.size() - before.size() == evaluations - report["known"].get<std::size_t>()); // … and the rest measured
    // Those within 5 % of the fastest are measured again at the end, and the best of them is reported.
    const std::vector<result_row> fastest = result_store(database_of(here)).query({.fastest_first = true});
    const auto best = std::ranges::find_if(
        fastest, [&](const result_row& r) { return to_json(r.configuration) == report["best"]["configuration"]; });
    REQUIRE(best != fastest.end());
    CHECK(best->what.time <= 1.05 * fastest.front().what.time);
    return rows;
}

} // namespace

TEST_CASE("a random search that was killed goes on to what an uninterrupted one measures") {
    const playground uninterrupted;
    const finished_command whole = uninterrupted.gst("tune --json " + small("random", evaluations));
    REQUIRE(whole.code == 0);
    const playground here;
    const std::vector<result_row> rows = killed_and_finished(here, "random");
    CHECK(configurations_of(rows) == configurations_of(rows_of(uninterrupted)));

    const finished_command again = here.gst("tune --json " + small("random", evaluations));
    CHECK(json::parse(again.out)["known"] == evaluations);
    CHECK(rows_of(here).size() == rows.size());
}

TEST_CASE("gst's own search that was killed measures nothing twice") { // the order in which compilers end is its own
    const playground here;
    CHECK(killed_and_finished(here, "auto").size() == evaluations);
}

TEST_CASE("a hill climb that was killed takes its stored steps again without measuring") {
    const playground here;
    killed_and_finished(here, "hill_climb");
}

TEST_CASE("Ctrl-C finishes the configuration, reports the best so far and says how to go on") {
    const playground here;
    const std::string command = "tune --json " + small("random", 1000);
    const finished_command ended = end_after(here, 3, command, SIGINT);
    CHECK(ended.code == 128 + SIGINT); // not all that was asked for was done
    const json report = json::parse(ended.out);
    const std::vector<result_row> rows = rows_of(here);
    CHECK(report["evaluations"] < 1000);
    CHECK(report["evaluations"] == rows.size());
    CHECK(report["best"]["time_ms"] > 0);
    const std::string note = report["notes"].back();
    CHECK(note.find("interrupted; what was measured is kept – go on with: gst tune ") == 0);

    // The command it names goes on.
    const std::string next = note.substr(note.find(": gst ") + 6);
    const finished_command more = end_after(here, rows.size() + 1, next, SIGINT);
    CHECK(more.code == 128 + SIGINT);
    CHECK(keys_of(rows_of(here)).size() == rows_of(here).size());
}

TEST_CASE("a second Ctrl-C ends at once") {
    const playground here;
    running_command tuning = here.start_gst("tune " + small("random", 1000) +
                                            " --set measure.repetition_ms=2000 --set measure.max_seconds=60");
    const auto catches_it = [&] {
        std::istringstream status(text_of("/proc/" + std::to_string(tuning.id()) + "/status"));
        for (std::string word; status >> word;) {
            if (word == "SigCgt:" && status >> word) {
                return (std::stoull(word, nullptr, 16) >> (SIGINT - 1) & 1) != 0;
            }
        }
        return false;
    };
    REQUIRE(eventually(catches_it));
    tuning.signal(SIGINT);
    REQUIRE(eventually([&] { return !catches_it(); }));
    tuning.signal(SIGINT);
    CHECK(tuning.finish().code == 128 + SIGINT);
    CHECK(eventually([&] { return tuning.processes() == 0; }, 5));
}

TEST_CASE("SIGTERM ends as Ctrl-C does, with a code of its own, and a shell's loop ends with it") {
    const playground here;
    const std::string command = "tune " + small("random", 1000);
    const finished_command ended = end_after(here, 3, command, SIGTERM);
    CHECK(ended.code == 128 + SIGTERM);
    CHECK(ended.out.find("  best  ") != std::string::npos);
    CHECK(ended.out.find("interrupted; what was measured is kept") != std::string::npos);

    // As a terminal does it: the whole group gets the signal.
    const std::size_t before = rows_of(here).size();
    running_command loop = here.start("exec setsid bash -c 'for i in 1 2 3; do build/bin/gst " + command + "; done'");
    REQUIRE(eventually([&] { return rows_of(here).size() > before; }));
    CHECK(::kill(-loop.id(), SIGINT) == 0);
    const finished_command looped = loop.finish();
    CHECK(looped.code == 128 + SIGINT);
    CHECK(looped.out.find("  best  ") == looped.out.rfind("  best  ")); // the first of three
}

TEST_CASE("two tunings on one database at once lose nothing") {
    const playground here;
    const auto start = [&](int seed) {
        return here.start_gst("tune --json " + small("random", 8) + " --set seed=" + std::to_string(seed));
    };
    running_command first = start(1);
    running_command second = start(2);
    std::size_t stored = 0;
    for (running_command* one : {&first, &second}) {
        const finished_command done = one->finish();
        CHECK(done.err.find("locked") == std::string::npos);
        CHECK(done.code == 0);
        const json report = json::parse(done.out);
        CHECK(report["evaluations"] == 8);
        stored += 8 - report["known"].get<std::size_t>();
    }
    CHECK(rows_of(here).size() == stored);
}

namespace {

/// A time loop that takes long enough to be ended in the middle, with what `small` tunes.
std::string loop(const std::string& output) {
    return "run " + small("random", 2) +
           " --set run.steps=10000 --set parameters.alpha=0.001 --set run.checkpoint_every=200 --set run.resume=true "
           "--set run.checkpoint=" +
           output + ".state --set run.output=" + output;
}

} // namespace

TEST_CASE("a time loop that is killed or interrupted goes on to the same bytes") {
    const playground here;
    const finished_command whole = here.gst(loop("whole"));
    INFO(whole.err);
    REQUIRE(whole.code == 0);
    const auto result = [&](const std::string& output) { return text_of(here.folder() / output / "u_010000.npy"); };
    REQUIRE(result("whole").size() > 4 * 32 * 32 * 32);
    for (const int signal : {SIGKILL, SIGINT}) {
        const std::string output = "signal_" + std::to_string(signal);
        running_command broken = here.start_gst(loop(output));
        REQUIRE(eventually([&] { return std::filesystem::exists(here.folder() / (output + ".state")); }));
        broken.signal(signal);
        const finished_command ended = broken.finish();
        CHECK(ended.code == 128 + signal);
        CHECK(eventually([&] { return broken.processes() == 0; }, 5));
        REQUIRE(result(output).empty());
        if (signal == SIGINT) {
            CHECK(ended.err.find("interrupted after step ") != std::string::npos);
            CHECK(ended.err.find("; go on with --set run.resume=true\n") != std::string::npos);
        }
        const finished_command rest = here.gst(loop(output));
        CHECK(rest.code == 0);
        CHECK(rest.out.find("  went on from step ") != std::string::npos);
        CHECK(result(output) == result("whole"));
    }
}

TEST_CASE("Ctrl-C in a time loop writes a checkpoint that the next run goes on from") {
    const playground here;
    const std::string command = "run --json " + small("random", 2) +
                                " --set run.steps=100000000 --set run.checkpoint=state --set run.resume=true "
                                "--set parameters.alpha=1e-6 --set run.residual=1e-30";
    for (const std::int64_t least : {0, 1}) {
        running_command looping = here.start_gst(command);
        REQUIRE(eventually([&] { return looping.err().find("step ") != std::string::npos; }));
        looping.signal(SIGINT);
        const finished_command ended = looping.finish();
        CHECK(ended.code == 128 + SIGINT);
        CHECK(ended.err.find("; go on with --set run.resume=true\n") != std::string::npos);
        const json run = json::parse(ended.out)["run"];
        CHECK(run["interrupted"] == true);
        CHECK(run["steps"] > 0);
        CHECK(run["first_step"] >= least);
        CHECK(std::filesystem::exists(here.folder() / "state"));
    }
}
