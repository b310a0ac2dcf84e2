#pragma once

#include "core/stencil/bound_algebra.hpp"
#include "core/stencil/interpreter.hpp"

namespace gst {

/// What is known of a node's error: a bound of a number, or for a boolean the node that tells whether it may be wrong.
/// Neither: every program computes the same.
struct doubt {
    bound error;
    std::optional<node_id> unsure;
};

/// What a program that adds terms in another order, and distributes factors over them, adds up for a node.
struct summands {
    bound magnitude; ///< of all of them; none: the node's own
    int terms = 1;
};

/// The error of one node from those of its operands. Operands of a node and the node itself are in the algebra's target
/// under the same ids as in the stencil.
class bound_rules {
  public:
    /// `error_field[i]` is the field that bounds field i, or -1. The target still has the stencil's updates.
    bound_rules(stencil& target, const std::vector<int>& error_field, summation order);

    void visit(node_id id);
    const doubt& of(node_id id) const { return doubts_[id]; }
    bound_algebra& algebra() { return b_; }

  private:
    /// Literals, parameters, coordinates, sizes, the step number.
    template<class Given>
    doubt rule(node_id id, const Given&);
    doubt rule(node_id id, const ir::read& r);
    doubt rule(node_id id, const ir::unary& u);
    doubt rule(node_id id, const ir::binary& n);
    doubt rule(node_id id, const ir::call& c);
    doubt rule(node_id id, const ir::select& s);
    doubt rule(node_id id, const ir::convert& c);

    doubt comparison(const ir::binary& n);
    doubt logic(const ir::binary& n);
    bound real_arithmetic(node_id id, const ir::binary& n);
    bound i32_arithmetic(const ir::binary& n);
    bound product(const ir::binary& n);
    bound quotient(node_id ratio, const ir::binary& n);
    bound remainder(const ir::binary& n);
    bound power(node_id id, const ir::binary& n);
    bool multiplies_exactly(const ir::binary& n) const;
    std::vector<bool> find_partial_sums() const;
    bool is_real_sum(node_id id) const;
    bound sum_in_any_order(node_id id);
    summands summands_of(node_id id);
    bound magnitude_of_summands(node_id id);
    /// Of what magnitude roundings of a product or quotient are: its own, or its summands' where it may be distributed.
    node_id as_distributed(node_id id) const { return summands_[id].magnitude.value_or(id); }

    bound carried(node_id id, const ir::call& c);
    bound square_root(node_id id, node_id a);
    bound tangent(node_id id, node_id a);
    bool never_negative(node_id id) const;

    /// Whether `distance` is clearly more than `e`, which differences of whole numbers reach exactly, or e is 0. Not
    /// for NaN.
    node_id beyond(node_id distance, node_id e);
    /// By how much rounding `a`, which may be off by `e`, to an integer may differ when the nearest jump is `distance`
    /// away.
    node_id jump(node_id e, node_id distance);
    /// From `x`, of a bound's type, to the nearest integer at which truncation jumps: any but 0.
    node_id distance_to_truncation_jump(node_id x);

    bound error(node_id id) const { return doubts_[id].error; }
    /// max(|b| - its error, 0)
    node_id least_magnitude(node_id b);
    /// |b| + its error
    node_id greatest_magnitude(node_id b);
    std::optional<node_id> either(std::optional<node_id> a, std::optional<node_id> b);
    /// Whether the i32 converts to a real of any type without rounding.
    bool is_small_integer(node_id id) const;

    stencil& target_;
    const std::vector<int>& error_field_;
    summation order_;
    bound_algebra b_;
    std::vector<doubt> doubts_;
    std::vector<summands> summands_; ///< with summation::any_order
    std::vector<bool> partial_sums_; ///< sums that are nothing but a term of a longer sum, where the order is free
};

} // namespace gst
