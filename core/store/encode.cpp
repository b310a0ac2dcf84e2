#include "core/store/encode.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

namespace gst::encode {

namespace {

using json = nlohmann::ordered_json;

json from_real(double v) {
    if (std::isfinite(v)) {
        return v;
    }
    return std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf";
}

double to_real(const json& j) {
    if (j.is_number()) {
        return j.get<double>();
    }
    const double infinity = std::numeric_limits<double>::infinity();
    const auto& text = j.get_ref<const std::string&>();
    return text == "inf" ? infinity : text == "-inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
}

/// Texts come from compilers and devices: bytes that are no UTF-8 are replaced.
std::string dump(const json& j) {
    return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

json from_value(const value& v) {
    return std::visit([](const auto& held) { return json(held); }, v);
}

value to_value(const json& j) {
    switch (j.type()) {
    case json::value_t::boolean:
        return j.get<bool>();
    case json::value_t::number_integer:
    case json::value_t::number_unsigned:
        return j.get<std::int64_t>();
    case json::value_t::number_float:
        return j.get<double>();
    default:
        return j.get<std::string>();
    }
}

} // namespace

std::string numbers(const std::vector<double>& values) {
    json out = json::array();
    for (const double v : values) {
        out.push_back(from_real(v));
    }
    return dump(out);
}

std::string named_numbers(const gst::named_numbers& values) {
    json out = json::object();
    for (const auto& [name, v] : values) {
        out[name] = from_real(v);
    }
    return dump(out);
}

std::string configuration(const named_values& values) {
    json out = json::object();
    for (const auto& [name, v] : values) {
        out[name] = from_value(v);
    }
    return dump(out);
}

std::vector<double> numbers_of(const std::string& text) {
    std::vector<double> out;
    for (const json& j : json::parse(text)) {
        out.push_back(to_real(j));
    }
    return out;
}

gst::named_numbers named_numbers_of(const std::string& text) {
    gst::named_numbers out;
    const json parsed = json::parse(text);
    for (const auto& [name, j] : parsed.items()) {
        out[name] = to_real(j);
    }
    return out;
}

named_values configuration_of(const std::string& text) {
    named_values out;
    const json parsed = json::parse(text);
    for (const auto& [name, j] : parsed.items()) {
        out.emplace_back(name, to_value(j));
    }
    return out;
}

} // namespace gst::encode
