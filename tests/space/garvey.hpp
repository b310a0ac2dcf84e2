#pragma once

#include "core/space/space.hpp"

#include <array>

/// The spaces of Garvey's thesis, §4, as tests and measurements need them.
namespace gst::garvey {

inline std::vector<value> powers_of_two(std::int64_t most) {
    std::vector<value> domain;
    for (std::int64_t v = 1; v <= most; v *= 2) {
        domain.emplace_back(v);
    }
    return domain;
}

inline parameter number(const std::string& name, std::vector<value> domain, role purpose = role::other,
                        int dimension = -1) {
    return {name, std::move(domain), std::int64_t{1}, purpose, dimension, {}, "", {}};
}

inline parameter flag(const std::string& name) {
    return {name, {false, true}, false, role::load, -1, {}, "", {}};
}

/// All optimizations together: 50,094,000 configurations on 256³.
inline space full(std::int64_t points, std::vector<constraint> more = {}) {
    std::vector<parameter> parameters;
    std::vector<constraint> constraints;
    int dimension = 0;
    for (const std::string axis : {"X", "Y", "Z"}) {
        parameters.push_back(number("W" + axis, powers_of_two(points), role::thread_block, dimension));
        parameters.push_back(number("B" + axis, powers_of_two(points), role::block_merge, dimension));
        parameters.push_back(number("C" + axis, powers_of_two(points), role::cyclic_merge, dimension));
        const std::string small(1, "xyz"[dimension]);
        for (std::size_t k = 0; k < 3; ++k) {
            parameters[parameters.size() - 3 + k].aliases = {std::array{"TB", "BM", "CM"}[k] + small};
        }
        ++dimension;
        constraints.push_back({expression::parse("W" + axis + " * B" + axis + " * C" + axis + " <= N"), ""});
    }
    parameters.push_back(number("VX", powers_of_two(16), role::vector_width, 0));
    constraints.push_back({expression::parse("VX <= BX"), ""});
    parameters.push_back(flag("local"));
    parameters.push_back(flag("image"));
    std::move(more.begin(), more.end(), std::back_inserter(constraints));
    return {std::move(parameters), std::move(constraints), {{"N", points}}};
}

} // namespace gst::garvey
