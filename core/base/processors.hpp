#pragma once

#include <algorithm>
#include <sched.h>
#include <thread>

namespace gst {

/// Processors that the calling thread may use (its affinity): fewer than the machine has under taskset, in a cpuset or
/// in a batch job.
inline unsigned processors() {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (::sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
        return static_cast<unsigned>(CPU_COUNT(&allowed));
    }
    return std::max(1U, std::thread::hardware_concurrency()); // more processors than the set has room for
}

} // namespace gst
