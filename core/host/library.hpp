#pragma once

#include "core/api/plugin.hpp"

#include <filesystem>
#include <string>
#include <variant>

namespace gst {

/// The descriptor that the shared library `file` (an absolute path) exports, or one line that says why there is none
/// and what to do. The library stays open until the process ends. Functions that it needs may still be missing: see
/// resolve.
std::variant<const gst_plugin_descriptor*, std::string> open_library(const std::filesystem::path& file);

/// Looks up every function that the opened library needs: "" or one line that says which is missing.
std::string resolve_library(const std::filesystem::path& file);

/// The directory of the running libgst.so, whatever the working directory is.
std::filesystem::path core_directory();

} // namespace gst
