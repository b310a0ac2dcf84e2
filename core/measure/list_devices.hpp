#pragma once

#include "core/api/backend.hpp"
#include "core/measure/measuring.hpp"

#include <vector>

namespace gst {

/// Every device of a backend, asked for in a process of its own. Throws machine_error when the driver stack is missing,
/// crashes or does not answer within `seconds`.
GST_API std::vector<device_info> list_devices(const backend_choice& from, double seconds = 60);

} // namespace gst
