#include "core/report/progress.hpp"
#include "core/report/summary.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

using namespace gst;

namespace {

/// 10⁹ points, 8 bytes each, on a device that copies 10 GB/s.
const step_work billion{1e9, 8e9, 1e10};

/// What the display writes for these moments.
std::string shown(bool terminal, const std::vector<double>& moments, unsigned width = 80) {
    std::FILE* file = std::tmpfile();
    {
        progress_display display(file, terminal, width);
        progress_state p;
        p.max_evaluations = 100;
        for (const double now : moments) {
            ++p.evaluations;
            p.correct = p.evaluations;
            display.show(p, now);
        }
    }
    std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
    std::rewind(file);
    CHECK(std::fread(text.data(), 1, text.size(), file) == text.size());
    std::fclose(file);
    return text;
}

tuning_report full_report() {
    tuning_report r;
    r.stencil = "heat3d";
    r.grid = "1000x1000x1000";
    r.device = "pocl-cpu";
    r.backend = "opencl";
    r.strategy = "random";
    r.seed = 7;
    r.best = {{{"TBx", std::int64_t{32}}, {"load", std::string("global")}}, "TBx=32 load=global", 1000};
    r.default_time = 1500;
    r.work = billion;
    r.space = 475875;
    r.admitted = 368490;
    r.evaluations = 200;
    r.known = 12;
    r.outcomes = {{status::correct, 187}, {status::runtime, 13}};
    for (std::uint64_t n = 7; n > 0; --n) {
        r.failures.push_back({n == 7 ? status::runtime : status::compile, n == 6 ? "" : "reason", "TBx=8", n});
    }
    r.seconds = 93.4;
    r.cost = {{"search", 0.02}, {"compile", 61.2}, {"measure", 80}, {"wait", 3}};
    r.notes = {"interrupted; the same command goes on from here"};
    return r;
}

} // namespace

TEST_CASE("the progress line says how many, how good and how long") {
    progress_state p;
    CHECK(progress_line(p) == "0 configurations");
    p.max_evaluations = 2000;
    p.evaluations = 500;
    p.correct = 470;
    p.seconds = 10;
    CHECK(progress_line(p) == "500 of 2,000 configurations, 94 % valid, 30.0 s left");
    p.best = 1000;
    p.work = billion;
    CHECK(progress_line(p) == "500 of 2,000 configurations, 94 % valid, best 1 GSt/s (80 % of copy), 30.0 s left");
    p.work.copy_bandwidth = 0;
    p.max_seconds = 12;
    CHECK(progress_line(p) == "500 of 2,000 configurations, 94 % valid, best 1 GSt/s, 2.0 s left");
}

TEST_CASE("time left is what the first limit leaves") {
    progress_state p;
    CHECK(seconds_left(p) < 0);
    p.max_seconds = 5;
    p.seconds = 6;
    CHECK(seconds_left(p) == 0);
    p.seconds = 2;
    p.evaluations = 4;
    p.max_evaluations = 6;
    CHECK(seconds_left(p) == 1);
}

TEST_CASE("on a terminal one line changes ten times a second and is gone at the end") {
    const std::string erase = "\r\x1b[K";
    CHECK(shown(true, {0, 0.05, 0.2}) == erase + "1 of 100 configurations, 100 % valid, 0.00 s left" + erase +
                                             "3 of 100 configurations, 100 % valid, 0.00 s left" + erase);
    CHECK(shown(true, {0}, 12) == erase + "1 of 100 co" + erase);
    CHECK(shown(true, {}).empty());
}

TEST_CASE("elsewhere there is a plain line every five seconds") {
    CHECK(shown(false, {0, 1, 4, 5.5}) == "1 of 100 configurations, 100 % valid, 0.00 s left\n"
                                          "4 of 100 configurations, 100 % valid, 0.00 s left\n");
}

TEST_CASE("numbers are written for people") {
    CHECK(with_separators(0) == "0");
    CHECK(with_separators(999) == "999");
    CHECK(with_separators(1000) == "1,000");
    CHECK(with_separators(50094000) == "50,094,000");
    CHECK(duration_text(0.421) == "0.42 s");
    CHECK(duration_text(12.34) == "12.3 s");
    CHECK(duration_text(59.99) == "1:00");
    CHECK(duration_text(245) == "4:05");
    CHECK(duration_text(3723) == "1:02:03");
}

