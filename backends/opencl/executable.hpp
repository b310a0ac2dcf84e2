#pragma once

#include "backends/opencl/opencl.hpp"
#include "core/api/launch_limits.hpp"

#include <map>
#include <string>

namespace gst::opencl {

struct built_kernel {
    kernel object;
    kernel_limits limits;
};

/// A built program, its kernels by name.
class executable final : public gst::executable {
  public:
    /// Takes every kernel of the built `program`.
    executable(program_object program, cl_device_id device);
    std::map<std::string, double> metrics() const override;
    /// Throws std::runtime_error that names the kernels there are.
    const built_kernel& find(const std::string& name) const;
    const std::map<std::string, built_kernel>& kernels() const { return kernels_; }

  private:
    program_object program_;
    std::map<std::string, built_kernel> kernels_;
};

/// Builds `program` for `device`; the log of a refusal is the text of the compile_error.
void build(cl_program program, cl_device_id device, const std::string& options);

/// The build log without surrounding blanks.
std::string build_log(cl_program program, cl_device_id device);

} // namespace gst::opencl
