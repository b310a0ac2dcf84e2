#pragma once

#include <string>

namespace gst::opencl {

/// PoCL has no devices, or compiles nothing, when the folder where it keeps compiled kernels cannot be written. Gives
/// it one below the folder for temporary files then, through POCL_CACHE_DIR. Call it before the drivers are loaded.
/// "", or why PoCL has no such folder and what to do.
std::string prepare_pocl_cache();

} // namespace gst::opencl
