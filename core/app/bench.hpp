#pragma once

#include "core/app/recorded.hpp"
#include "core/report/comparison.hpp"
#include "core/tune/session.hpp"

#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
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

struct bench_result {
    comparison compared;
    std::exception_ptr failure; ///< of the first of the strategies that failed; they are left out of the comparison
};

/// Runs every strategy on every space with every seed, on recordings `jobs` at once, and scores them. What is found on
/// recordings is the same for any number of jobs. A strategy that fails runs no further, and the others go on. When it
/// is interrupted, the runs that are finished are compared, and the comparison is not `complete`. Throws user_error for
/// recordings and strategies that cannot be used, and what strategies throw when none is left.
bench_result run_bench(const bench_settings& s, unsigned jobs, const std::function<bool()>& interrupted = nullptr,
                       const bench_progress& progress = nullptr);

/// Those of `all` strategies that failed, by label. Threads may share it.
class failed_strategies {
  public:
    explicit failed_strategies(std::size_t all) : all_(all) {}
    bool contains(const std::string& strategy) const;
    /// Of several failures of a strategy the one of the first run is kept. Says so when others go on.
    void add(const compared_run& run, std::size_t place, std::exception_ptr why);
    std::size_t size() const;
    /// What it failed of; null when it did not.
    std::exception_ptr failure_of(const std::string& strategy) const;

  private:
    const std::size_t all_;
    mutable std::mutex access_;
    std::map<std::string, std::pair<std::size_t, std::exception_ptr>> failures_; ///< place of the run, and why
};

/// run_session with the strategy's plugin. What a strategy fails of, the result's `fault`, says of which strategy and
/// space it is. Throws what ends a session otherwise.
session_result run_named(const bench_settings::strategy& strategy, const compared_run& run, const bench_settings& s,
                         const space& where, evaluator& device, const session_options& options);

/// What the sessions of all runs have in common.
session_options session_options_of(const bench_settings& s, std::uint64_t seed);

/// Leaves the process when the strategy of a run did not return: a thread still runs in its plugin, and no destructor
/// may pull the ground from under it.
void leave_if_abandoned(const session_result& result, const compared_run& run);

} // namespace gst
