#pragma once

#include "core/api/backend.hpp"
#include "core/api/predictor.hpp"
#include "core/api/search.hpp"
#include "core/host/plugin_file.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace gst {

/// The plugin's strategy. Whatever it throws, in create or in run, arrives as an error of the core's own: user_error
/// and machine_error keep their text, anything else becomes a machine_error that names the plugin.
GST_API std::unique_ptr<search> make_search(const plugin& p, const plugin_options& options);

/// Makes strategies for problem::child: by name, or by a path relative to `directory`.
GST_API std::function<std::unique_ptr<search>(const std::string&, const std::map<std::string, value>&)>
search_maker(const std::filesystem::path& directory);

/// The plugin's predictor, with the same promise. On top of what the plugin does: `learn` refuses a table that fails
/// `check`, `predict` says in which features the row lies outside of the table's least and greatest values, which
/// `save` and `load` keep, and what the plugin answers is a probability per class, or a finite value.
GST_API std::unique_ptr<predictor> make_predictor(const plugin& p, const plugin_options& options);

/// The plugin's backend, its devices included, with the same promise; compile_error keeps its text too.
GST_API std::unique_ptr<backend> make_backend(const plugin& p, const plugin_options& options);

} // namespace gst
