#include "core/app/at_place.hpp"
#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"
#include "core/codegen/presets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

using toml_document::mistake;

namespace {

std::vector<value> allowed(const parameter& p, const setting<std::vector<value>>& wanted) {
    std::vector<std::string> domain;
    for (const value& v : p.domain) {
        domain.push_back(to_string(v));
    }
    for (const value& v : wanted.value) {
        if (std::none_of(p.domain.begin(), p.domain.end(), [&](const value& d) { return same(d, v); })) {
            throw user_error(mistake(wanted.written, fmt::format("{} cannot be {} here", p.name, to_string(v)),
                                     fmt::format("{} is one of {}", p.name, enumerate(domain))));
        }
    }
    return wanted.value;
}

} // namespace

space narrowed(space out, const config& c) {
    std::map<std::string, std::vector<value>> narrowed;
    for (const auto& [name, values] : c.space.domain) {
        const std::size_t index = at(values.written, [&] { return out.index_of(name); });
        const parameter& p = out.parameters()[index];
        narrowed[p.name] = allowed(p, values);
    }
    if (!narrowed.empty()) {
        out = out.restricted(narrowed);
    }
    for (const setting<std::string>& text : c.space.constraints) {
        out = at(text.written, [&] {
            return out.constrained({{expression::parse(text.value), "app.toml: " + text.value}});
        });
    }
    if (out.count() == 0) {
        throw user_error(mistake(c.space.preset.written,
                                 "no configuration is left: space.domain and space.constraints exclude all",
                                 "gst space --explain shows what each parameter may be"));
    }
    return out;
}

space read_space(const config& c, const stencil& s) {
    const extent3 size = grid_of(c);
    return narrowed(at(c.space.preset.written, [&] { return make_space(c.space.preset.value, s, size); }), c);
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
