#include "core/app/commands.hpp"
#include "core/app/interrupt.hpp"
#include "core/app/pipeline.hpp"
#include "core/app/recorded.hpp"

#include <CLI/CLI.hpp>

#include <memory>

namespace gst::commands {

namespace {

void run(const tuning_arguments& a) {
    const config c = load(a.input);
    if (c.replays()) {
        const recorded_target t = load_recorded_target(c.recording);
        if (a.dry_run) {
            return print_recorded_plan(c, t, a.json);
        }
        const interrupt_flag flag;
        return print_report(tune_recorded(c, t, a.quiet, [&] { return flag.raised(); }), a.json);
    }
    const stencil s = read_stencil(c);
    const tuning_request request = read_request(c, s);
    const target t = find_target(c);
    if (a.dry_run) {
        return print_plan(c, request, t, 0, a.json);
    }
    const interrupt_flag flag;
    const tuning_outcome outcome =
        tune(c, request, t, command_text("tune", a.input), a.quiet, [&] { return flag.raised(); });
    print_report(outcome, a.json);
}

} // namespace

void add_tune(CLI::App& program) {
    CLI::App* command =
        add_command(program, "tune", "Find the fastest kernels for a stencil on this device, and stop there",
                    "  gst tune examples/heat3d/app.toml\n"
                    "  gst tune --set budget.seconds=60 --set search.strategy=hill_climb examples/heat3d/app.toml");
    const auto a = std::make_shared<tuning_arguments>();
    add_tuning_arguments(*command, *a, "say what would be tuned, and stop");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
