#pragma once

#include "core/app/config.hpp"
#include "core/app/pipeline.hpp"
#include "core/app/recorded.hpp"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

/// The commands of gst, one file each. add_… puts the command with its options and help on the command line; it runs
/// while the arguments are parsed and reports failure by throwing.
namespace gst::commands {

void add_run(CLI::App& program);
void add_tune(CLI::App& program);
void add_check(CLI::App& program);
void add_show(CLI::App& program);
void add_space(CLI::App& program);
void add_features(CLI::App& program);
void add_predict(CLI::App& program);
void add_synth(CLI::App& program);
void add_train(CLI::App& program);
void add_compile(CLI::App& program);
void add_devices(CLI::App& program);
void add_plugins(CLI::App& program);
void add_results(CLI::App& program);
void add_import(CLI::App& program);
void add_export(CLI::App& program);
void add_bench(CLI::App& program);
void add_new(CLI::App& program);

/// The app.toml of a command, and what goes on top of it.
struct config_arguments {
    std::string file;
    std::vector<std::string> assignments;
    std::optional<std::int64_t> seed;
};
void add_config_arguments(CLI::App& command, config_arguments& to);
/// Reads the file with the assignments and the seed on top. Throws user_error.
config load(const config_arguments& arguments);

/// What --configuration gives: "TBx=32 load=local" as gst prints it, or each in a text of its own, what is left out
/// being neutral. Throws user_error.
configuration configuration_given(const space& s, const std::vector<std::string>& texts);

/// The command as the user may type it again.
std::string command_text(const std::string& command, const config_arguments& input);

/// --dry-run: what would be tuned, and how many steps would be run then. Throws nothing_found where the device admits
/// no configuration.
void print_plan(const config& c, const tuning_request& r, const target& t, std::int64_t steps, bool json);
void print_recorded_plan(const config& c, const recorded_target& t, bool json);

void print_json(const nlohmann::json& j);

/// The end of a tuning session. Throws the fault that ended it, interruption, or nothing_found when there is no best
/// configuration.
void print_report(const tuning_outcome& outcome, bool json);

/// What `run` and `tune` take alike.
struct tuning_arguments {
    config_arguments input;
    bool json = false;
    bool dry_run = false;
    bool quiet = false;
};
void add_tuning_arguments(CLI::App& command, tuning_arguments& to, const std::string& dry_run);

/// A command with its summary and, below the options, examples of its use.
CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& summary,
                      const std::string& examples);

} // namespace gst::commands
