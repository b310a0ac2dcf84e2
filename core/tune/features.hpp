#pragma once

#include "core/base/feature.hpp"
#include "core/tune/workload.hpp"

#include <map>
#include <string>

namespace gst {

/// The features of a device, always in the same order; what it does not tell is 0.
GST_API features device_features(const device_info& device);

/// The features of a stencil, its grid and the device: all that a predictor may know before a configuration is chosen.
GST_API features workload_features(const tuning_request& r, const device_info& device);

/// By name.
GST_API std::map<std::string, double> values_of(const features& all);

} // namespace gst
