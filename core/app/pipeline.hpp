#pragma once

#include "core/api/search.hpp"
#include "core/app/config.hpp"
#include "core/measure/device_evaluator.hpp"
#include "core/report/summary.hpp"
#include "core/stencil/stencil.hpp"
#include "core/tune/workload.hpp"

#include <functional>
#include <memory>

/// Every stage from app.toml to a stencil that runs, in order. Start reading here.
///
///     app.toml ── read_config ──▶ config
///     .gst     ── read_stencil ─▶ stencil
///     config + stencil ── read_request ─▶ tuning_request (space, grid, parameters)
///     config ── find_target ─▶ backend and device
///     request + device ── make_workload (core/tune) ─▶ workload
///     workload + models of [predictor] ── predict (core/app/predict.hpp) ─▶ the part of the space that is searched
///     workload + strategy ── tune ─▶ the best configuration, its program, a report
///
/// A recording stands for the device and its space at once (core/app/recorded.hpp):
///     config ── load_recorded_target ─▶ recording, space ── tune_recorded ─▶ the best configuration, a report
///
/// A suite of stencils is tuned to train predictors (core/app/suite.hpp, tune_suite.hpp, train_models.hpp):
///     suite.toml ── read_suite ─▶ suite ── tune_suite ─▶ tuned_suite, a file ── train_models ─▶ models, a report
namespace gst {

/// The stencil that app.toml means. Throws user_error: what dsl::compile finds, and settings that do not fit the
/// stencil (axes of the grid, names of parameters and fields, parameters without a value).
stencil read_stencil(const config& c);

/// The grid's points per axis; axes that are not given have one.
extent3 grid_of(const config& c);

/// The values of stencil.parameters: app.toml's, or the stencil's own.
std::vector<double> parameter_values(const stencil& s, const config& c);

/// The space of the stencil on the grid as app.toml narrows it; what the device admits comes on top in make_workload.
space read_space(const config& c, const stencil& s);

/// A space as app.toml's space.domain and space.constraints narrow it. Throws user_error, also when nothing is left.
space narrowed(space all, const config& c);

/// Everything about the problem that needs no device.
tuning_request read_request(const config& c, const stencil& s);

/// A device and the plugin that drives it.
struct target {
    backend_choice backend;
    device_info device;
};
/// The backend plugins that app.toml admits: the named one, or with "auto" every installed one.
std::vector<backend_choice> backends_of(const config& c);
/// The device that app.toml asks for. Throws user_error at the place where it is asked for, machine_error when there is
/// none.
target find_target(const config& c);

/// The search strategy with its checked options; `folder` is what a plugin's path is relative to.
std::unique_ptr<search> make_strategy(const plugin_settings& s, const std::filesystem::path& folder);

/// What a tuning session leaves: the report, and the winner's program when there is one.
struct tuning_outcome {
    tuning_report report;
    std::optional<configuration> best;
    std::optional<program> winner; ///< that of the best configuration, or the untuned one where that is faster
    std::exception_ptr fault;      ///< the device or the store was lost; what was found before is there
    bool interrupted = false;
    bool abandoned = false; ///< a strategy's thread still runs: leave the process with std::_Exit
};
/// Bytes per second of the best of the device's copies of as many bytes as a time step moves.
double copy_bandwidth(device_evaluator& device, const tuning_request& r, const device_info& on);

/// Throws nothing_found, with what excludes all and the command that shows more, where a device admits no
/// configuration.
void check_admitted(const space& requested, const space& admitted, const std::string& device);

/// Tunes. Progress goes to stderr unless `quiet`; ends early, with the best so far, when `interrupted` says so.
tuning_outcome tune(const config& c, const tuning_request& r, const target& t, const std::string& command_line,
                    bool quiet, const std::function<bool()>& interrupted);

/// A file's text for diagnostics, named `shown`. Throws user_error at the place where the file is asked for.
std::shared_ptr<const source> read_text(const std::filesystem::path& file, const std::string& shown,
                                        const place& written);

/// A line on stderr, which may be closed: that ends no tuning.
void print_note(const std::string& line);

/// The path as the user would type it: relative when it lies below the working directory.
std::string shown_path(const std::filesystem::path& file);

} // namespace gst
