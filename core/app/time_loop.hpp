#pragma once

#include "core/app/pipeline.hpp"

namespace gst {

/// What a time loop did.
struct loop_outcome {
    std::int64_t first_step = 0;    ///< where it began: above 0 after a checkpoint
    std::int64_t steps = 0;         ///< done in this run
    double device_ms = 0;           ///< of them
    double seconds = 0;             ///< wall clock, files included
    std::optional<double> residual; ///< the last one: what one step changes
    bool converged = false;
    bool diverged = false; ///< some values are no longer finite: the loop ended there
    bool interrupted = false;
    std::vector<std::filesystem::path> written;
};

/// Runs the time loop that app.toml asks for with a program: initial data, steps, outputs, residual, checkpoints.
/// Throws user_error when the state does not fit into the machine's memory, with the number of bytes.
loop_outcome run_time_loop(const config& c, const tuning_request& r, const target& t, const program& p, bool quiet,
                           const std::function<bool()>& interrupted);

/// Throws user_error when run_time_loop could not begin: memory, initial data. Called before tuning starts.
void check_time_loop(const config& c, const tuning_request& r);

/// Makes the folders that the time loop writes into and reads the checkpoint it would go on from. Throws user_error
/// when that fails. Called before tuning starts.
void prepare_files(const config& c, const tuning_request& r);

} // namespace gst
