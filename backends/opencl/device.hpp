#pragma once

#include "backends/opencl/list_devices.hpp"

#include <memory>

namespace gst::opencl {

/// Opens the device: a context and one in-order queue with profiling.
///
/// `run` takes its times from the driver's profiling of the first and the last command, which excludes what the driver
/// compiles at a first launch. A device whose driver does not tell them cannot be used: the host's clock measures
/// something else.
std::unique_ptr<device> open_device(const listed_device& target);

} // namespace gst::opencl
