#pragma once

#include "backends/opencl/opencl.hpp"
#include "core/api/launch_limits.hpp"
#include "core/base/named_numbers.hpp"

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
    /// Builds `program`, made from source or a binary, for `device` and takes all of its kernels. Throws compile_error;
    /// its text is the build log.
    executable(program_object program, cl_device_id device, const std::string& options);
    named_numbers metrics() const override;
    /// Throws std::runtime_error that names the kernels there are.
    const built_kernel& find(const std::string& name) const;
    const std::map<std::string, built_kernel>& kernels() const { return kernels_; }
    cl_program program() const { return program_.get(); }
    /// The compiler's, without surrounding blanks.
    const std::string& log() const { return log_; }

  private:
    void take_kernels(cl_device_id device);

    program_object program_;
    std::string log_;
    std::map<std::string, built_kernel> kernels_;
};

} // namespace gst::opencl
