#include "core/base/error.hpp"
#include "core/store/recording/formats.hpp"
#include "core/store/recording/json_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ostream>

namespace gst {

namespace {

using type = ordered_json::value_t;

/// T4's names of costs, and ours; some files say "compilation_time".
constexpr std::array<std::pair<const char*, const char*>, 5> costs{{{"compilation", "compile"},
                                                                    {"validation", "verify"},
                                                                    {"benchmark", "measure"},
                                                                    {"search_algorithm", "search"},
                                                                    {"framework", "framework"}}};

/// How many ms the unit is; "miliseconds" is what files say.
double milliseconds(const std::string& unit) {
    static const std::map<std::string, double> units{
        {"ms", 1},          {"miliseconds", 1},     {"milliseconds", 1}, {"s", 1000},          {"seconds", 1000},
        {"us", 1e-3},       {"microseconds", 1e-3}, {"µs", 1e-3},        {"ns", 1e-6},         {"nanoseconds", 1e-6},
        {"millisecond", 1}, {"second", 1000},       {"sec", 1000},       {"microsecond", 1e-3}};
    const auto found = units.find(unit);
    if (found == units.end()) {
        throw user_error(fmt::format("'{}' is no unit of time", unit),
                         "write seconds, milliseconds, microseconds or nanoseconds");
    }
    return found->second;
}

/// The times of one entry, in units of `unit` ms.
void read_times(const ordered_json& entry, double unit, recorded& to) {
    const auto times = entry.find("times");
    if (times == entry.end()) {
        return;
    }
    to.times = numbers(*times, "runtimes");
    for (double& t : to.times) {
        t *= unit;
    }
    for (const auto& [name, j] : times->items()) {
        const std::string plain = name.ends_with("_time") ? name.substr(0, name.size() - 5) : name;
        const auto* cost = std::find_if(costs.begin(), costs.end(), [&](const auto& c) { return plain == c.first; });
        if (cost != costs.end() && j.is_number()) {
            to.cost[cost->second] = j.get<double>() * unit;
        }
    }
}

/// The objective's measurement is the time; a failed one is a text.
void read_measurements(const ordered_json& entry, double unit, recorded& to,
                       std::map<std::string, std::string>& units) {
    std::string objective = "time";
    if (const auto found = entry.find("objectives"); found != entry.end() && found->is_array() && !found->empty()) {
        objective = to_text(found->front(), "objectives");
    }
    bool timed = false;
    for (const ordered_json& m : member(entry, "measurements", type::array, "an array of measurements")) {
        const std::string name = text_of(m, "name");
        const auto number = m.find("value");
        if (number == m.end() || !number->is_number()) {
            continue;
        }
        if (name == objective) {
            const std::string own = text_of(m, "unit");
            to.time = number->get<double>() * (own.empty() ? unit : milliseconds(own));
            timed = true;
        } else {
            to.measurements[name] = number->get<double>();
            if (const std::string own = text_of(m, "unit"); !own.empty()) {
                units[name] = own;
            }
        }
    }
    if (to.outcome == status::correct && !timed) {
        throw user_error(fmt::format("the measurement '{}' of a correct configuration is missing", objective),
                         "it is the first of `objectives`, and a number");
    }
    to.time = to.outcome == status::correct ? to.time : 0;
}

} // namespace

recording read_t4(const std::shared_ptr<const source>& text) {
    const ordered_json head = read_json(text, "results");
    double unit = 1;
    recording_builder b;
    try {
        member(head, "results", type::array, "an array of results");
        if (const std::string version = text_of(head, "schema_version");
            !version.empty() && !version.starts_with("1.")) {
            throw user_error(fmt::format("its schema_version is {}", version), "gst reads version 1");
        }
        if (const auto metadata = head.find("metadata"); metadata != head.end()) {
            const std::string written = text_of(*metadata, "timeunit");
            unit = written.empty() ? 1 : milliseconds(written);
            b.out.kernel = text_of(*metadata, "kernel");
            b.out.device = text_of(*metadata, "device");
            if (const auto size = metadata->find("problem_size"); size != metadata->end() && size->is_array()) {
                for (const ordered_json& j : *size) {
                    b.out.problem_size.push_back(to_value(j, "problem_size"));
                }
            }
        }
    } catch (const user_error& e) {
        std::vector<diagnostic> named = e.diagnostics();
        named.front().message = fmt::format("'{}' is no T4 file: {}", text->name, named.front().message);
        throw user_error(std::move(named));
    }
    read_json(text, "results", [&](const ordered_json& entry) {
        recorded to;
        to.outcome = outcome_named(
            member(entry, "invalidity", type::string, "\"correct\", or why it failed").get<std::string>());
        to.timestamp = text_of(entry, "timestamp");
        to.message = text_of(entry, "message");
        to.censored = is_set(entry, "censored");
        read_times(entry, unit, to);
        read_measurements(entry, unit, to, b.out.units);
        named_values named;
        for (const auto& [name, j] : member(entry, "configuration", type::object, "an object of parameters").items()) {
            named.emplace_back(name, to_value(j, name));
        }
        b.add(named, std::move(to));
    });
    return b.finish();
}

void write_t4(const recording& r, std::ostream& to) {
    ordered_json metadata{{"timeunit", "milliseconds"}, {"kernel", r.kernel}, {"device", r.device}};
    metadata["problem_size"] = ordered_json::array();
    for (const value& v : r.problem_size) {
        metadata["problem_size"].push_back(from_value(v));
    }
    to << "{\"schema_version\":\"1.0.0\",\"metadata\":" << dumped(metadata) << ",\"results\":[";
    const char* between = "\n";
    for (const recorded& e : r.entries) {
        ordered_json entry{{"timestamp", e.timestamp}, {"configuration", ordered_json::object()}};
        for (std::size_t p = 0; p < r.parameters.size(); ++p) {
            entry["configuration"][r.parameters[p].name] = from_value(r.parameters[p].domain[e.which[p]]);
        }
        ordered_json& times = entry["times"] = ordered_json::object();
        for (const auto& [theirs, ours] : costs) {
            if (const auto found = e.cost.find(ours); found != e.cost.end()) {
                times[theirs] = found->second;
            }
        }
        times["runtimes"] = e.times;
        const bool correct = e.outcome == status::correct;
        entry["invalidity"] = name_of(e.outcome);
        entry["correctness"] = correct ? 1 : 0;
        const ordered_json time = correct ? ordered_json(e.time) : ordered_json(name_of(e.outcome));
        entry["measurements"] = {{{"name", "time"}, {"value", time}, {"unit", "ms"}}};
        for (const auto& [name, number] : e.measurements) {
            if (name == "time") {
                throw user_error("T4 cannot hold a measurement called 'time' beside the time", "write CSV");
            }
            const auto unit = r.units.find(name);
            entry["measurements"].push_back(
                {{"name", name}, {"value", number}, {"unit", unit == r.units.end() ? "" : unit->second}});
        }
        entry["objectives"] = {"time"};
        if (!e.message.empty()) {
            entry["message"] = e.message;
        }
        if (e.censored) {
            entry["censored"] = true;
        }
        to << between << dumped(entry);
        between = ",\n";
    }
    to << "\n]}\n";
}

} // namespace gst
