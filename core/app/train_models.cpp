#include "core/app/train_models.hpp"

#include "core/app/train_time.hpp"
#include "core/base/error.hpp"
#include "core/host/check_options.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"
#include "core/tune/cross_validation.hpp"
#include "core/tune/features.hpp"
#include "core/tune/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace gst {

namespace {

/// The stencils on which every strategy has run, and nothing else is wrong.
std::vector<std::size_t> tuned_stencils(const tuned_suite& t) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < t.stencils.size(); ++i) {
        const std::string& name = t.stencils[i].name;
        const bool all_references = std::all_of(t.references.begin(), t.references.end(),
                                                [&](const std::string& r) { return t.find(name, r, "") != nullptr; });
        const bool all = all_references && std::all_of(t.heuristics.begin(), t.heuristics.end(), [&](const auto& h) {
                             return std::all_of(t.values.begin(), t.values.end(),
                                                [&](const auto& v) { return t.find(name, h, v) != nullptr; });
                         });
        if (all && t.stencils[i].left_out.empty()) {
            out.push_back(i);
        }
    }
    return out;
}

/// One heuristic's labels, and what training and its validation need beside them.
struct labelled {
    training_table table;
    std::vector<std::size_t> family;         ///< of each row
    std::vector<std::vector<bool>> admitted; ///< per row and value: whether the device runs it
    std::size_t changed = 0;                 ///< labels that are others when measured once more
};

std::size_t fastest(const std::vector<double>& times) {
    std::size_t best = times.size();
    for (std::size_t v = 0; v < times.size(); ++v) {
        if (times[v] > 0 && (best == times.size() || times[v] < times[best])) {
            best = v;
        }
    }
    return best;
}

labelled label(const tuned_suite& t, const std::vector<std::size_t>& tuned, const std::string& heuristic) {
    labelled out;
    const std::vector<std::size_t> columns = chosen_features(t);
    for (const std::size_t c : columns) {
        out.table.features.push_back({t.features[c].name, t.features[c].unit});
    }
    out.table.classes = t.values;
    std::map<std::string, std::size_t> families;
    for (const std::size_t i : tuned) {
        const tuned_suite::stencil& s = t.stencils[i];
        std::vector<double> times;
        std::vector<double> again;
        std::vector<double> performance;
        std::vector<bool> admitted;
        for (const std::string& value : t.values) {
            const tuned_suite::run& r = *t.find(s.name, heuristic, value);
            times.push_back(r.time);
            again.push_back(r.again);
            performance.push_back(r.time > 0 ? 1 / r.time : 0);
            admitted.push_back(r.admitted);
        }
        const std::size_t best = fastest(times);
        if (best == times.size()) {
            continue; // nothing was found with any value: there is no best one
        }
        std::vector<double> row;
        for (const std::size_t c : columns) {
            row.push_back(s.features[c]);
        }
        out.table.add(s.name, row, static_cast<double>(best), performance);
        out.family.push_back(families.try_emplace(s.family, families.size()).first->second);
        out.admitted.push_back(std::move(admitted));
        out.changed += fastest(again) != best ? 1 : 0;
    }
    return out;
}

/// The most probable values among those that the device runs.
std::vector<std::size_t> choices(const labelled& l, const std::vector<prediction>& predictions) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < predictions.size(); ++i) {
        std::size_t best = l.table.class_of(i);
        double most = -1;
        for (std::size_t v = 0; v < l.table.classes.size(); ++v) {
            if (l.admitted[i][v] && predictions[i].probabilities[v] > most) {
                most = predictions[i].probabilities[v];
                best = v;
            }
        }
        out.push_back(best);
    }
    return out;
}

/// Says of every row how frequent the classes are in the table: what a predictor has to beat.
class class_frequencies : public predictor {
  public:
    learned learn(const training_table& t) override {
        frequencies_.probabilities.assign(t.classes.size(), 0);
        for (std::size_t i = 0; i < t.size(); ++i) {
            frequencies_.probabilities[t.class_of(i)] += 1; // equal ones stay equal
        }
        for (double& p : frequencies_.probabilities) {
            p /= static_cast<double>(t.size());
        }
        return {};
    }
    prediction predict(std::span<const double> /*row*/) const override { return frequencies_; }
    std::string save() const override { throw std::logic_error("frequencies are no model"); }
    void load(model_reader& /*in*/, const model_shape& /*shape*/) override {
        throw std::logic_error("frequencies are no model");
    }

  private:
    prediction frequencies_;
};

heuristic_training::method validated(const std::string& name, predictor& p, const labelled& l,
                                     std::vector<std::size_t>* predicted = nullptr) {
    std::vector<std::size_t> each(l.table.size());
    std::iota(each.begin(), each.end(), std::size_t{0});
    const std::vector<std::size_t> one_out = choices(l, cross_validate(p, l.table, each));
    heuristic_training::method out{name, accuracy_of(l.table, one_out), std::nullopt};
    if (std::ranges::any_of(l.family, [&](std::size_t f) { return f != l.family[0]; })) {
        out.family_out = accuracy_of(l.table, choices(l, cross_validate(p, l.table, l.family)));
    }
    if (predicted != nullptr) {
        *predicted = one_out;
    }
    return out;
}

model_description description_of(const tuned_suite& t, const heuristic_training& h) {
    model_description about;
    about.predicts = t.parameter;
    about.device = t.device;
    about.backend = t.backend;
    about.training = fmt::format("{} stencils on {} points, tuned by {}", h.table.size(), t.grid, h.heuristic);
    about.scores = {{"absolute_accuracy", h.methods.front().one_out.absolute},
                    {"penalty_weighted_accuracy", h.methods.front().one_out.penalty_weighted},
                    {"label_noise", h.label_noise}};
    about.features_version = t.features_version;
    about.beside = beside_features(t, h.table.names);
    return about;
}

