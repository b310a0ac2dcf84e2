#pragma once

#include "core/base/random.hpp"
#include "core/stencil/interpreter.hpp"

namespace gst::testing {

/// Runs a stencil point by point, straight from what stencil.hpp says, with no code of the interpreter but
/// resolve_halo. With `wobble`, every operation is off by a random amount that OpenCL C allows its programs, products
/// are added unrounded, and tiny numbers are flushed to zero, at random.
void run_pointwise(const stencil& s, interpreter_state& state, const std::vector<double>& parameters, int steps,
                   random_source* wobble = nullptr);

/// The f16, f32 or i32 nearest to x, or x itself, worked out with the exponent.
double nearest_of(scalar type, double x);

} // namespace gst::testing
