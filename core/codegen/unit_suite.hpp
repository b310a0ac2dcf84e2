#pragma once

#include "core/base/random.hpp"
#include "core/codegen/unit_kernel.hpp"

namespace gst {

/// The seven home access patterns (Han §2.2.1; their functions are ours): what the home elements of a work-item are and
/// with whom it shares them. N and M are the trip counts of the outer and the inner loop.
///   xy_reuse      (i, j)                  all work-items read the same N × M elements
///   x_reuse_row   (N·y + i, j)            those of a row of units share N rows
///   x_reuse_col   (j, N·y + i)            the same, N columns
///   y_reuse_row   (i, M·x + j)            those of a column of units share M columns of N rows
///   y_reuse_col   (M·x + j, i)            the same, M rows
///   no_reuse_row  (N·y + i, M·x + j)      a block for each unit
///   no_reuse_col  (M·x + j, N·y + i)      the same, exchanged
GST_API std::vector<std::string> home_patterns();
/// The stencil patterns of the reads around the home element: rectangular, diamond, star (Han §2.2.1).
GST_API std::vector<std::string> neighbour_patterns();

/// The knobs of the template of the synthetic kernels (Han Table 1, which is lost: 13 of the kinds that the text
/// names).
struct synthetic_knobs {
    std::string home = "xy_reuse";
    std::string neighbours = "star";
    int radius = 0;
    int outer = 1, inner = 1;
    unit_context loop, epilogue;
    std::int64_t units_x = 512, units_y = 512; ///< powers of two
    bool operator==(const synthetic_knobs&) const = default;
};
/// Throws user_error for an unknown pattern or a knob out of range.
GST_API unit_kernel synthetic_kernel(const synthetic_knobs& knobs);

/// Knobs drawn evenly from their domains, those left out whose arrays have more than 2^24 elements or whose kernels
/// read more than `most_reads` of them, at least 2^18.
GST_API synthetic_knobs random_knobs(random_source& rng, std::int64_t most_reads = std::int64_t{1} << 28);

/// Kernels as programs have them, which no sample contains: transpose, matrix product, matrix-vector product,
/// convolutions, Jacobi steps (Han §3.2).
GST_API const std::vector<unit_kernel>& real_unit_kernels();

} // namespace gst
