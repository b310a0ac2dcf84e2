#include "core/codegen/unit_geometry.hpp"

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

/// The sum over the contextual reads of a piece of a work unit.
double context_transactions(const unit_kernel& k, const unit_context& c, const unit_launch& how) {
    return c.coalesced * transactions(k.context_row, k.context_column, how) +
           c.uncoalesced * transactions(k.context_column, k.context_row, how);
}

int reads_of(const unit_context& c) {
    return c.coalesced + c.uncoalesced;
}

/// Of a work unit: every element of the target array is weighted and added, every contextual one added – or, the first
/// one of a product, what the elements are weighted with.
double operations_of(const unit_kernel& k, double iterations) {
    const auto neighbours = static_cast<double>(k.neighbours.size());
    const double loop = 2 * neighbours + reads_of(k.loop) - (k.product ? 1 : 0) + 2 * k.loop.multiply_adds;
    const double sum = iterations * loop + reads_of(k.epilogue) + 2 * k.epilogue.multiply_adds;
    return sum - 1; // the first term is added to nothing
}

} // namespace

launch_profile unit_profile(const unit_kernel& k, const unit_launch& how) {
    const std::array<std::int64_t, 2> region = region_of(k, how);
    const double iterations = static_cast<double>(k.outer) * k.inner;
    const double items = static_cast<double>(how.group_x * how.group_y);
    const double per_item = static_cast<double>(how.per_item_x * how.per_item_y);
    const double elements = static_cast<double>(region[0]) * static_cast<double>(region[1]);
    launch_profile p;
    p.work_group = {how.group_x, how.group_y, 1};
    p.work_groups = static_cast<double>(k.units_x) * static_cast<double>(k.units_y) / (items * per_item);
    p.points_per_item = per_item;
    p.region = {static_cast<std::uint64_t>(region[1]), static_cast<std::uint64_t>(region[0]), 1};
    p.region_bytes = 4 * elements;
    p.loop_reads = static_cast<double>(k.neighbours.size());
    p.region_reads = p.loop_reads * iterations * per_item;
    p.region_reuse = p.region_reads * items / (elements * (region_moves(k) ? per_item : 1));
    p.transactions = transactions(k.row, k.column, how);
    p.context_reads = (iterations * reads_of(k.loop) + reads_of(k.epilogue)) * per_item;
    p.context_transactions =
        (iterations * context_transactions(k, k.loop, how) + context_transactions(k, k.epilogue, how)) * per_item;
    p.operations = operations_of(k, iterations) * per_item;
    p.registers = 1 + (how.local ? 0 : p.loop_reads);
    p.local_bytes = how.local ? p.region_bytes : 0;
    return p;
}

} // namespace gst
