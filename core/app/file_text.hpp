#pragma once

#include <filesystem>
#include <string>

namespace gst {

/// What a file that a user has written holds. Throws std::system_error with the reason when it cannot be read, or when
/// it is longer than anybody writes.
std::string file_text(const std::filesystem::path& file);

} // namespace gst
