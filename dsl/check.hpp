#pragma once

#include "dsl/report.hpp"
#include "dsl/symbols.hpp"

namespace gst::dsl {

/// Resolves the names of a stencil and checks every form that does not depend on values. Reports all that it finds.
checked_stencil check(const ast::stencil_definition& tree, report& out);

} // namespace gst::dsl
