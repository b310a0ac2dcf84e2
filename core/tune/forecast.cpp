#include "core/tune/forecast.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace gst {

namespace {

[[noreturn]] void refuse_missing(const std::string& feature) {
    throw user_error(fmt::format("the model needs the feature '{}', which is not known here", feature),
                     "gst features lists what is known of a stencil on a device; a recording has none of these");
}

/// "size is 343, and the model has learned from 1 to 125"; "" when the row lies inside.
std::string outside_text(const model_description& about, const std::vector<double>& row, const prediction& p) {
    std::string out;
    for (const prediction::beyond& b : p.outside) {
        out += fmt::format("{}{} is {:.6g}, and the model has learned from {:.6g} to {:.6g}", out.empty() ? "" : "; ",
                           about.features[b.feature].name, row[b.feature], b.low, b.high);
    }
    return out;
}

double number_of(const value& v) {
    if (const auto* truth = std::get_if<bool>(&v)) {
        return *truth ? 1 : 0;
    }
    const auto* whole = std::get_if<std::int64_t>(&v);
    return whole != nullptr ? static_cast<double>(*whole) : std::get<double>(v);
}

/// The value of the parameter, or nothing.
std::optional<value> value_called(const parameter& p, const std::string& name) {
    for (const value& v : p.domain) {
        if (to_string(v) == name) {
            return v;
        }
    }
    return std::nullopt;
}

/// The number nearest to what is predicted; by ratio where all are positive, as powers of two are meant.
value nearest_value(const parameter& p, double predicted) {
    const bool ratios =
        predicted > 0 && std::all_of(p.domain.begin(), p.domain.end(), [](const value& v) { return number_of(v) > 0; });
    const auto distance = [&](const value& v) {
        return ratios ? std::abs(std::log(number_of(v) / predicted)) : std::abs(number_of(v) - predicted);
    };
    return *std::min_element(p.domain.begin(), p.domain.end(),
                             [&](const value& a, const value& b) { return distance(a) < distance(b); });
}

/// The chances of the classes, most probable first.
std::vector<forecast::chance> chances_of(const model_description& about, const parameter& of, const prediction& p) {
    std::vector<forecast::chance> out;
    bool any = false;
    for (std::size_t k = 0; k < about.classes.size(); ++k) {
        out.push_back({about.classes[k], p.probabilities[k]});
        any = any || value_called(of, about.classes[k]);
    }
    if (!any) {
        throw user_error(fmt::format("the model's classes ({}) are no values of {}", enumerate(about.classes), of.name),
                         "gst space --explain shows what each parameter may be");
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const auto& a, const auto& b) { return a.probability > b.probability; });
    return out;
}

/// What the model predicts, whatever the space allows.
void choose(forecast& to, const model_description& about, const parameter& of, const prediction& p,
            double least_probability) {
    if (about.classes.empty()) {
        if (!is_ordered(of)) {
            throw user_error(fmt::format("the model predicts a number, and {} has none", of.name),
                             "train a model of classes");
        }
        to.number = p.value;
        to.chosen = nearest_value(of, p.value);
        return;
    }
    to.chances = chances_of(about, of, p);
    const forecast::chance& best = to.chances.front();
    to.chosen = value_called(of, best.what);
    if (best.probability < least_probability) {
        to.undecided =
            fmt::format("{} has a probability of {:.2f}, less than {}", best.what, best.probability, least_probability);
    } else if (!to.chosen) {
        to.undecided = fmt::format("{} is not {} here", of.name, best.what);
    }
}

} // namespace

double feature_of(const std::map<std::string, double>& features, const std::string& name) {
    const auto found = features.find(name);
    if (found == features.end()) {
        refuse_missing(name);
    }
    return found->second;
}

bool ranks(const model_description& about) {
    return about.predicts == predicts_time || about.predicts == predicts_log_time;
}

forecast make_forecast(const model& m, const std::string& parameter, const std::map<std::string, double>& features,
                       const space& all, double least_probability) {
    if (ranks(m.about)) {
        throw user_error("the model ranks configurations and decides no parameter", "leave out what it decides");
    }
    const gst::parameter& of = all.parameters()[all.index_of(parameter)];
    std::vector<double> row;
    for (const training_table::feature& f : m.about.features) {
        row.push_back(feature_of(features, f.name));
    }
    const prediction p = m.learned->predict(row);
    forecast out{of.name, {}, {}, {}, "", all};
    choose(out, m.about, of, p, least_probability);
    if (!p.outside.empty()) {
        out.undecided = outside_text(m.about, row, p);
    }
    if (out.undecided.empty()) {
        out.searched = all.restricted({{of.name, {*out.chosen}}});
        if (out.searched.count() == 0) {
            out.undecided = fmt::format("no configuration has {} = {} here", of.name, to_string(*out.chosen));
        }
    }
    if (!out.undecided.empty()) {
        out.chosen.reset();
        out.searched = all;
    }
    return out;
}

ranking make_ranking(std::shared_ptr<const model> m, const std::map<std::string, double>& features, const space& all) {
    if (!ranks(m->about)) {
        throw user_error(fmt::format("the model decides {} and ranks no configurations", m->about.predicts),
                         "train a model of the time");
    }
    // Of each feature what it is of a configuration: per position of a parameter's value, or always the same.
    struct column {
        std::optional<std::size_t> parameter;
        std::vector<double> values;
    };
    std::vector<column> columns;
    for (const training_table::feature& f : m->about.features) {
        const std::size_t equals = f.name.find('=');
        const std::string name = f.name.substr(0, equals);
        const auto& parameters = all.parameters();
        const auto found =
            std::find_if(parameters.begin(), parameters.end(), [&](const parameter& p) { return p.name == name; });
        if (found == parameters.end() || (equals == std::string::npos && !is_ordered(*found))) {
            columns.push_back({std::nullopt, {feature_of(features, f.name)}});
            continue;
        }
        column& to = columns.emplace_back(column{static_cast<std::size_t>(found - parameters.begin()), {}});
        for (const value& v : found->domain) {
            to.values.push_back(equals == std::string::npos                 ? number_of(v)
                                : to_string(v) == f.name.substr(equals + 1) ? 1
                                                                            : 0);
        }
    }
    const auto row_of = [columns](const configuration& c) {
        std::vector<double> row;
        row.reserve(columns.size());
        for (const column& k : columns) {
            row.push_back(k.values[k.parameter ? c[*k.parameter] : 0]);
        }
        return row;
    };
    const std::vector<double> row = row_of(configuration(all.parameters().size()));
    prediction p = m->learned->predict(row);
    std::erase_if(p.outside, [&](const prediction::beyond& b) { return columns[b.feature].parameter.has_value(); });
    if (!p.outside.empty()) {
        return {nullptr, outside_text(m->about, row, p)};
    }
    const bool logarithm = m->about.predicts == predicts_log_time;
    return {[m, row_of, logarithm](const configuration& c) {
                const double said = m->learned->predict(row_of(c)).value;
                return logarithm ? std::exp2(said) : said;
            },
            ""};
}

} // namespace gst
