#include "core/app/bench.hpp"
#include "core/app/commands.hpp"
#include "core/app/file_text.hpp"
#include "core/app/interrupt.hpp"
#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/report/convergence_plot.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace gst::commands {

namespace {

struct arguments {
    std::string file;
    std::vector<std::string> assignments;
    unsigned jobs = 1;
    std::string output;
    bool json = false;
    bool quiet = false;
};

/// A line every few seconds.
bench_progress progress_lines() {
    using steady = std::chrono::steady_clock;
    static constexpr auto interval = std::chrono::seconds(5);
    return [last = steady::now()](std::size_t done, std::size_t all) mutable {
        if (steady::now() - last >= interval) {
            last = steady::now();
            print_note(fmt::format("{} of {} runs", done, all));
        }
    };
}

void write(const std::filesystem::path& file, const std::string& text) {
    atomic_file out(file);
    out.write(text);
    out.commit();
}

/// Before hours are spent on what could not be written.
void make_folder(const std::filesystem::path& folder) {
    if (const std::error_code failed = make_writable(folder)) {
        throw user_error(
            fmt::format("--output {}: files cannot be written there ({})", folder.string(), failed.message()),
            "name a folder that is yours, or that can be made");
    }
}

std::string interrupted_text(const bench_settings& s, const comparison& c) {
    const bool live =
        std::any_of(s.spaces.begin(), s.spaces.end(), [](const auto& one) { return !one.recording.used(); });
    const char* how = !live             ? "a comparison of recordings begins anew"
                      : s.store.given() ? "what was measured is kept: the same command goes on"
                                        : "nothing is kept: with store = \"comparison.db\" at the top the same command "
                                          "would go on";
    return fmt::format("interrupted after {} of {} runs; {}", c.runs.size(),
                       s.spaces.size() * s.strategies.size() * static_cast<std::size_t>(s.seeds), how);
}

void write_files(const comparison& c, const std::filesystem::path& folder) {
    write(folder / "comparison.csv", to_csv(c));
    write(folder / "comparison.json", to_json(c).dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
    write(folder / "convergence.svg", convergence_plot(c));
    if (c.complete) {
        write(folder / "speedup.svg", speedup_plot(c));
    }
    if (c.study) {
        write(folder / "study.csv", to_csv(*c.study));
        write(folder / "study.svg", study_plot(*c.study));
    }
}

void run(const arguments& a) {
    const bench_settings settings = read_bench(a.file, a.assignments);
    if (!a.output.empty()) {
        make_folder(a.output);
    }
    const interrupt_flag flag;
    const auto [c, failure] = run_bench(
        settings, a.jobs, [&] { return flag.raised(); }, a.quiet ? bench_progress() : progress_lines());
    if (c.complete || !c.runs.empty()) {
        if (!a.output.empty()) {
            write_files(c, a.output);
        }
        if (a.json) {
            print_json(to_json(c));
        } else {
            fmt::print("{}", to_text(c));
        }
    }
    if (!c.complete) {
        std::fflush(stdout);
        print_note(interrupted_text(settings, c));
        throw interruption();
    }
    if (failure) {
        std::rethrow_exception(failure);
    }
}

} // namespace

void add_bench(CLI::App& program) {
    CLI::App* command = add_command(program, "bench", "Compare search strategies on recorded spaces or on a device",
                                    "  gst bench examples/replay/strategies.toml\n"
                                    "  gst bench --jobs 2 --output results examples/replay/strategies.toml\n"
                                    "  gst bench --set seeds=5 --json examples/replay/strategies.toml\n"
                                    "  gst bench --output study examples/replay/study.toml");
    const auto a = std::make_shared<arguments>();
    command->add_option("strategies.toml", a->file, "lists the strategies and the spaces: docs/recordings.md")
        ->required()
        ->type_name("FILE");
    command
        ->add_option("--set", a->assignments, "replace a setting of the file, e.g. --set seeds=5; may be given again")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command->add_option("--jobs", a->jobs, "runs on recordings at once; default: 1")
        ->check(CLI::Range(1, 1024).description(""))
        ->type_name("N");
    command
        ->add_option("--output", a->output,
                     "a folder for comparison.csv, comparison.json (with every run), convergence.svg, speedup.svg, "
                     "study.csv and study.svg")
        ->type_name("FOLDER");
    command->add_flag("--json", a->json, "print the comparison, with every run, as JSON");
    command->add_flag("--quiet", a->quiet, "show no progress");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
