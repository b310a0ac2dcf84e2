#pragma once

#include "core/stencil/stencil.hpp"

namespace gst {

/// The same stencil with its nodes in the order in which the updates need them, operands from left to right, and
/// without the nodes that no update needs. Two stencils that compute the same way, node by node, have equal canonical
/// forms.
GST_API stencil canonical(const stencil& s);

} // namespace gst
