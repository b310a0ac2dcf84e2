#include "core/app/commands.hpp"
#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"
#include "core/codegen/emit.hpp"
#include "core/codegen/generate.hpp"
#include "dsl/dsl.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace gst::commands {

namespace {

struct arguments {
    config_arguments input;
    std::string stage = "stencil";
    std::string language = "opencl";
    std::vector<std::string> assignments; ///< of tuning parameters
};

const dialect& language_of(const arguments& a) {
    return a.language == "cuda"            ? cuda_dialect()
           : a.language == "opencl_nvidia" ? nvidia_opencl_dialect()
                                           : opencl_dialect();
}

/// The schedule of the configuration that the user gives, or of the untuned default.
schedule schedule_given(const arguments& a, const space& s) {
    schedule fixed;
    fixed.image_width = 8192;
    fixed.multiprocessors = 132; // of an H100
    fixed.vector_arithmetic = language_of(a).vector_arithmetic;
    return schedule_of(s, configuration_given(s, a.assignments), fixed);
}

void run(const arguments& a) {
    const config c = load(a.input);
    need_device(c);
    if (a.stage == "ast") {
        const std::filesystem::path& file = c.stencil.file.value;
        fmt::print("{}", dsl::dump(dsl::parse(read_text(file, shown_path(file), c.stencil.file.written))));
        return;
    }
    const stencil s = read_stencil(c);
    if (a.stage == "stencil") {
        return fmt::print("{}", dump(s));
    }
    const tuning_request r = read_request(c, s);
    if (a.stage == "space") {
        for (const parameter& p : r.space.parameters()) {
            std::string domain;
            for (const value& v : p.domain) {
                domain += " " + to_string(v);
            }
            fmt::print("{}:{}\n", p.name, domain);
        }
        for (const constraint& k : r.space.constraints()) {
            fmt::print("{}\n", k.condition.text());
        }
        return;
    }
    const schedule how = a.assignments.empty() ? default_schedule(r.size) : schedule_given(a, r.space);
    device_info device;
    device.type = a.language != "opencl" || c.device.value == "gpu" ? "gpu" : "cpu";
    lowered_program p = lower(s, r.size, layout_of(r, device).alignment, how);
    if (a.stage == "schedule") {
        for (const std::vector<nest::kernel>& kernels : p.modules) {
            for (const nest::kernel& k : kernels) {
                fmt::print("{}\n", outline(k));
            }
        }
        return;
    }
    std::string between;
    for (const module_source& m : spell(std::move(p), language_of(a)).modules) {
        fmt::print("{}// compiled with {}\n{}", std::exchange(between, "\n// a module of its own\n\n"), m.options,
                   m.text);
    }
}

} // namespace

void add_show(CLI::App& program) {
    CLI::App* command = add_command(
        program, "show", "Print what gst makes of an application, stage by stage, without running it",
        "  gst show --stage stencil examples/heat3d/app.toml\n"
        "  gst show --stage program --configuration WX=32 --configuration load=local examples/heat3d/app.toml");
    const auto a = std::make_shared<arguments>();
    add_config_arguments(*command, a->input);
    command
        ->add_option(
            "--stage", a->stage,
            "what to print: ast (the stencil file as parsed), stencil (what it computes), space (tuning parameters "
            "and constraints), schedule (the loops of each kernel) or program (its kernels); default: " +
                a->stage)
        ->check(CLI::IsMember({"ast", "stencil", "space", "schedule", "program"}));
    command
        ->add_option("--language", a->language,
                     "of the program: cuda, opencl_nvidia (with PTX, for NVIDIA's GPUs), or opencl, for a GPU with "
                     "backend.device = 'gpu' and else for a processor; default: " +
                         a->language)
        ->check(CLI::IsMember({"opencl", "opencl_nvidia", "cuda"}));
    command
        ->add_option("--configuration", a->assignments,
                     "a tuning parameter of the schedule or program, or several as gst prints them, the others being "
                     "neutral; may be given again; default: the untuned program")
        ->type_name("NAME=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