TEST_CASE("the report names the best, what it gains, where the time went and what failed") {
    CHECK(to_text(full_report()) == R"(heat3d on 1000x1000x1000, pocl-cpu (opencl), strategy random, seed 7
  best          TBx=32 load=global
  time          1000 ms per step, 1 GSt/s
  speedup       1.50 over the untuned default program (1500 ms)
  bandwidth     80 % of what the best copy reaches (10.0 GB/s): 20 % below the limit
  evaluations   200 of the 368,490 that the device admits (475,875 in the space)
                187 valid (93 %), 12 with a program measured before
  took          1:33
                search 0.02 s, compile 1:01, measure 1:20, wait 3.0 s
                the device idle because of gst: 10.4 s, 11 %
  failed        7 × runtime: reason
                6 × compile
                5 × compile: reason
                4 × compile: reason
                3 × compile: reason
                3 × other reasons
  note          interrupted; the same command goes on from here
)");
}

TEST_CASE("the report tells what was spent before, and what is faster than a copy") {
    tuning_report r = full_report();
    r.recalled = 60;
    r.preparation = 4.2;
    r.best->time = 500; // several steps per pass
    CHECK(to_text(r).find("  took          1:33, 1:00 of it before, after 4.2 s of preparation\n") !=
          std::string::npos);
    CHECK(to_text(r).find("160 % of what the best copy reaches (10.0 GB/s): more than a pass over the memory per step "
                          "allows\n") != std::string::npos);
    CHECK(to_json(r)["recalled_seconds"] == 60);
    CHECK(to_json(r)["preparation_seconds"] == 4.2);
}

TEST_CASE("a report without a valid configuration says so") {
    tuning_report r;
    r.stencil = "heat2d";
    r.grid = "8x8";
    r.device = "d";
    r.backend = "b";
    r.strategy = "random";
    r.evaluations = 2;
    r.admitted = 3;
    r.space = 4;
    r.outcomes = {{status::compile, 2}};
    r.failures = {{status::compile, "no", "", 2}};
    CHECK(to_text(r) == R"(heat2d on 8x8, d (b), strategy random, seed 0
  best          none: no configuration was valid
  evaluations   2 of the 3 that the device admits (4 in the space)
                0 valid (0 %)
  took          0.00 s
  failed        2 × compile: no
)");
}

TEST_CASE("a report of valid configurations that were all given up says so") {
    tuning_report r;
    r.evaluations = r.given_up = 2;
    r.outcomes = {{status::correct, 2}};
    CHECK(why_none(r) == "all valid configurations were given up beside faster ones, which were not measured here");
    CHECK(to_text(r).find("  best          none: " + why_none(r) + "\n") != std::string::npos);
    CHECK(to_text(r).find("2 valid (100 %), 2 of them given up beside a faster one\n") != std::string::npos);
    CHECK(to_json(r)["given_up"] == 2);
}

TEST_CASE("the report as JSON holds the same") {
    const nlohmann::json j = to_json(full_report());
    CHECK(j["best"]["configuration"] == nlohmann::json{{"TBx", 32}, {"load", "global"}});
    CHECK(j["best"]["time_ms"] == 1000);
    CHECK(j["best"]["gst_per_s"] == 1);
    CHECK(j["best"]["copy_share"] == 0.8);
    CHECK(j["best"]["speedup"] == 1.5);
    CHECK(j["outcomes"] == nlohmann::json{{"correct", 187}, {"runtime", 13}});
    CHECK(j["failures"][0] ==
          nlohmann::json{{"status", "runtime"}, {"message", "reason"}, {"configuration", "TBx=8"}, {"count", 7}});
    CHECK(j["evaluations"] == 200);
    tuning_report none = full_report();
    none.best.reset();
    none.work.copy_bandwidth = 0;
    CHECK(to_json(none)["best"].is_null());
    CHECK(to_json(none)["copy_bandwidth"].is_null());
}
