#pragma once

#include "core/space/expression.hpp"
#include "core/stencil/stencil.hpp"

#include <span>
#include <vector>

namespace gst {

/// An expression over coordinates that is computed a row at a time. What does not depend on x is computed once per row.
class row_formula {
  public:
    /// Throws user_error, with the place, for a name that is no axis of the stencil, size of the grid (nx …) or pi, and
    /// for text.
    row_formula(const expression& e, const stencil& s, extent3 size);

    /// The values at x = first, first + 1 … of the row (y, z). Throws user_error at the first point that has no value.
    /// Any thread may call.
    void compute(std::int64_t first, std::int64_t y, std::int64_t z, std::span<double> values) const;

  private:
    enum class name_kind { x, y, z, fixed };
    struct meaning {
        name_kind kind = name_kind::fixed;
        double value = 0;
    };
    struct row_values; ///< one value for the whole row, or one per point

    row_values value_of(const expression::tree& t, std::int64_t first, std::int64_t y, std::int64_t z,
                        std::size_t count) const;
    void check_text(const expression::tree& t) const;

    expression expression_;
    std::vector<meaning> names_; ///< by position in expression.names()
};

} // namespace gst
