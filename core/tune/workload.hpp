#pragma once

#include "core/api/backend.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/presets.hpp"
#include "core/measure/evaluator.hpp"

#include <map>
#include <string>
#include <vector>

namespace gst {

/// What is to be tuned, before any device is asked.
struct tuning_request {
    gst::stencil stencil; ///< verified IR that fits the grid
    extent3 size{};
    layout_kind layout = layout_kind::padded;
    std::vector<double> parameters; ///< values of stencil.parameters
    gst::space space;               ///< as make_space gives it, narrowed by the user
    std::uint64_t data_seed = 1;
};

/// Throws user_error when the stencil computes in or stores a type that the device does not have, or its arrays – and
/// those that verification needs beside them – do not fit into its memory: both numbers of bytes are in the message.
GST_API void check_device(const tuning_request& r, const device_info& device);

/// Where the arrays' points lie on the device. Rows are aligned as the widest vector, on GPUs as the 32 bytes that they
/// fetch from memory at once: their vectors are shorter, and less lies between rows (docs/experiments.md).
GST_API array_layout layout_of(const tuning_request& r, const device_info& device);

/// What the device allows the programs of this request.
GST_API device_limits limits_of(const tuning_request& r, const device_info& device);

/// The request's space with the device's limits on top. Throws what check_device throws.
GST_API space admitted_space(const tuning_request& r, const device_info& device);

/// How programs of the space add: in any order where some have partial sums.
summation summation_of(const space& s);

/// The request on a device: its space with the device's limits on top, and how configurations become programs.
GST_API workload make_workload(const tuning_request& r, const device_info& device);

/// Of an admitted space that is empty: which of the device's limits leaves nothing of the request's, and its condition.
GST_API std::string why_none_is_admitted(const space& requested, const space& admitted);

/// The untuned default program that speedups are measured against (default_schedule).
GST_API program default_program(const tuning_request& r, const device_info& device);

} // namespace gst
