#pragma once

#include "core/app/bench.hpp"

namespace gst {

/// A space on a device, and every run on it.
struct live_comparison {
    compared_space space;
    std::vector<compared_run> runs;
    std::optional<studied_space> study; ///< where one is asked for
    bool complete = true;               ///< false: it was interrupted, the finished runs are there, and no study
};

/// Runs every strategy with every seed on the device of an application, one after the other. What an earlier run has
/// measured, and what `s.store` keeps, is not measured again and charged its cost. The optimum is the fastest that any
/// run found; the random baseline is calculated from all that `random` measured, which runs first. `before`: the other
/// spaces of the study so far. Throws user_error without that strategy, nothing_found, machine_error, and interruption
/// where no run was finished before it. A strategy that fails is added to `failed` and runs no further.
live_comparison run_live(const bench_settings& s, const bench_settings::space& from,
                         const std::vector<studied_space>& before, failed_strategies& failed,
                         const std::function<bool()>& interrupted, const std::function<void()>& run_is_done);

/// ms of these configurations on the device of an application; infinite for what is not valid there or fails.
std::vector<double> live_times(const bench_settings& s, const bench_settings::space& from,
                               const std::vector<named_values>& which, const std::function<bool()>& interrupted);

} // namespace gst
