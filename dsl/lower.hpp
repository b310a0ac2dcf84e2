#pragma once

#include "dsl/dsl.hpp"
#include "dsl/report.hpp"
#include "dsl/symbols.hpp"

namespace gst::dsl {

/// The stencil IR of a checked stencil, in canonical order. Reports one mistake per statement.
stencil lower(const checked_stencil& checked, const options& defaults, report& out);

} // namespace gst::dsl
