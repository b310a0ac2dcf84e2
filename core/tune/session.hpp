#pragma once

#include "core/api/search.hpp"
#include "core/measure/evaluator.hpp"

#include <cstdint>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gst {

/// How far a tuning session is.
struct GST_API tuning_progress {
    std::uint64_t evaluations = 0; ///< configurations with an outcome, known ones included
    std::uint64_t correct = 0;
    double best = 0;    ///< ms per step; 0: nothing valid yet
    double seconds = 0; ///< on the session's clock
};

struct GST_API session_options {
    std::uint64_t seed = 1;
    std::uint64_t max_evaluations = 0; ///< 0: no limit
    double max_seconds = 0;            ///< 0: no limit
    std::uint64_t parallel = 0;        ///< configurations that are compiled at the same time; 0: none on replay
    double grace_seconds = 10;         ///< real time that a strategy has to return once the budget is spent
    std::map<std::string, double> features;
    std::function<double(const configuration&)> estimate; ///< of a performance model, ms per step; may be empty
    std::filesystem::path directory; ///< that paths of plugins in a strategy's options are relative to
    /// What is known already, one answer per configuration; known results count as evaluations, at their recorded cost.
    /// A time that another run gave up, having a faster one, counts only where this run would give it up, too.
    std::function<std::vector<std::optional<measurement>>(std::span<const configuration>)> lookup;
    double censor_factor = 0; ///< of the evaluator: it gives up what is slower than this times the best; 0: never
    std::function<void(const configuration&, const measurement&)> insert; ///< called after each new measurement
    std::function<bool()> interrupted;                                    ///< asked between configurations
    std::function<void(const tuning_progress&)> progress;                 ///< called after each configuration
};

/// Failed configurations with the same outcome and, numbers aside, the same message.
struct GST_API failure_group {
    status outcome = status::runtime;
    std::string message; ///< first line of the first one
    configuration first; ///< the first one
    std::uint64_t count = 0;
};

enum class session_end : std::uint8_t {
    done,        ///< budget spent, or nothing left that is worth measuring
    interrupted, ///< the user ended it
    failed,      ///< the strategy gave up by an exception: `fault` says why
    lost,        ///< the device or the store is lost: `fault` says why
};

struct GST_API session_result {
    std::vector<problem::evaluated> fastest; ///< the few fastest, fastest first
    const problem::evaluated* best() const { return fastest.empty() ? nullptr : &fastest.front(); }
    session_end end = session_end::done;
    bool early = false;     ///< the strategy returned though there was budget left, and more to measure
    bool abandoned = false; ///< the strategy ignored the end and still runs: leave the process with std::_Exit
    std::uint64_t evaluations = 0;
    std::uint64_t known = 0; ///< of them from the store
    std::map<status, std::uint64_t> outcomes;
    std::uint64_t given_up = 0;           ///< of the correct ones, those whose time is censored
    std::vector<failure_group> failures;  ///< most frequent first
    double seconds = 0;                   ///< session's clock: the recorded cost of known results included
    double recalled = 0;                  ///< of them this cost
    std::map<std::string, double> cost;   ///< seconds: "search", "store", and the sums of what measurements report
    std::map<std::string, double> stages; ///< seconds of "search", by what the strategy calls its stages
    std::vector<std::string> trace;       ///< the strategy's own log; empty when it was abandoned
    std::exception_ptr fault;
};

/// What a session on a device spent on its configurations.
struct GST_API session_cost {
    std::uint64_t compiled = 0; ///< configurations that went to the compiler: all but those with outcome `constraints`
    double compile_seconds = 0;
    double device_seconds = 0; ///< verifying and measuring
};
GST_API session_cost cost_of(const session_result& r);

/// "ended by itself after 12 configurations; the end of its log: …", of one that is `early`.
GST_API std::string early_end_text(const session_result& r);

/// Runs the strategy on a thread of its own, so that it can be abandoned. Every measurement, look-up and insertion
/// happens on that thread, too, one configuration at a time, while the caller's waits: a thread that has to be woken
/// for each answer finds cold caches, and more so the strategy when its turn comes again. What the strategy throws is
/// the result's `fault`. A measurement's cost gets "wall", the seconds by which the clock advanced.
GST_API session_result run_session(std::unique_ptr<search> strategy, const space& where, evaluator& device,
                                   const session_options& options);

} // namespace gst
