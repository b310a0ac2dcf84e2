#pragma once

#include "core/base/toml_document.hpp"

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace gst {

/// What a file that a user has written holds. Throws std::system_error with the reason when it cannot be read, or when
/// it is longer than anybody writes.
std::string file_text(const std::filesystem::path& file);

/// A TOML file with the assignments of --set on top. Throws user_error: it cannot be read (with the remedy), or what
/// the parser finds.
toml_document::item read_toml(const std::filesystem::path& file, const std::vector<std::string>& assignments,
                              const std::string& remedy);

/// Makes the folder where it is missing; why nothing can be written into it, or no error.
std::error_code make_writable(const std::filesystem::path& folder);

} // namespace gst
