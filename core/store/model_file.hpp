#pragma once

#include "core/api/predictor.hpp"
#include "core/space/value.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gst {

/// Of a feature that a model does not learn from, the least and the greatest value in its table.
struct beside_feature {
    std::string name, unit;
    double low = 0, high = 0;
    bool operator==(const beside_feature&) const = default;
};

/// What a model file says of itself, before what its predictor has learned.
struct GST_API model_description {
    std::string predictor; ///< name of the plugin
    std::string version;   ///< of the plugin
    std::map<std::string, value> options;
    /// The parameter whose values the classes are called by, or whose value is predicted; "time": ms per step of a
    /// configuration, whose parameters are among the features, "log2(time)": their binary logarithm.
    std::string predicts;
    std::string device; ///< that the table was measured on
    std::string backend;
    std::string training; ///< what the table is, for people
    std::uint64_t rows = 0;
    std::map<std::string, double> scores; ///< e.g. "absolute_accuracy"
    std::int64_t features_version = 0;    ///< of the features' definitions
    std::vector<training_table::feature> features;
    std::vector<beside_feature> beside; ///< what else the table says of stencils and grids
    std::vector<std::string> classes;   ///< empty: values
};

/// Writes a model file: text in lines, numbers to the last bit, a digest at the end, the same bytes for the same model.
/// `learned` is what predictor::save gave. Throws machine_error when it cannot be written.
GST_API void write_model(const std::filesystem::path& file, const model_description& about, const std::string& learned);

/// A model file whose end and digest are right; `in` reads what the predictor saved, and then the end.
struct GST_API model_file {
    model_description about;
    std::shared_ptr<const source> text;
    span predictor; ///< where its name and version are in the text
    model_reader in;
    /// Throws user_error when the predictor has not read all that it saved.
    void expect_end();
};

/// Opens a model file, plain or gzip, named `shown` in messages. Throws user_error with the place: no model file, of
/// another format, cut off, changed, or of other features (`features_version`) than this gst computes.
GST_API model_file open_model(const std::filesystem::path& file, const std::string& shown,
                              std::int64_t features_version);

} // namespace gst
