#pragma once

#include "core/base/toml_document.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace gst {

/// What a file that a user has written holds. Throws std::system_error with the reason when it cannot be read, or when
/// it is longer than anybody writes.
std::string file_text(const std::filesystem::path& file);

/// A TOML file with the assignments of --set on top. Throws user_error: it cannot be read (with the remedy), or what
/// the parser finds.
toml_document::item read_toml(const std::filesystem::path& file, const std::vector<std::string>& assignments,
                              const std::string& remedy);

} // namespace gst
