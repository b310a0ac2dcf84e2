#pragma once

#include "core/stencil/stencil.hpp"

#include <string>
#include <string_view>

/// How the parts of a stencil are spelled in the language.
namespace gst::spelling {

std::string_view symbol(ir::binary_op op);      ///< "+", "min", "<=", "and" …
std::string_view function_name(ir::function f); ///< "abs", "sqrt" …
std::string number(double value, scalar type);  ///< the shortest text that gives this number of the type
const std::string& axis(const stencil& s, int axis);
std::string read(const stencil& s, const ir::read& r);     ///< "u[t-1, x+1]"
std::string declaration(const field& f, const stencil& s); ///< "field u : f32 { x: periodic }"

} // namespace gst::spelling
