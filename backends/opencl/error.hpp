#pragma once

#include "backends/opencl/opencl.hpp"

#include <string>

namespace gst::opencl {

/// "CL_INVALID_WORK_GROUP_SIZE (-54)"; an unknown code is its number alone.
std::string error_name(cl_int code);

/// Throws std::runtime_error "OpenCL cannot <what>: <error name>" unless `code` is CL_SUCCESS.
void check(cl_int code, const std::string& what);

} // namespace gst::opencl
