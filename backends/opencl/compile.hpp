#pragma once

#include "backends/opencl/list_devices.hpp"
#include "core/api/backend.hpp"

namespace gst::opencl {

/// Builds the source for the device and takes the driver's binary. Throws compile_error with the build log.
binary compile(const listed_device& target, const module_source& source);

} // namespace gst::opencl
