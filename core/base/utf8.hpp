#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace gst {

/// Whether the byte of an UTF-8 text belongs to the character that began before it.
inline bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0) == 0x80;
}

/// The number of characters (code points) of an UTF-8 text.
inline std::size_t characters(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

} // namespace gst
