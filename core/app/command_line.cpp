#include "core/app/command_line.hpp"

#include "core/app/commands.hpp"
#include "core/app/interrupt.hpp"
#include "core/base/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <iterator>
#include <limits>
#include <new>
#include <sstream>
#include <system_error>
#include <unistd.h>

namespace gst {

namespace commands {

CLI::App* add_command(CLI::App& program, const std::string& name, const std::string& summary,
                      const std::string& examples) {
    CLI::App* command = program.add_subcommand(name, summary);
    command->footer("\nExamples:\n" + examples);
    return command;
}

void add_config_arguments(CLI::App& command, config_arguments& to) {
    command.add_option("app.toml", to.file, "the application: names the stencil, the grid and what to do")
        ->required()
        ->type_name("FILE");
    command
        .add_option("--set", to.assignments,
                    "replace a setting of the file, e.g. --set grid.size=[64,64,64]; may be given again")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command
        .add_option("--seed", to.seed,
                    "seed of the search and of the data kernels are verified with; short for --set seed=N")
        // What CLI11 cannot represent it takes for the greatest number there is.
        ->check(CLI::Range(std::int64_t{0}, std::numeric_limits<std::int64_t>::max() - 1).description(""))
        ->type_name("N");
}

void add_tuning_arguments(CLI::App& command, tuning_arguments& to, const std::string& dry_run) {
    add_config_arguments(command, to.input);
    command.add_flag("--json", to.json, "print the report as JSON, nothing else on stdout");
    command.add_flag("--dry-run", to.dry_run, dry_run);
    command.add_flag("--quiet", to.quiet, "show no progress while tuning and running");
}

configuration configuration_given(const space& s, const std::vector<std::string>& texts) {
    configuration c = s.neutral();
    std::istringstream words(fmt::format("{}", fmt::join(texts, " ")));
    for (std::string word; words >> word;) {
        const std::size_t equals = word.find('=');
        if (equals == std::string::npos) {
            throw user_error(fmt::format("--configuration: '{}' is not of the form NAME=VALUE", word),
                             "for example --configuration 'TBx=32 TBy=4'");
        }
        const std::size_t which = s.index_of(word.substr(0, equals));
        const std::vector<value>& domain = s.parameters()[which].domain;
        const auto is_meant = [&](const value& v) { return to_string(v) == word.substr(equals + 1); };
        const auto found = std::find_if(domain.begin(), domain.end(), is_meant);
        if (found == domain.end()) {
            std::vector<std::string> all;
            std::transform(domain.begin(), domain.end(), std::back_inserter(all),
                           [](const value& v) { return to_string(v); });
            throw user_error(
                fmt::format("--configuration: {} cannot be {}", s.parameters()[which].name, word.substr(equals + 1)),
                fmt::format("it is one of {}", enumerate(all)));
        }
        c[which] = static_cast<std::uint16_t>(found - domain.begin());
    }
    if (!s.contains(c)) {
        throw user_error(fmt::format("--configuration: '{}' is not in the space: {}", fmt::join(texts, " "),
                                     fmt::join(s.violations(c), "; ")),
                         "gst space --explain lists the conditions");
    }
    return c;
}

config load(const config_arguments& arguments) {
    std::vector<std::string> assignments = arguments.assignments;
    if (arguments.seed) {
        assignments.push_back(fmt::format("seed={}", *arguments.seed));
    }
    return read_config(arguments.file, assignments);
}

} // namespace commands

namespace {

constexpr const char* description =
    "gst finds the fastest kernels for a stencil on the device at hand, checks their results and runs them.";
constexpr const char* examples = R"(
Examples:
  gst run examples/heat3d/app.toml      tune, verify and run
  gst tune --help                       what a command takes

Exit codes: 0 done; 1 nothing valid was found, or values are no longer finite; 2 a mistake in the input;
3 the machine lacks something; 130 interrupted by Ctrl-C before the work was done (143 by SIGTERM).
Every setting of app.toml is in docs/app-toml.md, the stencil language in docs/language.md.)";

int report(const char* text, int code) {
    print_note(text);
    return code;
}

/// A standard stream that is closed would become the first file that is opened. What stands in its place refuses what
/// is done with it.
void open_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(stream, F_GETFD) < 0) {
            static_cast<void>(::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY));
        }
    }
}

/// What the first argument is when it is no command, or "".
std::string unknown_command(const CLI::App& program, const std::string& name) {
    std::vector<std::string> commands;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; })) {
        commands.push_back(command->get_name());
    }
    if (name.starts_with('-') || std::find(commands.begin(), commands.end(), name) != commands.end()) {
        return "";
    }
    return fmt::format("error: there is no command '{}'{}\n  the commands are {}", name, did_you_mean(name, commands),
                       enumerate(commands));
}

/// What is wrong with the arguments, and where to look.
std::string usage_text(const CLI::App& program, const CLI::ParseError& e) {
    const std::vector<CLI::App*> commands = program.get_subcommands();
    if (commands.empty()) {
        return fmt::format("error: {}\n  gst --help shows the commands", e.what());
    }
    std::string message = e.what();
    if (const std::vector<std::string> left = program.remaining(true); !left.empty()) {
        std::vector<std::string> known;
        for (const CLI::Option* o : commands.front()->get_options()) {
            for (const std::string& name : o->get_lnames()) {
                known.push_back("--" + name);
            }
        }
        message = fmt::format("'{}' is not expected here{}", left.front(), did_you_mean(left.front(), known));
    }
    return fmt::format("error: {}\n  gst {} --help shows what it takes", message, commands.front()->get_name());
}

constexpr int interrupted = 128;

int parse_and_run(int argc, const char* const* argv) {
    CLI::App program(description, "gst");
    program.set_version_flag("--version", "gst " GST_VERSION);
    program.footer(examples);
    program.require_subcommand(1);
    commands::add_run(program);
    commands::add_tune(program);
    commands::add_check(program);
    commands::add_show(program);
    commands::add_space(program);
    commands::add_features(program);
    commands::add_predict(program);
    commands::add_synth(program);
    commands::add_train(program);
    commands::add_compile(program);
    commands::add_devices(program);
    commands::add_plugins(program);
    commands::add_results(program);
    commands::add_import(program);
    commands::add_export(program);
    commands::add_bench(program);
    commands::add_new(program);
    try {
        program.parse(argc, argv);
        return 0;
    } catch (const CLI::RequiredError& e) {
        const std::string unknown = argc > 1 ? unknown_command(program, argv[1]) : "";
        return report((unknown.empty() ? usage_text(program, e) : unknown).c_str(), 2);
    } catch (const CLI::ParseError& e) {
        if (e.get_exit_code() == 0) { // help, or the version
            return program.exit(e);
        }
        return report(usage_text(program, e).c_str(), 2);
    } catch (const interruption&) {
        return interrupted;
    } catch (const user_error& e) {
        return report(e.what(), 2);
    } catch (const nothing_found& e) {
        return report(e.what(), 1);
    } catch (const machine_error& e) {
        return report(fmt::format("error: {}", e.what()).c_str(), 3);
    } catch (const std::bad_alloc&) {
        return report("error: not enough memory", 3);
    } catch (const std::system_error& e) {
        return report(fmt::format("error: {}", e.what()).c_str(), 3);
    }
}

} // namespace

int run_command_line(int argc, const char* const* argv) {
    open_standard_streams();
    const int code = parse_and_run(argc, argv);
    const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    if (code == interrupted) {
        end_by_signal();
    }
    return written || code != 0 ? code : report("error: the output could not be written", 3);
}

} // namespace gst
