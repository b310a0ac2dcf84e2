#pragma once

#include "core/base/toml_document.hpp"
#include "core/codegen/layout.hpp"
#include "core/measure/measuring.hpp"
#include "core/space/value.hpp"
#include "core/stencil/stencil.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// The settings of app.toml: what README.md's table says, checked for spelling, type and range but not yet
/// against the stencil, the plugins or the device.
namespace gst {

using toml_document::place;

/// A setting and where it was written, for messages that come later than reading.
template<class T>
struct setting {
    T value{};
    place written; ///< no source: the value is the default
    bool given() const { return written.where != nullptr; }
};

struct stencil_settings {
    setting<std::filesystem::path> file; ///< absolute
    setting<std::string> name;           ///< "": the only one in the file
    setting<scalar> type{scalar::f32, {}};
    setting<std::optional<scalar>> compute;
};

struct grid_settings {
    setting<std::vector<std::int64_t>> size; ///< x first
    setting<layout_kind> layout{layout_kind::padded, {}};
};

struct space_settings {
    setting<std::string> preset{"garvey", {}};
    struct values : setting<std::vector<value>> {
        place name; ///< where the parameter's name was written
    };
    std::map<std::string, values> domain; ///< parameter → the values it may take
    std::vector<setting<std::string>> constraints;
};

/// A plugin as the user asks for it: a name or a path, and the options for it.
struct plugin_settings {
    setting<std::string> name;
    std::map<std::string, setting<value>> options;
};

/// A recording, which stands for a device (backend "replay").
struct recording_settings {
    setting<std::filesystem::path> file;       ///< absolute; a recording or a database of results
    setting<std::filesystem::path> definition; ///< T1 with defaults and conditions, absolute; "": none
    struct given_role {
        setting<std::string> purpose{"other", {}}; ///< as name_of(role) has it
        setting<std::string> dimension;            ///< "x", "y", "z"; "": none
    };
    std::map<std::string, std::pair<place, given_role>> roles; ///< by parameter
    setting<std::string> space{"recorded", {}};                ///< or "conditions": all that satisfy these
    setting<std::string> time{"mean", {}};                     ///< or "sample"
    /// Which results of a database; "": any.
    setting<std::string> stencil, grid, device, backend, problem, since;
    bool used() const { return !file.value.empty(); }
};

/// A model that says in which part of the space to search, or how fast configurations are.
struct predictor_settings {
    setting<std::filesystem::path> model;     ///< file, absolute
    setting<std::string> plugin;              ///< name or path; "": the one that the model names
    setting<std::string> decides;             ///< parameter; "": the one that the model predicts
    setting<double> least_probability{0, {}}; ///< of what is predicted: below it the whole space is searched
};

struct budget_settings {
    setting<std::int64_t> evaluations{200, {}}; ///< 0: no limit
    setting<double> seconds{0, {}};             ///< 0: no limit
};

struct store_settings {
    setting<std::filesystem::path> path; ///< absolute; default: $XDG_DATA_HOME/gst/results.db
};

struct run_settings {
    setting<std::int64_t> steps{0, {}};                    ///< 0: tune only
    setting<std::filesystem::path> output;                 ///< folder, absolute; "": no results are written
    setting<std::int64_t> every{0, {}};                    ///< write every so many steps; 0: only the last
    setting<std::vector<std::string>> format{{"npy"}, {}}; ///< "npy", "vti"
    setting<std::vector<std::string>> fields;              ///< empty: every field that is updated
    setting<double> residual{0, {}};               ///< stop when a step changes every field by at most this; 0: never
    setting<std::string> residual_norm{"max", {}}; ///< "max" over the points, "rms" of all points
    setting<std::int64_t> residual_every{100, {}}; ///< steps between two looks at the residual
    setting<std::filesystem::path> checkpoint;     ///< file, absolute; "": none
    setting<std::int64_t> checkpoint_every{0, {}}; ///< steps; 0: only at the end
    setting<bool> resume{false, {}};               ///< go on from the checkpoint when it is there
};

/// How a field begins. Values that a kind does not use are errors when given.
struct initial_settings {
    setting<std::string> kind{"noise", {}};  ///< noise, gaussian, constant, expression, file
    setting<double> low{0, {}}, high{1, {}}; ///< noise
    setting<std::int64_t> seed{1, {}};       ///< noise
    setting<double> value{0, {}};            ///< constant
    setting<std::vector<double>> center;     ///< gaussian, in points; default: the middle of the grid
    setting<double> width{0, {}};            ///< gaussian: standard deviation in points; 0: a tenth of the grid along x
    setting<double> amplitude{1, {}};        ///< gaussian
    setting<std::string> expression;         ///< in x, y, z, nx, ny, nz
    setting<std::filesystem::path> file;     ///< .npy, absolute
    place written;                           ///< the key or the table
};

struct config {
    std::filesystem::path file;
    std::filesystem::path folder; ///< absolute: what relative paths in the file are relative to
    setting<std::int64_t> seed{1, {}};
    stencil_settings stencil;
    grid_settings grid;
    std::map<std::string, setting<double>> parameters;
    space_settings space;
    plugin_settings search{{"auto", {}}, {}};
    std::vector<predictor_settings> predictors;
    plugin_settings backend{{"auto", {}}, {}};
    setting<std::string> device{"auto", {}}; ///< type, part of the name, index or "auto"
    recording_settings recording;            ///< the options of the backend "replay"
    budget_settings budget;
    measuring measure;
    store_settings store;
    run_settings run;
    std::map<std::string, std::vector<initial_settings>> initial; ///< per field its levels, newest first

    bool replays() const { return backend.name.value == "replay"; }
};

/// Reads app.toml and puts the assignments of --set on top. Throws user_error with every mistake found.
config read_config(const std::filesystem::path& file, const std::vector<std::string>& assignments = {});

/// The same of a document that is read already, e.g. a part of another file's. `whole`: it must name a stencil and a
/// grid, or a recording.
config read_config(const toml_document::item& document, const std::filesystem::path& file, bool whole = true);

/// $XDG_DATA_HOME/gst/results.db, or ~/.local/share/gst/results.db. Throws user_error when neither variable is set.
std::filesystem::path default_store_path();

} // namespace gst
