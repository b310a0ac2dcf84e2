#pragma once

#include <filesystem>

namespace gst {

/// How well the file system of a folder serves several processes that write one file.
enum class lock_support {
    full,    ///< locks, and memory shared between processes
    network, ///< locks, but no memory shared with the processes of other machines
    none,    ///< record locks fail or exclude nobody
};

/// Tries it with a file of its own in the folder, removed again. Throws machine_error when no file can be made there.
lock_support probe_locks(const std::filesystem::path& folder);

} // namespace gst
