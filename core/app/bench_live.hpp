#pragma once

#include "core/app/bench.hpp"

namespace gst {

/// A space on a device, and every run on it.
struct live_comparison {
    compared_space space;
    std::vector<compared_run> runs;
};

/// Runs every strategy with every seed on the device of an application, one after the other. What an earlier run has
/// measured is not measured again and charged its cost; nothing is stored. The optimum is the fastest that any run
/// found; the random baseline is calculated from all that `random` measured, which runs first. Throws user_error
/// without that strategy, nothing_found, machine_error, interruption.
live_comparison run_live(const bench_settings& s, const bench_settings::space& from,
                         const std::function<bool()>& interrupted);

} // namespace gst
