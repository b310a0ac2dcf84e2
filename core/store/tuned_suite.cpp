#include "core/store/tuned_suite.hpp"

#include "core/base/feature.hpp"
#include "core/store/table_file.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>

namespace gst {

namespace {

using type = ordered_json::value_t;

constexpr const char* format_name = "gst tuned suite";
constexpr int version = 1;
constexpr double most_seconds = 1e12; ///< nobody waits longer

std::string text_member(const ordered_json& j, const char* name) {
    return member(j, name, type::string, "a text").get<std::string>();
}

std::vector<std::string> texts_member(const ordered_json& j, const char* name) {
    std::vector<std::string> out;
    for (const ordered_json& one : member(j, name, type::array, "an array of texts")) {
        out.push_back(to_text(one, name));
    }
    return out;
}

std::uint64_t count_member(const ordered_json& j, const char* name) {
    return member(j, name, type::number_unsigned, "a count").get<std::uint64_t>();
}

tuned_suite::stencil read_stencil(const ordered_json& j, std::size_t features) {
    tuned_suite::stencil s{text_member(j, "name"),
                           text_member(j, "family"),
                           text_member(j, "problem"),
                           number_member(j, "operations"),
                           {},
                           text_member(j, "left_out")};
    for (const ordered_json& one : member(j, "features", type::array, "an array of numbers")) {
        s.features.push_back(one.is_number() ? one.get<double>() : std::nan(""));
    }
    if (s.features.size() != features) {
        throw user_error(fmt::format("the stencil '{}' has {} features, not {}", s.name, s.features.size(), features),
                         "the file is damaged: get it again");
    }
    const auto finite = [](double x) { return std::isfinite(x); };
    if (!std::all_of(s.features.begin(), s.features.end(), finite)) {
        s.left_out = "its features are not all numbers";
    } else if (!(s.operations >= 0 && finite(s.operations))) {
        s.left_out = "its operations are no number from 0 on";
    }
    return s;
}

tuned_suite::run read_run(const ordered_json& j) {
    return {text_member(j, "stencil"),       text_member(j, "strategy"),
            text_member(j, "value"),         member(j, "admitted", type::boolean, "true or false").get<bool>(),
            number_member(j, "time_ms"),     number_member(j, "again_ms"),
            text_member(j, "configuration"), count_member(j, "evaluations"),
            count_member(j, "compiled"),     number_member(j, "compile_s"),
            number_member(j, "device_s")};
}

tuned_suite::timing read_timing(const ordered_json& j) {
    tuned_suite::timing out{text_member(j, "stencil"), {}, number_member(j, "time_ms")};
    for (const auto& [name, one] : member(j, "configuration", type::object, "an object of parameters").items()) {
        out.configuration[name] = to_value(one, name);
    }
    return out;
}

bool is_sound(const tuned_suite::run& r) {
    const auto is_cost = [](double s) { return s >= 0 && s < most_seconds; };
    return is_time(r.time) && is_time(r.again) && is_cost(r.compile_seconds) && is_cost(r.device_seconds);
}

/// Models are files beside each other, LABEL.model.
void check_labels(const tuned_suite& t) {
    std::set<std::string> taken;
    if (!t.times.empty()) {
        taken.insert("time");
    }
    for (const std::string& label : t.heuristics) {
        if (!names_a_file(label) || !taken.insert(label).second) {
            throw user_error(fmt::format("the heuristic '{}' can have no model of its own", label),
                             "its label names the model's file, LABEL.model, beside the others'");
        }
    }
}

void read_times(const ordered_json& all, tuned_suite& to) {
    std::map<std::string, std::size_t> broken; // by stencil
    std::set<std::pair<std::string, std::map<std::string, value>>> known;
    for (const ordered_json& one : all) {
        tuned_suite::timing t = read_timing(one);
        if (is_time(t.time) && t.time > 0) {
            if (!known.insert({t.stencil, t.configuration}).second) {
                throw user_error(fmt::format("there are two times of a configuration of '{}'", t.stencil),
                                 "the file is damaged: get it again");
            }
            to.times.push_back(std::move(t));
        } else {
            ++broken[t.stencil];
        }
    }
    for (const auto& [stencil, count] : broken) {
        to.notes.push_back(fmt::format("{}: {} left out, no {} above 0", stencil,
                                       count == 1 ? "the time of a configuration is"
                                                  : fmt::format("the times of {} configurations are", count),
                                       count == 1 ? "number" : "numbers"));
    }
}

/// There are some, and each once.
void check_list(const char* name, const std::vector<std::string>& words, bool may_be_empty = false) {
    const std::set<std::string> different(words.begin(), words.end());
    if ((words.empty() && !may_be_empty) || different.size() < words.size()) {
        throw user_error(fmt::format("'{}' {}", name, words.empty() ? "is empty" : "has something twice"),
                         "the file is damaged: get it again");
    }
}

/// Each stencil is there once, and so is each of its runs. Runs that belong to nothing are left out and noted.
void check_names(tuned_suite& t) {
    check_list("values", t.values);
    check_list("references", t.references);
    check_list("heuristics", t.heuristics);
    check_list("predictor_features", t.predictor_features, true);
    std::vector<std::string> strategies = t.references;
    strategies.insert(strategies.end(), t.heuristics.begin(), t.heuristics.end());
    check_list("references and heuristics", strategies);
    std::vector<std::string> columns;
    std::ranges::transform(t.features, std::back_inserter(columns), &tuned_suite::column::name);
    check_list("features", columns);
    const auto refuse = [](const std::string& what) {
        throw user_error(fmt::format("there are two {}", what), "the file is damaged: get it again");
    };
    std::set<std::string> stencils;
    for (const tuned_suite::stencil& s : t.stencils) {
        if (!stencils.insert(s.name).second) {
            refuse(fmt::format("stencils '{}'", s.name));
        }
    }
    std::set<std::array<std::string, 3>> runs;
    for (const tuned_suite::run& r : t.runs) {
        if (!runs.insert({r.stencil, r.strategy, r.value}).second) {
            refuse(fmt::format("runs of '{}' by '{}'{}", r.stencil, r.strategy,
                               r.value.empty() ? "" : fmt::format(" with {} = {}", t.parameter, r.value)));
        }
    }
    const auto among = [](const auto& words, const std::string& word) {
        return std::ranges::find(words, word) != words.end();
    };
    const std::size_t strays = std::erase_if(t.runs, [&](const tuned_suite::run& r) {
        return !stencils.contains(r.stencil) ||
               !(r.value.empty() ? among(t.references, r.strategy)
                                 : among(t.heuristics, r.strategy) && among(t.values, r.value));
    });
    if (strays > 0) {
        t.notes.push_back(fmt::format("{} left out, of {} or {} that the table does not list",
                                      strays == 1 ? "a run is" : fmt::format("{} runs are", strays), "stencils",
                                      "strategies"));
    }
}

void read_head(const ordered_json& j, tuned_suite& to) {
    if (text_of(j, "format") != format_name) {
        throw user_error("this is not what gst train writes", "give its table, e.g. tuned.json");
    }
    const std::uint64_t written = count_member(j, "version");
    if (written != version) {
        throw user_error(fmt::format("the table is of version {}, and this gst reads version {}", written, version),
                         "use the gst that wrote it, or measure again");
    }
    to.features_version = static_cast<int>(count_member(j, "features_version"));
    if (to.features_version != features_version) {
        throw user_error(fmt::format("the table's features are of version {}, and this gst computes version {}",
                                     to.features_version, features_version),
                         "use the gst that wrote it, or measure again");
    }
    to.device = text_member(j, "device");
    to.backend = text_member(j, "backend");
    to.driver = text_member(j, "driver");
    to.grid = text_member(j, "grid");
    to.settings = text_member(j, "settings");
    to.parameter = text_member(j, "parameter");
    to.values = texts_member(j, "values");
    to.references = texts_member(j, "references");
    to.heuristics = texts_member(j, "heuristics");
    to.predictor = text_member(j, "predictor");
    for (const auto& [name, one] : member(j, "predictor_options", type::object, "an object of options").items()) {
        to.predictor_options[name] = to_value(one, name);
    }
    to.predictor_features = texts_member(j, "predictor_features");
    for (const ordered_json& one : member(j, "features", type::array, "an array of features")) {
        to.features.push_back({text_member(one, "name"), text_member(one, "unit")});
    }
    for (const ordered_json& one : member(j, "stencils", type::array, "an array of stencils")) {
        to.stencils.push_back(read_stencil(one, to.features.size()));
    }
    if (j.contains("times")) {
        read_times(member(j, "times", type::array, "an array of times"), to);
    }
    check_names(to);
    check_labels(to);
}

ordered_json head_of(const tuned_suite& t) {
    ordered_json features = ordered_json::array();
    for (const tuned_suite::column& c : t.features) {
        features.push_back({{"name", c.name}, {"unit", c.unit}});
    }
    ordered_json options = ordered_json::object();
    for (const auto& [name, v] : t.predictor_options) {
        options[name] = from_value(v);
    }
    return {{"format", format_name},    {"version", version},           {"features_version", t.features_version},
            {"device", t.device},       {"backend", t.backend},         {"driver", t.driver},
            {"grid", t.grid},           {"settings", t.settings},       {"parameter", t.parameter},
            {"values", t.values},       {"references", t.references},   {"heuristics", t.heuristics},
            {"predictor", t.predictor}, {"predictor_options", options}, {"predictor_features", t.predictor_features},
            {"features", features}};
}

ordered_json json_of(const tuned_suite::stencil& s) {
    return {{"name", s.name},         {"family", s.family},    {"problem", s.problem}, {"operations", s.operations},
            {"features", s.features}, {"left_out", s.left_out}};
}

ordered_json json_of(const tuned_suite::run& r) {
    return {{"stencil", r.stencil},
            {"strategy", r.strategy},
            {"value", r.value},
            {"admitted", r.admitted},
            {"time_ms", r.time},
            {"again_ms", r.again},
            {"configuration", r.configuration},
            {"evaluations", r.evaluations},
            {"compiled", r.compiled},
            {"compile_s", r.compile_seconds},
            {"device_s", r.device_seconds}};
}

ordered_json json_of(const tuned_suite::timing& t) {
    ordered_json configuration = ordered_json::object();
    for (const auto& [name, v] : t.configuration) {
        configuration[name] = from_value(v);
    }
    return {{"stencil", t.stencil}, {"configuration", configuration}, {"time_ms", t.time}};
}

std::string words(const std::vector<std::string>& all) {
    return fmt::format("{}", fmt::join(all, " "));
}

/// The stencils that a table has runs of, in its order.
std::vector<std::string> tuned_names(const tuned_suite& t) {
    std::vector<std::string> out;
    for (const tuned_suite::stencil& s : t.stencils) {
        if (std::ranges::find(t.runs, s.name, &tuned_suite::run::stencil) != t.runs.end()) {
            out.push_back(s.name);
        }
    }
    return out;
}

void check_joinable(const tuned_suite& first, const std::string& name, const tuned_suite& next,
                    const std::string& next_name) {
    std::vector<disagreement> all = disagreements_of(first, next);
    all.push_back({"parameter", first.parameter, next.parameter});
    all.push_back({"references", words(first.references), words(next.references)});
    all.push_back({"heuristics", words(first.heuristics), words(next.heuristics)});
    for (const disagreement& d : all) {
        if (d.one != d.other && d.what != "driver" && d.what != "settings") {
            throw user_error(fmt::format("'{}' was measured with the {} '{}', and '{}' with '{}'", next_name, d.what,
                                         d.other, name, d.one),
                             "tables are joined that were measured alike");
        }
    }
    if (first.features != next.features) {
        throw user_error(fmt::format("'{}' has other features than '{}'", next_name, name),
                         "tables are joined that were measured alike");
    }
}

/// Adds the stencils of a table that are not there yet.
void add_stencils(const tuned_suite& from, const std::string& name, const std::string& from_name, tuned_suite& to) {
    for (const tuned_suite::stencil& s : from.stencils) {
        const auto there = std::ranges::find(to.stencils, s.name, &tuned_suite::stencil::name);
        if (there == to.stencils.end()) {
            to.stencils.push_back(s);
        } else if (there->problem != s.problem) {
            throw user_error(fmt::format("{} is another stencil in '{}' than in '{}'", s.name, from_name, name),
                             "tables are joined whose stencils have names of their own");
        } else if (std::ranges::find(from.runs, s.name, &tuned_suite::run::stencil) != from.runs.end()) {
            there->left_out = s.left_out;
        }
    }
}

} // namespace

bool names_a_file(const std::string& label) {
    return !label.empty() && label != "." && label != ".." &&
           std::none_of(label.begin(), label.end(), [](char c) { return c == '/' || (c >= 0 && c < ' ') || c == 127; });
}

const tuned_suite::run* tuned_suite::find(const std::string& of, const std::string& by, const std::string& with) const {
    const auto found = std::find_if(
        runs.begin(), runs.end(), [&](const run& r) { return r.stencil == of && r.strategy == by && r.value == with; });
    return found == runs.end() ? nullptr : &*found;
}

std::vector<disagreement> disagreements_of(const tuned_suite& one, const tuned_suite& other) {
    std::vector<disagreement> all{
        {"device", one.device, other.device}, {"backend", one.backend, other.backend},
        {"grid", one.grid, other.grid},       {"values", words(one.values), words(other.values)},
        {"driver", one.driver, other.driver}, {"settings", one.settings, other.settings}};
    std::erase_if(all, [](const disagreement& d) { return d.one == d.other; });
    return all;
}

tuned_suite joined(const std::vector<tuned_suite>& tables, const std::vector<std::string>& shown) {
    tuned_suite out = tables.front();
    std::map<std::string, std::size_t> runs_from; // by stencil: the table with its runs
    for (const tuned_suite::run& r : out.runs) {
        runs_from.emplace(r.stencil, 0);
    }
    for (std::size_t i = 1; i < tables.size(); ++i) {
        check_joinable(tables[0], shown[0], tables[i], shown[i]);
        add_stencils(tables[i], shown[0], shown[i], out);
        for (const tuned_suite::run& r : tables[i].runs) {
            const std::size_t from = runs_from.emplace(r.stencil, i).first->second;
            if (from != i) {
                throw user_error(fmt::format("'{}' and '{}' both have runs of {}", shown[from], shown[i], r.stencil),
                                 "leave it out of one of them");
            }
            out.runs.push_back(r);
        }
        out.times.insert(out.times.end(), tables[i].times.begin(), tables[i].times.end());
        out.notes.insert(out.notes.end(), tables[i].notes.begin(), tables[i].notes.end());
        for (const disagreement& how : disagreements_of(tables[0], tables[i])) {
            out.notes.push_back(
                fmt::format("{}: tuned with the {} {}", enumerate(tuned_names(tables[i])), how.what, how.other));
        }
    }
    return out;
}

tuned_suite read_tuned_suite(const std::filesystem::path& file, const std::string& shown) {
    const auto text = read_plain_or_gzip(file, shown, "give the path of a table that gst train wrote, e.g. tuned.json");
    tuned_suite t;
    const ordered_json head = read_json(without_nan(text), "runs", [&](const ordered_json& entry) {
        tuned_suite::run r = read_run(entry);
        if (is_sound(r)) {
            t.runs.push_back(std::move(r));
        } else {
            t.notes.push_back(fmt::format("{}, {}{}: left out, for its times are no numbers from 0 on", r.stencil,
                                          r.strategy, r.value.empty() ? "" : ", " + r.value));
        }
    });
    naming(shown, [&] { read_head(head, t); });
    return t;
}

void write_tuned_suite(const std::filesystem::path& file, const tuned_suite& t) {
    const auto json = [](const auto& one) { return json_of(one); };
    std::vector<std::string> arrays{lines_of("stencils", t.stencils, json), lines_of("runs", t.runs, json)};
    if (!t.times.empty()) {
        arrays.push_back(lines_of("times", t.times, json));
    }
    write_table(file, head_of(t), arrays);
}

} // namespace gst
