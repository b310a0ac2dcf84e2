#include "core/measure/measuring.hpp"

#include <algorithm>
#include <unistd.h>

namespace gst {

std::uint64_t default_memory_limit() {
    const auto machine =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return std::min(machine / 2, std::uint64_t{4} << 30);
}

} // namespace gst
