#pragma once

#include "core/base/diagnostic.hpp"

#include <memory>
#include <string_view>

namespace gst::dsl {

/// The diagnostic for text that the grammar does not accept: `expected` is the grammar's message, `at` where it gave
/// up.
diagnostic syntax_error(const std::shared_ptr<const source>& text, std::string_view expected, std::size_t at);

} // namespace gst::dsl
