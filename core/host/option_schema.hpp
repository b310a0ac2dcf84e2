#pragma once

#include "core/api/plugin.hpp"

#include <optional>
#include <string>
#include <vector>

namespace gst {

enum class option_type : std::uint8_t { integer, real, boolean, text, path };

/// One option of a plugin, read from its descriptor.
struct option {
    std::string name;
    option_type type = option_type::text;
    value standard;                 ///< default
    std::optional<value> low;       ///< least value of a number
    std::optional<value> high;      ///< greatest value of a number
    std::vector<std::string> words; ///< allowed texts; empty: any
    std::string meaning;
};

/// The options that the descriptor declares. Throws std::invalid_argument when the declaration contradicts itself.
std::vector<option> read_schema(const gst_plugin_descriptor& descriptor);

/// "an integer from 1 to 4096", "'a', 'b' or 'c'", "true or false"
std::string domain_text(const option& o);

/// The value as the option holds it (an integer given for a real becomes a real), or nothing when the option does not
/// take it.
std::optional<value> accept(const option& o, const value& given);

} // namespace gst
