#include "core/app/commands.hpp"
#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"
#include "core/codegen/launch_features.hpp"
#include "core/stencil/features.hpp"
#include "core/tune/features.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gst::commands {

namespace {

struct arguments {
    config_arguments input;
    std::string configuration;
    bool json = false;
};

struct group {
    std::string of;
    features all;
};

std::vector<group> groups_of(const arguments& a) {
    const config c = load(a.input);
    const stencil s = read_stencil(c);
    const tuning_request r = read_request(c, s);
    const target t = find_target(c);
    schedule how = default_schedule(r.size);
    if (!a.configuration.empty()) {
        const space admitted = admitted_space(r, t.device);
        schedule given;
        given.multiprocessors = static_cast<unsigned>(limits_of(r, t.device).multiprocessors);
        how = schedule_of(admitted, configuration_given(admitted, {a.configuration}), given);
    }
    const array_layout layout = layout_of(r, t.device);
    return {{"stencil and grid: " + s.name, stencil_features(s, r.size)},
            {"device: " + t.device.name, device_features(t.device)},
            {"launch: " + to_string(how), launch_features(stencil_profiles(s, layout).of(how))}};
}

void print(const std::vector<group>& groups) {
    for (const group& g : groups) {
        fmt::print("{}\n", g.of);
        for (const feature& f : g.all) {
            fmt::print("  {:<20} {:<12.6g} {:<11} {} ({})\n", f.name, f.value, f.unit == "1" ? "" : f.unit,
                       f.definition, f.source);
        }
    }
}

nlohmann::json to_json(const std::vector<group>& groups) {
    nlohmann::json j = nlohmann::json::array();
    for (const group& g : groups) {
        for (const feature& f : g.all) {
            j.push_back({{"of", g.of.substr(0, g.of.find(':'))},
                         {"name", f.name},
                         {"value", f.value},
                         {"unit", f.unit},
                         {"definition", f.definition},
                         {"source", f.source}});
        }
    }
    return {{"version", features_version}, {"features", j}};
}

} // namespace

void add_features(CLI::App& program) {
    CLI::App* command = add_command(program, "features", "Print the numbers that predictors know of a stencil",
                                    "  gst features examples/heat3d/app.toml\n"
                                    "  gst features --configuration 'TBx=32 TBy=8 load=local' "
                                    "examples/heat3d/app.toml\n"
                                    "  gst features --json examples/heat3d/app.toml");
    const auto a = std::make_shared<arguments>();
    add_config_arguments(*command, a->input);
    command
        ->add_option("--configuration", a->configuration,
                     "what the features of a launch are of, as gst space --sample prints it, what is left out being "
                     "neutral; default: the kernel that tuning begins with")
        ->type_name("VALUES");
    command->add_flag("--json", a->json, "print them as JSON");
    command->callback([a] {
        const std::vector<group> groups = groups_of(*a);
        a->json ? print_json(to_json(groups)) : print(groups);
    });
}

} // namespace gst::commands
