#include "core/app/commands.hpp"
#include "core/base/error.hpp"
#include "core/host/find_plugin.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>

namespace gst::commands {

namespace {

struct arguments {
    std::string name;
    bool json = false;
};

nlohmann::json to_json(const plugin_listing& l) {
    if (l.accepted != nullptr) {
        return describe_json(*l.accepted);
    }
    return {{"kind", l.kind}, {"name", l.name}, {"file", l.file.string()}, {"refused", l.refusal}};
}

void print_line(const plugin_listing& l) {
    if (l.accepted != nullptr) {
        fmt::print("{:<9} {:<14} {:<8} {}\n", l.kind, l.name, l.accepted->version, l.accepted->summary);
    } else {
        fmt::print("{:<9} {:<14} {:<8} refused: {}\n", l.kind, l.name, "", l.refusal);
    }
}

void run(const arguments& a) {
    if (is_plugin_path(a.name)) {
        const plugin& p = find_plugin("", a.name, std::filesystem::current_path());
        if (a.json) {
            print_json(nlohmann::json::array({describe_json(p)}));
        } else {
            fmt::print("{}\n", describe(p));
        }
        return;
    }
    std::vector<plugin_listing> shown;
    std::vector<std::string> names;
    for (const plugin_listing& l : list_plugins()) {
        names.push_back(l.name);
        if (a.name.empty() || a.name == l.name) {
            shown.push_back(l);
        }
    }
    if (shown.empty()) {
        if (a.name.empty()) {
            throw machine_error(
                "there are no plugins; looked in the directories of GST_PLUGIN_PATH and beside libgst.so");
        }
        throw user_error(fmt::format("there is no plugin '{}'{}", a.name, did_you_mean(a.name, names)),
                         "gst plugins lists them all");
    }
    if (a.json) {
        nlohmann::json j = nlohmann::json::array();
        for (const plugin_listing& l : shown) {
            j.push_back(to_json(l));
        }
        print_json(j);
        return;
    }
    for (const plugin_listing& l : shown) {
        if (!a.name.empty() && l.accepted != nullptr) {
            fmt::print("{}\n", describe(*l.accepted));
        } else {
            print_line(l);
        }
    }
}

} // namespace

void add_plugins(CLI::App& program) {
    CLI::App* command =
        add_command(program, "plugins", "List the plugins (search strategies, predictors, backends), or describe one",
                    "  gst plugins\n"
                    "  gst plugins hill_climb\n"
                    "  gst plugins build/lib/gst/search_random.so\n"
                    "  gst plugins --json");
    const auto a = std::make_shared<arguments>();
    command->add_option("name", a->name,
                        "describe this plugin, a name or the path of a file, and its options; default: list all");
    command->add_flag("--json", a->json, "print them as a JSON array");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
