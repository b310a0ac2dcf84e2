#pragma once

#include "core/codegen/dialect.hpp"
#include "core/codegen/program.hpp"

namespace gst {

/// The dialect with `lanes` work-items along x that read each other's registers, for OpenCL devices that have none:
/// every shuffle goes through local memory and waits for the whole work-group, which all of it must come by.
dialect with_emulated_lanes(dialect d, int lanes);

/// The same but that every shuffle gives a work-item its own value: programs compute something else, in the same
/// places, and no barrier of a shuffle hides a race.
dialect with_blind_lanes(dialect d, int lanes);

/// The module with what these shuffles need; any other as it is.
module_source with_lanes(module_source m);

} // namespace gst
