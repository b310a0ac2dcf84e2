#pragma once

#include "core/stencil/interpreter.hpp"
#include "tests/first_seed.hpp"

#include <string>

namespace gst::testing {

/// Whether both are the same number, or NaN.
bool same(double a, double b);

/// The first point, in words, where the states' levels differ; "" when they do not.
std::string difference(const stencil& s, const interpreter_state& a, const interpreter_state& b);
/// The same without the halos.
std::string interior_difference(const stencil& s, const interpreter_state& a, const interpreter_state& b);

} // namespace gst::testing
