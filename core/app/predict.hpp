#pragma once

#include "core/app/config.hpp"
#include "core/report/model_prediction.hpp"
#include "core/tune/workload.hpp"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gst {

/// What the models of app.toml say of a workload before it is searched.
struct predicted_search {
    std::vector<model_prediction> predictions; ///< one per model
    space searched;                            ///< the part of the space that they leave
    /// ms per step by the model that ranks; empty when none does.
    std::function<double(const configuration&)> estimate;

    /// What is to be reported after the search: as before it, and whether the model that ranks was asked.
    std::vector<model_prediction> after_search() const;
    std::shared_ptr<std::atomic<bool>> asked; ///< whether `estimate`, or a copy of it, was called
};

/// Asks every model of app.toml, in order, of a request on a device with this space. Throws user_error with the place
/// in app.toml or in the model's file.
predicted_search predict(const config& c, const tuning_request& r, const device_info& device, const space& all);
/// Of a recording from this device, of which nothing is known but its parameters.
predicted_search predict(const config& c, const std::string& device, const space& all);

} // namespace gst
