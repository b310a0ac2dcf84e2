#pragma once

#include "backends/opencl/opencl.hpp"
#include "core/api/backend.hpp"

#include <string>
#include <vector>

namespace gst::opencl {

constexpr const char* nvidia_platform = "NVIDIA CUDA"; ///< the platform of NVIDIA's own driver

/// A device of the machine and what it says of itself.
struct listed_device {
    cl_platform_id platform = nullptr;
    cl_device_id device = nullptr;
    device_info info;
};

/// Every device of every platform, in the order of the ICD loader; ids are "platform.device", counted from 0.
/// Throws machine_error when no platform is installed.
std::vector<listed_device> list_devices();

/// The device with the id of `target`. Throws machine_error when it is gone, or another one has its place.
listed_device find_device(const device_info& target);

} // namespace gst::opencl
