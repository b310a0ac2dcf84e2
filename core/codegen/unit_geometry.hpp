#pragma once

#include "core/codegen/unit_kernel.hpp"

namespace gst {

/// Elements of one transaction with the memory, and the work-items that make it together: 128 bytes (Han §2.1).
inline constexpr std::int64_t transaction = 32;

/// An array of a unit kernel: the home elements of all units, and their neighbours, lie inside of it.
struct unit_array {
    std::int64_t rows = 0;
    std::int64_t pitch = 0;      ///< elements from row to row, a multiple of a transaction
    std::int64_t row_margin = 0; ///< of home element (0, 0)
    std::int64_t column_margin = 0;
    std::int64_t elements() const { return rows * pitch; }
};
unit_array target_array(const unit_kernel& k);
unit_array context_array(const unit_kernel& k);

/// Least and greatest offset of the neighbours.
struct neighbour_box {
    int low_row = 0, high_row = 0, low_column = 0, high_column = 0;
};
neighbour_box neighbours_of(const unit_kernel& k);

/// Whether the region that a work-group needs is another one for its next units.
bool region_moves(const unit_kernel& k);

/// Elements of each of the program's arrays.
std::int64_t unit_elements(const unit_kernel& k);

} // namespace gst
