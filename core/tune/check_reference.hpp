#pragma once

#include "core/measure/compile_pool.hpp"
#include "core/measure/device_session.hpp"
#include "core/tune/workload.hpp"

namespace gst {

/// Runs the plain program that every other one is verified against – error bounds included – on a small grid and
/// compares it with the interpreter. Throws machine_error, with the first wrong point, when the device or its compiler
/// computes something else: then nothing measured on it could be trusted.
GST_API void check_reference(const tuning_request& r, const device_info& device, compile_pool& compilers,
                             device_session& session);

/// The grid that the check runs on: that of the request, cut to a few points per axis that every boundary rule still
/// fits.
GST_API extent3 reference_grid(const stencil& s, extent3 size);

} // namespace gst
