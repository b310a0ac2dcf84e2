#pragma once

#include "core/base/visibility.hpp"

#include <cstdint>

namespace gst {

/// When the time loop has to stop for something; 0: never, but for `steps`.
struct run_plan {
    std::int64_t steps = 0; ///< of the whole run, counted from its beginning
    std::int64_t output_every = 0;
    std::int64_t residual_every = 0;
    std::int64_t checkpoint_every = 0;
    bool output_at_end = false;
    bool checkpoint_at_end = false;
};

/// Steps to run without a stop, and what then is due, in this order.
struct run_slice {
    std::int64_t steps = 0; ///< 0: the run has ended
    bool residual = false;  ///< compare t with t-1
    bool output = false;
    bool checkpoint = false;
    bool last = false;
    bool operator==(const run_slice&) const = default;
};

/// The next slice when `done` steps of the run are done. Multiples of each interval count from step 0, so that a run
/// that goes on from a checkpoint stops where an uninterrupted one does.
GST_API run_slice next_slice(const run_plan& plan, std::int64_t done);

} // namespace gst
