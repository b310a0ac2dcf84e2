#pragma once

#include "core/app/pipeline.hpp"
#include "core/app/suite.hpp"
#include "core/store/results.hpp"
#include "core/store/tuned_suite.hpp"

#include <functional>

namespace gst {

/// How a suite is tuned.
struct suite_hooks {
    std::function<bool()> ended;                  ///< the user, or the time that was given: ask again later
    std::function<void(const tuned_suite&)> keep; ///< called whenever there is something that should not be lost
    std::function<void(const std::string&)> note; ///< a line of progress; may be empty
};

/// A suite's request on one stencil.
struct stencil_request {
    stencil what;
    tuning_request request;
};
stencil_request request_of(const config& c);

/// The table of a suite: what its file holds already, of the same device, settings and stencils, and the features and
/// texts of all stencils. Runs of stencils that have changed are left out and noted. Throws user_error where the file
/// was measured otherwise.
tuned_suite begin_suite(const suite& s, const target& t, const suite_hooks& hooks);

/// Draws the suite's number of configurations of each stencil, by seed, from all of which the database has a complete
/// time on this device, so that a model of the time can be trained (train_time). Where it has none, the table's stay.
void draw_times(const suite& s, const target& t, result_store& store, tuned_suite& table);

/// Runs every strategy on every stencil that the table has no run of. A stencil that the device cannot run is left out,
/// and the others go on. Returns whether nothing is missing; false when `ended` said so. Measurements go to the results
/// database as they happen, so that nothing is measured twice; the table's times are drawn in the end. Throws
/// machine_error when the device or the database is lost.
bool tune_suite(const suite& s, const target& t, tuned_suite& table, const suite_hooks& hooks);

} // namespace gst
