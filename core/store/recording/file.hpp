#pragma once

#include "core/base/diagnostic.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace gst {

/// The text of a file, plain or gzip, named `shown` in diagnostics. Throws user_error: the file cannot be read (with
/// the remedy), is cut off or damaged, or is larger than 2 GiB.
std::shared_ptr<const source> read_plain_or_gzip(const std::filesystem::path& file, const std::string& shown,
                                                 const std::string& remedy);

/// The text compressed as gzip has it; the same text gives the same bytes.
std::string gzip(std::string_view text);

/// The text with Python's NaN, Infinity and -Infinity, which are no JSON, as null; itself when there are none.
std::shared_ptr<const source> without_nan(const std::shared_ptr<const source>& text);

} // namespace gst
