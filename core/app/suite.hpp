#pragma once

#include "core/app/config.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace gst {

/// What suite.toml says: stencils that are tuned with several strategies, so that a predictor learns from them which
/// value of a parameter a heuristic should be given. Its settings are those of an app.toml for every stencil; `train`
/// comes on top: docs/training.md.
struct suite {
    std::filesystem::path file;
    std::filesystem::path folder; ///< absolute: what relative paths in the file are relative to

    struct stencil_entry {
        config app;
        std::string family;
    };
    std::vector<stencil_entry> stencils;

    struct strategy {
        std::string label;
        plugin_settings plugin;
        std::int64_t evaluations = 0; ///< budget of a run; 0: that of `budget`
        bool refused = false;         ///< draws from the configurations that the device cannot run, too (Garvey §8.1)
    };
    std::vector<strategy> references; ///< run with all values of the parameter
    std::vector<strategy> heuristics; ///< run once for each of them

    setting<std::string> parameter{"load", {}};
    plugin_settings predictor{{"random_forest", {}}, {}};
    setting<std::vector<std::string>> features;
    setting<std::int64_t> times{0, {}};    ///< configurations of each stencil that a model of the time learns from
    setting<std::filesystem::path> table;  ///< absolute
    setting<std::filesystem::path> models; ///< folder, absolute
    std::string settings;                  ///< all that times depend on, as text
};

/// A suite.toml with the assignments of --set on top. Throws user_error.
toml_document::item read_suite_document(const std::filesystem::path& file,
                                        const std::vector<std::string>& assignments = {});

/// What the document of a suite.toml says. Throws user_error with every mistake found.
suite read_suite(toml_document::item document, const std::filesystem::path& file);

} // namespace gst
