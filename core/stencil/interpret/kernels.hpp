#pragma once

#include "core/stencil/stencil.hpp"

#include <cstddef>

/// The interpreter's instructions: each runs one operation over up to `chunk` neighbouring points of a row.
namespace gst {

constexpr std::size_t chunk = 256;

/// Reads n values from each operand and writes n to `out`; an operand that is uniform over the row has one value. `out`
/// may be an operand's memory when their types have the same width.
using kernel = void (*)(std::byte* out, const std::byte* a, const std::byte* b, const std::byte* c, std::size_t n);

/// Bytes of a value in the interpreter's registers: 8 for f64, 4 for all others.
std::size_t register_width(scalar s);

kernel binary_kernel(ir::binary_op op, scalar operand, bool uniform_a, bool uniform_b);
kernel unary_kernel(ir::unary_op op, scalar type);
kernel call_kernel(ir::function f, scalar type);
kernel select_kernel(scalar type, bool uniform_condition, bool uniform_a, bool uniform_b);
kernel convert_kernel(scalar from, scalar to);
/// out[i] = a[0] + i, in i32.
kernel count_kernel();
/// Doubles in memory, representable in `to`, to registers.
kernel load_kernel(scalar to);
/// Registers of type `from` to doubles in memory, rounded to `stored`.
kernel store_kernel(scalar from, scalar stored, bool uniform);

} // namespace gst
