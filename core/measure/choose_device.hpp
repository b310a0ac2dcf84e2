#pragma once

#include "core/api/backend.hpp"

#include <string>
#include <vector>

namespace gst {

/// The device that the user asks for. `wanted` is "auto" (gpu before accelerator before cpu, then the most compute
/// units, then the most memory, then the first), a type, a position in the list ("0"), an id ("0.1"), or a part of the
/// name in any case. A device that several backends have counts once, as the first one's, unless it is asked for by
/// position or id. Throws user_error that lists the devices when none or several fit, machine_error when there are
/// none at all.
GST_API const device_info& choose_device(const std::vector<device_info>& devices, const std::string& wanted);

} // namespace gst
