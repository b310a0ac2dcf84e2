#include "core/host/find_plugin.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace gst {

namespace {

nlohmann::json json_of(const value& v) {
    return std::visit([](const auto& held) { return nlohmann::json(held); }, v);
}

std::string_view name_of(option_type type) {
    constexpr std::array<std::string_view, 5> names{"integer", "real", "boolean", "text", "path"};
    return names.at(static_cast<std::size_t>(type));
}

} // namespace

std::string describe(const plugin& p) {
    std::string out =
        fmt::format("{} {} – {}\n  {} plugin in {}\n", p.name, p.version, p.summary, p.kind, p.file.string());
    if (p.options.empty()) {
        return out + "  no options\n";
    }
    std::vector<std::array<std::string, 4>> rows{{"option", "default", "takes", "meaning"}};
    for (const option& o : p.options) {
        rows.push_back({o.name, to_string(o.standard), domain_text(o), o.meaning});
    }
    std::array<std::size_t, 3> widths{};
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], row[i].size());
        }
    }
    for (const auto& row : rows) {
        out += fmt::format("  {:<{}}  {:<{}}  {:<{}}  {}\n", row[0], widths[0], row[1], widths[1], row[2], widths[2],
                           row[3]);
    }
    return out;
}

nlohmann::json describe_json(const plugin& p) {
    nlohmann::json options = nlohmann::json::array();
    for (const option& o : p.options) {
        nlohmann::json entry{
            {"name", o.name}, {"type", name_of(o.type)}, {"default", json_of(o.standard)}, {"meaning", o.meaning}};
        if (o.low) {
            entry["low"] = json_of(*o.low);
        }
        if (o.high) {
            entry["high"] = json_of(*o.high);
        }
        if (!o.words.empty()) {
            entry["words"] = o.words;
        }
        options.push_back(std::move(entry));
    }
    return {{"kind", p.kind},       {"name", p.name},          {"version", p.version},
            {"summary", p.summary}, {"file", p.file.string()}, {"options", options}};
}

} // namespace gst
