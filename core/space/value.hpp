#pragma once

#include "core/base/visibility.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gst {

/// A value of the expression language and of a parameter: boolean, integer, real or text.
using value = std::variant<bool, std::int64_t, double, std::string>;
/// A configuration by the names of its parameters, in the order of the space.
using named_values = std::vector<std::pair<std::string, value>>;

GST_API std::string to_string(const value& v); ///< "true", "32", "0.5", "vector": the way it is written
/// Equality as the expression language sees it: numbers by value (1 == 1.0), text by its characters.
GST_API bool same(const value& a, const value& b);

} // namespace gst
