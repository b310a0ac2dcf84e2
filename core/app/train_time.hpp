#pragma once

#include "core/report/training_report.hpp"

#include <filesystem>
#include <optional>

namespace gst {

/// Validates and trains a model of the time of configurations, from the table's `times`: its features are those that
/// the table's predictor learns from, the parameters that all configurations have (`TBx`), and, of parameters that are
/// no numbers, each value (`load=local`, 1 or 0); it predicts the binary logarithm of ms per step. Written to
/// time.model in the folder `models` unless that is empty; `folder` is what a plugin's path is relative to. Nothing
/// where there are times of fewer than two stencils. Throws as train_models does.
std::optional<time_training> train_time(const tuned_suite& t, const std::filesystem::path& folder,
                                        const std::filesystem::path& models);

} // namespace gst
