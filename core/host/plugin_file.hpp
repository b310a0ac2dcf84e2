#pragma once

#include "core/host/option_schema.hpp"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace gst {

/// A plugin that passed every check of its descriptor. Nothing of it has been called yet.
struct plugin {
    std::filesystem::path file;
    std::string kind;
    std::string name;
    std::string version;
    std::string summary;
    std::vector<option> options;
    const gst_plugin_descriptor* descriptor = nullptr;
};

/// The plugin in `file` (an absolute path), or one line that says why it is refused and what to do. Checked in this
/// order: file, library, symbol, api version, size, ABI, descriptor, missing functions, options. Plugins and libraries
/// stay until the process ends; a file is opened once.
GST_API std::variant<const plugin*, std::string> open_plugin(const std::filesystem::path& file);

} // namespace gst
