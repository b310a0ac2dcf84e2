// What gst itself takes per evaluation: the strategy with the session around it, on the garvey_full space of 512³ and
// on `full` of a 7-point stencil there, with measurements that cost nothing; also with caches that are cold when a
// result comes, on garvey_full and on a sub-space of `gest`; storing a result. `search_bench NAME…` measures these
// strategies alone.

#include "core/codegen/presets.hpp"
#include "core/host/check_options.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"
#include "core/store/results.hpp"
#include "core/tune/session.hpp"
#include "tests/dsl/stencils_of.hpp"
#include "tests/space/garvey.hpp"
#include "tests/temporary_folder.hpp"

#include <fmt/format.h>

#include <chrono>
#include <map>
#include <set>
#include <string>

using namespace gst;

namespace {

/// Strategies whose time goes into a model.
const std::map<std::string, const char*> models{{"an5d", "(it ranks 10,000 by a model)"},
                                                {"auto", "(it trains a model)"},
                                                {"external", "(a program in Python)"},
                                                {"gstuner", "(it trains a model)"}};

/// Options of those that do not run without any.
const std::map<std::string, std::map<std::string, value>> needed{
    {"external", {{"program", std::string(GST_SOURCE_DIR "/examples/external/local_search.py")}}},
    {"oracle", {{"parameter", std::string("VX")}}}};

using steady = std::chrono::steady_clock;

double seconds_since(steady::time_point begin) {
    return std::chrono::duration<double>(steady::now() - begin).count();
}

/// Of a 7-point stencil on 512³.
space preset(const std::string& name) {
    const stencil star =
        stencil_of("stencil star(x, y, z) {\n    field u\n    u[t+1] = sum(o in star(1)) { 0.125 * u[o] }\n}\n");
    return make_space(name, star, {512, 512, 512});
}

/// A part of it like the one recorded in recordings/h200/star3d1r.toml: 16,968 configurations.
space gest_part() {
    const std::map<std::string, std::vector<std::int64_t>> numbers{
        {"SD", {1, 3}},    {"SB", {1, 32, 128, 512}}, {"TD", {1, 2, 3}}, {"MB", {1}},
        {"VX", {1, 2, 4}}, {"BMx", {1, 2, 4}},        {"CMx", {1, 2}},   {"TBx", {32, 64, 128}},
        {"UFx", {1}},      {"BMy", {1, 2}},           {"CMy", {1}},      {"TBy", {1, 2, 4, 8}},
        {"UFy", {1}},      {"BMz", {1, 4}},           {"CMz", {1, 4}},   {"TBz", {1, 2, 4}},
        {"UFz", {1, 2}}};
    std::map<std::string, std::vector<value>> part{{"useShuffle", {false}}, {"useConstant", {false}}};
    for (const auto& [name, domain] : numbers) {
        part[name] = {domain.begin(), domain.end()};
    }
    return preset("gest").restricted(part);
}

/// A time that depends on every parameter.
double made_up_time(const configuration& c) {
    double time = 1;
    for (std::size_t k = 0; k < c.size(); ++k) {
        const double off = static_cast<double>(c[k]) - 2.0 - static_cast<double>(k % 3);
        time += off * off / static_cast<double>(k + 1);
    }
    return time;
}

/// Answers at once.
class instant : public evaluator {
  public:
    std::vector<measurement> measure(std::span<const configuration> batch) override {
        std::vector<measurement> out(batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            out[i].outcome = status::correct;
            out[i].time = made_up_time(batch[i]);
            if (!recorded) {
                out[i].times.assign(20, out[i].time);
                out[i].metrics = told;
                out[i].cost = {{"generate", 0.001}, {"compile", 0.3}, {"verify", 0.01}, {"measure", 0.01}, {"wall", 1}};
            }
        }
        for (std::size_t i = 0; i < others.size(); i += 8) {
            ++others[i];
        }
        return out;
    }
    void prefetch(std::span<const configuration>) override {}
    double elapsed() const override { return seconds_since(begin_); }

