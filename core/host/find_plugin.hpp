#pragma once

#include "core/host/check_options.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace gst {

/// Where plugins are looked for by name: the directories of GST_PLUGIN_PATH, then gst/ beside the running libgst.so.
/// Throws user_error when GST_PLUGIN_PATH holds a relative directory.
GST_API std::vector<std::filesystem::path> plugin_directories();

/// The plugin that the user asks for: by name ("random", the first search_random.so of plugin_directories()), or by
/// path, relative to `directory` (that of the file it was written in); of any kind when `kind` is "" and the text is a
/// path. Throws user_error (unknown name with the nearest, wrong kind, no such file) or machine_error (the file is
/// refused: why, and what to do).
GST_API const plugin& find_plugin(const std::string& kind, const std::string& text,
                                  const std::filesystem::path& directory, const plugin_place& place = nullptr);

/// Whether the user means a file, not a name: the text holds a '/' or ends in ".so".
GST_API bool is_plugin_path(const std::string& text);

/// A plugin file of plugin_directories(), in the order kind, name, then directory.
struct plugin_listing {
    std::filesystem::path file;
    std::string kind; ///< as the file name says
    std::string name; ///< as the file name says
    const plugin* accepted = nullptr;
    std::string refusal; ///< why it cannot be used, when it was not accepted
};
GST_API std::vector<plugin_listing> list_plugins();

/// Name, version, summary, file and the table of options, as `gst plugins NAME` prints them.
GST_API std::string describe(const plugin& p);
/// The same for scripts: {"kind", "name", "version", "summary", "file", "options": [{"name", "type", "default", …}]}.
GST_API nlohmann::json describe_json(const plugin& p);

} // namespace gst
