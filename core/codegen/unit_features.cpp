#include "core/codegen/unit_geometry.hpp"

#include <algorithm>
#include <set>

namespace gst {

namespace {

/// Transactions that the first 32 work-items of a work-group make with one read of the array; rows begin at one.
double transactions(const linear_index& row, const linear_index& column, const unit_launch& how) {
    std::set<std::pair<std::int64_t, std::int64_t>> touched;
    for (std::int64_t item = 0; item < transaction; ++item) {
        const std::int64_t x = item % static_cast<std::int64_t>(how.group_x);
        const std::int64_t y = item / static_cast<std::int64_t>(how.group_x);
        if (y < static_cast<std::int64_t>(how.group_y)) {
            touched.insert({row.unit_x * x + row.unit_y * y, (column.unit_x * x + column.unit_y * y) / transaction});
        }
    }
    return static_cast<double>(touched.size());
}

} // namespace

features unit_features(const unit_kernel& k, const unit_launch& how) {
    const std::array<std::int64_t, 2> region = region_of(k, how);
    const auto number = [](auto n) { return static_cast<double>(n); };
    const double iterations = number(k.outer) * k.inner;
    const double items = number(how.group_x * how.group_y);
    const double per_item = number(how.per_item_x * how.per_item_y);
    const double reads = iterations * number(k.neighbours.size());
    const double elements = number(region[0]) * number(region[1]);
    const double regions = region_moves(k) ? per_item : 1;
    return {
        {"work_group_x", "work-items", "of a work-group along x", "Han, launch configuration", number(how.group_x)},
        {"work_group_y", "work-items", "of a work-group along y", "Han, launch configuration", number(how.group_y)},
        {"work_groups", "work-groups", "of a launch", "Han, launch configuration",
         number(k.units_x) * number(k.units_y) / (items * per_item)},
        {"points_per_item", "work units", "that a work-item computes", "Han, work units per work-item", per_item},
        {"region_x", "elements", "columns of the region that a work-group reads at a time", "Han, region to be cached",
         number(region[1])},
        {"region_y", "elements", "rows of the region that a work-group reads at a time", "Han, region to be cached",
         number(region[0])},
        {"region_bytes", "bytes", "of local memory that the region takes", "Han, region to be cached", 4 * elements},
        {"region_reuse", "1", "reads of the target array by a work-group over the elements that it would copy",
         "Han, data reuse", reads * items * per_item / (elements * regions)},
        {"transactions", "per read", "of 128 bytes that 32 work-items make with one read of the target array",
         "Han, memory non-coalescing", transactions(k.row, k.column, how)},
        {"context_transactions", "per read", "of 128 bytes that 32 work-items make with one coalesced contextual read",
         "Han, context accesses", transactions(k.context_row, k.context_column, how)},
        {"reads", "per unit", "reads of the target array", "Han, access pattern", reads},
        {"neighbours", "per iteration", "reads of the target array", "Han, stencil pattern",
         number(k.neighbours.size())},
        {"loop_operations", "per iteration", "multiply-adds beside those of the target array", "Han, computation",
         number(k.loop.multiply_adds)},
        {"loop_coalesced", "per iteration", "coalesced contextual reads", "Han, context accesses",
         number(k.loop.coalesced)},
        {"loop_uncoalesced", "per iteration", "contextual reads a row apart", "Han, context accesses",
         number(k.loop.uncoalesced)},
        {"epilogue_operations", "per unit", "multiply-adds of the epilogue", "Han, computation",
         number(k.epilogue.multiply_adds)},
        {"epilogue_coalesced", "per unit", "coalesced contextual reads of the epilogue", "Han, context accesses",
         number(k.epilogue.coalesced)},
        {"epilogue_uncoalesced", "per unit", "contextual reads of the epilogue a row apart", "Han, context accesses",
         number(k.epilogue.uncoalesced)},
    };
}

} // namespace gst
