#pragma once

#include "core/base/diagnostic.hpp"
#include "core/host/plugin_file.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace gst {

/// The diagnostic of a message about an option of a plugin, with the place where the user wrote it; "" stands for the
/// plugin's name.
using plugin_place = std::function<diagnostic(const std::string& option, std::string message)>;

/// The diagnostic that `place` makes, or one without a place when it is null, with the remedy.
diagnostic mistake_at(const plugin_place& place, const std::string& option, std::string message, std::string hint);

/// What the user gave for an option, with a path made absolute: relative to `directory`, that of the file it is written
/// in. A text without '/' and '.' is a name and stays.
GST_API value resolved(const plugin& p, const std::string& option, const value& given,
                       const std::filesystem::path& directory);

/// The options with the given values, the others at their defaults. Throws user_error with every mistake: unknown
/// option (with the nearest and all known ones), wrong type, out of range.
GST_API plugin_options check_options(const plugin& p, const std::map<std::string, value>& given,
                                     const plugin_place& place = nullptr);

} // namespace gst
