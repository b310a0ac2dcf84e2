#pragma once

#include "core/base/named_numbers.hpp"
#include "core/base/visibility.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gst {

/// T4's vocabulary of outcomes, and `not_run` when the budget ended first.
enum class status : std::uint8_t { correct, compile, runtime, timeout, correctness, constraints, not_run };
GST_API std::string_view name_of(status s);
GST_API status status_named(std::string_view name); ///< throws std::invalid_argument

/// What is known of one configuration.
struct GST_API measurement {
    status outcome = status::not_run;
    double time = 0;           ///< ms per step of the real loop, the median of `times`; 0 unless correct
    std::vector<double> times; ///< ms per step of each repetition
    bool censored = false;     ///< stopped after a first run clearly worse than the best
    bool known = false;        ///< came from the cache or the store
    std::int64_t row = 0;      ///< in the results database, in the order of measuring; 0: not from there
    std::string message;       ///< why it failed: compiler log, signal, first wrong point
    /// registers, spill_bytes, local_bytes, occupancy …, clock_mhz, temperature_c … where the device tells.
    named_numbers metrics;
    /// Wall-clock seconds spent on it: generate, compile, verify, measure, wait.
    named_numbers cost;
};

} // namespace gst
