#pragma once

#include "core/app/recorded.hpp"
#include "core/report/comparison.hpp"
#include "core/tune/session.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace gst {

/// What strategies.toml says: which strategies are compared on which recordings and devices.
struct bench_settings {
    std::filesystem::path folder; ///< absolute: what relative paths in the file are relative to
    std::int64_t seeds = 30;      ///< runs of each strategy on each space, with the seeds 1, 2 …
    budget_axis axis;
    setting<std::filesystem::path> store{}; ///< keeps what is measured on devices; empty: nothing is kept
    struct strategy {
        std::string label;
        plugin_settings plugin;
        setting<bool> model{false, {}}; ///< sees the model of a recording; on devices it is always there
    };
    std::vector<strategy> strategies;
    struct space {
        std::string name;
        recording_settings recording;
        std::optional<recorded_model> model;    ///< of the recording; or, when that is not used,
        setting<std::filesystem::path> app{};   ///< an application that is tuned on its device, absolute
        std::vector<std::string> assignments{}; ///< on top of it
    };
    std::vector<space> spaces;
    /// [study]: what the spaces are like (Garvey §5), from what the strategy `random` finds.
    struct study {
        place written;
        std::string sampling; ///< the label of that strategy
        std::vector<optimization> optimizations;
        std::map<std::string, place> parameters; ///< of the optimizations, and where each is named
    };
    std::optional<study> studied;
};

/// Throws user_error for a parameter of the study's optimizations that is not among these.
void check_optimizations(const bench_settings& s, const std::vector<studied_space>& spaces);

/// What is asked of a space's runs: the samples' bests, and from each one's the optimizations alone.
void study_runs(const bench_settings& s, const std::vector<compared_run>& runs, const gst::space& where,
                const times_of& measure, studied_space& to);

/// Throws user_error with every mistake found.
bench_settings read_bench(const std::filesystem::path& file, const std::vector<std::string>& assignments = {});

/// Called after every run: how many are done, of how many on all spaces.
using bench_progress = std::function<void(std::size_t done, std::size_t all)>;

/// Runs every strategy on every space with every seed, on recordings `jobs` at once, and scores them. What is found on
/// recordings is the same for any number of jobs. When it is interrupted, the runs that are finished are compared, and
/// the comparison is not `complete`. Throws user_error for recordings and strategies that cannot be used, and what a
/// strategy throws.
comparison run_bench(const bench_settings& s, unsigned jobs, const std::function<bool()>& interrupted = nullptr,
                     const bench_progress& progress = nullptr);

/// run_session with the strategy's plugin. Rethrows the result's fault; a user_error says of which strategy and space
/// it is.
session_result run_named(const bench_settings::strategy& strategy, const compared_run& run, const bench_settings& s,
                         const space& where, evaluator& device, const session_options& options);

/// What the sessions of all runs have in common.
session_options session_options_of(const bench_settings& s, std::uint64_t seed);

/// Leaves the process when the strategy of a run did not return: a thread still runs in its plugin, and no destructor
/// may pull the ground from under it.
void leave_if_abandoned(const session_result& result, const compared_run& run);

} // namespace gst
