#include "core/app/at_place.hpp"
#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"
#include "core/codegen/presets.hpp"
#include "core/report/throughput.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

using toml_document::is_typed;
using toml_document::mistake;

namespace {

/// `name` is what app.toml calls the parameter.
std::vector<value> allowed(const parameter& p, const std::string& name, const setting<std::vector<value>>& wanted) {
    std::vector<std::string> domain;
    for (const value& v : p.domain) {
        domain.push_back(to_string(v));
    }
    for (const value& v : wanted.value) {
        if (std::none_of(p.domain.begin(), p.domain.end(), [&](const value& d) { return same(d, v); })) {
            throw user_error(mistake(wanted.written, fmt::format("{} cannot be {} here", name, to_string(v)),
                                     fmt::format("{} is one of {}", name, enumerate(domain))));
        }
    }
    return wanted.value;
}

constraint constraint_of(const setting<std::string>& text) {
    return {expression::parse(text.value), "app.toml: " + text.value};
}

bool has_parameter(const space& s, const std::string& name) {
    return std::any_of(s.parameters().begin(), s.parameters().end(), [&](const parameter& p) {
        return p.name == name || std::find(p.aliases.begin(), p.aliases.end(), name) != p.aliases.end();
    });
}

/// Throws user_error for a parameter of space.domain that the preset does not have, but others do.
void check_preset_has(const space& preset, const config& c, const stencil& s, extent3 size) {
    for (const auto& [name, values] : c.space.domain) {
        if (has_parameter(preset, name)) {
            continue;
        }
        std::vector<std::string> others;
        for (const std::string& other : preset_names()) {
            if (other != c.space.preset.value && has_parameter(make_space(other, s, size), name)) {
                others.push_back(other);
            }
        }
        if (!others.empty()) {
            throw user_error(mistake(values.name,
                                     fmt::format("the preset '{}' has no parameter '{}'", c.space.preset.value, name),
                                     fmt::format("{} {} it: space.preset = \"{}\"", enumerate(others),
                                                 others.size() == 1 ? "has" : "have", others.back())));
        }
    }
}

/// What leaves nothing of a space, narrowed to its domain and then by app.toml's constraints.
diagnostic why_empty(const space& whole, const space& narrowed, const config& c) {
    if (whole.count() == 0) {
        return mistake(c.space.preset.written, "the space has no configuration: its own conditions exclude all",
                       "they are where the space comes from, the preset or the definition of a recording");
    }
    if (narrowed.count() == 0) {
        return mistake(c.space.domain.begin()->second.written,
                       "no configuration is left: the space's own constraints exclude all that space.domain leaves",
                       "widen space.domain; gst space --explain without it shows the parameters and constraints");
    }
    std::vector<constraint> constraints;
    for (const setting<std::string>& text : c.space.constraints) {
        constraints.push_back(constraint_of(text));
    }
    if (const auto by = what_empties(narrowed, constraints)) {
        const place& written = c.space.constraints[by->which].written;
        return by->alone
                   ? mistake(written,
                             fmt::format("no configuration is left: of {} none satisfies this constraint",
                                         with_separators(narrowed.count())),
                             "change it, or space.domain")
                   : mistake(written,
                             "no configuration is left: none satisfies this constraint and those before it together",
                             "change one of them, or space.domain");
    }
    throw std::logic_error("the space is not empty");
}

} // namespace

space narrowed(space out, const config& c) {
    std::map<std::string, std::vector<value>> narrowed;
    std::map<std::string, const setting<std::vector<value>>*> by; // a parameter may go by two names; --set goes first
    for (const auto& [name, values] : c.space.domain) {
        const std::size_t index = at(values.name, [&] { return out.index_of(name); });
        const parameter& p = out.parameters()[index];
        std::vector<value> leaves = allowed(p, name, values);
        const auto [other, first] = by.try_emplace(p.name, &values);
        if (!first && is_typed(values.written) == is_typed(other->second->written)) {
            throw user_error(mistake(values.written,
                                     fmt::format("'{}' has its values already, under its other name", name),
                                     fmt::format("leave one of the names of {} out", p.name)));
        }
        if (first || is_typed(values.written)) {
            other->second = &values;
            narrowed[p.name] = std::move(leaves);
        }
    }
    const space whole = out;
    if (!narrowed.empty()) {
        out = out.restricted(narrowed);
    }
    const space without_constraints = out;
    for (const setting<std::string>& text : c.space.constraints) {
        out = at(text.written, [&] { return out.constrained({constraint_of(text)}); });
    }
    if (out.count() == 0) {
        throw user_error(why_empty(whole, without_constraints, c));
    }
    return out;
}

space read_space(const config& c, const stencil& s) {
    const extent3 size = grid_of(c);
    const space preset = at(c.space.preset.written, [&] { return make_space(c.space.preset.value, s, size); });
    check_preset_has(preset, c, s, size);
    return narrowed(preset, c);
}

tuning_request read_request(const config& c, const stencil& s) {
    const extent3 size = grid_of(c);
    at(c.grid.size.written, [&] { check_grid(s, size); });
    return {s,
            size,
            c.grid.layout.value,
            parameter_values(s, c),
            read_space(c, s),
            static_cast<std::uint64_t>(c.seed.value)};
}

} // namespace gst
