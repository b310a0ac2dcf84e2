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
};

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
