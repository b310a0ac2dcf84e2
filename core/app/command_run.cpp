#include "core/app/commands.hpp"
#include "core/app/interrupt.hpp"
#include "core/app/time_loop.hpp"
#include "core/base/error.hpp"
#include "core/report/throughput.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace gst::commands {

namespace {

void print(const loop_outcome& o, const step_work& work) {
    fmt::print("\n{} step{} in {}, {} of it on the device", with_separators(static_cast<unsigned long long>(o.steps)),
               o.steps == 1 ? "" : "s", duration_text(o.seconds), duration_text(o.device_ms / 1000));
    if (o.steps > 0 && o.device_ms > 0) {
        fmt::print(" ({:.3g} GSt/s)", giga_updates(work, o.device_ms / static_cast<double>(o.steps)));
    }
    fmt::print("\n");
    if (o.first_step > 0) {
        fmt::print("  went on from step {}{}\n", o.first_step,
                   o.steps == 0 && !o.interrupted ? ": run.steps does not go farther" : "");
    }
    if (o.residual) {
        fmt::print("  residual {:.3g}{}\n", *o.residual, o.converged ? ": converged" : "");
    }
    if (!o.written.empty()) {
        fmt::print("  wrote {}{}\n",
                   o.written.size() > 1 ? fmt::format("{} files, the last of them ", o.written.size()) : "",
                   shown_path(o.written.back()));
    }
}

nlohmann::json to_json(const loop_outcome& o) {
    nlohmann::json files = nlohmann::json::array();
    for (const auto& file : o.written) {
        files.push_back(file.string());
    }
    return {{"first_step", o.first_step},
            {"steps", o.steps},
            {"device_ms", o.device_ms},
            {"seconds", o.seconds},
            {"residual", o.residual ? nlohmann::json(*o.residual) : nlohmann::json()},
            {"converged", o.converged},
            {"diverged", o.diverged},
            {"interrupted", o.interrupted},
            {"files", std::move(files)}};
}

void run(const tuning_arguments& a) {
    const config c = load(a.input);
    const stencil s = read_stencil(c);
    const tuning_request request = read_request(c, s);
    if (c.run.steps.value > 0) {
        check_time_loop(c, request);
    }
    const target t = find_target(c);
    if (a.dry_run) {
        return print_plan(c, request, t, c.run.steps.value, a.json);
    }
    if (c.run.steps.value > 0) {
        prepare_files(c, request);
    }
    const interrupt_flag flag;
    const std::function<bool()> interrupted = [&] { return flag.raised(); };
    const tuning_outcome tuned = tune(c, request, t, command_text("run", a.input), a.quiet, interrupted);
    const bool loops = tuned.winner && !tuned.interrupted && !tuned.abandoned && !tuned.fault && c.run.steps.value > 0;
    if (!loops) {
        return print_report(tuned, a.json);
    }
    if (!a.json) {
        print_report(tuned, false);
    }
    loop_outcome outcome = run_time_loop(c, request, t, *tuned.winner, a.quiet, interrupted);
    // A signal that came after the last step has interrupted nothing.
    outcome.interrupted = outcome.interrupted && outcome.first_step + outcome.steps < c.run.steps.value;
    if (a.json) {
        nlohmann::json j = to_json(tuned.report);
        j["run"] = to_json(outcome);
        print_json(j);
    } else {
        print(outcome, tuned.report.work);
    }
    if (outcome.interrupted) {
        std::fflush(stdout);
        print_note(fmt::format("interrupted after step {}; {}", outcome.first_step + outcome.steps,
                               c.run.checkpoint.value.empty() ? "set run.checkpoint and run.resume to be able to go on"
                                                              : "go on with --set run.resume=true"));
        throw interruption();
    }
    if (outcome.diverged) {
        std::fflush(stdout);
        throw nothing_found(fmt::format(
            "the values are no longer finite after step {}, and the run has ended there{}\n  a shorter time step, or "
            "other parameters or initial data, may keep the scheme stable; run.residual or run.every look more often",
            outcome.first_step + outcome.steps,
            c.run.checkpoint.value.empty() ? "" : "; no checkpoint was written of them"));
    }
}

} // namespace

void add_run(CLI::App& program) {
    CLI::App* command = add_command(program, "run", "Tune a stencil, then run its time steps with the fastest kernels",
                                    "  gst run examples/heat3d/app.toml\n"
                                    "  gst run --set run.steps=1000 --set run.output=results examples/heat3d/app.toml\n"
                                    "  gst run --dry-run --json examples/heat3d/app.toml");
    const auto a = std::make_shared<tuning_arguments>();
    add_tuning_arguments(*command, *a, "say what would be tuned and run, and stop");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
