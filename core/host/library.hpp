#pragma once

#include "core/api/plugin.hpp"

#include <filesystem>
#include <string>

namespace gst {

/// What a shared library shows of itself.
struct opened_library {
    const gst_plugin_descriptor* descriptor =
        nullptr;       ///< what it exports; null when it could not be opened or exports none
    std::string fault; ///< one line that says why it cannot be called and what to do, or ""
};

/// Opens the shared library `file` (an absolute path), which stays open until the process ends. One that lacks a
/// function can still have a descriptor: a plugin of another version is to be told so.
opened_library open_library(const std::filesystem::path& file);

/// Whether a file of the machine's executable format (ELF) ends before what its headers say, so that loading it would
/// end the process. False for all other files.
bool is_cut_off(const std::filesystem::path& file);

/// The directory of the running libgst.so, whatever the working directory is.
GST_API std::filesystem::path core_directory();

} // namespace gst
