#pragma once

#include "core/app/config.hpp"
#include "core/report/unit_report.hpp"
#include "core/store/measured_units.hpp"
#include "core/tune/measure_units.hpp"

#include <functional>

namespace gst {

/// What a suite.toml with a table [units] says: unit kernels are measured with and without local memory, so that a
/// predictor learns where it pays (Han). Beside it the file has [backend], [measure] and [store] of app.toml.
struct unit_suite {
    config settings;
    unit_sample sample;
    setting<double> training{0.1, {}}; ///< share of the instances that is learned from
    setting<double> again{0.02, {}};   ///< share of the instances that is measured again
    plugin_settings predictor{{"random_forest", {}}, {}};
    setting<std::filesystem::path> table;  ///< absolute
    setting<std::filesystem::path> models; ///< folder, absolute
};

/// What the document of a suite.toml with a table [units] says. Throws user_error with every mistake found.
unit_suite read_unit_suite(toml_document::item document, const std::filesystem::path& file);

/// The same as text: what gst synth han writes.
std::string unit_suite_toml(const unit_sample& sample);

struct unit_suite_hooks {
    std::function<bool()> ended;
    std::function<void(const std::string&)> note; ///< a line of progress; may be empty
};

/// Measures what neither the suite's table nor the results database has and writes the table. Returns it, or nothing
/// when `ended` said so. Throws machine_error when the device is lost.
std::optional<measured_units> measure_suite(const unit_suite& s, const std::string& typed,
                                            const unit_suite_hooks& hooks);

/// Learns from a seeded share of the synthetic instances and tests on the others and on the real kernels; the model is
/// written to the folder `models` unless that is empty. `folder` is what a plugin's path is relative to. The same table
/// gives the same report and model. Throws user_error when there is too little to learn from.
unit_report train_units(const measured_units& m, const std::filesystem::path& folder,
                        const std::filesystem::path& models);

} // namespace gst