/// The model of a table with several classes: its validation, then what it has learned from all rows.
void learn(const tuned_suite& t, const labelled& l, const std::filesystem::path& folder,
           const std::filesystem::path& models, heuristic_training& to) {
    const plugin& by = find_plugin("predictor", t.predictor, folder);
    const plugin_options options = check_options(by, t.predictor_options);
    std::unique_ptr<predictor> p = make_predictor(by, options);
    to.methods.push_back(validated(by.name, *p, l, &to.predicted));
    const plugin& baseline = find_plugin("predictor", "nearest", folder);
    const std::unique_ptr<predictor> nearest = make_predictor(baseline, check_options(baseline, {}));
    to.methods.push_back(validated(baseline.name + " neighbour", *nearest, l));
    to.about = p->learn(l.table);
    if (!models.empty()) {
        write_model(models / (to.heuristic + ".model"),
                    make_model(by, options, l.table, std::move(p), description_of(t, to)));
    }
}

heuristic_training train(const tuned_suite& t, const std::vector<std::size_t>& tuned, const std::string& heuristic,
                         const std::filesystem::path& folder, const std::filesystem::path& models) {
    const labelled l = label(t, tuned, heuristic);
    heuristic_training out;
    if (!models.empty()) {
        remove_model(models / (heuristic + ".model")); // of an earlier table
    }
    out.heuristic = heuristic;
    out.table = l.table;
    const std::vector<double>& targets = l.table.targets;
    out.one_class = std::all_of(targets.begin(), targets.end(), [&](double c) { return c == targets.front(); });
    if (targets.empty()) {
        return out;
    }
    class_frequencies baseline;
    baseline.learn(l.table);
    const std::size_t majority = baseline.predict({}).choice();
    out.predicted.assign(l.table.size(), majority);
    out.label_noise = static_cast<double>(l.changed) / static_cast<double>(l.table.size());
    if (!out.one_class) {
        learn(t, l, folder, models, out);
    }
    const std::string name = fmt::format("majority ({})", l.table.classes[majority]);
    if (l.table.size() > 1) {
        out.methods.push_back(validated(name, baseline, l));
    }
    return out;
}

} // namespace

std::vector<std::size_t> chosen_features(const tuned_suite& t) {
    std::vector<std::string> names;
    for (const tuned_suite::column& c : t.features) {
        names.push_back(c.name);
    }
    std::vector<std::size_t> out;
    for (const std::string& wanted : t.predictor_features.empty() ? names : t.predictor_features) {
        const auto found = std::find(names.begin(), names.end(), wanted);
        if (found == names.end()) {
            throw user_error(fmt::format("there is no feature '{}'{}", wanted, did_you_mean(wanted, names)),
                             "train.features lists some of " + enumerate(names));
        }
        const auto column = static_cast<std::size_t>(found - names.begin());
        if (std::ranges::find(out, column) != out.end()) {
            throw user_error(fmt::format("the feature '{}' is chosen twice", wanted), "name it once in train.features");
        }
        out.push_back(column);
    }
    return out;
}

std::vector<beside_feature> beside_features(const tuned_suite& t, const std::vector<std::string>& stencils) {
    const std::vector<std::size_t> chosen = chosen_features(t);
    const features of_device = device_features(device_info());
    std::vector<beside_feature> out;
    for (std::size_t c = 0; c < t.features.size(); ++c) {
        const auto& [name, unit] = t.features[c];
        if (std::ranges::find(chosen, c) != chosen.end() ||
            std::ranges::find(of_device, name, &feature::name) != of_device.end()) {
            continue;
        }
        std::vector<double> values;
        for (const tuned_suite::stencil& s : t.stencils) {
            if (std::ranges::find(stencils, s.name) != stencils.end()) {
                values.push_back(s.features[c]);
            }
        }
        const auto [low, high] = std::ranges::minmax(values);
        out.push_back({name, unit, low, high});
    }
    return out;
}

void check_predictor(const tuned_suite& t, const std::filesystem::path& folder) {
    check_options(find_plugin("predictor", t.predictor, folder), t.predictor_options);
}

namespace {

/// Leaves out strategies that have no run on any stencil, so that the others are reported on; noted. Where none has
/// one, all stay.
void leave_out_missing(std::vector<std::string>& strategies, tuned_suite& t) {
    std::vector<std::string> there;
    std::vector<std::string> missing;
    for (const std::string& s : strategies) {
        (std::ranges::find(t.runs, s, &tuned_suite::run::strategy) == t.runs.end() ? missing : there).push_back(s);
    }
    if (there.empty()) {
        return;
    }
    for (const std::string& s : missing) {
        t.notes.push_back(fmt::format("{}: left out, there is no run of it", s));
    }
    strategies = std::move(there);
}

} // namespace

training_report train_models(tuned_suite t, const std::filesystem::path& folder, const std::filesystem::path& models) {
    leave_out_missing(t.references, t);
    leave_out_missing(t.heuristics, t);
    training_report out;
    out.tuned = tuned_stencils(t);
    for (const std::string& heuristic : t.heuristics) {
        if (!out.tuned.empty()) {
            out.heuristics.push_back(train(t, out.tuned, heuristic, folder, models));
        }
    }
    if (!t.times.empty()) {
        out.time = train_time(t, folder, models);
    }
    out.suite = std::move(t);
    return out;
}

} // namespace gst
