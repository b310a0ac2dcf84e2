#pragma once

#include "core/space/space.hpp"

/// The spaces of Garvey's thesis, §4, as tests and measurements need them.
namespace gst::garvey {

inline std::vector<value> powers_of_two(std::int64_t most) {
    std::vector<value> domain;
    for (std::int64_t v = 1; v <= most; v *= 2) {
        domain.emplace_back(v);
    }
    return domain;
}

inline parameter number(const std::string& name, std::vector<value> domain) {
    return {name, std::move(domain), std::int64_t{1}, role::other, -1, {}, "", {}};
}

inline parameter flag(const std::string& name) {
    return {name, {false, true}, false, role::other, -1, {}, "", {}};
}

/// All optimizations together: 50,094,000 configurations on 256³.
inline space full(std::int64_t points, std::vector<constraint> more = {}) {
    std::vector<parameter> parameters;
    std::vector<constraint> constraints;
    for (const std::string axis : {"X", "Y", "Z"}) {
        for (const std::string kind : {"W", "B", "C"}) {
            parameters.push_back(number(kind + axis, powers_of_two(points)));
        }
        constraints.push_back({expression::parse("W" + axis + " * B" + axis + " * C" + axis + " <= N"), ""});
    }
    parameters.push_back(number("VX", powers_of_two(16)));
    constraints.push_back({expression::parse("VX <= BX"), ""});
    parameters.push_back(flag("local"));
    parameters.push_back(flag("image"));
    std::move(more.begin(), more.end(), std::back_inserter(constraints));
    return {std::move(parameters), std::move(constraints), {{"N", points}}};
}

} // namespace gst::garvey
