#include "core/codegen/parameters.hpp"
#include "core/codegen/unit_geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace gst {

namespace {

constexpr std::int64_t most_per_item = 8; ///< work units along an axis; more leave few work-groups

/// A size along an axis of the work units: powers of two that divide them.
parameter unit_parameter(const char* prefix, std::size_t axis, std::int64_t units, std::int64_t most, role purpose,
                         const char* meaning) {
    parameter p;
    p.name = fmt::format("{}{}", prefix, axis_suffixes[axis]);
    p.domain = powers_of_two(std::min(most, std::int64_t{1} << std::countr_zero(static_cast<std::uint64_t>(units))));
    p.neutral = std::int64_t{1};
    p.purpose = purpose;
    p.dimension = static_cast<int>(axis);
    p.meaning = fmt::format("{} along {}", meaning, axis_suffixes[axis]);
    return p;
}

/// Rows or columns of the region, in the parameters.
std::string extent_text(const linear_index& i, const unit_kernel& k, int neighbours) {
    return fmt::format("({} * (TBx - 1) + {} * (TBy - 1) + {})", i.unit_x, i.unit_y,
                       i.outer * (k.outer - 1) + i.inner * (k.inner - 1) + 1 + neighbours);
}

} // namespace

space unit_space(const unit_kernel& k, std::uint64_t work_group, std::uint64_t local_bytes) {
    std::vector<parameter> parameters{
        flag("useShared", "the work-group copies the region that it reads to local memory")};
    std::vector<constraint> constraints;
    const std::int64_t units[] = {k.units_x, k.units_y};
    for (std::size_t axis = 0; axis < 2; ++axis) {
        parameters.push_back(
            unit_parameter("TB", axis, units[axis], units[axis], role::thread_block, "work-items of a work-group"));
        parameters.push_back(unit_parameter("CM", axis, units[axis], most_per_item, role::cyclic_merge,
                                            "work units per work-item, a work-group apart,"));
        const char* a = axis_suffixes[axis];
        constraints.push_back({expression::parse(fmt::format(
                                   "TB{0} * CM{0} <= {1}", a,
                                   std::int64_t{1} << std::countr_zero(static_cast<std::uint64_t>(units[axis])))),
                               fmt::format("a work-group would cover more work units along {} than divide evenly", a)});
    }
    const auto add = [&](const std::string& condition, std::string reason) {
        constraints.push_back({expression::parse(condition), std::move(reason)});
    };
    add(fmt::format("TBx * TBy <= {}", work_group),
        fmt::format("the device runs at most {} work-items in a work-group", work_group));
    add(fmt::format("TBx * TBy % {} == 0", transaction), "the last work-items that copy together are not complete");
    const neighbour_box b = neighbours_of(k);
    add(fmt::format("not useShared or 4 * {} * {} <= {}", extent_text(k.row, k, b.high_row - b.low_row),
                    extent_text(k.column, k, b.high_column - b.low_column), local_bytes),
        "the region is larger than the device's local memory");
    return space(std::move(parameters), std::move(constraints), {});
}

unit_launch unit_launch_of(const space& s, const configuration& c) {
    const auto number = [&](const char* name) {
        return static_cast<std::uint64_t>(std::get<std::int64_t>(s.get(c, s.index_of(name))));
    };
    return {number("TBx"), number("TBy"), number("CMx"), number("CMy"),
            std::get<bool>(s.get(c, s.index_of("useShared")))};
}

} // namespace gst
