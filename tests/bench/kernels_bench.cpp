// How fast the kernels are that tuning finds, stencil by stencil: every stencil of kernels.gst and three of the
// examples is tuned twice, for one sweep over the arrays per time step and with temporal blocking, in the sub-spaces
// below.
//
//     build/bin/kernels_bench --backend cuda --device H200 --seconds 20
//
// Every configuration that is measured is verified first. Copy is the best of the device's copies of as many bytes, in
// the same run; the limit is the smaller one of copy × time steps per launch and of the peak of fused multiply-adds
// (--peak-f32, --peak-f64), which no program of the stencil can pass.

#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"
#include "tests/bench/kernels_space.hpp"
#include "tests/bench/share.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <unistd.h>

using namespace gst;

namespace {

volatile std::sig_atomic_t interrupted = 0;

struct arguments {
    std::string backend = "auto", device = "auto", strategy = "auto", only, share = "0/1", json, csv, folder,
                root = GST_SOURCE_DIR;
    std::vector<std::string> types{"f32", "f64"}, parts{"sweep", "blocked", "pipelined"};
    std::vector<std::string> assignments; ///< on top of the sub-space
    double seconds = 20;
    std::vector<std::int64_t> grid2d{8192, 8192}, grid3d{512, 512, 512};
    double peak_f32 = 0, peak_f64 = 0; ///< 10^12 fused multiply-adds per second
    std::uint64_t seed = 1;
};

struct bench_case {
    std::string file, stencil;
    int dimensions = 2;
};

/// What one tuning found.
struct found {
    double gst_per_s = 0; ///< 0: nothing
    double of_copy = 0;
    int steps = 1; ///< time steps per launch
    std::string configuration;
};

struct row {
    std::string stencil, type, grid;
    int dimensions = 0;
    double copy = 0;  ///< GSt/s that copying the arrays once per step would allow
    double naive = 0; ///< GSt/s of the untuned program
    double limit = 0; ///< GSt/s of the arithmetic; 0: not given
    found sweep, blocked;
    std::string not_blocked; ///< why no program with temporal blocking was tried
    std::uint64_t evaluations = 0;
    std::map<std::string, std::uint64_t> outcomes;
    std::vector<tuning_report::failure_group> launched_failures; ///< wrong results, and failures at run time

    const found& best() const { return blocked.gst_per_s > sweep.gst_per_s ? blocked : sweep; }
    double limit_of_best() const {
        const double traffic = copy * best().steps;
        return limit > 0 ? std::min(limit, traffic) : traffic;
    }
};

std::vector<bench_case> all_cases(const std::string& root) {
    const std::string own = root + "/tests/bench/kernels.gst";
    const std::string examples = root + "/examples/";
    std::vector<bench_case> out;
    for (const char* kind : {"star", "box", "cross"}) {
        for (int dimensions : {2, 3}) {
            for (int radius = 1; radius <= (dimensions == 2 ? 4 : 3); ++radius) {
                out.push_back({own, fmt::format("{}{}d{}r", kind, dimensions, radius), dimensions});
            }
        }
    }
    out.push_back({own, "star3d4r", 3});
    out.push_back({own, "gradient2d", 2});
    out.push_back({own, "diamond2d2r", 2});
    out.push_back({own, "poisson", 3});
    out.push_back({own, "wave2d1r", 2});
    out.push_back({own, "wave3d1r", 3});
    out.push_back({examples + "wave3d/wave3d.gst", "wave3d", 3});
    out.push_back({examples + "gray_scott/gray_scott.gst", "gray_scott", 2});
    out.push_back({examples + "diffusion/diffusion.gst", "diffusion", 3});
    return out;
}

std::int64_t configured(const tuning_report::found& f, const std::string& parameter) {
    const auto at = std::ranges::find(f.configuration, parameter, &named_values::value_type::first);
    return at == f.configuration.end() ? 1 : std::get<std::int64_t>(at->second);
}

/// Fused multiply-adds of one point, other operations counted as one.
double operations_of(const stencil& s) {
    double sums = 0, products = 0, others = 0;
    for (const update& u : s.updates) {
        for (const node_id n : reachable(s, u.value)) {
            const auto* b = std::get_if<ir::binary>(&s.nodes[n].op);
            const bool other = std::holds_alternative<ir::call>(s.nodes[n].op) ||
                               (b && b->op != ir::binary_op::add && b->op != ir::binary_op::subtract &&
                                b->op != ir::binary_op::multiply);
            others += other ? 1 : 0;
            sums += b && (b->op == ir::binary_op::add || b->op == ir::binary_op::subtract) ? 1 : 0;
            products += b && b->op == ir::binary_op::multiply ? 1 : 0;
        }
    }
    return std::max(sums, products) + others;
}

class bench {
  public:
    explicit bench(const arguments& a) : a_(a) {}

