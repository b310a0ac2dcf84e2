#include "core/app/train_time.hpp"

#include "core/app/train_models.hpp"
#include "core/host/check_options.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"
#include "core/report/statistics.hpp"
#include "core/space/arithmetic.hpp"
#include "core/tune/cross_validation.hpp"
#include "core/tune/forecast.hpp"
#include "core/tune/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace gst {

namespace {

constexpr std::size_t folds = 10;

/// A feature of a configuration: the number that is a parameter, or whether it is this value.
struct column {
    std::string parameter;
    std::optional<value> equals;

    std::string name() const { return equals ? parameter + "=" + to_string(*equals) : parameter; }
    double of(const std::map<std::string, value>& configuration) const {
        const value& v = configuration.at(parameter);
        return equals ? (v == *equals ? 1 : 0) : number(v);
    }
};

std::vector<column> columns_of(const std::vector<tuned_suite::timing>& times) {
    std::map<std::string, std::set<value>> values;
    std::map<std::string, std::size_t> count;
    for (const tuned_suite::timing& t : times) {
        for (const auto& [name, v] : t.configuration) {
            values[name].insert(v);
            ++count[name];
        }
    }
    std::vector<column> out;
    for (const auto& [name, all] : values) {
        const bool numbers = std::ranges::none_of(all, [](const value& v) {
            return std::holds_alternative<std::string>(v) || std::holds_alternative<bool>(v);
        });
        if (count[name] < times.size()) {
            continue; // not all stencils have this axis
        }
        if (numbers) {
            out.push_back({name, std::nullopt});
        } else {
            for (const value& v : all) {
                out.push_back({name, v});
            }
        }
    }
    return out;
}

/// The rows of each stencil that has some.
using stencil_rows = std::map<std::string, std::vector<std::size_t>>;

training_table table_of(const tuned_suite& t, stencil_rows& rows) {
    training_table out;
    const std::vector<std::size_t> chosen = chosen_features(t);
    for (const std::size_t c : chosen) {
        out.features.push_back({t.features[c].name, t.features[c].unit});
    }
    const std::vector<column> columns = columns_of(t.times);
    for (const column& c : columns) {
        out.features.push_back({c.name(), "1"});
    }
    for (const tuned_suite::timing& one : t.times) {
        const auto s = std::ranges::find(t.stencils, one.stencil, &tuned_suite::stencil::name);
        if (s == t.stencils.end() || !s->left_out.empty()) {
            continue;
        }
        std::vector<double> row;
        for (const std::size_t c : chosen) {
            row.push_back(s->features[c]);
        }
        for (const column& c : columns) {
            row.push_back(c.of(one.configuration));
        }
        rows[one.stencil].push_back(out.size());
        out.add(one.stencil, row, std::log2(one.time));
    }
    return out;
}

/// Ranks from 0 on; equal values share the mean of theirs.
std::vector<double> ranks_of(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t i) { return values[i]; });
    std::vector<double> out(values.size());
    for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
        while (end < order.size() && values[order[end]] == values[order[begin]]) {
            ++end;
        }
        for (std::size_t i = begin; i < end; ++i) {
            out[order[i]] = static_cast<double>(begin + end - 1) / 2;
        }
    }
    return out;
}

/// Spearman's; 0 where one of both never changes.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const std::vector<double> x = ranks_of(a);
    const std::vector<double> y = ranks_of(b);
    const double mean = static_cast<double>(a.size() - 1) / 2;
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        xy += (x[i] - mean) * (y[i] - mean);
        xx += (x[i] - mean) * (x[i] - mean);
        yy += (y[i] - mean) * (y[i] - mean);
    }
    return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

void validate(predictor& p, const training_table& table, const stencil_rows& rows, time_training& to) {
    std::vector<std::size_t> group(table.size());
    std::size_t stencil = 0;
    for (const auto& [name, which] : rows) {
        for (const std::size_t i : which) {
            group[i] = stencil % folds;
        }
        ++stencil;
    }
    const std::vector<prediction> said = cross_validate(p, table, group);
    for (const auto& [name, which] : rows) {
        std::vector<double> expected;
        std::vector<double> times;
        for (const std::size_t i : which) {
            expected.push_back(said[i].value);
            times.push_back(std::exp2(table.targets[i]));
        }
        std::vector<std::size_t> order(which.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return expected[i]; });
        order.resize(std::min(order.size(), to.first));
        const double fastest = *std::ranges::min_element(times);
        const double reached = times[*std::ranges::min_element(order, {}, [&](std::size_t i) { return times[i]; })];
        const auto weight = 1 / static_cast<double>(rows.size());
        to.rank_correlation += weight * rank_correlation(expected, times);
        to.ranked += weight * fastest / reached;
        to.random += weight * fastest / random_baseline(times).expected(static_cast<double>(order.size()));
    }
}

} // namespace

std::optional<time_training> train_time(const tuned_suite& t, const std::filesystem::path& folder,
                                        const std::filesystem::path& models) {
    stencil_rows rows;
    const training_table table = table_of(t, rows);
    if (rows.size() < 2) {
        return std::nullopt;
    }
    check(table);
    const plugin& by = find_plugin("predictor", t.predictor, folder);
    const plugin_options options = check_options(by, t.predictor_options);
    std::unique_ptr<predictor> p = make_predictor(by, options);
    time_training out;
    for (const training_table::feature& f : table.features) {
        out.features.push_back(f.name);
    }
    out.predictor = by.name;
    out.rows = table.size();
    out.stencils = rows.size();
    validate(*p, table, rows, out);
    out.about = p->learn(table);
    if (!models.empty()) {
        model_description about;
        about.predicts = predicts_log_time;
        about.device = t.device;
        about.backend = t.backend;
        about.training = fmt::format("{} configurations of {} stencils on {} points", out.rows, out.stencils, t.grid);
        about.scores = {{"rank_correlation", out.rank_correlation}, {"ranked_performance", out.ranked}};
        about.features_version = t.features_version;
        std::vector<std::string> stencils;
        std::ranges::transform(rows, std::back_inserter(stencils), [](const auto& one) { return one.first; });
        about.beside = beside_features(t, stencils);
        write_model(models / "time.model", make_model(by, options, table, std::move(p), std::move(about)));
    }
    return out;
}

} // namespace gst
