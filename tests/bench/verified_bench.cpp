// How many random configurations of the full space compute the right thing: stencils with distinct weights that are not
// separable, every kind of boundary, grids that nothing divides, f32 and f64. Prints what became of the configurations
// and how many pairs of optimizations came together, of those that do so among 20,000 random admissible ones.
//
//     build/bin/verified_bench --backend cuda --device H200 --count 2000
//
// The exit code is 1 when a configuration computed something else than the interpreter.

#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"
#include "core/store/results.hpp"
#include "tests/bench/share.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <csignal>
#include <fstream>
#include <set>
#include <unistd.h>

using namespace gst;

namespace {

volatile std::sig_atomic_t interrupted = 0;

struct arguments {
    std::string backend = "auto", device = "auto", only, share = "0/1", folder;
    std::uint64_t count = 3000, seed = 1;
    std::vector<std::string> assignments; ///< on top of each application
    double seconds = 0;                   ///< per stencil and type; 0: no limit
};

struct bench_case {
    std::string pattern;  ///< as in the language
    std::string boundary; ///< of all faces; mixed: of three kinds across z
    int dimensions;
    /// wave: an earlier time level and a coefficient at the point itself; flux: a coefficient wherever the field is
    /// read; scaled: a wave whose coefficient is a factor of the whole sum
    std::string kind = "";

    std::string name() const { return kind.empty() ? pattern : kind + " " + pattern; }
    /// Points along each axis: odd numbers, but along a periodic x of three dimensions, where a seam lies between
    /// vectors and rows of 16 bytes.
    std::vector<std::int64_t> grid() const {
        if (dimensions == 2) {
            return {517, 389};
        }
        return {boundary == "periodic" || boundary == "mixed" ? 136 : 131, 97, 67};
    }
    std::string text(std::uint64_t seed) const {
        const std::string factor = kind == "flux" ? "k[o] * " : "";
        const std::string scale = kind == "scaled" ? "0.6*u + k * " : "";
        const std::string more = kind == "flux"     ? " - 0.05*k"
                                 : kind == "wave"   ? " - 0.4*u[t-1] + 0.07*k*u[x-1]"
                                 : kind == "scaled" ? " - 0.4*u[t-1]"
                                                    : "";
        const std::string faces =
            boundary == "mixed" ? "x: periodic; y-: mirror; y+: clamp; z: fixed" : "all: " + boundary;
        return fmt::format("stencil verified({}) {{\n    field u {{ {} }}\n{}    const w = random({})\n"
                           "    u[t+1] = {}sum(o in {}) {{ w[o] * {}u[o] }}{}\n}}\n",
                           dimensions == 2 ? "x, y" : "x, y, z", faces,
                           kind.empty() ? "" : fmt::format("    coef k {{ {} }}\n", faces), seed, scale, pattern,
                           factor, more);
    }
};

const std::vector<bench_case> cases = {{"star(1)", "fixed", 2},
                                       {"star(2)", "clamp", 2},
                                       {"star(4)", "mirror", 2},
                                       {"box(1)", "periodic", 2},
                                       {"box(2)", "fixed", 2},
                                       {"cross(1)", "clamp", 2},
                                       {"diamond(2)", "mirror", 2},
                                       {"star(1)", "fixed", 3},
                                       {"star(2)", "mirror", 3},
                                       {"star(1)", "periodic", 3},
                                       {"box(1)", "clamp", 3},
                                       {"box(1)", "fixed", 3},
                                       {"nocorners(1)", "mirror", 3},
                                       {"cross(1)", "fixed", 3},
                                       {"star(4)", "clamp", 3},
                                       {"star(1)", "fixed", 3, "wave"},
                                       {"star(2)", "mirror", 2, "wave"},
                                       {"star(4)", "periodic", 3, "wave"},
                                       {"star(1)", "clamp", 3, "flux"},
                                       {"box(1)", "periodic", 2, "flux"},
                                       {"star(2)", "fixed", 3, "flux"},
                                       {"box(3)", "fixed", 2},
                                       {"box(4)", "mirror", 2},
                                       {"box(2)", "periodic", 2},
                                       {"star(3)", "fixed", 3, "scaled"},
                                       {"box(1)", "fixed", 3, "scaled"},
                                       {"star(2)", "mixed", 3},
                                       {"star(4)", "mixed", 3, "scaled"}};

using pair = std::pair<std::string, std::string>;

/// What is on in a configuration: flags, and numbers as one or more.
std::vector<std::string> optimizations(const named_values& configuration) {
    std::vector<std::string> out;
    for (const auto& [name, v] : configuration) {
        if (const bool* on = std::get_if<bool>(&v)) {
            out.push_back(fmt::format("{}={}", name, *on));
        } else if (name == "SD") {
            out.push_back("SD=" + to_string(v));
        } else if (std::get<std::int64_t>(v) > 1 && name != "SB") {
            out.push_back(name + ">1");
        }
    }
    return out;
}

void add_pairs(const named_values& configuration, std::set<pair>& to) {
    const std::vector<std::string> all = optimizations(configuration);
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            to.emplace(all[j], all[i]);
        }
    }
}

