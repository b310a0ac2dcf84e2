#pragma once

#include "core/codegen/dialect.hpp"
#include "core/codegen/program.hpp"

namespace gst {

/// The dialect with `lanes` work-items, in rows along x, that read each other's registers, for OpenCL devices that have
/// none: every shuffle goes through local memory and waits for the whole work-group, which all of it must come by.
dialect with_emulated_lanes(dialect d, int lanes);

/// The module with what these shuffles need; any other as it is.
module_source with_lanes(module_source m);

} // namespace gst
