#include "core/codegen/unit_geometry.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace gst {

namespace {

using element = std::pair<std::int64_t, std::int64_t>; ///< its row and column

/// What the first 32 work-items of a work-group read at a time.
std::set<element> read_together(const linear_index& row, const linear_index& column, const unit_launch& how) {
    std::set<element> read;
    for (std::int64_t item = 0; item < transaction; ++item) {
        const std::int64_t x = item % static_cast<std::int64_t>(how.group_x);
        const std::int64_t y = item / static_cast<std::int64_t>(how.group_x);
        if (y < static_cast<std::int64_t>(how.group_y)) {
            read.insert({row.unit_x * x + row.unit_y * y, column.unit_x * x + column.unit_y * y});
        }
    }
    return read;
}

/// Pieces of so many elements that these lie in; rows begin at one.
double pieces(const std::set<element>& read, std::int64_t elements) {
    std::set<element> touched;
    for (const auto& [row, column] : read) {
        touched.insert({row, column / elements});
    }
    return static_cast<double>(touched.size());
}

double transactions(const linear_index& row, const linear_index& column, const unit_launch& how) {
    return pieces(read_together(row, column, how), transaction);
}

/// Most of these that lie in one of 32 banks, rows of so many elements being next to each other.
double conflicts(const std::set<element>& read, std::int64_t pitch) {
    std::array<int, 32> of_bank{};
    for (const auto& [row, column] : read) {
        ++of_bank[static_cast<std::size_t>((row * pitch + column) % 32)];
    }
    return *std::ranges::max_element(of_bank);
}

/// Of a unit and of the units of `x` × `y` work-items: elements along a row or column.
std::int64_t extent(const linear_index& i, const unit_kernel& k, std::int64_t x, std::int64_t y) {
    return i.unit_x * (x - 1) + i.unit_y * (y - 1) + i.outer * (k.outer - 1) + i.inner * (k.inner - 1) + 1;
}

/// Elements of the target array that a work unit reads, each counted once.
std::set<element> elements_read(const unit_kernel& k) {
    std::set<element> homes;
    for (std::int64_t i = 0; i < k.outer; ++i) {
        for (std::int64_t j = 0; j < k.inner; ++j) {
            homes.insert({k.row.outer * i + k.row.inner * j, k.column.outer * i + k.column.inner * j});
        }
    }
    std::set<element> read;
    for (const auto& [row, column] : homes) {
        for (const auto& [down, right] : k.neighbours) {
            read.insert({row + down, column + right});
        }
    }
    return read;
}

/// Lines of 128 bytes, wherever they begin, in a box.
double lines(std::int64_t rows, std::int64_t columns) {
    return static_cast<double>(rows) * static_cast<double>(columns + transaction - 1) / transaction;
}

/// Those of the auxiliary array that a work-group's units read, one each, with `reads` in an iteration.
double context_lines(const unit_kernel& k, const unit_launch& how, const linear_index& row, const linear_index& column,
                     int in_loop, int in_epilogue) {
    unit_kernel once = k;
    if (in_loop == 0) {
        once.outer = once.inner = 1;
    }
    const int reads = in_loop > 0 ? in_loop : in_epilogue;
    const auto x = static_cast<std::int64_t>(how.group_x);
    const auto y = static_cast<std::int64_t>(how.group_y);
    return reads == 0 ? 0 : lines(extent(row, once, x, y) + reads - 1, extent(column, once, x, y));
}

/// Units of a work-item, one after the other, that read the same elements of the target array.
double alike_units(const unit_kernel& k, const unit_launch& how) {
    const bool along_x = k.row.unit_x == 0 && k.column.unit_x == 0;
    const bool along_y = k.row.unit_y == 0 && k.column.unit_y == 0;
    const bool next_y = along_y && (along_x || how.per_item_x == 1); // the loop along x is the inner one
    return static_cast<double>((along_x ? how.per_item_x : 1) * (next_y ? how.per_item_y : 1));
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
    const std::set<element> read = read_together(k.row, k.column, how);
    p.transactions = pieces(read, transaction);
    p.sectors = pieces(read, transaction / 4);
    p.elements = static_cast<double>(read.size());
    p.bank_conflicts = conflicts(read, region[1]);
    const unit_array target = target_array(k);
    p.row_alignment = static_cast<double>(4 * (target.pitch & -target.pitch));
    const neighbour_box b = neighbours_of(k);
    p.array_bytes = 4.0 * static_cast<double>(extent(k.row, k, k.units_x, k.units_y)) *
                    static_cast<double>(extent(k.column, k, k.units_x, k.units_y));
    p.region_copies = region_moves(k) ? per_item : 1;
    p.region_segments = static_cast<double>(region[0] * ((region[1] + 2 * transaction - 2) / transaction));
    p.touched_lines =
        lines(region[0], region[1]) +
        context_lines(k, how, k.context_row, k.context_column, k.loop.coalesced, k.epilogue.coalesced) +
        context_lines(k, how, k.context_column, k.context_row, k.loop.uncoalesced, k.epilogue.uncoalesced);
    p.iterations = iterations;
    p.loop_operations = iterations * (2 * p.loop_reads + reads_of(k.loop) + 2 * k.loop.multiply_adds);
    p.loop_context_reads = iterations * reads_of(k.loop);
    const std::set<element> own = elements_read(k);
    std::set<std::int64_t> rows;
    for (const element& e : own) {
        rows.insert(e.first);
    }
    p.distinct_reads = static_cast<double>(own.size());
    p.item_rows = static_cast<double>(rows.size());
    p.item_columns = static_cast<double>(extent(k.column, k, 1, 1) + b.high_column - b.low_column);
    p.alike_points = alike_units(k, how);
    p.context_reads = (iterations * reads_of(k.loop) + reads_of(k.epilogue)) * per_item;
    p.context_transactions =
        (iterations * context_transactions(k, k.loop, how) + context_transactions(k, k.epilogue, how)) * per_item;
    p.operations = operations_of(k, iterations) * per_item;
    p.registers = 1 + (how.local ? 0 : p.loop_reads);
    p.local_bytes = how.local ? p.region_bytes : 0;
    return p;
}

} // namespace gst
