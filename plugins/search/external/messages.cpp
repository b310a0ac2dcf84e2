#include "plugins/search/external/messages.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <cmath>

namespace gst::external {

namespace {

using nlohmann::json;

constexpr int protocol = 1;

json to_json(const value& v) {
    return std::visit([](const auto& plain) { return json(plain); }, v);
}

json to_json(const parameter& p) {
    constexpr const char* axes[] = {"x", "y", "z"};
    json j{{"name", p.name}, {"values", json::array()}, {"neutral", to_json(p.neutral)}, {"role", name_of(p.purpose)}};
    for (const value& v : p.domain) {
        j["values"].push_back(to_json(v));
    }
    j["dimension"] = p.dimension < 0 ? json() : json(axes[p.dimension]);
    j["active"] = p.active ? json(p.active->text()) : json();
    return j;
}

json to_json(const space& s) {
    json j{{"parameters", json::array()},
           {"constraints", json::array()},
           {"constants", json::object()},
           {"count", s.count()}};
    for (const parameter& p : s.parameters()) {
        j["parameters"].push_back(to_json(p));
    }
    for (const constraint& c : s.constraints()) {
        j["constraints"].push_back({{"condition", c.condition.text()}, {"reason", c.reason}});
    }
    for (const auto& [name, v] : s.constants()) {
        j["constants"][name] = to_json(v);
    }
    return j;
}

/// As messages show it: what is nested may be anything.
std::string shown(const json& j) {
    return j.is_primitive() ? j.dump() : std::string("an ") + j.type_name();
}

/// Whether a value of a parameter is meant.
bool means(const json& j, const value& v) {
    if (j.is_number() && !std::holds_alternative<std::string>(v) && !std::holds_alternative<bool>(v)) {
        return same(j.get<double>(), v);
    }
    return j == to_json(v);
}

} // namespace

json greeting(const problem& p, std::uint64_t seed) {
    const double seconds = p.seconds_left();
    return {{"protocol", protocol},
            {"seed", seed},
            {"budget", {{"evaluations", p.remaining()}, {"seconds", std::isfinite(seconds) ? json(seconds) : json()}}},
            {"parallel", p.parallel()},
            {"space", to_json(p.space())}};
}

json to_json(const space& s, const configuration& c) {
    json j = json::object();
    for (std::size_t p = 0; p < c.size(); ++p) {
        j[s.parameters()[p].name] = to_json(s.get(c, p));
    }
    return j;
}

json to_json(const space& s, const std::vector<configuration>& all) {
    json j = json::array();
    for (const configuration& c : all) {
        j.push_back(to_json(s, c));
    }
    return j;
}

configuration to_configuration(const space& s, const json& j) {
    const std::string remedy = "a configuration is an object with a value for every parameter: {\"name\": value, …}";
    if (!j.is_object()) {
        throw misunderstanding("this is no configuration: " + shown(j), remedy);
    }
    for (const auto& [name, given] : j.items()) {
        try {
            s.index_of(name);
        } catch (const user_error& e) {
            throw misunderstanding(e.diagnostics().front().message, e.diagnostics().front().hint);
        }
    }
    configuration c;
    for (const parameter& p : s.parameters()) {
        const auto given = j.find(p.name);
        if (given == j.end()) {
            throw misunderstanding("a configuration lacks '" + p.name + "'", remedy);
        }
        const auto found =
            std::find_if(p.domain.begin(), p.domain.end(), [&](const value& v) { return means(*given, v); });
        if (found == p.domain.end()) {
            throw misunderstanding("'" + p.name + "' has no value " + shown(*given),
                                   "its values: " + to_json(p)["values"].dump());
        }
        c.push_back(static_cast<std::uint16_t>(found - p.domain.begin()));
    }
    return c;
}

std::vector<configuration> to_configurations(const space& s, const json& j) {
    if (!j.is_array()) {
        throw misunderstanding("this is no list of configurations: " + shown(j), "for example [{\"name\": value, …}]");
    }
    std::vector<configuration> all;
    for (const json& one : j) {
        all.push_back(to_configuration(s, one));
    }
    return all;
}

json to_json(const measurement& m) {
    json j{{"status", name_of(m.outcome)}};
    if (m.outcome == status::correct) {
        j["time"] = m.time;
    } else if (!m.message.empty()) {
        j["message"] = m.message;
    }
    return j;
}

} // namespace gst::external
