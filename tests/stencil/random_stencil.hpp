#pragma once

#include "core/base/random.hpp"
#include "core/stencil/interpreter.hpp"

#include <vector>

/// Seeded random stencils, grids and data for property tests: every feature of the IR, or those that the options leave.
namespace gst::testing {

struct random_stencil_options {
    int least_dimensions = 1;
    int most_dimensions = 3;
    int most_fields = 3; ///< that are updated, in stages
    int most_coefficients = 2;
    int most_parameters = 2;
    int most_radius = 2; ///< of a read, per axis
    int most_history = 2;
    int most_depth = 4;      ///< of an expression's tree
    bool star_only = false;  ///< reads lie on the axes
    bool expressions = true; ///< else: updates are weighted sums of reads
    bool functions = true;   ///< square root, exponential …, power and remainder
    bool selects = true;     ///< comparisons, logic and selects
    bool coordinates = true; ///< coordinates, grid sizes and the step number
    bool conversions = true; ///< between types inside of an expression, and computing in a wider type than is stored
    bool singular = false;   ///< also roots and logarithms of negative numbers, divisions by 0: infinities and NaN
    std::vector<scalar> types{scalar::i32, scalar::f16, scalar::f32, scalar::f64}; ///< of fields
    std::vector<boundary_kind> boundaries{boundary_kind::fixed, boundary_kind::constant, boundary_kind::clamp,
                                          boundary_kind::periodic, boundary_kind::mirror};
};

/// A verified stencil. Real values stay within some [-4, 4] from step to step, i32 values wrap around.
stencil random_stencil(random_source& rng, const random_stencil_options& options = {});

/// A verified stencil that minimal filtering applies to: one field, a sum of whole lines with numbers as weights; in
/// two dimensions lines along either axis, in three along the second or third one.
stencil random_lines(random_source& rng);

/// A grid that check_grid admits, with at most `most_points` points unless the halo needs more: often of sizes 1,
/// prime, or next to a power of two.
extent3 random_grid(const stencil& s, random_source& rng, std::int64_t most_points = 4096);

/// Values for the stencil's parameters, each representable in f16 and in [-1, 1].
std::vector<double> random_parameters(const stencil& s, random_source& rng);

/// Noise in every level of every field, halo included, in the field's type: reals in [-1, 1), i32 in -9 … 9.
interpreter_state random_state(const stencil& s, extent3 size, std::uint64_t seed);

/// The node with every operand x replaced by moved[x].
node with_operands(node n, const std::vector<node_id>& moved);

} // namespace gst::testing
