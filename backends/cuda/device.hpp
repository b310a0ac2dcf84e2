#pragma once

#include "backends/cuda/list_devices.hpp"

#include <memory>

namespace gst::cuda {

/// Opens the device: its primary context and one stream. `run` takes its times from events before the first and after
/// the last command.
std::unique_ptr<device> open_device(const driver& d, const listed_device& target);

} // namespace gst::cuda
