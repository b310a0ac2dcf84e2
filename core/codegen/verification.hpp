#pragma once

#include "core/codegen/dialect.hpp"
#include "core/codegen/program.hpp"
#include "core/stencil/interpreter.hpp"

#include <optional>
#include <vector>

namespace gst {

/// Everything that a worker needs to check programs of one stencil on one grid, as plain data.
///
/// The reference is the companion of the stencil (with_error_bounds) as a plain program, one point per work-item; its
/// fields 0 … n-1 are the stencil's own and have the same layout and kept levels as in every tuned program. A tuned
/// program's value is right where |value − reference| ≤ (1 + its error_factor) × error, or both are the same
/// (infinities and NaN included).
struct verification {
    program reference;
    std::vector<int>
        error_field; ///< per field of the stencil: its error field in the reference, or -1: compare exactly
    /// One module with a kernel compare_<i> per field i of the stencil, run over the whole allocation
    /// (comparison_global):
    ///   compare_<i>(value, reference, error, result) where error_field[i] >= 0,
    ///   compare_<i>(value, reference, result) elsewhere.
    /// Error arrays start as zeros, padding included; the padding of all others is NaN, so that a value written there
    /// is wrong. `result` is 8 × u32, a comparison_result as it is before.
    /// Beside them a kernel digest(words, result), see digest_launch.
    module_source comparison;
    range3 comparison_global{1, 1, 1};
    range3 comparison_local{1, 1, 1};
};

/// What the comparison kernels leave in `result`.
struct comparison_result {
    std::uint32_t wrong = 0;                ///< points off by more than their bound
    std::uint32_t first_wrong = 0xffffffff; ///< least element index (modulo 2^32) that is wrong
    std::uint32_t unbounded = 0;            ///< points whose bound is not finite: they cannot be checked
    std::uint32_t worst = 0;                ///< bits of the f32 max |value − reference| / bound over checked points
    std::uint32_t bounds = 2;               ///< given: the bound is so many times the error of the reference
    std::uint32_t unused[3]{};
};

/// Bytes that each work-group of the kernel `digest` reads: every array has a multiple of it (allocated_elements).
inline constexpr std::uint64_t digested_at_once = 32 * 1024;
/// The launch that adds two sums, which depend on the value and the place of each 32-bit word, of an array of so many
/// bytes to the first two numbers of `result`. Its arguments are the array and `result`. Throws std::logic_error when
/// digested_at_once does not divide `bytes`.
GST_API launch digest_launch(std::uint64_t bytes);

/// An array that the comparison kernels look at.
struct compared_array {
    scalar stored = scalar::f32;
    std::optional<scalar> error; ///< type of its error array; none: compare exactly
    std::int64_t elements = 0;   ///< the first ones
};
/// Sets the comparison of `v`, a kernel per array; its reference is there already.
void add_comparison(verification& v, const std::vector<compared_array>& arrays, const dialect& language);

/// Of programs that add in this order. `s` must be verified IR. Throws user_error when the grid or the device's types
/// do not fit.
GST_API verification make_verification(const stencil& s, extent3 size, std::int64_t alignment, const dialect& language,
                                       summation order = summation::as_written);

} // namespace gst
