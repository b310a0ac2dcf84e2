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

void append(std::string& text, const value& v) {
    if (const bool* on = std::get_if<bool>(&v)) {
        text += *on ? "true" : "false";
    } else if (const std::int64_t* i = std::get_if<std::int64_t>(&v)) {
        text += std::to_string(*i);
    } else {
        text += text_of(to_json(v));
    }
}

/// As messages show it: what is nested may be anything.
std::string shown(const json& j) {
    return j.is_primitive() ? j.dump() : std::string("an ") + j.type_name();
}

/// Whether a value of a parameter is meant.
bool means(const json& j, const value& v) {
    switch (j.type()) {
    case json::value_t::boolean:
        return std::holds_alternative<bool>(v) && j.get<bool>() == std::get<bool>(v);
    case json::value_t::string:
        return std::holds_alternative<std::string>(v) && j.get_ref<const std::string&>() == std::get<std::string>(v);
    default:
        return j.is_number() && !std::holds_alternative<std::string>(v) && !std::holds_alternative<bool>(v) &&
               same(j.get<double>(), v);
    }
}

/// Throws misunderstanding when an object names what is no parameter.
void refuse_unknown_names(const space& s, const json& j) {
    for (const auto& [name, given] : j.items()) {
        try {
            s.index_of(name);
        } catch (const user_error& e) {
            throw misunderstanding(e.diagnostics().front().message, e.diagnostics().front().hint);
        }
    }
}

} // namespace

json greeting(const problem& p, std::uint64_t seed) {
    const double seconds = p.seconds_left();
    return {{"protocol", protocol},
            {"seed", seed},
            {"budget", {{"evaluations", p.remaining()}, {"seconds", std::isfinite(seconds) ? json(seconds) : json()}}},
            {"parallel", std::max<std::uint64_t>(p.parallel(), 1)},
            {"space", to_json(p.space())}};
}

std::string text_of(const json& j) {
    return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string text_of(const space& s, const std::vector<configuration>& all) {
    std::vector<std::string> names;
    for (const parameter& p : s.parameters()) {
        names.push_back((names.empty() ? "{" : ",") + text_of(json(p.name)) + ":");
    }
    std::string text = "[";
    for (const configuration& c : all) {
        text += text.size() == 1 ? "" : ",";
        for (std::size_t p = 0; p < c.size(); ++p) {
            text += names[p];
            append(text, s.get(c, p));
        }
        text += c.empty() ? "{}" : "}";
    }
    return text + "]";
}

configuration to_configuration(const space& s, const json& j) {
    const std::string remedy = "a configuration is an object with a value for every parameter: {\"name\": value, …}";
    if (!j.is_object()) {
        throw misunderstanding("this is no configuration: " + shown(j), remedy);
    }
    configuration c;
    c.reserve(s.parameters().size());
    for (const parameter& p : s.parameters()) {
        const auto given = j.find(p.name);
        if (given == j.end()) {
            refuse_unknown_names(s, j);
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
    if (j.size() > c.size()) {
        refuse_unknown_names(s, j);
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

std::string text_of(const std::vector<measurement>& all) {
    std::string text = "[";
    for (const measurement& m : all) {
        text += text.size() == 1 ? R"({"status":")" : R"(,{"status":")";
        text += name_of(m.outcome);
        text += '"';
        if (m.outcome == status::correct) {
            text += R"(,"time":)" + text_of(json(m.time));
        } else if (!m.message.empty()) {
            text += R"(,"message":)" + text_of(json(m.message));
        }
        text += '}';
    }
    return text + "]";
}

} // namespace gst::external