std::uint64_t run(const arguments& a) {
    const std::string database = a.folder + "/results.db";
    std::set<pair> met, possible;
    std::map<std::string, std::uint64_t> total;
    std::uint64_t wrong = 0;
    bool found = false;
    std::size_t place = 0; // of the case
    const std::uint64_t each = a.count / (cases.size() * 2) + 1;
    fmt::print("{:<14} {:<9} {:<10} {:<4} {:>8} {:>8}  {}\n", "pattern", "boundary", "grid", "type", "tried", "correct",
               "others");
    for (const bench_case& c : cases) {
        for (const char* type : {"f32", "f64"}) {
            if (interrupted) {
                break; // what has been verified is reported
            }
            if (!is_mine(a.share, place++)) {
                continue;
            }
            if (!a.only.empty() && a.only != fmt::format("{} {} {}", c.name(), c.boundary, type)) {
                continue;
            }
            found = true;
            std::ofstream(a.folder + "/case.gst") << c.text(a.seed);
            std::ofstream(a.folder + "/app.toml") << fmt::format(
                "seed = {}\n[stencil]\nfile = \"case.gst\"\ntype = \"{}\"\n[grid]\nsize = [{}]\n[space]\npreset = "
                "\"full\"\n[search]\nstrategy = \"random\"\n[backend]\nname = \"{}\"\ndevice = \"{}\"\n[budget]\n"
                "evaluations = {}\nseconds = {}\n[store]\npath = \"{}\"\n",
                a.seed, type, fmt::join(c.grid(), ", "), a.backend, a.device, each, a.seconds, database);
            const config settings = read_config(a.folder + "/app.toml", a.assignments);
            const tuning_request r = read_request(settings, read_stencil(settings));
            const target t = find_target(settings);
            const tuning_report report =
                tune(settings, r, t, "verified_bench", true, [] { return interrupted != 0; }).report;
            const space admitted = admitted_space(r, t.device);
            random_source rng(a.seed);
            for (int i = 0; i < 20'000 / static_cast<int>(cases.size()); ++i) {
                add_pairs(admitted.describe(admitted.sample(rng)), possible);
            }
            std::string others;
            for (const auto& failure : report.failures) {
                others += fmt::format("{} {}: {}; ", failure.count, name_of(failure.outcome), failure.message);
            }
            const auto of = [&](status s) {
                const auto at = report.outcomes.find(s);
                return at == report.outcomes.end() ? 0 : at->second;
            };
            for (const auto& [outcome, n] : report.outcomes) {
                total[std::string(name_of(outcome))] += n;
            }
            wrong += of(status::correctness);
            fmt::print("{:<14} {:<9} {:<10} {:<4} {:>8} {:>8}  {}\n", c.name(), c.boundary,
                       fmt::format("{}", fmt::join(c.grid(), "x")), type, report.evaluations, of(status::correct),
                       others);
            std::fflush(stdout);
        }
    }
    if (!a.only.empty() && !found && !interrupted) {
        throw std::invalid_argument("--only: there is no stencil '" + a.only +
                                    "'; --only 'wave star(1) fixed f32' is one");
    }
    result_store store(database);
    for (const status outcome : {status::correctness, status::runtime, status::timeout}) {
        result_filter failed;
        failed.outcome = outcome;
        for (const result_row& row : store.query(failed)) {
            fmt::print("{} on {}:", name_of(outcome), row.grid);
            for (const auto& [name, v] : row.configuration) {
                fmt::print(" {}={}", name, to_string(v));
            }
            fmt::print("\n  {}\n", row.what.message);
        }
    }
    result_filter correct;
    correct.outcome = status::correct;
    std::size_t verified = 0;
    for (const result_row& row : store.query(correct)) {
        add_pairs(row.configuration, met);
        ++verified;
    }
    std::size_t both = 0;
    for (const pair& p : possible) {
        both += met.count(p);
        if (met.count(p) == 0) {
            fmt::print("not met: {} with {}\n", p.first, p.second);
        }
    }
    fmt::print("\n{} configurations verified; pairs of optimizations met: {} of {}\n", verified, both, possible.size());
    for (const auto& [outcome, n] : total) {
        fmt::print("{:>8} {}\n", n, outcome);
    }
    return wrong;
}

} // namespace

int main(int argc, char** argv) {
    arguments a;
    CLI::App program("Verifies random configurations of the full space");
    program.add_option("--backend", a.backend, "backend plugin")->capture_default_str();
    program.add_option("--device", a.device, "as backend.device of app.toml")->capture_default_str();
    program.add_option("--count", a.count, "configurations of all shares")->capture_default_str();
    program.add_option("--seconds", a.seconds, "most per stencil and type; 0: no limit")->capture_default_str();
    program.add_option("--only", a.only,
                       "this stencil alone, e.g. \"star(4) mirror f64\" or \"wave star(1) fixed f32\"");
    program.add_option("--share", a.share, about_share)->capture_default_str();
    program.add_option("--set", a.assignments, "KEY=VALUE, as of gst: space.domain.useHalo=[true]")
        ->allow_extra_args(false);
    program.add_option("--seed", a.seed, "of weights and configurations")->capture_default_str();
    CLI11_PARSE(program, argc, argv);
    a.folder = (std::filesystem::temp_directory_path() / fmt::format("gst_verified_bench_{}", ::getpid())).string();
    std::filesystem::create_directories(a.folder);
    int code = 3;
    std::signal(SIGINT, [](int) { interrupted = 1; });
    try {
        code = run(a) == 0 ? 0 : 1;
    } catch (const std::exception& e) {
        fmt::print(stderr, "error: {}\n", e.what());
    }
    std::filesystem::remove_all(a.folder);
    return code;
}
