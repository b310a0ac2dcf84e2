#include "core/app/commands.hpp"
#include "core/base/error.hpp"
#include "core/store/results.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gst::commands {

namespace {

constexpr std::int64_t most = 1'000'000'000'000; ///< rows and sessions

struct arguments {
    std::string store;
    result_filter filter;
    std::string outcome;
    bool best = false;
    bool json = false;
};

std::string configuration_text(const result_row& row) {
    std::string out;
    for (const auto& [name, v] : row.configuration) {
        out += (out.empty() ? "" : " ") + name + "=" + to_string(v);
    }
    return out;
}

void print(const std::vector<result_row>& rows) {
    fmt::print("{:>7}  {:<24}  {:<12} {:<14} {:<24} {:<11} {:>11}  {}\n", "id", "when", "stencil", "grid", "device",
               "outcome", "ms/step", "configuration");
    for (const result_row& row : rows) {
        const measurement& m = row.what;
        const std::string time =
            m.outcome != status::correct ? std::string() : fmt::format("{}{:.4g}", m.censored ? "≥ " : "", m.time);
        fmt::print("{:>7}  {:<24}  {:<12} {:<14} {:<24} {:<11} {:>11}  {}\n", row.id, row.created.substr(0, 24),
                   row.stencil, row.grid, row.device, name_of(m.outcome), time, configuration_text(row));
    }
}

nlohmann::json to_json(const result_row& row) {
    nlohmann::json configuration = nlohmann::json::object();
    for (const auto& [name, v] : row.configuration) {
        std::visit([&, &key = name](const auto& plain) { configuration[key] = plain; }, v);
    }
    const measurement& m = row.what;
    return {{"id", row.id},
            {"created", row.created},
            {"session", row.session},
            {"stencil", row.stencil},
            {"grid", row.grid},
            {"backend", row.backend},
            {"device", row.device},
            {"driver", row.driver},
            {"method", row.method},
            {"strategy", row.strategy},
            {"seed", row.seed},
            {"configuration", configuration},
            {"status", name_of(m.outcome)},
            {"time_ms", m.time},
            {"censored", m.censored},
            {"times_ms", m.times},
            {"message", m.message},
            {"metrics", m.metrics},
            {"cost", m.cost}};
}

result_filter filter_of(const arguments& a) {
    result_filter f = a.filter;
    if (!a.outcome.empty()) {
        f.outcome = status_named(a.outcome);
    }
    return f;
}

void run(const arguments& a) {
    const std::filesystem::path path = a.store.empty() ? default_store_path() : std::filesystem::path(a.store);
    if (!std::filesystem::exists(path)) {
        throw nothing_found(fmt::format("there are no results yet in {}", path.string()));
    }
    result_store store(path, std::chrono::seconds(30), store_use::read);
    if (!store.notice().empty()) {
        print_note(store.notice());
    }
    const std::vector<result_row> rows = a.best ? store.best_per_problem(filter_of(a)) : store.query(filter_of(a));
    if (a.json) {
        nlohmann::json j = nlohmann::json::array();
        for (const result_row& row : rows) {
            j.push_back(to_json(row));
        }
        print_json(j);
    } else if (!rows.empty()) {
        print(rows);
    }
    if (rows.empty()) {
        throw nothing_found(fmt::format("no result in {} fits", path.string()));
    }
}

} // namespace

void add_results(CLI::App& program) {
    CLI::App* command = add_command(program, "results", "List what has been measured",
                                    "  gst results --best\n"
                                    "  gst results --stencil heat3d --status correct --fastest --limit 10\n"
                                    "  gst results --since 2025-01-31 --json");
    const auto a = std::make_shared<arguments>();
    result_filter& f = a->filter;
    const CLI::Validator natural = CLI::Range(std::int64_t{0}, most).description("");
    const std::vector<std::string> outcomes{"correct", "compile", "runtime", "timeout", "correctness", "constraints"};
    command
        ->add_option("--store", a->store,
                     "the database; default: $XDG_DATA_HOME/gst/results.db, else ~/.local/share/gst/results.db")
        ->type_name("FILE");
    command->add_flag("--best", a->best, "only the fastest for each stencil, grid and device");
    command->add_flag("--fastest", f.fastest_first,
                      "correct ones alone, the fastest first; default: all, the newest first");
    command->add_option("--stencil", f.stencil, "only of this stencil")->type_name("NAME");
    command->add_option("--grid", f.grid, "only on this grid, e.g. 512x512x256")->type_name("SIZE");
    command->add_option("--device", f.device, "only on devices with this text in their name")->type_name("TEXT");
    command->add_option("--backend", f.backend, "only of this backend")->type_name("NAME");
    command->add_option("--status", a->outcome, "only with this outcome")
        ->type_name("STATUS")
        ->check(CLI::IsMember(outcomes));
    command
        ->add_option("--since", f.since, "only those measured since then, in UTC, e.g. 2025-01-31 or 2025-01-31T12:00")
        ->check(CLI::Validator(date_mistake, ""))
        ->type_name("DATE");
    command->add_option("--session", f.session, "only of this run of gst; --json shows the numbers")
        ->check(natural)
        ->type_name("N");
    command->add_option("--limit", f.limit, "print at most N; default: all")->check(natural)->type_name("N");
    command->add_flag("--json", a->json, "print them, with every detail, as a JSON array");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
