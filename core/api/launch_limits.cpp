#include "core/api/launch_limits.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace gst {

std::string shape_text(const range3& r) {
    return fmt::format("{} × {} × {}", r[0], r[1], r[2]);
}

void check_launch(const launch_command& c, const kernel_limits& kernel, const device_info& device) {
    const auto refuse = [&](const std::string& why) {
        throw std::runtime_error(fmt::format("the kernel '{}' cannot be launched: {}", c.kernel, why));
    };
    const std::uint64_t group = c.local[0] * c.local[1] * c.local[2];
    // A kernel that was compiled for this very work-group can have it: some drivers say a smaller number nevertheless.
    const std::uint64_t most = kernel.required == c.local ? device.work_group : kernel.work_group;
    if (group > most) {
        refuse(fmt::format("a work-group of {} is {} work-items, {} allows {} for this kernel", shape_text(c.local),
                           group, device.name, most));
    }
    if (kernel.required[0] != 0 && kernel.required != c.local) {
        refuse(fmt::format("it was compiled for work-groups of {}, not {}", shape_text(kernel.required),
                           shape_text(c.local)));
    }
    for (std::size_t i = 0; i < 3; ++i) {
        if (c.local[i] > device.work_items[i]) {
            refuse(fmt::format("a work-group of {} has more than the {} work-items that {} allows along {}",
                               shape_text(c.local), device.work_items[i], device.name, "xyz"[i]));
        }
        if (c.local[i] == 0 || c.global[i] == 0 || c.global[i] % c.local[i] != 0) {
            refuse(fmt::format("{} work-items are not a multiple of work-groups of {}", shape_text(c.global),
                               shape_text(c.local)));
        }
        if (device.work_groups[i] > 0 && c.global[i] / c.local[i] > device.work_groups[i]) {
            refuse(fmt::format("it needs {} work-groups along {}, {} allows {}", c.global[i] / c.local[i], "xyz"[i],
                               device.name, device.work_groups[i]));
        }
    }
    if (kernel.local_bytes > device.local_bytes) {
        refuse(fmt::format("it needs {} bytes of local memory, {} has {}", kernel.local_bytes, device.name,
                           device.local_bytes));
    }
    if (kernel.arguments && *kernel.arguments != c.arguments.size()) {
        refuse(fmt::format("it has {} arguments, not {}", *kernel.arguments, c.arguments.size()));
    }
}

} // namespace gst
