#pragma once

#include "core/codegen/dialect.hpp"
#include "core/codegen/launch_features.hpp"
#include "core/codegen/verification.hpp"
#include "core/space/space.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gst {

/// A row or column of an array as a linear function of the work unit and the iterators of the two loops in it (Han
/// §2.2.1, fo and fi). No coefficient is negative.
struct linear_index {
    std::int64_t unit_x = 0;
    std::int64_t unit_y = 0;
    std::int64_t outer = 0;
    std::int64_t inner = 0;
    bool operator==(const linear_index&) const = default;
};

/// What a piece of a work unit does beside reading the target array (Han §2.2.1, contextual computation and accesses).
struct unit_context {
    int multiply_adds = 0; ///< one after the other
    int coalesced = 0;     ///< reads of the auxiliary array, neighbouring work-items neighbouring elements
    int uncoalesced = 0;   ///< the same, neighbouring work-items a row apart
    bool operator==(const unit_context&) const = default;
};

/// A kernel that is no stencil: a work unit per element of a 2-D output, with two nested loops around reads of a 2-D
/// target array and an epilogue (Han §2.2.1, the template of the synthetic kernels). Units are dealt to work-groups in
/// blocks and to their work-items cyclically. f32.
struct unit_kernel {
    std::string name;
    linear_index row, column;                            ///< of the target array's home element
    std::vector<std::pair<int, int>> neighbours{{0, 0}}; ///< rows and columns off the home element that are read
    int outer = 1, inner = 1;                            ///< trip counts
    unit_context loop, epilogue;                         ///< per iteration; once per unit
    linear_index context_row{0, 1, 0, 1};                ///< of the auxiliary array's elements; uncoalesced ones have
    linear_index context_column{1, 0, 1, 0};             ///< both exchanged
    bool product = false; ///< every element of the target array is multiplied by the loop's first coalesced read
    std::int64_t units_x = 1, units_y = 1;
    bool operator==(const unit_kernel&) const = default;
};

/// How a unit kernel is launched, and whether it copies the region of the target array that a work-group needs at a
/// time, the smallest box around all its accesses, into local memory (Han §2.1).
struct unit_launch {
    std::uint64_t group_x = 1, group_y = 1;       ///< work-items of a work-group
    std::uint64_t per_item_x = 1, per_item_y = 1; ///< work units of a work-item; with group_x, group_y dividing units
    bool local = false;
    bool operator==(const unit_launch&) const = default;
};

/// Rows and columns of the region that a work-group caches at a time.
GST_API std::array<std::int64_t, 2> region_of(const unit_kernel& k, const unit_launch& how);

/// The kernel as a program of one time step: fields target and context (coefficients) and out. All arrays have the size
/// of the largest one; what they hold beyond their own rows is not read. `error_bounds`: a further field has the bound
/// that verification allows.
GST_API program unit_program(const unit_kernel& k, const unit_launch& how, const dialect& language,
                             bool error_bounds = false);

/// The space of its launches: TBx, TBy, CMx, CMy (work units per work-item), useShared; `local_bytes` and `work_group`
/// are the device's limits. Whole transactions of 32 work-items copy, so that a work-group has a multiple of as many.
GST_API space unit_space(const unit_kernel& k, std::uint64_t work_group, std::uint64_t local_bytes);
GST_API unit_launch unit_launch_of(const space& s, const configuration& c);

/// A stencil with the same fields on a 1-D grid: what gives the arrays their names, types and first values.
GST_API stencil unit_fields(const unit_kernel& k);
GST_API extent3 unit_grid(const unit_kernel& k);
/// The reference is the kernel without local memory, one work unit per work-item, with error bounds.
GST_API verification unit_verification(const unit_kernel& k, const dialect& language);

/// What decides whether local memory pays for the kernel with this launch (Han §2.1, §2.2).
GST_API launch_profile unit_profile(const unit_kernel& k, const unit_launch& how);

} // namespace gst
