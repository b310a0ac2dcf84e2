#include "core/app/predict.hpp"

#include "core/app/at_place.hpp"
#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"
#include "core/base/feature.hpp"
#include "core/host/find_plugin.hpp"
#include "core/tune/features.hpp"
#include "core/tune/forecast.hpp"
#include "core/tune/launch_forecast.hpp"

#include <utility>

namespace gst {

namespace {

/// Where is predicted; the backend of a recording is not known.
struct platform {
    std::string device, backend;
};

model_prediction said_by(const model& m, const predictor_settings& from, const platform& here) {
    model_prediction out;
    out.model = shown_path(from.model.value);
    out.predictor = m.about.predictor;
    out.device = m.about.device;
    out.backend = m.about.backend;
    out.same_device = m.about.device == here.device && (here.backend.empty() || m.about.backend == here.backend);
    return out;
}

const plugin* plugin_of(const predictor_settings& from, const config& c) {
    if (!from.plugin.given()) {
        return nullptr;
    }
    const plugin_place place = [&](const std::string&, std::string message) {
        return toml_document::mistake(from.plugin.written, std::move(message));
    };
    return &find_plugin("predictor", from.plugin.value, c.folder, place);
}

void rank(std::shared_ptr<const model> m, const features& known, const space& all, predicted_search& to) {
    if (to.estimate) {
        throw user_error("another model ranks configurations already", "one model ranks; the others decide parameters");
    }
    ranking r = make_ranking(std::move(m), known, all);
    to.predictions.back().parameter = predicts_time;
    to.predictions.back().undecided = r.undecided;
    to.predictions.back().beyond = r.beyond;
    if (r.time) {
        to.asked = std::make_shared<std::atomic<bool>>(false);
        to.estimate = [asked = to.asked, time = std::move(r.time)](const configuration& c) {
            asked->store(true, std::memory_order_relaxed);
            return time(c);
        };
    }
}

const std::string& decided_by(const model& m, const predictor_settings& from) {
    return from.decides.given() ? from.decides.value : m.about.predicts;
}

void decide_launches(const model& m, const predictor_settings& from, const features& known,
                     const stencil_profiles& profiles, predicted_search& to) {
    launch_forecast f =
        make_launch_forecast(m, decided_by(m, from), known, profiles, to.searched, from.least_probability.value);
    model_prediction& p = to.predictions.back();
    p.parameter = f.parameter;
    p.launches = {f.with, f.without, f.open};
    p.undecided = f.undecided;
    to.searched = std::move(f.searched);
}

void decide(const model& m, const predictor_settings& from, const features& known, predicted_search& to) {
    const std::string& parameter = decided_by(m, from);
    forecast f = make_forecast(m, parameter, known, to.searched, from.least_probability.value);
    model_prediction& p = to.predictions.back();
    p.parameter = f.parameter;
    p.number = f.number;
    p.chosen = f.chosen ? to_string(*f.chosen) : "";
    p.undecided = f.undecided;
    p.beyond = f.beyond;
    for (const forecast::chance& one : f.chances) {
        p.chances.emplace_back(one.what, one.probability);
    }
    to.searched = std::move(f.searched);
}

/// The place of a model that does not fit: nothing is wrong with the line that names it.
toml_document::place in_one_line(const toml_document::place& written) {
    source named = *written.where;
    named.of_machine = true;
    return {std::make_shared<const source>(std::move(named)), written.at};
}

/// `profiles` is null on a recording.
predicted_search ask_all(const config& c, const features& known, const stencil_profiles* profiles, const platform& here,
                         const space& all) {
    predicted_search out{{}, all, nullptr, nullptr};
    for (const predictor_settings& from : c.predictors) {
        at(from.model.written, [&] {
            auto m = std::make_shared<model>(
                read_model(from.model.value, shown_path(from.model.value), features_version, plugin_of(from, c)));
            out.predictions.push_back(said_by(*m, from, here));
            return at(from.decides.given() ? from.decides.written : in_one_line(from.model.written), [&] {
                if (ranks(m->about) && !from.decides.given()) {
                    rank(std::move(m), known, out.searched, out);
                } else if (profiles != nullptr && decides_launches(m->about)) {
                    decide_launches(*m, from, known, *profiles, out);
                } else {
                    decide(*m, from, known, out);
                }
                return 0;
            });
        });
    }
    return out;
}

} // namespace

std::vector<model_prediction> predicted_search::after_search() const {
    std::vector<model_prediction> out = predictions;
    for (model_prediction& p : out) {
        if (asked && p.parameter == predicts_time && p.undecided.empty()) {
            p.asked = asked->load();
        }
    }
    return out;
}

predicted_search predict(const config& c, const tuning_request& r, const device_info& device, const space& all) {
    const stencil_profiles profiles(r.stencil, layout_of(r, device));
    return ask_all(c, workload_features(r, device), &profiles, {device.name, device.backend}, all);
}

predicted_search predict(const config& c, const std::string& device, const space& all) {
    return ask_all(c, {}, nullptr, {device, ""}, all);
}

} // namespace gst
