#pragma once

#include "core/stencil/stencil.hpp"

#include <optional>

namespace gst {

/// A node that bounds the error of a value, or nothing where the value is exact.
using bound = std::optional<node_id>;

/// Builds the expressions of error bounds; zeros and literals are folded away. A bound of an f64 is an f64, all others
/// are f32.
class bound_algebra {
  public:
    explicit bound_algebra(stencil& target) : target_(target), builder_(target) {}

    stencil_builder& nodes() { return builder_; }
    scalar type(node_id id) const { return target_.nodes[id].type; }
    static scalar bound_type(scalar s) { return s == scalar::f64 ? scalar::f64 : scalar::f32; }
    /// The literal's value where the node is one.
    std::optional<double> literal(node_id id) const;

    node_id constant(double value, scalar s) { return builder_.number(value, bound_type(s)); }
    /// The value, and its magnitude, in the type of its bound.
    node_id real(node_id value);
    node_id magnitude(node_id value);
    /// a op b of two bounds or values in a bound's type, which may differ: the wider one is taken.
    node_id combine(ir::binary_op op, node_id a, node_id b);

    bound sum(bound a, bound b);
    /// The larger one; NaN, which is no bound, when one of them is.
    bound larger(bound a, bound b);
    bound product(node_id factor, bound e);
    /// condition ? a : b
    bound choose(node_id condition, bound a, bound b);
    /// The bound as a node of the type that bounds an `s`, 0 where it is absent.
    node_id node_for(bound e, scalar s);
    /// The bound, infinite where a value of magnitude |value| that may be off by it may not be finite in an `s`: one of
    /// two values close together is then infinite, and what follows from it anything.
    bound where_finite(node_id value, node_id e, scalar s);
    /// So many units in the last place of an `s` of the value's magnitude.
    node_id units(node_id value, double count, scalar s);
    /// The same, and what is lost when a result too small for an `s` is flushed to 0.
    node_id rounding(node_id value, double count, scalar s);

  private:
    stencil& target_;
    stencil_builder builder_;
};

/// What a result below it may be off by: GPUs flush f32 and f64 below the least normal number to 0; an f16 is rounded
/// to a multiple of its least number.
double underflow_of(scalar s);

/// The greatest finite number of a real type; what exceeds it is stored as infinity.
double greatest_of(scalar s);

} // namespace gst
