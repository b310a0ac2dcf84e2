#pragma once

#include "core/stencil/stencil.hpp"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gst {

/// The values of one field at one time level, halo included, in (z, y, x) order: x is contiguous.
/// Stored as double whatever the field's type: every value of f16, f32, f64 and i32 is exact in it.
struct field_values {
    extent3 size{}; ///< interior points
    offset3 halo{}; ///< points beyond each face
    std::vector<double> data;

    field_values() = default;
    field_values(extent3 size, offset3 halo, double fill = 0);
    /// The element at interior coordinates (x, y, z); each from -halo to size+halo-1.
    double& at(std::int64_t x, std::int64_t y = 0, std::int64_t z = 0);
    double at(std::int64_t x, std::int64_t y = 0, std::int64_t z = 0) const;
    std::size_t index(std::int64_t x, std::int64_t y, std::int64_t z) const;
};

/// The state of a stencil's time loop: for each field its levels, newest (t) first.
struct interpreter_state {
    std::int64_t step = 0; ///< steps done so far: the stencil's t
    std::vector<std::vector<field_values>>
        levels; ///< [field][age]: age 0 is t, 1 is t-1 …; coefficients have age 0 only
};

/// Throws user_error when the grid is smaller than a halo that must be filled from it ("the grid has 2 points along y,
/// but …").
GST_API void check_grid(const stencil& s, extent3 size);

/// A state with every level allocated for the grid, filled with zeros.
GST_API interpreter_state make_state(const stencil& s, extent3 size);

/// Fills the halo of one level from its interior. `given` holds the values that `fixed` faces keep.
GST_API void fill_halo(const field& f, field_values& values, const field_values& given);

/// What a halo point takes its value from: a constant, an interior point, or a point that a fixed face keeps. Faces are
/// resolved z, then y, then x, and a fixed or constant face ends that: its corners are its own.
struct halo_source {
    bool is_constant = false;
    double constant = 0; ///< rounded to the field's type
    extent3 point{};     ///< interior coordinates; outside the interior where a fixed face keeps it
};
GST_API halo_source resolve_halo(const field& f, extent3 size, extent3 point);

/// Runs `steps` time steps in the fields' arithmetic (values rounded to the stored and computed types as declared, no
/// contraction) on `threads` threads (0: all). Fills every halo first. `parameters` are the values of
/// stencil.parameters. `stop` may end the run early; it is asked between steps.
GST_API void interpret(const stencil& s, interpreter_state& state, std::span<const double> parameters,
                       std::int64_t steps, unsigned threads = 0, const std::function<bool()>& stop = {});

/// The stencil with a running error bound beside every field that is not exact: for a field `u` a field `u__error`, f64
/// for an f64 and f32 for all others, that follows the stencil's own fields. One step of the companion gives the step
/// of `s` bit for bit and a bound on |computed − exact| of every new value, whatever order-preserving program computes
/// it (contraction allowed). Each operation adds epsilon × |its result| and carries its operands' bounds; comparisons
/// that the bounds leave undecided add the distance between both branches; division and functions count the ulps that
/// OpenCL C 1.2 §7.4 allows; results below the least normal number may be flushed. Where no bound is known it is
/// infinite or NaN. Literals, parameters, coefficients and initial values are exact; a value that no rounding reaches
/// has no error field: every program computes the same. The companion is an ordinary stencil: the interpreter runs it,
/// the code generator emits it.
struct error_companion {
    stencil program;
    std::vector<int> error_field; ///< per field of `s`: index of its error field in `program`, or -1 when it is exact
};
/// With `any_order` the bounds also hold for programs that add the terms of a sum in another order and distribute
/// factors over them, as retiming does: every addition then counts epsilon × the sum of all terms' magnitudes, as does
/// what multiplies or divides a sum.
enum class summation : std::uint8_t { as_written, any_order };
GST_API error_companion with_error_bounds(const stencil& s, summation order = summation::as_written);

} // namespace gst