    bool recorded = true;              ///< times only, nothing is compiled
    std::vector<std::uint64_t> others; ///< fill the caches while a configuration is measured
    const named_numbers told{{"clock_mhz", 1980}, {"error_of_bound", 0.2}, {"local_bytes", 1024}, {"occupancy", 0.5},
                             {"registers", 64},   {"spill_bytes", 0},      {"stack_bytes", 0},    {"temperature_c", 40},
                             {"throttle", 0},     {"work_groups", 1024}};

  private:
    steady::time_point begin_ = steady::now();
};

void print(const std::string& what, double microseconds, const char* target) {
    fmt::print("{:<44} {:>8.1f} µs  {}\n", what, microseconds, target);
}

struct tuned {
    session_result result;
    double seconds = 0;
};

tuned tune(const std::string& name, const space& s, instant& device, std::uint64_t most) {
    const plugin& strategy = find_plugin("search", name, {});
    const auto given = needed.contains(name) ? needed.at(name) : std::map<std::string, value>();
    session_options options;
    options.max_evaluations = most;
    options.parallel = device.recorded ? 0 : 1;
    options.estimate = made_up_time;
    const auto begin = steady::now();
    session_result r = run_session(make_search(strategy, check_options(strategy, given)), s, device, options);
    if (r.fault) {
        std::rethrow_exception(r.fault);
    }
    return {std::move(r), seconds_since(begin)};
}

void measure_strategy(const std::string& name, const space& s, std::uint64_t most, const char* what) {
    instant device;
    const tuned t = tune(name, s, device, most);
    print(fmt::format("{}, per evaluation of {}", name, t.result.evaluations),
          1e6 * t.seconds / static_cast<double>(t.result.evaluations), what);
}

const char* target_of(const std::string& name) {
    return models.contains(name) ? models.at(name) : "(target: 20)";
}

void measure_strategies(const std::set<std::string>& wanted) {
    for (const bool full : {false, true}) {
        fmt::print("{}\n", full ? "full" : "garvey_full");
        const space s = full ? preset("full") : garvey::full(512);
        for (const plugin_listing& l : list_plugins()) {
            if (l.kind == "search" && (wanted.empty() || wanted.contains(l.name))) {
                measure_strategy(l.name, s, full ? 2000 : 20000, target_of(l.name));
            }
        }
    }
}

/// The strategy's own turns, where what it knows has left the caches when a result comes, as beside compilers.
void measure_cold(const std::string& name, const space& s) {
    instant device;
    device.recorded = false;
    device.others.resize(16 << 20); // 128 MiB
    const session_result r = tune(name, s, device, 300).result;
    print(fmt::format("{}, per evaluation of {}", name, r.evaluations),
          1e6 * r.cost.at("search") / static_cast<double>(r.evaluations), target_of(name));
}

void measure_cold_strategies(const std::set<std::string>& wanted) {
    for (const bool gest : {false, true}) {
        fmt::print("{}, with cold caches\n", gest ? "a part of gest" : "garvey_full");
        const space s = gest ? gest_part() : garvey::full(512);
        for (const plugin_listing& l : list_plugins()) {
            if (l.kind == "search" && (wanted.empty() || wanted.contains(l.name))) {
                measure_cold(l.name, s);
            }
        }
    }
}

void measure_store() {
    const space s = garvey::full(512);
    const temporary_folder folder;
    result_store store(folder.path() / "results.db");
    const session_id session = store.begin_session({"", "", "", 1, "", ""});
    measurement m;
    m.outcome = status::correct;
    m.time = 1;
    m.times.assign(20, 1.0);
    result_key key;
    key.stencil = key.problem = key.grid = "bench";
    constexpr int rows = 2000;
    const auto begin = steady::now();
    for (int i = 0; i < rows; ++i) {
        key.program = fmt::format("{} {}", i, std::string(4000, ' '));
        store.insert(key, s.describe(s.at(static_cast<std::uint64_t>(i))), m, session);
    }
    print("storing a result", 1e6 * seconds_since(begin) / rows, "");
}

} // namespace

int main(int count, char** arguments) {
    const std::set<std::string> wanted(arguments + 1, arguments + count);
    measure_strategies(wanted);
    measure_cold_strategies(wanted);
    if (wanted.empty()) {
        measure_store();
    }
    return 0;
}