    std::optional<row> run(const bench_case& c, const std::string& type) {
        row r;
        r.stencil = c.stencil;
        r.type = type;
        const std::vector<std::int64_t>& points = c.dimensions == 2 ? a_.grid2d : a_.grid3d;
        extent3 size{1, 1, 1};
        std::ranges::copy(points, size.begin());
        std::vector<std::string> common = assignments(c, type);
        common.push_back(fmt::format("grid.size=[{}]", fmt::join(points, ", ")));
        const config whole = read_config(application(), common);
        const stencil s = read_stencil(whole);
        if (!target_) {
            target_ = find_target(whole);
        }
        const space open = read_space(whole, s);
        const parameter& blocking = open.parameters()[open.index_of("useTB")];
        std::vector<std::pair<std::string, std::vector<std::string>>> parts; // that the stencil has
        for (const std::string& part : a_.parts) {
            if (part != "sweep" && blocking.active && blocking.active->text() == "false") {
                continue;
            }
            auto narrow = sub_space(s, size, open,
                                    part == "sweep"     ? kernel_part::sweep
                                    : part == "blocked" ? kernel_part::blocked
                                                        : kernel_part::pipelined,
                                    target_->device.language.sub_group > 0);
            if (!narrow.empty()) {
                parts.emplace_back(part, std::move(narrow));
            }
        }
        for (const auto& [part, narrow] : parts) {
            const bool blocked = part != "sweep";
            std::vector<std::string> all = common;
            all.push_back(fmt::format("budget.seconds={}", a_.seconds / static_cast<double>(parts.size())));
            all.insert(all.end(), narrow.begin(), narrow.end());
            all.insert(all.end(), a_.assignments.begin(), a_.assignments.end());
            const config narrowed = read_config(application(), all);
            std::optional<tuning_outcome> tuned;
            try {
                tuned.emplace(tune(narrowed, read_request(narrowed, s), *target_, "kernels_bench", true,
                                   [] { return interrupted != 0; }));
            } catch (const nothing_found& e) {
                if (!blocked) {
                    throw;
                }
                r.not_blocked = e.what();
                continue;
            }
            const tuning_report& report = tuned->report;
            r.grid = report.grid;
            r.dimensions = s.dimensions;
            r.copy = report.work.copy_bandwidth / report.work.bytes * report.work.points / 1e9;
            r.naive = report.default_time > 0 ? report.work.points / report.default_time / 1e6 : 0;
            const double peak = (type == "f64" ? a_.peak_f64 : a_.peak_f32) * 1e3;
            r.limit = peak / operations_of(s);
            r.evaluations += report.evaluations;
            for (const auto& [outcome, count] : report.outcomes) {
                r.outcomes[std::string(name_of(outcome))] += count;
            }
            std::copy_if(
                report.failures.begin(), report.failures.end(), std::back_inserter(r.launched_failures),
                [](const auto& f) { return f.outcome == status::correctness || f.outcome == status::runtime; });
            if (report.best) {
                const double rate = report.work.points / report.best->time / 1e6;
                found& best = blocked ? r.blocked : r.sweep;
                if (rate > best.gst_per_s) {
                    best = {rate, rate / r.copy, static_cast<int>(configured(*report.best, "TD")), report.best->text};
                }
            }
        }
        return r.naive > 0 ? std::optional(r) : std::nullopt;
    }

    const std::optional<target>& device() const { return target_; }

  private:
    std::filesystem::path application() const { return std::filesystem::path(a_.folder) / "app.toml"; }

