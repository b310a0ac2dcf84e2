#pragma once

#include "core/stencil/stencil.hpp"

namespace gst::dsl {

/// Arithmetic on constants, in double. Division by zero and the like give what IEEE 754 gives.
double fold(ir::binary_op op, double a, double b);
double fold(ir::function f, double a);
bool fold_comparison(ir::binary_op op, double a, double b);

/// The number of the type nearest to the value; infinite when it is too large. i32: the value itself.
double rounded(double value, scalar type);

} // namespace gst::dsl
