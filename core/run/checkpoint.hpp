#pragma once

#include "core/run/run_state.hpp"

#include <filesystem>
#include <span>

namespace gst {

/// A state of the time loop in one file: a line of JSON that says what it is (stencil, grid, step, parameters, arrays),
/// then the arrays. The file is whole or not there; every array has a digest.
///
/// Written with the values of stencil.parameters. Throws machine_error.
GST_API void save_checkpoint(const std::filesystem::path& file, const stencil& s, extent3 size,
                             std::span<const double> parameters, const run_state& state);

/// The state to go on from. Throws user_error, one line, for a checkpoint of another stencil, grid or parameter values,
/// a damaged one, one of a newer gst, or a file that is none; machine_error when it cannot be read.
GST_API run_state load_checkpoint(const std::filesystem::path& file, const stencil& s, extent3 size,
                                  std::span<const double> parameters);

} // namespace gst
