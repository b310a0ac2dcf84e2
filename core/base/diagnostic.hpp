#pragma once

#include "core/base/visibility.hpp"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gst {

/// A named text that diagnostics point into: a stencil file, the TOML file, one expression.
struct GST_API source {
    std::string name;
    std::string text;
    bool of_machine = false; ///< its lines tell a reader nothing, as those that a program wrote: messages show none
};

/// Bytes [begin, end) of a source.
struct span {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool operator==(const span&) const = default;
};

/// Line and column, both from 1; the column counts characters (UTF-8 code points), a tab is one.
struct position {
    std::size_t line = 1;
    std::size_t column = 1;
    bool operator==(const position&) const = default;
};

/// The position of byte `at` of `text`; the end of the text when `at` lies beyond it.
GST_API position locate(std::string_view text, std::size_t at);

/// One message to the user: what is wrong, where, and what to write instead.
struct GST_API diagnostic {
    std::string message;
    std::shared_ptr<const source> where; ///< null: the message has no place
    span at;
    std::string hint; ///< the remedy; may be empty
};

/// The text with a replacement for each character that a terminal must not see: control characters but tabs and ends of
/// lines, and bytes that are no UTF-8.
GST_API std::string printable(std::string_view text);

/// "file:line:column: error: message", the source line, a caret line, and the hint; where `of_machine`, one line of
/// message and hint. Lines over 120 characters are shown as a window around the caret.
GST_API std::string render(const diagnostic& d);

/// The candidate nearest to `name` in edit distance, else one that `name` begins, or "" when no mistake explains it.
GST_API std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

/// " – did you mean 'x'?" for the nearest candidate, or "".
GST_API std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

/// "a, b and c"
GST_API std::string enumerate(const std::vector<std::string>& words);

} // namespace gst
