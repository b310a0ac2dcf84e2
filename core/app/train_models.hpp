#pragma once

#include "core/report/training_report.hpp"
#include "core/store/model_file.hpp"

#include <filesystem>

namespace gst {

/// Positions of the features that predictors learn from; none are named: all of them. Throws user_error for names that
/// the table does not have.
std::vector<std::size_t> chosen_features(const tuned_suite& t);

/// What the table says of these stencils and their grid beside the chosen features.
std::vector<beside_feature> beside_features(const tuned_suite& t, const std::vector<std::string>& stencils);

/// Throws user_error for a predictor that is not there, or that does not take the table's options; machine_error for
/// one that is refused.
void check_predictor(const tuned_suite& t, const std::filesystem::path& folder);

/// Labels, validates and trains: per heuristic a model that says with which value it finds its fastest configuration
/// (Garvey §6.1, §8.2), written to `models`, a folder, unless that is empty. `folder` is what
/// a plugin's path is relative to. Strategies that have run nowhere, and
/// stencils on which not every other one has run, are left out. A table with times gives a model of the time, too
/// (train_time). The same table gives the same report and models. Throws user_error: features that the table does not
/// have, what the predictor does not learn from; machine_error when a model cannot be written.
training_report train_models(tuned_suite t, const std::filesystem::path& folder, const std::filesystem::path& models);

} // namespace gst
