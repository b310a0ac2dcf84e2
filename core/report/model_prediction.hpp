#pragma once

#include "core/base/visibility.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gst {

/// What a model has said before the search, for people and scripts.
struct GST_API model_prediction {
    std::string model;                                   ///< its file
    std::string predictor;                               ///< and what learned it
    std::string device;                                  ///< that it was trained on
    std::string backend;                                 ///< and through what
    bool same_device = true;                             ///< the same through the same
    std::string parameter;                               ///< that it decides; "time": it ranks
    std::vector<std::pair<std::string, double>> chances; ///< values, most probable first; empty: it predicts a number
    std::optional<double> number;                        ///< that it predicts
    /// Of a model that decides launch by launch, how many are left with and without local memory, and in both ways.
    struct launch_counts {
        std::uint64_t with = 0, without = 0, open = 0;
    };
    std::optional<launch_counts> launches;
    std::string chosen;        ///< the value that is searched with; "": all
    std::string undecided;     ///< why nothing is chosen, or it does not rank
    std::string beyond;        ///< in what its table differs that does not forbid to choose or to rank; "" nothing
    std::optional<bool> asked; ///< of one that ranks, whether the strategy asked it; nothing: the search has not run
};

/// A line or two, without the end of the last one: "load = local (0.82; vector 0.12, global 0.06), by h200.model".
GST_API std::string to_text(const model_prediction& p);

GST_API nlohmann::json to_json(const model_prediction& p);

} // namespace gst