    std::vector<std::string> assignments(const bench_case& c, const std::string& type) const {
        return {fmt::format("stencil.file=\"{}\"", c.file),
                fmt::format("stencil.name=\"{}\"", c.stencil),
                fmt::format("stencil.type=\"{}\"", type),
                "space.preset=\"full\"",
                fmt::format("backend.name=\"{}\"", a_.backend),
                fmt::format("backend.device=\"{}\"", a_.device),
                fmt::format("search.strategy=\"{}\"", a_.strategy),
                fmt::format("seed={}", a_.seed),
                "budget.evaluations=0",
                fmt::format("store.path=\"{}/results.db\"", a_.folder)};
    }

    const arguments& a_;
    std::optional<target> target_;
};

std::string heading() {
    return fmt::format("{:<12} {:<4} {:<12} {:>8} {:>6} {:>6}  {:>8} {:>6} {:>6} {:>6} {:>6} {:>6}  {}\n", "stencil",
                       "type", "grid", "sweep", "/copy", "/naive", "blocked", "steps", "/sweep", "/copy", "/limit",
                       "failed", "configuration of the best");
}

std::string line_of(const row& r) {
    std::uint64_t failed = 0;
    for (const auto& [outcome, count] : r.outcomes) {
        failed += outcome == "correct" ? 0 : count;
    }
    std::string why;
    for (const tuning_report::failure_group& f : r.launched_failures) {
        why += fmt::format("\n  {} {}: {}\n    {}", f.count, name_of(f.outcome), f.message, f.configuration);
    }
    const auto number = [](double v, int digits) { return v > 0 ? fmt::format("{:.{}f}", v, digits) : "–"; };
    return fmt::format(
        "{:<12} {:<4} {:<12} {:>8} {:>6} {:>6}  {:>8} {:>6} {:>6} {:>6} {:>6} {:>6}  {}\n", r.stencil, r.type, r.grid,
        number(r.sweep.gst_per_s, 1), number(r.sweep.of_copy, 2), number(r.sweep.gst_per_s / r.naive, 2),
        number(r.blocked.gst_per_s, 1), r.blocked.gst_per_s > 0 ? std::to_string(r.blocked.steps) : "–",
        number(r.sweep.gst_per_s > 0 ? r.blocked.gst_per_s / r.sweep.gst_per_s : 0, 2), number(r.blocked.of_copy, 2),
        number(r.best().gst_per_s / r.limit_of_best(), 2), failed,
        r.best().configuration + (r.not_blocked.empty() ? "" : "\n  not blocked: " + r.not_blocked) + why);
}

nlohmann::json to_json(const found& f) {
    return f.gst_per_s > 0 ? nlohmann::json{{"gst_per_s", f.gst_per_s},
                                            {"copy_share", f.of_copy},
                                            {"steps", f.steps},
                                            {"configuration", f.configuration}}
                           : nlohmann::json();
}

nlohmann::json to_json(const row& r) {
    nlohmann::json failures = nlohmann::json::array();
    for (const tuning_report::failure_group& f : r.launched_failures) {
        failures.push_back(gst::to_json(f));
    }
    return {{"stencil", r.stencil},
            {"type", r.type},
            {"grid", r.grid},
            {"copy_gst_per_s", r.copy},
            {"naive_gst_per_s", r.naive},
            {"arithmetic_gst_per_s", r.limit > 0 ? nlohmann::json(r.limit) : nlohmann::json()},
            {"sweep", to_json(r.sweep)},
            {"blocked", to_json(r.blocked)},
            {"limit_share", r.best().gst_per_s / r.limit_of_best()},
            {"evaluations", r.evaluations},
            {"outcomes", r.outcomes},
            {"launched_failures", std::move(failures)}};
}

std::string csv_of(const row& r) {
    return fmt::format("{},{},{},{:.2f},{:.2f},{:.2f},{:.2f},{},{},\"{}\",\"{}\"\n", r.stencil, r.type, r.grid, r.copy,
                       r.naive, r.sweep.gst_per_s, r.blocked.gst_per_s, r.blocked.steps, r.evaluations,
                       r.sweep.configuration, r.blocked.configuration);
}

std::string today() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    char text[16];
    std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
    return text;
}

