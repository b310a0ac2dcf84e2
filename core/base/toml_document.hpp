#pragma once

#include "core/base/diagnostic.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

/// A TOML document in which every key and value knows where it was written. The only user of toml++ is
/// toml_document.cpp.
namespace gst::toml_document {

struct place {
    std::shared_ptr<const source> where; ///< null: nowhere, a default
    span at;
};

struct entry;
struct item {
    using array = std::vector<item>;
    using table = std::vector<entry>; ///< in the order written, dotted keys as nested tables
    std::variant<bool, std::int64_t, double, std::string, array, table> what;
    place written;

    /// The value of a key of a table, or null.
    GST_API const item* find(const std::string& key) const;
};
struct entry {
    std::string key;
    place written; ///< of the key
    item value;
};

/// "a boolean", "an integer", "a number", "text", "an array", "a table"
GST_API std::string kind_of(const item& n);

/// The diagnostic at that place.
GST_API diagnostic mistake(const place& at, std::string message, std::string hint = "");

/// Throws user_error with the place of the first syntax error; dates and times are errors.
GST_API item parse(std::shared_ptr<const source> text);

/// The name of the source that assignments of the command line point into.
inline constexpr const char* command_line = "--set";
GST_API bool is_typed(const place& written);

/// Applies "a.b=value" on top of a document, in the place of what was there: the value is TOML, or text without quotes.
/// Throws user_error pointing into the assignment.
GST_API void assign(item& document, const std::string& assignment);

} // namespace gst::toml_document
