#pragma once

#include "core/api/backend.hpp"
#include "core/measure/measuring.hpp"

#include <vector>

namespace gst {

/// Every device of a backend, asked for in a process of its own. Throws machine_error when the driver stack is missing,
/// crashes or does not answer within `seconds`.
GST_API std::vector<device_info> list_devices(const backend_choice& from, double seconds = 60);

/// backend::architecture, asked for in a process of its own. Throws user_error when the backend does not know it.
GST_API device_info describe_architecture(const backend_choice& from, const std::string& name, double seconds = 60);

} // namespace gst
