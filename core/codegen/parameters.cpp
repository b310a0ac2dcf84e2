#include "core/codegen/parameters.hpp"

#include <fmt/format.h>

#include <variant>

namespace gst {

namespace {
constexpr const char* capitals[] = {"X", "Y", "Z"};
}

std::vector<value> powers_of_two(std::int64_t most) {
    std::vector<value> out;
    for (std::int64_t v = 1; v <= most; v *= 2) {
        out.emplace_back(v);
    }
    return out;
}

std::vector<node_id> real_numbers_of(const stencil& s, const update& u) {
    std::vector<node_id> out = reachable(s, u.value);
    std::erase_if(out, [&](node_id n) {
        return !std::holds_alternative<ir::number>(s.nodes[n].op) || !is_real(s.nodes[n].type);
    });
    return out;
}

parameter axis_parameter(const char* prefix, const char* alias, std::size_t axis, const stencil& s, extent3 size,
                         role purpose, const std::string& meaning) {
    parameter p;
    p.name = std::string(prefix) + axis_suffixes[axis];
    p.aliases = {std::string(alias) + capitals[axis]};
    p.domain = powers_of_two(size[axis]);
    p.neutral = std::int64_t{1};
    p.purpose = purpose;
    p.dimension = static_cast<int>(axis);
    p.meaning = meaning;
    if (axis >= static_cast<std::size_t>(s.dimensions)) {
        p.active = expression::parse("false");
        p.meaning += fmt::format(" (inactive: {} has no axis {})", s.name, axis_suffixes[axis]);
    }
    return p;
}

parameter flag(const char* name, const char* meaning) {
    parameter p;
    p.name = name;
    p.domain = {false, true};
    p.neutral = false;
    p.purpose = role::load;
    p.meaning = meaning;
    return p;
}

} // namespace gst
