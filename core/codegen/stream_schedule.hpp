#pragma once

#include "core/codegen/layout.hpp"
#include "core/codegen/schedule.hpp"

#include <string>

/// Whether a kernel that streams can be had as a schedule says.
namespace gst {

/// Why not, or "".
GST_API std::string no_streaming(const stencil& s, const array_layout& layout, const schedule& how);

} // namespace gst
