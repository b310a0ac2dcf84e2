#pragma once

#include "core/base/feature.hpp"
#include "core/space/space.hpp"
#include "core/tune/model.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gst {

/// What a model says of a workload: which value of a parameter it takes, and the part of the space that is searched
/// because of it.
struct GST_API forecast {
    std::string parameter;
    struct chance {
        std::string what; ///< a value of the parameter
        double probability = 0;
    };
    std::vector<chance> chances;      ///< most probable first; empty when the model predicts a number
    std::optional<double> number;     ///< that the model predicts; the value nearest to it is chosen
    std::optional<gst::value> chosen; ///< nothing: the whole space is searched
    std::string undecided;            ///< why nothing is chosen
    std::string beyond;               ///< in what the table differs that does not forbid to choose; "" nothing
    gst::space searched;              ///< the parameter being what is chosen, or the whole
};

/// What a model that predicts a parameter says of a workload with these features (core/tune/features.hpp). Nothing is
/// chosen where the stencil is outside of what the model has learned from – by a feature that it asks for, or by its
/// kind: arrays, the size of a value, the number of axes –, the probability is less than `least_probability`, or the
/// space holds no configuration with the value. Throws user_error when the model does not fit: it ranks, lacks a
/// feature, or predicts no value of the parameter.
GST_API forecast make_forecast(const model& m, const std::string& parameter, const features& known, const space& all,
                               double least_probability);

/// The value of a feature of the workload that a model needs. Throws user_error when it is not known, or is in another
/// unit.
GST_API double feature_of(const features& known, const training_table::feature& needed);

/// What a model of time makes of configurations.
struct GST_API ranking {
    std::function<double(const configuration&)> time; ///< ms per step that it expects; empty: it cannot rank here
    std::string undecided;                            ///< why not
    std::string beyond; ///< in what the table differs that does not forbid to rank; "" nothing
};

/// The ranking by a model of time, whose features are the workload's, parameters of the space (`TBx`, a number) and
/// values of parameters (`load=local`, 1 or 0). It cannot rank where the stencil is outside of what it has learned
/// from, as above. Throws user_error when the model does not fit: it predicts no time, or lacks a feature.
GST_API ranking make_ranking(std::shared_ptr<const model> m, const features& known, const space& all);

/// Whether a probability is at least `least`, as far as rounding goes.
GST_API bool is_sure(double probability, double least);

/// Why the model can say nothing of a stencil with these features whatever it asks for: it is of another kind; "" where
/// it can.
GST_API std::string outside_of(const model_description& about, const features& known);

/// What model_description::predicts is of a model that ranks: ms per step, or their binary logarithm.
inline constexpr const char* predicts_time = "time";
inline constexpr const char* predicts_log_time = "log2(time)";
GST_API bool ranks(const model_description& about);

} // namespace gst
