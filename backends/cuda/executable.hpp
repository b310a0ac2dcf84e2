#pragma once

#include "backends/cuda/list_devices.hpp"
#include "core/api/launch_limits.hpp"
#include "core/base/named_numbers.hpp"

#include <map>
#include <string>
#include <vector>

namespace gst::cuda {

struct loaded_kernel {
    function_handle function = nullptr;
    kernel_limits limits;
    std::uint64_t dynamic_bytes = 0;           ///< of local memory, which the launch asks for
    std::vector<std::uint64_t> argument_bytes; ///< as long as limits.arguments, where that is known
    std::uint64_t registers = 0;
    std::uint64_t constant_bytes = 0;
    double occupancy = 0; ///< threads that a multiprocessor has at a time, of the most it can have
};

/// A loaded module.
class executable final : public gst::executable {
  public:
    executable(const driver& d, const listed_device& device, const std::string& cubin);
    ~executable() override;
    executable(const executable&) = delete;
    executable& operator=(const executable&) = delete;

    /// Of the kernels that were asked for: the greatest needs, the least occupancy.
    named_numbers metrics() const override;
    /// Throws std::runtime_error when the module has no such kernel.
    const loaded_kernel& find(const std::string& name);

  private:
    loaded_kernel take(const std::string& name) const;
    /// What <kernel>_local_bytes holds, or 0.
    std::uint64_t local_block(const std::string& kernel) const;

    const driver& driver_;
    const device_info& device_;
    std::uint64_t threads_per_multiprocessor_;
    module_handle module_ = nullptr;
    std::map<std::string, loaded_kernel> kernels_;
};

} // namespace gst::cuda
