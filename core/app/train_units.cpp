#include "core/app/train_units.hpp"

#include "core/base/error.hpp"
#include "core/base/processors.hpp"
#include "core/base/random.hpp"
#include "core/host/check_options.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"
#include "core/tune/features.hpp"
#include "core/tune/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <future>
#include <map>
#include <numeric>

namespace gst {

namespace {

constexpr const char* predicted_parameter = "useShared";

training_table empty_table() {
    training_table t;
    const features all = launch_features(launch_profile());
    for (const std::string& name : local_memory_features()) {
        t.features.push_back({name, std::ranges::find(all, name, &feature::name)->unit});
    }
    t.classes = {"false", "true"};
    return t;
}

void add(training_table& to, const measured_units& m, const measured_units::instance& i) {
    const unit_kernel k = m.kernel_of(i);
    std::map<std::string, double> known = values_of(launch_features(unit_profile(k, i.how)));
    std::vector<double> row;
    for (const training_table::feature& f : to.features) {
        row.push_back(known.at(f.name));
    }
    const double performance[] = {1 / i.without, 1 / i.with};
    to.add(k.name, row, i.with < i.without ? 1 : 0, performance);
}

/// The tables of a report, in the order of the instances; which are learned from is drawn by seed.
void sort_instances(const measured_units& m, double share, unit_report& to) {
    to.trained = to.tested = empty_table();
    std::vector<const measured_units::instance*> synthetic;
    std::map<std::string, training_table> real;
    for (const measured_units::instance& i : m.instances) {
        if (i.with == 0 || i.without == 0) {
            ++to.failed;
        } else if (i.kernel >= 0) {
            synthetic.push_back(&i);
        } else {
            const std::string name = m.kernel_of(i).name;
            add(real.try_emplace(name.substr(0, name.rfind('_')), empty_table()).first->second, m, i);
        }
    }
    random_source rng(random_source(m.seed).fork("training").next());
    std::vector<std::size_t> order(synthetic.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto most = static_cast<std::size_t>(share * static_cast<double>(synthetic.size()));
    std::vector<bool> learned(synthetic.size(), false);
    for (std::size_t n = 0; n < most; ++n) {
        std::swap(order[n], order[n + rng.below(order.size() - n)]);
        learned[order[n]] = true;
    }
    for (std::size_t n = 0; n < synthetic.size(); ++n) {
        add(learned[n] ? to.trained : to.tested, m, *synthetic[n]);
    }
    for (auto& [name, table] : real) {
        to.real.push_back({name, std::move(table), {}});
    }
}

/// What is chosen for a row of features.
using chooser = std::function<std::size_t(std::span<const double>)>;

accuracy score(const chooser& choose, const training_table& t) {
    std::vector<std::size_t> choices(t.size());
    const std::size_t parts = processors();
    std::vector<std::future<void>> others; // predictors are asked by several threads
    for (std::size_t part = 0; part < parts; ++part) {
        others.push_back(std::async(std::launch::async, [&, part] {
            for (std::size_t i = part * t.size() / parts; i < (part + 1) * t.size() / parts; ++i) {
                choices[i] = choose(t.row(i));
            }
        }));
    }
    for (std::future<void>& other : others) {
        other.get();
    }
    return accuracy_of(t, choices);
}

/// Scores a method on synthetic and on real kernels; the first one's scores are those of each real kernel, too.
void add_method(const std::string& name, const chooser& choose, unit_report& r) {
    training_table all = empty_table();
    for (unit_report::real_kernel& k : r.real) {
        if (r.methods.empty()) {
            k.score = score(choose, k.instances);
        }
        for (std::size_t i = 0; i < k.instances.size(); ++i) {
            all.add(k.name, k.instances.row(i), k.instances.targets[i],
                    std::span(k.instances.performance).subspan(2 * i, 2));
        }
    }
    r.methods.push_back({name, score(choose, r.tested)});
    if (all.size() > 0) {
        r.real_methods.push_back({name, score(choose, all)});
    }
}

/// What the labels are when measured again.
void score_again(const measured_units& m, unit_report& r) {
    training_table first = empty_table();
    std::vector<std::size_t> labels;
    for (const measured_units::instance& i : m.instances) {
        if (i.with > 0 && i.without > 0 && i.again_with > 0 && i.again_without > 0) {
            add(first, m, i);
            labels.push_back(i.again_with < i.again_without ? 1 : 0);
        }
    }
    r.again = first.size();
    if (r.again > 0) {
        r.again_score = accuracy_of(first, labels);
    }
}

model_description description_of(const unit_report& r) {
    model_description about;
    about.predicts = predicted_parameter;
    about.device = r.device;
    about.backend = r.backend;
    about.training = fmt::format("{} instances of {} synthetic kernels", r.trained.size(), r.kernels);
    about.scores = {{"count_based_accuracy", r.methods.front().score.absolute},
                    {"penalty_weighted_accuracy", r.methods.front().score.penalty_weighted}};
    if (r.again > 0) {
        about.scores["label_noise"] = 1 - r.again_score.absolute;
    }
    about.features_version = features_version;
    about.beside = {{"writes", "per point", 1, 1}, {"value_bytes", "bytes", 4, 4}}; // what every unit kernel is
    return about;
}

/// The model, which is written, and the nearest neighbour beside it.
void learn(const plugin& by, const plugin_options& options, const std::filesystem::path& folder,
           const std::filesystem::path& models, unit_report& r) {
    const auto add = [&](const std::string& name, const predictor& p) {
        add_method(
            name, [&p](std::span<const double> row) { return p.predict(row).choice(); }, r);
    };
    std::unique_ptr<predictor> p = make_predictor(by, options);
    r.about = p->learn(r.trained);
    add(by.name, *p);
    const plugin& baseline = find_plugin("predictor", "nearest", folder);
    const std::unique_ptr<predictor> nearest = make_predictor(baseline, check_options(baseline, {}));
    nearest->learn(r.trained);
    add(baseline.name + " neighbour", *nearest);
    if (!models.empty()) {
        write_model(models / (predicted_parameter + std::string(".model")),
                    make_model(by, options, r.trained, std::move(p), description_of(r)));
    }
}

} // namespace

unit_report train_units(const measured_units& m, const std::filesystem::path& folder,
                        const std::filesystem::path& models) {
    unit_report r;
    r.device = m.device;
    r.backend = m.backend;
    r.driver = m.driver;
    r.predictor = m.predictor;
    r.kernels = m.kernels.size();
    r.broken = m.broken;
    sort_instances(m, m.training, r);
    const plugin& by = find_plugin("predictor", m.predictor, folder);
    const plugin_options options = check_options(by, m.predictor_options);
    score_again(m, r);
    const std::vector<double>& targets = r.trained.targets;
    if (!models.empty()) {
        remove_model(models / (predicted_parameter + std::string(".model"))); // of an earlier table
    }
    if (targets.empty()) {
        r.not_learned = "no instance is left to learn from: measure more, or learn from a larger share";
    } else if (std::ranges::all_of(targets, [&](double c) { return c == targets.front(); })) {
        r.not_learned = fmt::format("all that would be learned from is of the class '{}': there is nothing to learn",
                                    r.trained.classes[r.trained.class_of(0)]);
    } else {
        learn(by, options, folder, models, r);
    }
    for (std::size_t c = 0; c < r.tested.classes.size(); ++c) {
        add_method(
            "always " + r.tested.classes[c], [c](const auto&) { return c; }, r);
    }
    return r;
}

} // namespace gst
