#pragma once

#include "core/base/visibility.hpp"
#include "core/space/value.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace gst {

/// Which backend plugin the workers open: a file and its options.
struct GST_API backend_choice {
    std::string file; ///< absolute path of the shared library
    std::map<std::string, value> options;
};

/// How often a program is timed. All times are device time per step.
struct timing_method {
    std::string method = "default"; ///< "default", or "paper" (Garvey: four runs, mean of the last three)
    unsigned warm_up = 1;           ///< calls before anything is timed; long ones of the verification count
    unsigned min_repetitions = 5;
    unsigned max_repetitions = 50;
    /// Half-width of the median's 90 % interval, as a share of the median, that is good enough. An interval that lies
    /// above the best time so far is good enough, too.
    double precision = 0.01;
    double repetition_ms = 5; ///< least device time of one repetition: as many steps as that takes
    double max_seconds = 2;   ///< of device time for one configuration; min_repetitions may pass it
    bool flush_cache = false; ///< write twice the last-level cache before every call
    /// Stop after a first run slower than this times the best, or after the verification's when one of those was slower
    /// than twice that; 0: never.
    double censor_factor = 2;
};

/// What one process may take before it is ended.
struct worker_limits {
    double compile_seconds = 60;
    /// Of one configuration on the device, beside 20 times what the setup with the reference took, times the steps of a
    /// call.
    double configuration_seconds = 30;
    double setup_seconds = 600;
    std::uint64_t memory_bytes =
        0; ///< resident, of a device worker beyond what it holds after setup; 0: see default_memory_limit
    /// Times that a worker may fail to start, in a row, before the machine is blamed; and that a module is compiled
    /// where what fails is not the compiler's refusal, by a new compiler each time but the first.
    unsigned attempts = 3;
};

/// The lesser of 4 GiB and half of the machine's memory.
GST_API std::uint64_t default_memory_limit();

struct measuring {
    timing_method timing;
    worker_limits limits;
    unsigned compilers = 0; ///< processes; 0: one for each processor that gst may use
};

} // namespace gst
