#pragma once

#include "core/base/random.hpp"
#include "core/store/recording/formats.hpp"
#include "core/store/recording/interchange.hpp"
#include "tests/temporary_folder.hpp"

#include <string>

namespace gst {

/// A recording of some of the configurations of four parameters of different types.
recording some_recording(random_source& rng);

/// The file that it becomes.
std::string written(const recording& r, recording_format format);

/// What such a file says.
recording read(const temporary_folder& folder, const std::string& text);

/// The beginning of a Kernel Tuner cache of two parameters.
inline const std::string cache_head = R"({"device_name": "D", "kernel_name": "k", "problem_size": [64, 32],
"tune_params_keys": ["x", "mode"], "tune_params": {"x": [4, 1, 2], "mode": ["a", "b"]}, "cache": {)";

} // namespace gst
