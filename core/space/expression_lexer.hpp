#pragma once

#include "core/base/diagnostic.hpp"
#include "core/space/value.hpp"

#include <memory>
#include <vector>

namespace gst {

struct token {
    enum class kind : std::uint8_t { literal, name, symbol, end };
    kind what = kind::end;
    std::string text; ///< of a name or a symbol; the words and, or, not, in are symbols
    value literal;
    span at;
};

/// The tokens of a part of a source, an end token last. Throws user_error.
std::vector<token> expression_tokens(const std::shared_ptr<const source>& where, span part);

} // namespace gst