int run(const arguments& a, const std::string& command) {
    std::ofstream(a.folder + "/app.toml")
        << "# kernels_bench sets everything\n[stencil]\nfile = \"\"\n[grid]\nsize = [64]\n";
    std::signal(SIGINT, [](int) { interrupted = 1; });
    bench b(a);
    nlohmann::json rows = nlohmann::json::array();
    std::string csv = "stencil,type,grid,copy,naive,sweep,blocked,steps,evaluations,sweep configuration,blocked "
                      "configuration\n";
    fmt::print("{}", heading());
    std::size_t i = 0;
    int code = 0;
    for (const bench_case& c : all_cases(a.root)) {
        if (!a.only.empty() && ("," + a.only + ",").find("," + c.stencil + ",") == std::string::npos) {
            continue;
        }
        for (const std::string& type : a.types) {
            if (!is_mine(a.share, i++) || interrupted != 0) {
                continue;
            }
            try {
                if (const std::optional<row> r = b.run(c, type)) {
                    fmt::print("{}", line_of(*r));
                    rows.push_back(to_json(*r));
                    csv += csv_of(*r);
                }
            } catch (const std::exception& e) {
                fmt::print("{:<12} {:<4} {}\n", c.stencil, type, e.what());
                code = 1;
            }
            std::fflush(stdout);
        }
    }
    if (!a.json.empty() && b.device()) {
        const device_info& device = b.device()->device;
        nlohmann::json all = {{"date", today()},         {"device", device.name}, {"backend", device.backend},
                              {"driver", device.driver}, {"command", command},    {"version", GST_VERSION}};
        all["rows"] = rows;
        std::ofstream(a.json) << all.dump(1) << "\n";
    }
    if (!a.csv.empty()) {
        std::ofstream(a.csv) << csv;
    }
    return code;
}

} // namespace

int main(int argc, char** argv) {
    arguments a;
    CLI::App program("Tunes the stencils of kernels.gst and prints how fast their kernels are");
    program.add_option("--backend", a.backend, "backend plugin")->capture_default_str();
    program.add_option("--device", a.device, "as backend.device of app.toml")->capture_default_str();
    program.add_option("--strategy", a.strategy, "search strategy")->capture_default_str();
    program.add_option("--seconds", a.seconds, "of tuning per stencil and type")->capture_default_str();
    program.add_option("--types", a.types, "f32, f64")->delimiter(',')->capture_default_str();
    program
        .add_option("--parts", a.parts,
                    "sweep: one time step per launch; blocked: several; pipelined: several, in "
                    "stage groups (of rows that share what comes in and goes out, or with tiles of their own)")
        ->delimiter(',')
        ->check(CLI::IsMember({"sweep", "blocked", "pipelined"}))
        ->capture_default_str();
    program.add_option("--only", a.only, "names of stencils, separated by commas");
    program.add_option("--share", a.share, about_share)->capture_default_str();
    program.add_option("--grid2d", a.grid2d, "points along x and y in two dimensions, such as 8192x8192")
        ->delimiter('x')
        ->expected(2)
        ->check(CLI::PositiveNumber);
    program.add_option("--grid3d", a.grid3d, "points along x, y and z in three dimensions, such as 512x512x512")
        ->delimiter('x')
        ->expected(3)
        ->check(CLI::PositiveNumber);
    program.add_option("--peak-f32", a.peak_f32, "10^12 fused multiply-adds per second");
    program.add_option("--peak-f64", a.peak_f64, "10^12 fused multiply-adds per second");
    program.add_option("--root", a.root, "folder of gst's sources")->capture_default_str();
    program.add_option("--set", a.assignments, "KEY=VALUE, as of gst, on top of the sub-space")
        ->allow_extra_args(false);
    program.add_option("--seed", a.seed, "of the search")->capture_default_str();
    program.add_option("--json", a.json, "file for all numbers");
    program.add_option("--csv", a.csv, "file for the main numbers");
    CLI11_PARSE(program, argc, argv);
    std::string command = "kernels_bench";
    for (int i = 1; i < argc; ++i) {
        command += std::string(" ") + argv[i];
    }
    a.folder = (std::filesystem::temp_directory_path() / fmt::format("gst_kernels_bench_{}", ::getpid())).string();
    std::filesystem::create_directories(a.folder);
    int code = 3;
    try {
        code = run(a, command);
    } catch (const std::exception& e) {
        fmt::print(stderr, "error: {}\n", e.what());
    }
    std::filesystem::remove_all(a.folder);
    return code;
}
