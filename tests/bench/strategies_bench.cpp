// Every strategy that is found, on the recordings in ../shared/data: the fraction of the optimum after 50, 100 and 200
// evaluations, 30 seeds, beside Kernel Tuner's strategies on the same recordings.

#include "core/app/bench.hpp"
#include "core/host/find_plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

using namespace gst;

namespace {

const std::filesystem::path data = std::filesystem::path(GST_SOURCE_DIR) / "../shared/data";

/// The recordings, and Kernel Tuner 1.4's mean fractions on them: default settings, 30 seeds, replayed.
struct peer {
    const char* strategy;
    double fraction[3];
};
struct recorded_case {
    const char* name;
    const char* file;
    std::vector<peer> peers;
};
const std::vector<recorded_case> cases{
    {"convolution A100",
     "convolution_milo_A100",
     {{"random", {.68, .75, .81}},
      {"genetic", {.70, .82, .92}},
      {"tabu + grey wolf", {.77, .83, .92}},
      {"hybrid_vndx", {.76, .82, .92}},
      {"simulated annealing", {.72, .82, .86}},
      {"basin hopping", {.66, .73, .80}},
      {"particle swarm", {.66, .72, .87}}}},
    {"convolution W6600",
     "convolution_milo_W6600",
     {{"random", {.76, .83, .88}},
      {"genetic", {.73, .83, .90}},
      {"tabu + grey wolf", {.82, .89, .89}},
      {"hybrid_vndx", {.81, .84, .85}},
      {"simulated annealing", {.76, .81, .83}},
      {"basin hopping", {.77, .85, .91}},
      {"particle swarm", {.75, .86, .91}}}},
    {"convolution A6000", "convolution_milo_A6000", {}},
    {"dedispersion W6600", "dedispersion_milo_W6600", {}},
};

bench_settings settings_of(const std::string& strategy) {
    bench_settings s;
    s.folder = data;
    s.axis = {false, 200, {50, 100, 200}};
    s.strategies.push_back({strategy, {{strategy, {}}, {}}});
    for (const recorded_case& c : cases) {
        bench_settings::space space;
        space.name = c.name;
        space.recording.file.value = data / fmt::format("benchmark_hub_{}.json.gz", c.file);
        s.spaces.push_back(std::move(space));
    }
    return s;
}

/// One comparison for each strategy, so that one that cannot run on recordings is named and the others run.
std::vector<comparison> run_all() {
    std::vector<comparison> all;
    const unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
    for (const plugin_listing& p : list_plugins()) {
        if (p.kind != "search" || p.accepted == nullptr) {
            continue;
        }
        try {
            all.push_back(run_bench(settings_of(p.name), jobs));
        } catch (const std::exception& e) {
            fmt::print("{} does not run on recordings: {}\n", p.name, e.what());
        }
    }
    return all;
}

void print(const recorded_case& c, const std::vector<comparison>& all) {
    fmt::print("{}: fraction of the optimum, 30 seeds\n  {:<34} {:>14} {:>14} {:>14} {:>9}\n", c.name, "", "50", "100",
               "200", "µs/eval");
    for (const comparison& one : all) {
        const auto s = std::find_if(one.scores.begin(), one.scores.end(),
                                    [&](const strategy_score& score) { return score.space == c.name; });
        fmt::print("  {:<34}", s->strategy);
        for (const mean_interval& m : s->fraction) {
            fmt::print("   {:.3f} ±{:.3f}", m.mean, m.half_width);
        }
        fmt::print(" {:>9.1f}\n", s->search_microseconds);
    }
    for (const peer& p : c.peers) {
        fmt::print("  {:<34} {:>9.2f} {:>14.2f} {:>14.2f}\n", fmt::format("Kernel Tuner: {}", p.strategy),
                   p.fraction[0], p.fraction[1], p.fraction[2]);
    }
    fmt::print("\n");
}

} // namespace

int main() {
    if (!std::filesystem::exists(data)) {
        fmt::print("skipped: there are no recordings in {}\n", data.string());
        return 0;
    }
    const std::vector<comparison> all = run_all();
    for (const recorded_case& c : cases) {
        print(c, all);
    }
    return 0;
}
