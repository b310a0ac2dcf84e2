#include "core/app/at_place.hpp"
#include "core/app/commands.hpp"
#include "core/app/interrupt.hpp"
#include "core/app/train_models.hpp"
#include "core/app/train_units.hpp"
#include "core/app/tune_suite.hpp"
#include "core/base/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <chrono>
#include <memory>

namespace gst::commands {

namespace {

using steady = std::chrono::steady_clock;

struct arguments {
    std::string file;
    std::vector<std::string> assignments;
    std::vector<std::string> from;
    std::string models;
    double seconds = 0; ///< 0: no limit
    bool quiet = false;
};

void report(const training_report& r) {
    fmt::print("{}", to_text(r));
    std::fflush(stdout);
    if (r.tuned.empty()) {
        throw nothing_found("there is nothing to learn from: no stencil is tuned");
    }
}

void report(const unit_report& r) {
    fmt::print("{}", to_text(r));
    std::fflush(stdout);
}

void run_from_table(const arguments& a) {
    if (!a.file.empty() || !a.assignments.empty() || a.seconds > 0) {
        throw user_error("--from reports what a table says; suite.toml, --set and --for are about measuring",
                         "leave them or --from out");
    }
    std::vector<tuned_suite> tables;
    for (const std::string& file : a.from) {
        if (!holds_measured_units(file, file)) {
            tables.push_back(read_tuned_suite(file, file));
        } else if (a.from.size() > 1) {
            throw user_error(fmt::format("'{}' is a table of unit kernels, which is not joined with others", file),
                             "give it alone");
        } else {
            return report(train_units(read_measured_units(file, file), std::filesystem::current_path(), a.models));
        }
    }
    report(train_models(joined(tables, a.from), std::filesystem::current_path(), a.models));
}

/// Ctrl-C, or the time that was given.
class patience {
  public:
    explicit patience(double seconds) : seconds_(seconds) {}
    bool ended() const {
        return flag_.raised() ||
               (seconds_ > 0 && std::chrono::duration<double>(steady::now() - begin_).count() > seconds_);
    }
    /// Throws interruption when it was Ctrl-C.
    void tell() const {
        if (flag_.raised()) {
            print_note("interrupted; what was measured is kept, and the same command goes on from there");
            throw interruption();
        }
    }

  private:
    const double seconds_;
    const interrupt_flag flag_;
    const steady::time_point begin_ = steady::now();
};

void run_units(const arguments& a, const unit_suite& s) {
    const patience patient(a.seconds);
    unit_suite_hooks hooks;
    hooks.ended = [&] { return patient.ended(); };
    if (!a.quiet) {
        hooks.note = print_note;
    }
    const std::optional<measured_units> table = measure_suite(s, "gst train " + a.file, hooks);
    patient.tell();
    if (!table) {
        fmt::print("not all launches are measured; the same command goes on from there\n");
        return;
    }
    report(train_units(*table, s.settings.folder, a.models.empty() ? s.models.value : std::filesystem::path(a.models)));
}

void run(const arguments& a) {
    if (!a.from.empty()) {
        return run_from_table(a);
    }
    if (a.file.empty()) {
        throw user_error("suite.toml is missing",
                         "gst synth garvey FOLDER writes one, and gst synth han FOLDER one for local memory");
    }
    toml_document::item document = read_suite_document(a.file, a.assignments);
    if (document.find("units") != nullptr) {
        return run_units(a, read_unit_suite(std::move(document), a.file));
    }
    const suite s = read_suite(std::move(document), a.file);
    const target t = find_target(s.stencils.front().app);
    const patience patient(a.seconds);
    suite_hooks hooks;
    hooks.ended = [&] { return patient.ended(); };
    hooks.keep = [&](const tuned_suite& table) { write_tuned_suite(s.table.value, table); };
    if (!a.quiet) {
        hooks.note = print_note;
    }
    tuned_suite table = begin_suite(s, t, hooks);
    at(s.features.written, [&] { chosen_features(table); }); // before hours of measuring
    at(s.predictor.name.written, [&] { check_predictor(table, s.folder); });
    const bool all = tune_suite(s, t, table, hooks);
    hooks.keep(table);
    patient.tell();
    if (!all) {
        fmt::print("{} runs are measured; the same command goes on from there\n", table.runs.size());
        return;
    }
    report(
        train_models(std::move(table), s.folder, a.models.empty() ? s.models.value : std::filesystem::path(a.models)));
}

} // namespace

void add_train(CLI::App& program) {
    CLI::App* command =
        add_command(program, "train", "Measure a suite of kernels and train predictors on what is found",
                    "  gst train garvey104/suite.toml\n"
                    "  gst train --for 8min garvey104/suite.toml\n"
                    "  gst train --from garvey104/tuned.json");
    const auto a = std::make_shared<arguments>();
    command
        ->add_option("suite.toml", a->file, "lists stencils and heuristics, or samples unit kernels: docs/training.md")
        ->type_name("FILE");
    command
        ->add_option("--set", a->assignments,
                     "replace a setting of the file, e.g. --set grid.size=[64,64,64]; may be given again")
        ->type_name("KEY=VALUE")
        ->take_all()
        ->allow_extra_args(false);
    command
        ->add_option("--for", a->seconds,
                     "stop measuring after this time, e.g. 90s, 8min, 2h; go on by the same command")
        ->transform(
            CLI::Validator(CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1}, {"min", 60}, {"h", 3600}},
                                                 CLI::AsNumberWithUnit::UNIT_REQUIRED, ""))
                .description(""))
        ->type_name("TIME");
    command
        ->add_option("--from", a->from,
                     "train and report from this table alone, without a device; given again, from several as one: of "
                     "machines that shared the stencils, of stencils that were tuned otherwise")
        ->type_name("TABLE")
        ->take_all()
        ->allow_extra_args(false);
    command
        ->add_option("--models", a->models,
                     "write models to this folder; default: as suite.toml says, with --from none")
        ->type_name("FOLDER");
    command->add_flag("--quiet", a->quiet, "show no progress");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
