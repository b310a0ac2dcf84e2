#pragma once

#include "core/base/visibility.hpp"

#include <string>
#include <string_view>

namespace gst {

/// 128-bit XXH3 of the bytes, as 32 hexadecimal digits.
GST_API std::string digest(std::string_view bytes);

} // namespace gst
