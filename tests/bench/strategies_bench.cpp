// Every strategy that is found, on recordings: the fraction of the optimum after 50, 100 and 200 evaluations, 30 seeds,
// beside Kernel Tuner's strategies on the same recordings. Of `auto`, what counts is the row whose options were chosen
// without the space that they are scored on, and without the same kernel's spaces on other devices:
//     strategies_bench --choose-defaults [RECORDING ...]
// chooses them anew, on these recordings beside its own ones.

#include "core/app/bench.hpp"
#include "core/base/processors.hpp"
#include "core/host/find_plugin.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

using namespace gst;

namespace {

const std::filesystem::path folder = std::filesystem::path(GST_SOURCE_DIR) / "tests/bench/recordings";

using options = std::map<std::string, value>;

/// Kernel Tuner 1.4's mean fractions: default settings, 30 seeds, replayed.
struct peer {
    const char* strategy;
    double fraction[3];
};
const std::map<std::string, std::vector<peer>> peers{
    {"convolution A100",
     {{"random", {.68, .75, .81}},
      {"genetic", {.70, .82, .92}},
      {"tabu + grey wolf", {.77, .83, .92}},
      {"hybrid_vndx", {.76, .82, .92}},
      {"simulated annealing", {.72, .82, .86}},
      {"basin hopping", {.66, .73, .80}},
      {"particle swarm", {.66, .72, .87}}}},
    {"convolution W6600",
     {{"random", {.76, .83, .88}},
      {"genetic", {.73, .83, .90}},
      {"tabu + grey wolf", {.82, .89, .89}},
      {"hybrid_vndx", {.81, .84, .85}},
      {"simulated annealing", {.76, .81, .83}},
      {"basin hopping", {.77, .85, .91}},
      {"particle swarm", {.75, .86, .91}}}},
};

/// The options of `auto` that --choose-defaults tries: its defaults and changes of them.
const std::vector<std::pair<std::string, options>> variants{
    {"defaults", {}},
    {"untuned = 1000000", {{"untuned", std::int64_t{1000000}}}}, // nothing comes from around the untuned configuration
    {"first = 8", {{"first", std::int64_t{8}}}},
    {"first = 8, local = 4", {{"first", std::int64_t{8}}, {"local", std::int64_t{4}}}},
    {"first = 12", {{"first", std::int64_t{12}}}},
    {"local = 3", {{"local", std::int64_t{3}}}},
    {"local = 4", {{"local", std::int64_t{4}}}},
    {"local = 4, untuned = 1000000", {{"local", std::int64_t{4}}, {"untuned", std::int64_t{1000000}}}},
    {"untuned = 8", {{"untuned", std::int64_t{8}}}},
    {"centres = 3", {{"centres", std::int64_t{3}}}},
    {"random = 150", {{"random", std::int64_t{150}}}},
    {"random = 600", {{"random", std::int64_t{600}}}},
};

/// For each space, the variant that --choose-defaults has chosen on spaces of other kernels.
const std::map<std::string, std::string> chosen{
    {"convolution A100", "defaults"},
    {"convolution W6600", "defaults"},
    {"convolution A6000", "defaults"},
    {"dedispersion W6600", "untuned = 8"},
};

unsigned jobs() {
    return processors();
}

bench_settings::strategy strategy_of(const std::string& label, const std::string& name, const options& given) {
    bench_settings::strategy s{label, {{name, {}}, {}}};
    for (const auto& [option, v] : given) {
        s.plugin.options[option] = {v, {}};
    }
    return s;
}

/// What a strategy needs to run on a recording.
options options_of(const std::string& name, const std::string& space) {
    if (name == "grouped") { // the other specifications speak of parameters of gst's own kernels
        return {{"specification", std::string("by_dimension")}};
    }
    if (name == "oracle") {
        return {{"parameter", std::string(space.starts_with("convolution") ? "use_shmem" : "tile_stride_y")},
                {"options", std::string("specification=by_dimension")}};
    }
    if (name == "external") {
        return {{"program", std::string(GST_SOURCE_DIR "/examples/external/local_search.py")}};
    }
    return {};
}

comparison run_on(bench_settings settings, const bench_settings::space& space,
                  std::vector<bench_settings::strategy> strategies) {
    settings.spaces = {space};
    settings.strategies = std::move(strategies);
    bench_result result = run_bench(settings, jobs());
    if (result.failure) {
        std::rethrow_exception(result.failure);
    }
    return std::move(result.compared);
}

void print_row(const strategy_score& s) {
    fmt::print("  {:<34}", s.strategy);
    for (const mean_interval& m : s.fraction) {
        fmt::print("   {:.3f} ±{:.3f}", m.mean, m.half_width);
    }
    fmt::print(" {:>9.1f}\n", s.search_microseconds);
}

/// The strategies that run on recordings, `auto` twice.
std::vector<bench_settings::strategy> strategies_on(const std::string& space) {
    std::vector<bench_settings::strategy> all;
    for (const plugin_listing& p : list_plugins()) {
        if (p.kind != "search" || p.accepted == nullptr || p.name == "an5d") { // a recording has no performance model
            continue;
        }
        all.push_back(strategy_of(p.name, p.name, options_of(p.name, space)));
        if (p.name == "auto") {
            const std::string& choice = chosen.at(space);
            const auto variant =
                std::find_if(variants.begin(), variants.end(), [&](const auto& v) { return v.first == choice; });
            all.push_back(strategy_of(fmt::format("auto, by the others: {}", choice), "auto", variant->second));
        }
    }
    return all;
}

void score_all(const bench_settings& settings) {
    for (const bench_settings::space& space : settings.spaces) {
        fmt::print("{}: fraction of the optimum, {} seeds\n  {:<34} {:>14} {:>14} {:>14} {:>9}\n", space.name,
                   settings.seeds, "", "50", "100", "200", "µs/eval");
        for (const strategy_score& s : run_on(settings, space, strategies_on(space.name)).scores) {
            if (!s.space.empty()) { // the mean over all spaces is that of this one
                print_row(s);
            }
        }
        if (const auto found = peers.find(space.name); found != peers.end()) {
            for (const peer& p : found->second) {
                fmt::print("  {:<34} {:>9.2f} {:>14.2f} {:>14.2f}\n", fmt::format("Kernel Tuner: {}", p.strategy),
                           p.fraction[0], p.fraction[1], p.fraction[2]);
            }
        }
        fmt::print("\n");
    }
}

/// The kernel of a recording, which its name speaks of; else the name.
std::string kernel_of(const std::string& name) {
    for (const char* kernel : {"convolution", "dedispersion", "expdist", "gemm", "hotspot", "pnpoly"}) {
        if (name.find(kernel) != std::string::npos) {
            return kernel;
        }
    }
    return name;
}

/// Leave one kernel out: what has the largest area under the convergence curve in the mean over the recordings of the
/// others, each kernel's recordings counting together as much as any other's. Prints the areas and the table `chosen`.
void choose_defaults(bench_settings settings, const std::vector<std::filesystem::path>& more) {
    const std::size_t scored = settings.spaces.size();
    for (const std::filesystem::path& file : more) {
        bench_settings::space space;
        space.name = file.stem().stem().string();
        space.recording.file = {file, {}};
        settings.spaces.push_back(std::move(space));
    }
    std::map<std::string, std::vector<std::vector<double>>> area; // by kernel: of its recordings, per variant
    for (const bench_settings::space& space : settings.spaces) {
        std::vector<bench_settings::strategy> tried;
        for (const auto& [label, given] : variants) {
            tried.push_back(strategy_of(label, "auto", given));
        }
        const comparison c = run_on(settings, space, tried);
        fmt::print("{}: area under the convergence curve, {} seeds\n", space.name, settings.seeds);
        std::vector<double>& areas = area[kernel_of(space.name)].emplace_back();
        for (std::size_t v = 0; v < variants.size(); ++v) {
            areas.push_back(c.scores[v].area.mean);
            fmt::print("  {:<34} {:.4f} ±{:.4f}\n", variants[v].first, c.scores[v].area.mean,
                       c.scores[v].area.half_width);
        }
        std::fflush(stdout);
    }
    fmt::print("\nchosen on other kernels' recordings:\n");
    for (std::size_t out = 0; out < scored; ++out) {
        std::vector<double> sum(variants.size());
        for (const auto& [kernel, recordings] : area) {
            for (const std::vector<double>& one : recordings) {
                for (std::size_t v = 0; v < sum.size() && kernel != kernel_of(settings.spaces[out].name); ++v) {
                    sum[v] += one[v] / static_cast<double>(recordings.size());
                }
            }
        }
        const auto best = static_cast<std::size_t>(std::max_element(sum.begin(), sum.end()) - sum.begin());
        fmt::print("    {{\"{}\", \"{}\"}},\n", settings.spaces[out].name, variants[best].first);
    }
}

} // namespace

int main(int count, char** arguments) {
    const bool chooses = count > 1 && std::strcmp(arguments[1], "--choose-defaults") == 0;
    if (count > 1 && !chooses) {
        fmt::print(stderr, "usage: strategies_bench [--choose-defaults RECORDING...]\n");
        return 2;
    }
    const bench_settings settings = read_bench(folder / "strategies.toml");
    if (!std::filesystem::exists(settings.spaces.front().recording.file.value)) {
        fmt::print("skipped: there is no recording '{}'\n", settings.spaces.front().recording.file.value.string());
        return 0;
    }
    if (chooses) {
        choose_defaults(settings, {arguments + 2, arguments + count});
    } else {
        score_all(settings);
    }
    return 0;
}
