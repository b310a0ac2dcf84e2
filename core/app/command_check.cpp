#include "core/app/commands.hpp"
#include "core/app/pipeline.hpp"
#include "core/app/time_loop.hpp"
#include "core/base/error.hpp"
#include "dsl/dsl.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gst::commands {

namespace {

struct arguments {
    config_arguments input;
    bool json = false;
};

std::string field_text(const field& f, int dimensions) {
    std::string halo;
    for (int axis = 0; axis < dimensions; ++axis) {
        halo += (axis == 0 ? "" : " × ") + std::to_string(f.halo[static_cast<std::size_t>(axis)]);
    }
    const std::string compute = f.compute == f.type ? "" : fmt::format(", computed in {}", name_of(f.compute));
    const std::string history = f.history == 0 ? "" : fmt::format(", reads back to t-{}", f.history);
    return fmt::format("{} {}{}, halo {}{}{}", f.coefficient ? "coef" : "field", name_of(f.type), compute, halo,
                       history, f.coefficient ? ", read only" : "");
}

/// A stencil, and what app.toml gives its parameters; empty where a stencil file is checked alone.
struct checked {
    stencil of;
    std::vector<double> values;
};

void print(const std::vector<checked>& all) {
    for (const auto& [s, values] : all) {
        fmt::print("{}: {}-D, {} update{}, correct\n", s.name, s.dimensions, s.updates.size(),
                   s.updates.size() == 1 ? "" : "s");
        for (const field& f : s.fields) {
            fmt::print("  {:<12} {}\n", f.name, field_text(f, s.dimensions));
        }
        for (std::size_t i = 0; i < s.parameters.size(); ++i) {
            const parameter_declaration& p = s.parameters[i];
            fmt::print("  {:<12} param{}\n", p.name,
                       !values.empty() ? fmt::format(" = {}", values[i])
                       : p.value       ? fmt::format(" = {}", *p.value)
                                       : ", to be given in app.toml");
        }
    }
}

nlohmann::json to_json(const checked& c) {
    const stencil& s = c.of;
    nlohmann::json j{{"name", s.name}, {"dimensions", s.dimensions}, {"updates", s.updates.size()}};
    for (const field& f : s.fields) {
        j["fields"].push_back({{"name", f.name},
                               {"type", name_of(f.type)},
                               {"compute", name_of(f.compute)},
                               {"coefficient", f.coefficient},
                               {"halo", f.halo},
                               {"history", f.history}});
    }
    j["parameters"] = nlohmann::json::array();
    for (std::size_t i = 0; i < s.parameters.size(); ++i) {
        const parameter_declaration& p = s.parameters[i];
        nlohmann::json one{{"name", p.name}, {"default", p.value ? nlohmann::json(*p.value) : nlohmann::json()}};
        if (!c.values.empty()) {
            one["value"] = c.values[i];
        }
        j["parameters"].push_back(std::move(one));
    }
    return j;
}

/// The stencils of a .gst file, or the one that app.toml means.
std::vector<checked> read(const arguments& a) {
    if (std::filesystem::path(a.input.file).extension() == ".gst") {
        if (!a.input.assignments.empty() || a.input.seed) {
            throw user_error("--set and --seed change an app.toml, not a stencil file");
        }
        std::vector<checked> out;
        for (stencil& s : dsl::compile(read_text(a.input.file, a.input.file, {}))) {
            out.push_back({std::move(s), {}});
        }
        return out;
    }
    const config c = load(a.input);
    stencil s = read_stencil(c);
    const tuning_request request = read_request(c, s); // throws what is wrong with the space or the grid,
    check_time_loop(c, request);                       // with the initial data
    make_strategy(c.search, c.folder);                 // and with the strategy
    return {{std::move(s), request.parameters}};
}

} // namespace

void add_check(CLI::App& program) {
    CLI::App* command = add_command(program, "check", "Check a stencil and its app.toml without running anything",
                                    "  gst check examples/heat3d/app.toml\n"
                                    "  gst check --json examples/heat3d/heat3d.gst");
    const auto a = std::make_shared<arguments>();
    add_config_arguments(*command, a->input);
    command->get_option("app.toml")->description("the application, or a stencil file (.gst) alone");
    command->add_flag("--json", a->json, "print the stencils as a JSON array");
    command->callback([a] {
        const std::vector<checked> all = read(*a);
        if (!a->json) {
            return print(all);
        }
        nlohmann::json j = nlohmann::json::array();
        for (const checked& one : all) {
            j.push_back(to_json(one));
        }
        print_json(j);
    });
}

} // namespace gst::commands
