#include "core/base/error.hpp"
#include "core/store/recording/formats.hpp"
#include "core/store/recording/json_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <set>

namespace gst {

namespace {

using type = ordered_json::value_t;

/// Kernel Tuner's names of costs, and ours.
constexpr std::array<std::pair<const char*, const char*>, 5> costs{{{"compile_time", "compile"},
                                                                    {"verification_time", "verify"},
                                                                    {"benchmark_time", "measure"},
                                                                    {"strategy_time", "search"},
                                                                    {"framework_time", "framework"}}};

/// Kernel Tuner's names of failures. It knows no others; those of ours are written beside, as `invalidity`.
constexpr std::array<std::pair<const char*, status>, 3> failures{{{"CompilationFailedConfig", status::compile},
                                                                  {"RuntimeFailedConfig", status::runtime},
                                                                  {"InvalidConfig", status::constraints}}};

const char* failure_name(status s) {
    const auto found = std::find_if(failures.begin(), failures.end(), [&](const auto& f) { return f.second == s; });
    return found != failures.end() ? found->first : "RuntimeFailedConfig";
}

status failure_named(const std::string& name) {
    for (const auto& [known, s] : failures) {
        if (name == known) {
            return s;
        }
    }
    throw user_error(fmt::format("'{}' is no failure of Kernel Tuner", name),
                     "it knows CompilationFailedConfig, RuntimeFailedConfig and InvalidConfig");
}

/// A file that is still being written ends in a comma, or right behind the head.
std::shared_ptr<const source> completed(const std::shared_ptr<const source>& text) {
    const std::size_t last = text->text.find_last_not_of(" \t\r\n");
    if (last == std::string::npos || (text->text[last] != ',' && text->text[last] != '{')) {
        return text;
    }
    const std::size_t kept = text->text[last] == ',' ? last : last + 1;
    return std::make_shared<const source>(source{text->name, text->text.substr(0, kept) + "}\n}"});
}

std::vector<value> problem_size_of(const ordered_json& head) {
    std::vector<value> size;
    const auto found = head.find("problem_size");
    if (found == head.end() || found->is_null()) {
        return size;
    }
    for (const ordered_json& j : found->is_array() ? *found : ordered_json::array({*found})) {
        size.push_back(to_value(j, "problem_size"));
    }
    return size;
}

void read_outcome(const ordered_json& entry, recorded& to) {
    const auto time = entry.find("time");
    const auto error = entry.find("__error__");
    if (error != entry.end() && error->is_string()) {
        to.outcome = failure_named(error->get<std::string>());
    } else if (time == entry.end()) {
        throw user_error("'time' is missing", "it is the mean time in ms, or the name of a failure");
    } else if (time->is_string()) {
        to.outcome = failure_named(time->get<std::string>());
    } else if (time->is_number()) {
        to.time = time->get<double>();
    } else {
        throw user_error(fmt::format("'time' must be a number or the name of a failure, not {}", time->type_name()));
    }
    if (const std::string known = text_of(entry, "invalidity"); !known.empty() && to.outcome != status::correct) {
        to.outcome = outcome_named(known);
    }
}

/// What a key of an entry means when it is no parameter and no measurement.
bool reserved(const std::string& name) {
    static const std::set<std::string> names{"time", "times", "timestamp", "message", "invalidity", "censored"};
    return names.contains(name) ||
           std::any_of(costs.begin(), costs.end(), [&](const auto& c) { return name == c.first; });
}

recorded entry_of(const ordered_json& entry, const std::set<std::string>& parameters) {
    recorded to;
    read_outcome(entry, to);
    to.times = numbers(entry, "times");
    to.timestamp = text_of(entry, "timestamp");
    to.message = text_of(entry, "message");
    to.censored = is_set(entry, "censored");
    for (const auto& [name, j] : entry.items()) {
        const auto* cost =
            std::find_if(costs.begin(), costs.end(), [&, &n = name](const auto& c) { return n == c.first; });
        if (!j.is_number() || name == "time" || parameters.contains(name)) {
            continue;
        }
        (cost != costs.end() ? to.cost[cost->second] : to.measurements[name]) = j.get<double>();
    }
    return to;
}

} // namespace

recording read_kernel_tuner(const std::shared_ptr<const source>& given) {
    const std::shared_ptr<const source> text = completed(given);
    const ordered_json head = [&] {
        try {
            return read_json(text, "cache");
        } catch (const user_error&) {
            return read_json(given, "cache"); // says where the file itself is wrong, or ends
        }
    }();
    recording_builder b;
    std::vector<std::string> names;
    try {
        member(head, "cache", type::object, "an object of configurations");
        for (const ordered_json& name : member(head, "tune_params_keys", type::array, "an array of names")) {
            names.push_back(to_text(name, "tune_params_keys"));
        }
        const ordered_json& domains = member(head, "tune_params", type::object, "an object of values per parameter");
        for (const std::string& name : names) {
            std::vector<value> domain;
            for (const ordered_json& v : member(domains, name, type::array, "an array of values")) {
                domain.push_back(to_value(v, name));
            }
            b.declare(name, std::move(domain));
        }
        b.out.problem_size = problem_size_of(head);
    } catch (const user_error& e) {
        std::vector<diagnostic> named = e.diagnostics();
        named.front().message = fmt::format("'{}' is no Kernel Tuner cache: {}", text->name, named.front().message);
        throw user_error(std::move(named));
    }
    b.out.kernel = text_of(head, "kernel_name");
    b.out.device = text_of(head, "device_name");
    const std::set<std::string> parameters(names.begin(), names.end());
    read_json(text, "cache", [&](const ordered_json& entry) {
        named_values named;
        for (const std::string& name : names) {
            if (const auto found = entry.find(name); found != entry.end()) {
                named.emplace_back(name, to_value(*found, name));
            }
        }
        b.add(named, entry_of(entry, parameters));
    });
    return b.finish();
}

void write_kernel_tuner(const recording& r, std::ostream& to) {
    ordered_json head{{"device_name", r.device}, {"kernel_name", r.kernel}};
    head["problem_size"] = ordered_json::array();
    for (const value& v : r.problem_size) {
        head["problem_size"].push_back(from_value(v));
    }
    head["tune_params_keys"] = ordered_json::array();
    head["tune_params"] = ordered_json::object();
    for (const parameter& p : r.parameters) {
        head["tune_params_keys"].push_back(p.name);
        ordered_json& domain = head["tune_params"][p.name] = ordered_json::array();
        for (const value& v : p.domain) {
            domain.push_back(from_value(v));
        }
    }
    head["objective"] = "time";
    std::string text = dumped(head);
    text.pop_back();
    to << text << ",\"cache\":{";
    const char* between = "\n";
    for (const recorded& e : r.entries) {
        ordered_json entry;
        std::string key;
        for (std::size_t p = 0; p < r.parameters.size(); ++p) {
            const value& v = r.parameters[p].domain[e.which[p]];
            entry[r.parameters[p].name] = from_value(v);
            key += (p == 0 ? "" : ",") + to_string(v);
        }
        if (e.outcome == status::correct) {
            entry["time"] = e.time;
        } else {
            entry["time"] = failure_name(e.outcome);
            entry["invalidity"] = name_of(e.outcome);
        }
        entry["times"] = e.times;
        for (const auto& [theirs, ours] : costs) {
            if (const auto found = e.cost.find(ours); found != e.cost.end()) {
                entry[theirs] = found->second;
            }
        }
        for (const auto& [name, number] : e.measurements) {
            if (entry.contains(name) || reserved(name)) {
                throw user_error(fmt::format("a Kernel Tuner cache cannot hold a measurement called '{}'", name),
                                 "write T4 or CSV");
            }
            entry[name] = number;
        }
        if (!e.message.empty()) {
            entry["message"] = e.message;
        }
        if (e.censored) {
            entry["censored"] = true;
        }
        if (!e.timestamp.empty()) {
            entry["timestamp"] = e.timestamp;
        }
        to << between << dumped(key) << ":" << dumped(entry);
        between = ",\n";
    }
    to << "\n}}\n";
}

} // namespace gst
