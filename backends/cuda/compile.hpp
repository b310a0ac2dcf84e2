#pragma once

#include "backends/cuda/nvrtc.hpp"
#include "core/api/backend.hpp"

namespace gst::cuda {

/// Compiles the source to a CUBIN for the target's architecture. Throws compile_error with NVRTC's log, machine_error
/// when NVRTC does not know the architecture.
binary compile(const nvrtc& compiler, const device_info& target, const module_source& source);

/// Throws when NVRTC does not know the architecture: user_error when the user asked for it, else machine_error.
void check_architecture(const nvrtc& compiler, const std::string& architecture, bool asked_by_user);

} // namespace gst::cuda
