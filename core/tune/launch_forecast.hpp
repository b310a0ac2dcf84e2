#pragma once

#include "core/codegen/launch_features.hpp"
#include "core/tune/model.hpp"
#include "core/tune/workload.hpp"

#include <string>

namespace gst {

/// What a model says of every launch configuration of a stencil: whether the work-group should read through local
/// memory (Han).
struct GST_API launch_forecast {
    std::string parameter;     ///< that is decided: useShared, or load
    std::uint64_t with = 0;    ///< launches that local memory makes faster
    std::uint64_t without = 0; ///< that it makes slower
    std::uint64_t open = 0;    ///< of which the model cannot say, or that can be had in one way only
    std::string undecided;     ///< why nothing is decided
    gst::space searched;       ///< of each decided launch the faster way only; the rest of the space as it is
};

/// Whether a feature of the model is one of launches (core/codegen/launch_features.hpp).
GST_API bool decides_launches(const model_description& about);

/// What such a model says of the launches of a stencil with work-groups of any size, merged points, and nothing else:
/// streaming, vectors, images and temporal blocking are no launches of Han's kernels, and stay as they are. A launch
/// stays as it is in both ways, too, where a feature lies outside of what the model has learned from or the
/// probability is less than `least_probability`. `known` are the features of the workload. Throws user_error when the
/// model does not fit: the parameter says nothing of local memory, its classes are not false and true, it lacks a
/// feature.
GST_API launch_forecast make_launch_forecast(const model& m, const std::string& parameter, const features& known,
                                             stencil_profiles profiles, const space& all, double least_probability);

} // namespace gst
