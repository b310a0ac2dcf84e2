#pragma once

#include "core/base/feature.hpp"
#include "core/codegen/layout.hpp"
#include "core/codegen/schedule.hpp"

#include <map>
#include <string>
#include <vector>

namespace gst {

/// What decides whether local memory pays for a kernel with its launch configuration (Han §2.1, §2.2): the same of a
/// stencil's update as of a unit kernel. The *region* are the elements of the arrays that local memory would hold: the
/// smallest box around all that a work-group reads of them at a time.
struct launch_profile {
    range3 work_group{1, 1, 1};
    double work_groups = 1;          ///< of the launch
    double points_per_item = 1;      ///< that a work-item computes
    int vector_width = 1;            ///< points of one read or write
    int time_steps = 1;              ///< of a launch
    range3 region{1, 1, 1};          ///< points; around the boxes of all arrays
    double region_bytes = 0;         ///< in local memory, of all arrays
    double region_reuse = 0;         ///< reads of the region by a work-group over the elements that it would copy
    double region_reads = 0;         ///< reads of the region by a work-item
    double loop_reads = 0;           ///< of them in one iteration of the loops of a point; without loops of a point
    double transactions = 0;         ///< of 128 bytes that 32 work-items make to read an element of the region each
    double context_reads = 0;        ///< reads of other arrays by a work-item
    double context_transactions = 0; ///< the sum over these reads of what 32 work-items make
    double operations = 0;           ///< of a work-item
    double registers = 0;            ///< values that a work-item may hold at once
    double local_bytes = 0;          ///< of local memory that the work-group uses

    // What the copy costs, and what reads cost with and without it.
    double region_copies = 1; ///< times that a work-group fills the region in a launch
    double region_segments =
        0;                     ///< transactions of 128 bytes in which the region's rows are copied, wherever they begin
    double bank_conflicts = 0; ///< accesses to a bank of local memory for which 32 work-items wait in one read
    double sectors = 0;        ///< of 32 bytes that 32 work-items touch with a read of the region
    double elements = 0;       ///< that 32 work-items read at a time, each counted once
    double row_alignment = 128; ///< bytes: the greatest power of two by which rows of the region's array are apart
    double array_bytes = 0;     ///< of the arrays that the region is a part of
    double touched_lines = 0;   ///< of 128 bytes, of all arrays, that a work-group reads at a time
    // Of a point: its loops.
    double iterations = 1;
    double loop_operations = 0;    ///< in them
    double loop_context_reads = 0; ///< reads of other arrays in them
    double distinct_reads = 0;     ///< elements of the region that it reads, each counted once
    double item_rows = 0;          ///< that these lie in
    double item_columns = 0;       ///< elements of the box around them, along a row
    double alike_points = 1;       ///< points of a work-item, one after the other, that read the same of the region
};

/// Cycles of a multiprocessor that 32 work-items are estimated to take for a point each, and where they go. Numbers of
/// an NVIDIA GPU: 32-bit banks, 128-byte transactions, 2,048 work-items and 227 KiB of local memory at a time. What
/// Han §2.1 names decides: transactions and bank conflicts, the instructions and the latency of the copy, work-items
/// that run at a time. The coefficients are rounded from a fit to 2,500 launches measured on an H200.
struct launch_cycles {
    double all = 0;
    double access = 0;      ///< of the units that load and store
    double latency = 0;     ///< of one point, waiting, shared among the work-items that run at a time
    double context = 0;     ///< of `access` and `all`: for other arrays
    double computation = 0; ///< of `latency`: operations that wait for each other; a share
    double resident = 0;    ///< work-items of a multiprocessor that run at a time
};
GST_API launch_cycles estimated_cycles(const launch_profile& p, bool local);

/// The features of a launch, always in the same order.
GST_API features launch_features(const launch_profile& p);
/// Their values alone, for which no text is made.
GST_API std::vector<double> launch_values(const launch_profile& p);
/// Names of the features that predictors of local memory learn from: those that change from one unit kernel and launch
/// to the next, and of which stencils have no others than unit kernels for reasons that do not matter.
GST_API const std::vector<std::string>& local_memory_features();

/// The profiles of one stencil's launches. They are of one update: the one whose region is the largest. Temporal
/// blocking counts as the time steps of one launch.
class GST_API stencil_profiles {
  public:
    stencil_profiles(const stencil& s, const array_layout& layout);
    launch_profile of(const schedule& how) const;

  private:
    /// An array that local memory would hold.
    struct cached {
        offset3 reach{}; ///< from the least to the greatest offset that is read
        scalar type = scalar::f32;
    };
    struct update_reads {
        std::vector<cached> arrays;
        double reads = 0;                      ///< of these arrays, per point
        double rows = 0;                       ///< of them, that these reads lie in
        std::map<std::size_t, double> context; ///< reads of others, per point, by bytes of an element
        double operations = 0;                 ///< per point
        double bytes(const range3& tile, int steps) const;
    };

    array_layout layout_;
    offset3 reach_;
    std::vector<update_reads> updates_;
};

/// Transactions of 128 bytes with the memory that the first 32 work-items of a work-group make to read an element each;
/// vectors are read as a whole. Rows begin at a transaction, and do not share one.
GST_API double transactions(const schedule& how, std::size_t element_bytes);

} // namespace gst
