#pragma once

#include "core/app/config.hpp"
#include "core/app/pipeline.hpp"
#include "core/app/table_reader.hpp"
#include "core/tune/replay.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>

/// Recordings in settings: the backend "replay" of app.toml and the spaces of strategies.toml.
namespace gst {

/// Reads the keys of a recording from a table. Roles are a table, or the path of a TOML file that holds it.
void read_recording_settings(table_reader& t, recording_settings& to, const std::filesystem::path& folder);

/// The recording with its definition and roles. Throws user_error with the place.
recording load_recording(const recording_settings& s);

/// A recording that is tuned on, and the space that is searched.
struct recorded_target {
    std::shared_ptr<const recorded_device> device;
    gst::space space;
    replayed_time time = replayed_time::mean;
};
recorded_target load_recorded_target(const recording_settings& s);

/// What gst's performance model needs to know of a recording: the application whose programs were measured, and the
/// device (roofline).
struct recorded_model {
    setting<std::filesystem::path> app; ///< app.toml, absolute
    setting<double> bandwidth;          ///< GB/s that a copy reached
    setting<std::int64_t> compute_units{1, {}};
    setting<std::int64_t> lanes{32, {}};
    setting<std::int64_t> local_bytes; ///< that a work-group and a compute unit have
};
/// The model's expectation of the target's configurations, in ms per step; the target must outlive it. Throws
/// user_error for an application that is none, and for a recording that has other parameters than this.
std::function<double(const configuration&)> estimate_of(const recorded_model& m, const recorded_target& t);

/// Tunes on the recording that app.toml names as its backend. Nothing is stored: it is all recorded already.
tuning_outcome tune_recorded(const config& c, const recorded_target& t, bool quiet,
                             const std::function<bool()>& interrupted);

/// Throws user_error when app.toml's backend is a recording, which has no kernels.
void need_device(const config& c);

} // namespace gst
