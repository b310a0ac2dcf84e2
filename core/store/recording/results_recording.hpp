#pragma once

#include "core/store/recording/recording.hpp"
#include "core/store/results.hpp"

namespace gst {

/// The stored results of one problem as a recording: of each configuration the newest that the filter admits. Throws
/// user_error when there are none, or results of several problems, devices or methods: which, and how to choose.
GST_API recording recording_of(result_store& store, const result_filter& filter);

/// Stores every entry of the recording under a session of its own; `file` says where it comes from.
GST_API void store_recording(result_store& store, const recording& r, const std::string& file,
                             const std::string& command, const std::string& version);

} // namespace gst
