#pragma once

#include "core/app/bench.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gst {

/// A recording and what it is called.
struct recorded_case {
    std::string name;
    std::unique_ptr<recorded_target> target;              ///< stays where it is
    std::function<double(const configuration&)> estimate; ///< of a performance model; may be empty
};

recorded_case load_case(const bench_settings::space& from);

/// What runs on it are compared with: the optimum, the slowest, the calculated baseline. Throws user_error for a
/// recording with nothing to find, and for a space too large for the baseline.
compared_space measured_space(const bench_settings::space& from, const recorded_target& t);

studied_space studied(const recorded_case& from);

/// ms of these configurations; infinite for what is not recorded or failed.
std::vector<double> recorded_times(const recorded_device& device, const std::vector<configuration>& which);

/// Runs every strategy with every seed on the recordings, shared out among threads; in the order of spaces, strategies
/// and seeds those runs that are finished: all, unless it was interrupted or a strategy failed.
std::vector<compared_run> run_recorded(const bench_settings& s, const std::vector<recorded_case>& cases, unsigned jobs,
                                       failed_strategies& failed, const std::function<bool()>& interrupted,
                                       const std::function<void()>& run_is_done);

} // namespace gst
