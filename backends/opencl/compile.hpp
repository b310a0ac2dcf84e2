#pragma once

#include "backends/opencl/executable.hpp"
#include "backends/opencl/list_devices.hpp"
#include "core/api/backend.hpp"

namespace gst::opencl {

/// Compiles for one device in one context: making a context takes some drivers seconds.
class compiler {
  public:
    explicit compiler(listed_device target);

    const device_info& target() const { return target_.info; }
    /// Builds the source for the device. The binary is a line of options for whoever loads it, and the driver's own:
    /// NVIDIA's is PTX, which is assembled once more then. Throws compile_error with the build log.
    binary compile(const module_source& source) const;

  private:
    executable build(const module_source& source) const;
    /// Throws compile_error where registers of the program built from `source` spill, or may do so.
    void refuse_spills(const executable& built, module_source source) const;

    listed_device target_;
    bool nvidias_;
    context context_;
};

} // namespace gst::opencl
