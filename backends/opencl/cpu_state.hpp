#pragma once

#include "core/base/named_numbers.hpp"

#include <filesystem>
#include <string>

namespace gst::opencl {

/// What Linux tells of this machine's processor: clock_mhz, the mean of some cores, and temperature_c, the greatest of
/// its sensors. What is not there is left out. `system` is where sysfs is.
named_numbers cpu_state(const std::filesystem::path& system = "/sys");

} // namespace gst::opencl
