#include "core/host/check_options.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gst {

namespace {

std::vector<std::string> names_of(const std::vector<option>& options) {
    std::vector<std::string> names;
    for (const option& o : options) {
        names.push_back(o.name);
    }
    return names;
}

diagnostic unknown_option(const plugin& p, const std::string& name, const plugin_place& place) {
    const std::vector<std::string> names = names_of(p.options);
    return mistake_at(
        place, name,
        fmt::format("the {} plugin '{}' has no option '{}'{}", p.kind, p.name, name, did_you_mean(name, names)),
        names.empty() ? "it has no options" : "its options: " + enumerate(names));
}

diagnostic not_taken(const option& o, const value& given, const plugin_place& place) {
    const std::string* text = std::get_if<std::string>(&given);
    return mistake_at(place, o.name,
                      fmt::format("'{}' takes {}, not {}{}", o.name, domain_text(o),
                                  text != nullptr ? "'" + *text + "'" : to_string(given),
                                  text != nullptr ? did_you_mean(*text, o.words) : ""),
                      fmt::format("{}: {} (default {})", o.name, o.meaning, to_string(o.standard)));
}

} // namespace

diagnostic mistake_at(const plugin_place& place, const std::string& option, std::string message, std::string hint) {
    diagnostic d = place ? place(option, std::move(message)) : diagnostic{std::move(message), nullptr, {}, ""};
    d.hint = std::move(hint);
    return d;
}

value resolved(const plugin& p, const std::string& name, const value& given, const std::filesystem::path& directory) {
    const auto declared =
        std::find_if(p.options.begin(), p.options.end(), [&](const option& o) { return o.name == name; });
    const std::string* text = std::get_if<std::string>(&given);
    const bool is_file = text != nullptr && text->find_first_of("/.") != std::string::npos;
    if (!is_file || declared == p.options.end() || declared->type != option_type::path) {
        return given;
    }
    return (directory / *text).lexically_normal().string();
}

plugin_options check_options(const plugin& p, const std::map<std::string, value>& given, const plugin_place& place) {
    std::map<std::string, value> values;
    for (const option& o : p.options) {
        values[o.name] = o.standard;
    }
    std::vector<diagnostic> mistakes;
    for (const auto& [name, v] : given) {
        const auto declared = std::find_if(p.options.begin(), p.options.end(),
                                           [&wanted = name](const option& o) { return o.name == wanted; });
        if (declared == p.options.end()) {
            mistakes.push_back(unknown_option(p, name, place));
        } else if (std::optional<value> accepted = accept(*declared, v)) {
            values[name] = std::move(*accepted);
        } else {
            mistakes.push_back(not_taken(*declared, v, place));
        }
    }
    if (!mistakes.empty()) {
        throw user_error(std::move(mistakes));
    }
    return plugin_options(std::move(values));
}

} // namespace gst
