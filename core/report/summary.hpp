#pragma once

#include "core/api/measurement.hpp"
#include "core/report/model_prediction.hpp"
#include "core/report/throughput.hpp"
#include "core/space/value.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gst {

/// What a tuning session has found, for people and scripts.
struct GST_API tuning_report {
    std::string stencil;
    std::string grid;   ///< "256x256x256"
    std::string device; ///< its name
    std::string backend;
    std::string strategy;
    std::uint64_t seed = 0;

    struct found {
        named_values configuration; ///< every parameter
        std::string text;           ///< the active ones, as the space writes them
        double time = 0;            ///< ms per step, re-measured
    };
    std::optional<found> best;
    double default_time = 0;        ///< ms per step of the untuned default program; 0: it could not be measured
    std::optional<found> earlier;   ///< of an earlier search, faster than the best: time steps run with it
    bool untuned_is_faster = false; ///< than every configuration that was measured: time steps run with it
    /// On replay: ms of the fastest recorded configuration, 0 where none was correct. The space and what the device
    /// admits are then the recorded one and what is searched of it.
    std::optional<double> optimum;
    step_work work;

    std::uint64_t space = 0;    ///< configurations of the space …
    std::uint64_t admitted = 0; ///< … and those that the device admits
    std::vector<model_prediction> predictions;
    std::uint64_t searched = 0; ///< of the admitted ones, those that the predictions leave
    std::uint64_t evaluations = 0;
    std::uint64_t known = 0; ///< of them with a program that was measured before, in this run or an earlier one
    std::map<status, std::uint64_t> outcomes;
    std::uint64_t given_up = 0; ///< of the correct ones, those whose time is censored: beside the best of their time
    struct failure_group {
        status outcome = status::runtime;
        std::string message;
        std::string configuration; ///< the first one of them
        std::uint64_t count = 0;
    };
    std::vector<failure_group> failures; ///< most frequent first

    double seconds = 0;                 ///< of the session, the recorded cost of known results included
    double recalled = 0;                ///< of them the recorded cost of known results
    double preparation = 0;             ///< before the session: plain kernels, the check of them, the copy
    std::map<std::string, double> cost; ///< seconds: search, store, generate, compile, verify, measure, wait
    std::vector<std::string> notes; ///< what else the user should know, e.g. why tuning ended early and how to go on
};

/// Seconds of the session in which the device had nothing to do because of gst itself: neither set up, verifying and
/// measuring nor waiting for the device's compiler. While a strategy thinks, the device waits for the compilers as long
/// as none of the configurations that it has asked for is compiled.
GST_API double idle_seconds(double seconds, const std::map<std::string, double>& cost);

/// Why a report has no best configuration.
GST_API std::string why_none(const tuning_report& r);

/// Some fifteen lines.
GST_API std::string to_text(const tuning_report& r);

GST_API nlohmann::json to_json(const tuning_report& r);
GST_API nlohmann::json to_json(const tuning_report::failure_group& f);

} // namespace gst
