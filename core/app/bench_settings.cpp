#include "core/app/bench.hpp"
#include "core/app/file_text.hpp"
#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace gst {

using toml_document::item;
using toml_document::mistake;

namespace {

constexpr std::int64_t many = 1'000'000;

void read_budget(table_reader& t, budget_axis& to) {
    setting<std::int64_t> evaluations{200, {}};
    setting<double> seconds;
    t.read("evaluations", evaluations, 1, many);
    t.read("seconds", seconds, 1e-3, 1e9);
    if (evaluations.given() && seconds.given()) {
        t.mistakes().push_back(mistake(seconds.written, "strategies are compared at equal evaluations or at equal time",
                                       "give evaluations or seconds"));
    }
    to.time = seconds.given();
    to.limit = to.time ? seconds.value : static_cast<double>(evaluations.value);
    setting<std::vector<double>> at{{to.limit / 4, to.limit / 2, to.limit}, {}};
    if (!to.time) { // whole evaluations
        std::transform(at.value.begin(), at.value.end(), at.value.begin(), [](double n) { return std::ceil(n); });
        at.value.erase(std::unique(at.value.begin(), at.value.end()), at.value.end());
    }
    t.read("at", at);
    std::sort(at.value.begin(), at.value.end());
    to.at = at.value;
    if (to.at.empty() || to.at.front() <= 0 || to.at.back() > to.limit) {
        t.mistakes().push_back(mistake(at.written, fmt::format("at lists budgets above 0 and up to {}", to.limit)));
    }
}

void read_strategy(table_reader& t, const item& table, bench_settings& to) {
    bench_settings::strategy s;
    t.read_plugin("name", s.plugin.name);
    if (!s.plugin.name.given()) {
        t.mistakes().push_back(mistake(table.written, "strategy.name is missing", "for example name = \"random\""));
    }
    setting<std::string> label{s.plugin.name.value, s.plugin.name.written};
    t.read("label", label);
    t.read_options("options", s.plugin.options);
    t.read("model", s.model);
    s.label = label.value;
    const bool twice = std::any_of(to.strategies.begin(), to.strategies.end(),
                                   [&](const bench_settings::strategy& other) { return other.label == s.label; });
    if (twice) {
        t.mistakes().push_back(mistake(label.written, fmt::format("there are two strategies '{}'", s.label),
                                       "tell them apart: label = \"…\""));
    }
    to.strategies.push_back(std::move(s));
}

/// The name of a recording without its endings, or the folder of an application.
std::string name_of(const std::filesystem::path& file, bool app) {
    std::filesystem::path name = app ? file.parent_path().filename() : file.filename();
    while (name.has_extension() && name != name.stem()) {
        name = name.stem();
    }
    return name.string();
}

void read_model(table_reader& t, bench_settings::space& to, const std::filesystem::path& folder) {
    t.table("model", [&](table_reader& m) {
        recorded_model& model = to.model.emplace();
        m.read("app", model.app, folder);
        m.read("bandwidth", model.bandwidth, 1e-3, 1e9);
        m.read("compute_units", model.compute_units, 1, many);
        m.read("lanes", model.lanes, 1, many);
        m.read("local_bytes", model.local_bytes);
        if (!model.app.given() || !model.bandwidth.given()) {
            m.mistakes().push_back(
                mistake(t.take("model")->written, "a model needs app and bandwidth",
                        "app = \"app.toml\", whose programs were recorded; bandwidth of a copy in GB/s"));
        }
    });
}

/// A strategy that is to see a model needs one on every recording.
void check_models(const bench_settings& s, std::vector<diagnostic>& mistakes) {
    const auto blind =
        std::ranges::find_if(s.spaces, [](const auto& one) { return one.recording.used() && !one.model; });
    for (const bench_settings::strategy& strategy : s.strategies) {
        if (strategy.model.value && blind != s.spaces.end()) {
            mistakes.push_back(
                mistake(strategy.model.written,
                        fmt::format("the recording '{}' has no model that '{}' could see", blind->name, strategy.label),
                        "add space.model = { app = \"app.toml\", bandwidth = 4000 }"));
        }
    }
}

void read_space(table_reader& t, const item& table, bench_settings& to) {
    bench_settings::space s;
    t.read("app", s.app, to.folder);
    if (s.app.given()) {
        setting<std::vector<std::string>> set;
        t.read("set", set);
        s.assignments = set.value;
    } else {
        read_recording_settings(t, s.recording, to.folder);
        read_model(t, s, to.folder);
    }
    if (!s.app.given() && !s.recording.used()) {
        t.mistakes().push_back(mistake(table.written, "space.file is missing",
                                       "file names a recording, or app an application that is tuned on its device"));
    }
    const setting<std::filesystem::path>& from = s.app.given() ? s.app : s.recording.file;
    setting<std::string> name{name_of(from.value, s.app.given()), from.written};
    t.read("name", name);
    s.name = name.value;
    const bool twice = std::any_of(to.spaces.begin(), to.spaces.end(),
                                   [&](const bench_settings::space& other) { return other.name == s.name; });
    if (twice) {
        t.mistakes().push_back(
            mistake(name.written, fmt::format("there are two spaces '{}'", s.name), "tell them apart: name = \"…\""));
    }
    to.spaces.push_back(std::move(s));
}

/// An optimization: its parameters, by name.
void read_optimization(const toml_document::entry& e, bench_settings::study& to, std::vector<diagnostic>& mistakes) {
    const item wrapped{item::table{{e.key, e.written, e.value}}, e.value.written};
    table_reader t(wrapped, "study.optimizations", mistakes);
    setting<std::vector<std::string>> parameters;
    t.read(e.key, parameters);
    for (const std::string& p : parameters.value) {
        if (!to.parameters.emplace(p, parameters.written).second) {
            mistakes.push_back(mistake(parameters.written, fmt::format("'{}' is in two optimizations", p),
                                       "each parameter belongs to one at most"));
        }
    }
    to.optimizations.push_back({e.key, parameters.value});
}

void read_study(const item& document, table_reader& whole, bench_settings& to) {
    whole.table("study", [&](table_reader& t) {
        bench_settings::study study;
        for (const toml_document::entry& e : std::get<item::table>(document.what)) {
            study.written = e.key == "study" ? e.written : study.written;
        }
        t.entries("optimizations", [&](const toml_document::entry& e) { read_optimization(e, study, t.mistakes()); });
        const auto random = std::find_if(to.strategies.begin(), to.strategies.end(),
                                         [](const auto& s) { return s.plugin.name.value == "random"; });
        if (random == to.strategies.end()) {
            t.mistakes().push_back(
                mistake(study.written, "spaces are studied by random samples", "add [[strategy]] name = \"random\""));
        } else {
            study.sampling = random->label;
        }
        to.studied = std::move(study);
    });
}

} // namespace

bench_settings read_bench(const std::filesystem::path& file, const std::vector<std::string>& assignments) {
    const item document = read_toml(
        file, assignments, "give the path of a file that lists strategies and spaces: docs/recordings.md has one");
    bench_settings to;
    to.folder = std::filesystem::absolute(file).lexically_normal().parent_path();
    std::vector<diagnostic> mistakes;
    table_reader t(document, "", mistakes);
    setting<std::int64_t> seeds{to.seeds, {}};
    t.read("seeds", seeds, 1, many);
    to.seeds = seeds.value;
    read_budget(t, to.axis);
    t.read("store", to.store, to.folder);
    t.tables("strategy", "[[strategy]] name = \"random\"",
             [&](table_reader& r, const item& table) { read_strategy(r, table, to); });
    t.tables("space", "[[space]] file = \"recording.json\"",
             [&](table_reader& r, const item& table) { read_space(r, table, to); });
    read_study(document, t, to);
    check_models(to, mistakes);
    t.finish();
    if (!mistakes.empty()) {
        throw user_error(std::move(mistakes));
    }
    return to;
}

} // namespace gst
