#include "core/app/at_place.hpp"
#include "core/app/known_results.hpp"
#include "core/app/tune_suite.hpp"
#include "core/base/error.hpp"
#include "core/base/feature.hpp"
#include "core/base/hash.hpp"
#include "core/base/random.hpp"
#include "core/stencil/work.hpp"
#include "core/tune/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace gst {

using toml_document::mistake;

namespace {

constexpr const char* another_table = "move it away, or name another file: [train] table = \"…\"";

/// Of a long text that part, in whole words, which is other than in the other text.
std::string difference(const std::string& text, const std::string& other) {
    constexpr std::size_t most = 60;
    if (text.size() <= most && other.size() <= most) {
        return text;
    }
    const auto same = std::ranges::mismatch(text, other).in1 - text.begin();
    const std::size_t before = same == 0 ? std::string::npos : text.rfind(' ', static_cast<std::size_t>(same) - 1);
    const std::size_t begin = before == std::string::npos ? 0 : before + 1;
    const std::size_t room = std::min(text.size(), other.size()) - begin; // the parts must not overlap
    const auto reversed = [](const std::string& t) { return std::string(t.rbegin(), t.rend()); };
    const std::string a = reversed(text);
    const std::string b = reversed(other);
    const auto tail = std::min(static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin()), room);
    const std::size_t after = text.find(' ', text.size() - tail);
    const std::size_t end = after == std::string::npos ? text.size() : after;
    return fmt::format("{}{}{}", begin > 0 ? "… " : "", text.substr(begin, end - begin), end < text.size() ? " …" : "");
}

std::vector<std::string> labels_of(const std::vector<suite::strategy>& strategies) {
    std::vector<std::string> out;
    for (const suite::strategy& s : strategies) {
        out.push_back(s.label);
    }
    return out;
}

tuned_suite::stencil row_of(const suite::stencil_entry& entry, const stencil_request& r, const features& all) {
    tuned_suite::stencil row{r.what.name, entry.family, digest(problem_text(r.what)), 0, {}, ""};
    for (const feature& f : all) {
        row.features.push_back(f.value);
    }
    row.operations = values_of(all).at("operations") * points_of(r.request.size);
    return row;
}

/// The table as far as no run tells it.
tuned_suite head_of(const suite& s, const target& t) {
    tuned_suite out;
    out.device = t.device.name;
    out.backend = t.device.backend;
    out.driver = t.device.driver;
    out.settings = s.settings;
    out.features_version = features_version;
    out.references = labels_of(s.references);
    out.heuristics = labels_of(s.heuristics);
    out.predictor = s.predictor.name.value;
    for (const auto& [name, option] : s.predictor.options) {
        out.predictor_options[name] = option.value;
    }
    out.predictor_features = s.features.value;
    for (const suite::stencil_entry& entry : s.stencils) {
        const stencil_request r = request_of(entry.app);
        const features all = workload_features(r.request, t.device);
        if (out.stencils.empty()) {
            out.grid = grid_text(r.what.dimensions, r.request.size);
            const space& space = r.request.space;
            const std::size_t at_parameter = at(s.parameter.written, [&] { return space.index_of(s.parameter.value); });
            out.parameter = space.parameters()[at_parameter].name;
            for (const value& v : space.parameters()[at_parameter].domain) {
                out.values.push_back(to_string(v));
            }
            for (const feature& f : all) {
                out.features.push_back({f.name, f.unit});
            }
        }
        out.stencils.push_back(row_of(entry, r, all));
        const auto same_name = [&](const tuned_suite::stencil& other) { return other.name == r.what.name; };
        if (std::count_if(out.stencils.begin(), out.stencils.end(), same_name) > 1) {
            throw user_error(mistake(entry.app.stencil.file.written,
                                     fmt::format("there are two stencils '{}' in the suite", r.what.name),
                                     "give each a name of its own"));
        }
    }
    return out;
}

/// The newest complete times of a stencil's configurations that the database has of this device and method.
std::map<std::map<std::string, value>, double> measured_times(const suite::stencil_entry& entry, const target& t,
                                                              result_store& store, const tuned_suite::stencil& row,
                                                              const std::string& grid) {
    const std::string method = method_text(entry.app.measure, request_of(entry.app).request.data_seed);
    result_filter filter;
    filter.stencil = row.name;
    filter.problem_digest = row.problem;
    filter.grid = grid;
    filter.backend = t.device.backend;
    filter.outcome = status::correct;
    std::map<std::map<std::string, value>, double> out;
    for (const result_row& r : store.query(filter)) { // newest first
        if (r.device == t.device.name && r.driver == t.device.driver && r.method == method && !r.what.censored) {
            out.try_emplace({r.configuration.begin(), r.configuration.end()}, r.what.time);
        }
    }
    return out;
}

} // namespace

stencil_request request_of(const config& c) {
    stencil what = read_stencil(c);
    tuning_request request = read_request(c, what);
    return {std::move(what), std::move(request)};
}

tuned_suite begin_suite(const suite& s, const target& t, const suite_hooks& hooks) {
    tuned_suite table = head_of(s, t);
    const std::filesystem::path& file = s.table.value;
    if (!std::filesystem::exists(file)) {
        return table;
    }
    const tuned_suite old = own_table(s.table, [&] { return read_tuned_suite(file, shown_path(file)); });
    for (const disagreement& d : disagreements_of(old, table)) {
        throw user_error(
            mistake(s.table.written,
                    fmt::format("'{}' is of another suite: it was measured with the {} '{}', and this is '{}'",
                                shown_path(file), d.what, difference(d.one, d.other), difference(d.other, d.one)),
                    another_table));
    }
    for (const tuned_suite::stencil& now : table.stencils) {
        const auto was = std::find_if(old.stencils.begin(), old.stencils.end(),
                                      [&](const tuned_suite::stencil& one) { return one.name == now.name; });
        if (was == old.stencils.end()) {
            continue;
        }
        if (was->problem != now.problem) {
            if (hooks.note) {
                hooks.note(fmt::format("{} has changed and is tuned again", now.name));
            }
            continue;
        }
        std::copy_if(old.runs.begin(), old.runs.end(), std::back_inserter(table.runs),
                     [&](const tuned_suite::run& r) { return r.stencil == now.name; });
        std::copy_if(old.times.begin(), old.times.end(), std::back_inserter(table.times),
                     [&](const tuned_suite::timing& one) { return one.stencil == now.name; });
    }
    return table;
}

void draw_times(const suite& s, const target& t, result_store& store, tuned_suite& table) {
    const std::vector<tuned_suite::timing> before = std::exchange(table.times, {});
    for (std::size_t i = 0; i < s.stencils.size() && s.times.value > 0; ++i) {
        const tuned_suite::stencil& row = table.stencils[i];
        const auto known = measured_times(s.stencils[i], t, store, row, table.grid);
        std::vector<tuned_suite::timing> all;
        for (const auto& [which, time] : known) {
            all.push_back({row.name, which, time});
        }
        if (all.empty()) { // a table from elsewhere, without its database
            std::ranges::copy_if(before, std::back_inserter(table.times),
                                 [&](const tuned_suite::timing& one) { return one.stencil == row.name; });
        }
        random_source rng(
            random_source(static_cast<std::uint64_t>(s.stencils[i].app.seed.value)).fork("times " + row.name).next());
        for (std::size_t n = 0; n < all.size() && n < static_cast<std::size_t>(s.times.value); ++n) {
            std::swap(all[n], all[n + rng.below(all.size() - n)]);
            table.times.push_back(all[n]);
        }
    }
}

} // namespace gst
