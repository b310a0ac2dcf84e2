#pragma once

#include "core/space/space.hpp"

#include <string>
#include <vector>

namespace gst::random_space {

/// A random condition over the parameters, as text: any operator of the language, divisions by zero included, types
/// right.
std::string condition(random_source& rng, const std::vector<parameter>& parameters);

/// One to five parameters of numbers (integers, halves, booleans) and texts.
std::vector<parameter> parameters(random_source& rng);

struct definition {
    std::vector<parameter> parameters;
    std::vector<constraint> constraints;
    std::map<std::string, value> constants;
};
definition any(random_source& rng);

std::vector<constraint> constraints(random_source& rng, const std::vector<parameter>& parameters);

/// All combinations of domain positions.
std::vector<configuration> cartesian(const std::vector<parameter>& parameters);

/// Whether the configuration is valid, by evaluating every expression of the definition.
bool valid(const definition& d, const configuration& c);

} // namespace gst::random_space
