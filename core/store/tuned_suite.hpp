#pragma once

#include "core/base/visibility.hpp"
#include "core/space/value.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gst {

/// What tuning a suite of stencils with several strategies has found: all that training predictors needs, and all that
/// is reported of it, so that both are repeated without the device. Times are ms per step.
struct GST_API tuned_suite {
    std::string device, backend, driver;
    std::string grid; ///< "256x256x256"
    std::string
        settings; ///< all else that times depend on, as text: space, method, seed, strategies with their options
    int features_version = 0;

    std::string parameter;               ///< predictors say which value of it to take
    std::vector<std::string> values;     ///< that it may have
    std::vector<std::string> references; ///< strategies that ran with all values; speedups are over the first
    std::vector<std::string> heuristics; ///< strategies that ran once for each value

    std::string predictor; ///< plugin
    std::map<std::string, value> predictor_options;
    std::vector<std::string> predictor_features; ///< names, of `features`

    struct column {
        std::string name;
        std::string unit;
        bool operator==(const column&) const = default;
    };
    std::vector<column> features;

    struct stencil {
        std::string name;
        std::string family;    ///< stencils that are alike: validation leaves them out together
        std::string problem;   ///< digest of its text
        double operations = 0; ///< of a step
        std::vector<double> features;
        std::string left_out; ///< why it was not tuned; "" when it was, or will be
    };
    std::vector<stencil> stencils;

    /// What a strategy found on a stencil.
    struct run {
        std::string stencil;
        std::string strategy;
        std::string value;         ///< of the parameter; "" for a reference
        bool admitted = true;      ///< false: the device runs no configuration with this value
        double time = 0;           ///< of the fastest; 0: nothing valid was found
        double again = 0;          ///< of the same, measured once more: what noise does; 0: it failed then
        std::string configuration; ///< the fastest
        std::uint64_t evaluations = 0;
        std::uint64_t compiled = 0;
        double compile_seconds = 0;
        double device_seconds = 0;
    };
    std::vector<run> runs;

    /// The time of a configuration that some strategy has measured on a stencil: what models of the time learn from.
    struct timing {
        std::string stencil;
        std::map<std::string, value> configuration;
        double time = 0; ///< > 0
        bool operator==(const timing&) const = default;
    };
    std::vector<timing> times; ///< may be empty

    std::vector<std::string> notes; ///< what was found wrong when it was read, and left out; not written

    /// The run of a stencil by a strategy with a value of the parameter ("": with all), or null.
    const run* find(const std::string& of, const std::string& by, const std::string& with) const;
};

/// In what two tables disagree.
struct disagreement {
    std::string what; ///< "device"
    std::string one, other;
};
/// Of what was measured: device, backend, grid, values; then of how: driver, settings.
GST_API std::vector<disagreement> disagreements_of(const tuned_suite& one, const tuned_suite& other);

/// One table of several: of machines that shared the stencils of a suite, of stencils that were tuned otherwise. What
/// is learned and how is as in the first one; stencils of which another driver or other settings were used are noted.
/// `shown` names the tables in messages. Throws user_error for tables that disagree on anything else, and for a
/// stencil of which two have runs.
GST_API tuned_suite joined(const std::vector<tuned_suite>& tables, const std::vector<std::string>& shown);

/// Whether a label can be a file's name within a folder: a heuristic's model is LABEL.model.
GST_API bool names_a_file(const std::string& label);

/// Reads what `write_tuned_suite` wrote, named `shown` in messages. Runs and configurations with times that are
/// none are left out and noted. Throws user_error with the place: another format or version, members that are missing
/// or of another type, features of another definition, heuristics whose labels name no file, or that of another model.
GST_API tuned_suite read_tuned_suite(const std::filesystem::path& file, const std::string& shown);

/// Writes JSON, a line per stencil and run, that is read back to the last bit and is the same for the same suite;
/// compressed when the name ends in ".gz". Throws machine_error when it cannot be written.
GST_API void write_tuned_suite(const std::filesystem::path& file, const tuned_suite& t);

} // namespace gst
