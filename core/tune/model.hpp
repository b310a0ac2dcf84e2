#pragma once

#include "core/host/plugin_file.hpp"
#include "core/store/model_file.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace gst {

/// A predictor that has learned, and what its file says of it.
struct GST_API model {
    model_description about;
    std::unique_ptr<predictor> learned;
};

/// Reads a model file, named `shown` in messages, with the predictor plugin that wrote it: `by`, or the one that is
/// found by its name. Throws user_error with the place: what open_model refuses, a plugin that is not there, another
/// one or of another version, options that it does not take, contents that it does not understand.
GST_API model read_model(const std::filesystem::path& file, const std::string& shown, std::int64_t features_version,
                         const plugin* by = nullptr);

/// Writes the model's file. Throws machine_error when it cannot be written.
GST_API void write_model(const std::filesystem::path& file, const model& m);

/// Removes the model that another table gave, where this one gives none. Throws machine_error when it cannot.
GST_API void remove_model(const std::filesystem::path& file);

/// The model that a predictor of this plugin has learned from a table. `about` says what it predicts, and of the table
/// device, backend, training, scores and version of the features; the rest is filled in. Throws machine_error when the
/// predictor, made again from what it saves, does not predict the same to the last bit.
GST_API model make_model(const plugin& by, const plugin_options& options, const training_table& table,
                         std::unique_ptr<predictor> learned, model_description about);

} // namespace gst
