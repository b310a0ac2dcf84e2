#pragma once

#include "core/base/diagnostic.hpp"

#include <string_view>
#include <vector>

namespace gst::dsl {

/// The token that begins at byte `at`: a word, a number, an operator of one or two characters, one character of UTF-8;
/// empty at the end of the text.
span token_at(std::string_view text, std::size_t at);

/// The first byte at or after `at` that is neither blank nor in a comment.
std::size_t skip_gap(std::string_view text, std::size_t at);

/// Every token of the text, without blanks and comments.
std::vector<span> tokens_of(std::string_view text);

} // namespace gst::dsl
