#include "core/tune/forecast.hpp"

#include "core/base/error.hpp"
#include "core/base/random.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <variant>

namespace gst {

namespace {

const feature* find(const features& known, const std::string& name) {
    const auto found = std::ranges::find(known, name, &feature::name);
    return found == known.end() ? nullptr : &*found;
}

[[noreturn]] void refuse_missing(const std::string& feature) {
    throw user_error(fmt::format("the model needs the feature '{}', which is not known here", feature),
                     "gst features lists what is known of a stencil on a device; a recording has none of these");
}

void check_unit(const feature& here, const training_table::feature& of_model) {
    if (here.unit != of_model.unit) {
        throw user_error(fmt::format("the model's feature '{}' is in '{}', and that of this gst in '{}'", of_model.name,
                                     of_model.unit, here.unit),
                         "train the model again");
    }
}

/// "1 to 125", or the one number.
std::string range_text(double low, double high) {
    return low == high ? fmt::format("{:.6g}", low) : fmt::format("{:.6g} to {:.6g}", low, high);
}

void append(std::string& to, const std::string& what) {
    to += (to.empty() ? "" : "; ") + what;
}

/// What makes a stencil one of another kind, whether a model asks for it or not: the arrays, and what is in them.
constexpr std::array<const char*, 3> kind{"writes", "arrays_read", "value_bytes"};

/// Whether a model that has seen other values of a feature can say nothing of the stencil: it is of another kind, or
/// its grid has other axes. How long these are, and what is computed from what is read, is no reason.
bool is_of_another_kind(const beside_feature& f, double value) {
    return std::ranges::find(kind, f.name) != kind.end() ||
           (f.name.starts_with("grid_") && (value == 1 || f.high == 1));
}

/// What a row has that the model has not learned from.
struct differences {
    std::string outside; ///< that it cannot be asked for; "" when there is nothing
    std::string beyond;  ///< that it can
};

differences differences_of(const model_description& about, const std::vector<double>& row,
                           const std::vector<prediction::beyond>& outside, const features& known) {
    differences out;
    const auto outside_text = [](const std::string& name, double value, double low, double high) {
        return fmt::format("{} is {:.6g}, and the model has learned from {}", name, value, range_text(low, high));
    };
    for (const prediction::beyond& b : outside) {
        append(out.outside, outside_text(about.features[b.feature].name, row[b.feature], b.low, b.high));
    }
    std::string others;
    for (const beside_feature& f : about.beside) {
        const feature* here = find(known, f.name);
        if (here == nullptr) {
            continue;
        }
        check_unit(*here, {f.name, f.unit});
        if (here->value >= f.low && here->value <= f.high) {
            continue;
        }
        if (is_of_another_kind(f, here->value)) {
            append(out.outside, outside_text(f.name, here->value, f.low, f.high));
        } else {
            others += fmt::format("{}{} {} (here {:.6g})", others.empty() ? "" : ", ", f.name,
                                  range_text(f.low, f.high), here->value);
        }
    }
    out.beyond = others.empty() ? "" : "it has learned from " + others;
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
    if (!is_sure(best.probability, least_probability)) {
        to.undecided =
            fmt::format("{} has a probability of {:.2f}, less than {}", best.what, best.probability, least_probability);
    } else if (!to.chosen) {
        to.undecided = fmt::format("{} is not {} here", of.name, best.what);
    }
}

} // namespace

double feature_of(const features& known, const training_table::feature& needed) {
    const feature* here = find(known, needed.name);
    if (here == nullptr) {
        refuse_missing(needed.name);
    }
    check_unit(*here, needed);
    return here->value;
}

bool is_sure(double probability, double least) {
    return probability >= least - 1e-9; // sums of shares
}

std::string outside_of(const model_description& about, const features& known) {
    return differences_of(about, {}, {}, known).outside;
}

bool ranks(const model_description& about) {
    return about.predicts == predicts_time || about.predicts == predicts_log_time;
}

forecast make_forecast(const model& m, const std::string& parameter, const features& known, const space& all,
                       double least_probability) {
    if (ranks(m.about)) {
        throw user_error("the model ranks configurations and decides no parameter", "leave out what it decides");
    }
    const gst::parameter& of = all.parameters()[all.index_of(parameter)];
    std::vector<double> row;
    for (const training_table::feature& f : m.about.features) {
        row.push_back(feature_of(known, f));
    }
    const prediction p = m.learned->predict(row);
    differences unlike = differences_of(m.about, row, p.outside, known);
    forecast out{of.name, {}, {}, {}, "", "", all};
    choose(out, m.about, of, p, least_probability);
    if (!unlike.outside.empty()) {
        out.undecided = std::move(unlike.outside);
    }
    if (out.undecided.empty()) {
        out.searched = all.restricted({{of.name, {*out.chosen}}});
        if (out.searched.count() == 0) {
            out.undecided = fmt::format("no configuration has {} = {} here", of.name, to_string(*out.chosen));
        }
    }
    if (out.undecided.empty()) {
        out.beyond = std::move(unlike.beyond);
    } else {
        out.chosen.reset();
        out.searched = all;
    }
    return out;
}

namespace {

/// A feature of a model of time: one of the workload, always the same, or one of a configuration, per position of a
/// parameter's value.
struct ranked_column {
    std::optional<std::size_t> parameter;
    std::vector<double> values;
};

/// A feature that is none of the workload, and asks for a parameter that the space does not have.
[[noreturn]] void refuse_column(const std::string& feature, std::size_t equals) {
    const std::string name = feature.substr(0, equals);
    throw user_error(
        equals == std::string::npos
            ? fmt::format("the model asks for '{}', which is no parameter of the space and no feature here", name)
            : fmt::format("the model asks whether {} is {}, and the space has no {}", name, feature.substr(equals + 1),
                          name),
        "a model of the time ranks the configurations of spaces like the one that it has learned from");
}

ranked_column column_of(const training_table::feature& f, const features& known, const space& all) {
    const std::size_t equals = f.name.find('=');
    const std::string name = f.name.substr(0, equals);
    const auto& parameters = all.parameters();
    const auto found = std::ranges::find(parameters, name, &parameter::name);
    if (found == parameters.end() || (equals == std::string::npos && !is_ordered(*found))) {
        if (find(known, f.name) == nullptr) {
            refuse_column(f.name, equals);
        }
        return {std::nullopt, {feature_of(known, f)}};
    }
    ranked_column out{static_cast<std::size_t>(found - parameters.begin()), {}};
    for (const value& v : found->domain) {
        out.values.push_back(equals == std::string::npos                 ? number_of(v)
                             : to_string(v) == f.name.substr(equals + 1) ? 1
                                                                         : 0);
    }
    return out;
}

/// The least and the greatest number that the model has learned from of a parameter, where the space has others.
std::map<std::size_t, prediction::beyond> exceeded_ranges(const model& m, const std::vector<ranked_column>& columns) {
    std::vector<double> least;
    std::vector<double> greatest;
    for (const ranked_column& c : columns) {
        const auto [low, high] = std::ranges::minmax(c.values);
        least.push_back(low);
        greatest.push_back(high);
    }
    std::map<std::size_t, prediction::beyond> out; // by feature
    for (const std::vector<double>& row : {least, greatest}) {
        for (const prediction::beyond& b : m.learned->predict(row).outside) {
            if (columns[b.feature].parameter) {
                out.emplace(b.feature, b);
            }
        }
    }
    return out;
}

/// Those of the values that some configuration has.
std::vector<std::string> possible(const space& all, const parameter& p, const std::vector<value>& values) {
    std::vector<std::string> out;
    for (const value& v : values) {
        if (all.restricted({{p.name, {v}}}).count() > 0) {
            out.push_back(to_string(v));
        }
    }
    return out;
}

/// Parameters that no feature tells of, and in which configurations differ.
std::vector<std::string> unknown_parameters(const std::vector<ranked_column>& columns, const space& all) {
    constexpr int looked_at = 100;
    random_source rng(1);
    const configuration first = all.sample(rng);
    std::vector<bool> differs(first.size());
    for (int i = 0; i < looked_at; ++i) {
        const configuration other = all.sample(rng);
        for (std::size_t p = 0; p < first.size(); ++p) {
            differs[p] = differs[p] || other[p] != first[p];
        }
    }
    std::vector<std::string> out;
    for (std::size_t p = 0; p < first.size(); ++p) {
        if (differs[p] && std::ranges::find(columns, std::optional(p), &ranked_column::parameter) == columns.end()) {
            out.push_back(all.parameters()[p].name);
        }
    }
    return out;
}

/// What the model has not seen of the space's parameters: "TBx 16 to 64 (here also 1 and 128), load other than image";
/// "" when there is nothing.
std::string unseen_values(const model& m, const std::vector<ranked_column>& columns, const space& all) {
    std::vector<std::string> out;
    for (const auto& [f, range] : exceeded_ranges(m, columns)) {
        const parameter& p = all.parameters()[*columns[f].parameter];
        std::vector<value> others;
        std::ranges::copy_if(p.domain, std::back_inserter(others), [&, r = range](const value& v) {
            return is_ordered(p) && (number_of(v) < r.low || number_of(v) > r.high);
        });
        if (const auto here = possible(all, p, others); !here.empty()) {
            out.push_back(
                fmt::format("{} {} (here also {})", p.name, range_text(range.low, range.high), enumerate(here)));
        }
    }
    std::map<std::size_t, std::vector<bool>> has_column; // by parameter of words: whether a feature asks for the value
    for (std::size_t f = 0; f < columns.size(); ++f) {
        const ranked_column& c = columns[f];
        if (c.parameter && m.about.features[f].name.find('=') != std::string::npos) {
            std::vector<bool>& has = has_column.try_emplace(*c.parameter, c.values.size()).first->second;
            for (std::size_t v = 0; v < has.size(); ++v) {
                has[v] = has[v] || c.values[v] == 1;
            }
        }
    }
    for (const auto& [which, has] : has_column) {
        const parameter& p = all.parameters()[which];
        std::vector<value> others;
        for (std::size_t v = 0; v < has.size(); ++v) {
            if (!has[v]) {
                others.push_back(p.domain[v]);
            }
        }
        if (const auto here = possible(all, p, others); !here.empty()) {
            out.push_back(fmt::format("{} other than {}", p.name, enumerate(here)));
        }
    }
    return fmt::format("{}", fmt::join(out, ", "));
}

} // namespace

ranking make_ranking(std::shared_ptr<const model> m, const features& known, const space& all) {
    if (!ranks(m->about)) {
        throw user_error(fmt::format("the model decides {} and ranks no configurations", m->about.predicts),
                         "train a model of the time");
    }
    std::vector<ranked_column> columns;
    for (const training_table::feature& f : m->about.features) {
        columns.push_back(column_of(f, known, all));
    }
    const auto row_of = [columns](const configuration& c) {
        std::vector<double> row;
        row.reserve(columns.size());
        for (const ranked_column& k : columns) {
            row.push_back(k.values[k.parameter ? c[*k.parameter] : 0]);
        }
        return row;
    };
    const std::vector<double> row = row_of(configuration(all.parameters().size()));
    prediction p = m->learned->predict(row);
    std::erase_if(p.outside, [&](const prediction::beyond& b) { return columns[b.feature].parameter.has_value(); });
    differences unlike = differences_of(m->about, row, p.outside, known);
    if (!unlike.outside.empty()) {
        return {nullptr, std::move(unlike.outside), ""};
    }
    if (const std::string values = unseen_values(*m, columns, all); !values.empty()) {
        unlike.beyond += (unlike.beyond.empty() ? "it has learned from " : ", ") + values;
    }
    if (const auto unknown = unknown_parameters(columns, all); !unknown.empty()) {
        append(unlike.beyond, "it knows nothing of " + enumerate(unknown));
    }
    const bool logarithm = m->about.predicts == predicts_log_time;
    return {[m, row_of, logarithm](const configuration& c) {
                const double said = m->learned->predict(row_of(c)).value;
                return logarithm ? std::exp2(said) : said;
            },
            "", std::move(unlike.beyond)};
}

} // namespace gst
