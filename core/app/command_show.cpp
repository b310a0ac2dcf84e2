#include "core/app/commands.hpp"
#include "core/app/pipeline.hpp"
#include "dsl/dsl.hpp"

#include <fmt/format.h>

#include <memory>

namespace gst::commands {

namespace {

struct arguments {
    config_arguments input;
    std::string stage = "stencil";
};

void run(const arguments& a) {
    const config c = load(a.input);
    if (a.stage == "ast") {
        const std::filesystem::path& file = c.stencil.file.value;
        fmt::print("{}", dsl::dump(dsl::parse(read_text(file, shown_path(file), c.stencil.file.written))));
        return;
    }
    fmt::print("{}", dump(read_stencil(c)));
}

} // namespace

void add_show(CLI::App& program) {
    CLI::App* command = add_command(program, "show", "Print what one stage makes of the application",
                                    "  gst show --stage stencil examples/heat3d/app.toml\n"
                                    "  gst show --stage ast examples/heat3d/app.toml");
    const auto a = std::make_shared<arguments>();
    add_config_arguments(*command, a->input);
    command->add_option("--stage", a->stage, "ast or stencil")
        ->check(CLI::IsMember({"ast", "stencil"}))
        ->capture_default_str();
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
