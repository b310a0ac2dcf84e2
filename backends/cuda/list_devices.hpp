#pragma once

#include "backends/cuda/driver.hpp"
#include "backends/cuda/nvrtc.hpp"
#include "core/api/backend.hpp"

#include <vector>

namespace gst::cuda {

/// A device of the machine and what the driver says of it.
struct listed_device {
    device_id device = 0;
    std::uint64_t threads_per_multiprocessor = 0;
    device_info info;
};

/// Every device, in the driver's order; ids are UUIDs.
std::vector<listed_device> list_devices(const driver& d, const nvrtc& compiler);

/// The device with the id of `target`. Throws machine_error when it is gone.
listed_device find_device(const driver& d, const nvrtc& compiler, const device_info& target);

/// A device of an architecture ("sm_90") with the limits that NVIDIA's programming guide gives for its compute
/// capability.
device_info published(const std::string& architecture);

} // namespace gst::cuda
