#pragma once

#include "core/api/backend.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace gst {

/// What a backend knows of a loaded kernel before it is launched.
struct kernel_limits {
    std::uint64_t work_group = 0; ///< most work-items
    range3 required{};            ///< the only work-group it can have; 0 when it can have several
    std::uint64_t local_bytes = 0;
    std::uint64_t private_bytes = 0;        ///< of a work-item, in memory
    std::optional<std::uint32_t> arguments; ///< absent: not told
};

/// "16 × 4 × 1"
GST_API std::string shape_text(const range3& r);

/// Throws std::runtime_error when the device cannot run the launch; some drivers end the process instead of refusing.
GST_API void check_launch(const launch_command& c, const kernel_limits& kernel, const device_info& device);

} // namespace gst
