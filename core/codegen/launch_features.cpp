#include "core/codegen/launch_features.hpp"

#include "core/codegen/loop_nest.hpp"
#include "core/codegen/lower.hpp"
#include "core/stencil/features.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace gst {

namespace {

constexpr std::uint64_t warp = 32;           ///< work-items that read together
constexpr std::uint64_t segment_bytes = 128; ///< of one transaction with the memory

double product(const range3& r) {
    return static_cast<double>(r[0]) * static_cast<double>(r[1]) * static_cast<double>(r[2]);
}

/// What a work-group covers at a time: a tile, of a streaming one the planes of a pass.
range3 tile_of(const schedule& how) {
    range3 out{};
    for (int axis = 0; axis < 3; ++axis) {
        out[static_cast<std::size_t>(axis)] =
            axis == how.stream_axis ? static_cast<std::uint64_t>(how.planes) : how.tile(axis);
    }
    return out;
}

/// The arrays of one update that local memory would hold, and the box of each.
struct region {
    range3 box{1, 1, 1}; ///< points, around all of them
    double elements = 0; ///< of all arrays
    double bytes = 0;    ///< in local memory
    double reads = 0;    ///< of these arrays, per point
    double context = 0;  ///< reads of other arrays, per point
    std::size_t arrays = 0;
    std::size_t element = 4; ///< bytes of the widest
};

region region_of(const stencil& s, std::size_t update, const range3& tile, int steps) {
    region out;
    std::set<std::pair<std::uint32_t, int>> cached;
    for (const source_array& a : cached_arrays(s, update)) {
        double elements = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const auto halo =
                static_cast<std::uint64_t>(a.high[axis] - a.low[axis]) * static_cast<std::uint64_t>(steps);
            out.box[axis] = std::max(out.box[axis], tile[axis] + halo);
            elements *= static_cast<double>(tile[axis] + halo);
        }
        const scalar type = s.fields[a.field].type;
        out.elements += elements;
        out.bytes += elements * static_cast<double>(nest::register_size(type));
        out.element = out.arrays == 0 ? size_of(type) : std::max(out.element, size_of(type));
        ++out.arrays;
        cached.insert({a.field, a.level});
    }
    for (const node_id id : reachable(s, s.updates[update].value)) {
        if (const auto* r = std::get_if<ir::read>(&s.nodes[id].op)) {
            (cached.contains({r->field, r->level}) ? out.reads : out.context) += 1;
        }
    }
    return out;
}

region largest_region(const stencil& s, const range3& tile, int steps) {
    region out = region_of(s, 0, tile, steps);
    for (std::size_t u = 1; u < s.updates.size(); ++u) {
        region other = region_of(s, u, tile, steps);
        if (other.bytes > out.bytes) {
            out = other;
        }
    }
    return out;
}

double groups_of(const array_layout& layout, const schedule& how) {
    double groups = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const std::uint64_t covered = axis == how.stream_axis ? how.stream_length : how.tile(axis);
        const auto size = static_cast<std::uint64_t>(layout.size[a]);
        groups *= static_cast<double>((size + covered - 1) / covered);
    }
    return groups;
}

/// Elements along the streaming axis that a work-item keeps per point of its plane, of every time step it computes.
double planes_kept(const stencil& s, const schedule& how) {
    if (how.stream_axis < 0) {
        return 0;
    }
    const offset3 reach = reach_of(s);
    return 2.0 * reach[static_cast<std::size_t>(how.stream_axis)] * how.steps / how.stage_groups();
}

} // namespace

double coalescing(const schedule& how, std::size_t element_bytes) {
    const auto width = static_cast<std::uint64_t>(how.vector_width);
    std::set<std::array<std::uint64_t, 3>> segments; // (row's y, row's z, segment of the row)
    std::uint64_t items = 0;
    for (; items < warp && static_cast<double>(items) < product(how.work_group); ++items) {
        const std::uint64_t x = items % how.work_group[0];
        const std::uint64_t y = items / how.work_group[0] % how.work_group[1];
        const std::uint64_t z = items / how.work_group[0] / how.work_group[1];
        const std::uint64_t first = x * how.block[0] * element_bytes;
        const std::uint64_t last = first + width * element_bytes - 1;
        for (std::uint64_t part = first / segment_bytes; part <= last / segment_bytes; ++part) {
            segments.insert({y, z, part});
        }
    }
    return static_cast<double>(items * width * element_bytes) / static_cast<double>(segments.size() * segment_bytes);
}

features launch_features(const stencil& s, const array_layout& layout, const schedule& how) {
    const range3 tile = tile_of(how);
    const region r = largest_region(s, tile, how.steps);
    const double points = product(how.block) * product(how.cyclic) * (how.stream_axis < 0 ? 1 : how.planes);
    const double operations = static_cast<double>(accesses_of(s).operations);
    const double values = points * (1 + (how.local ? 0 : r.reads)) + points * planes_kept(s, how);
    const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
    return {
        {"work_group_x", "work-items", "of a work-group along x", "Han, launch configuration",
         number(how.work_group[0])},
        {"work_group_y", "work-items", "of a work-group along y", "Han, launch configuration",
         number(how.work_group[1])},
        {"work_group_z", "work-items", "of a work-group along z", "Han, launch configuration",
         number(how.work_group[2])},
        {"work_groups", "work-groups", "of a launch", "Han, launch configuration", groups_of(layout, how)},
        {"points_per_item", "points", "that a work-item computes, of a streaming one in a pass of its loop",
         "Han, work units per work-item", points},
        {"vector_width", "points", "of one read or write", "Garvey §4.5",
         number(static_cast<std::uint64_t>(how.vector_width))},
        {"time_steps", "steps", "that a launch computes", "GeST Table 1", static_cast<double>(how.steps)},
        {"region_x", "points", "of the box that a work-group reads, along x", "Han, region to be cached",
         number(r.box[0])},
        {"region_y", "points", "of the box that a work-group reads, along y", "Han, region to be cached",
         number(r.box[1])},
        {"region_z", "points", "of the box that a work-group reads, along z", "Han, region to be cached",
         number(r.box[2])},
        {"region_bytes", "bytes", "of local memory that the boxes of all arrays read at several points take",
         "Han, region to be cached", r.bytes},
        {"region_reuse", "1", "reads of these arrays by a work-group over the elements of their boxes",
         "Han, data reuse", r.reads * product(tile) / r.elements},
        {"coalescing", "1", "used share of the 128-byte segments that 32 work-items touch with one read",
         "Han, memory coalescing", coalescing(how, r.element)},
        {"context_reads", "per item", "reads of other arrays by a work-item", "Han, context accesses",
         r.context * points},
        {"item_operations", "per item", "operations of a work-item", "Han, computation", operations * points},
        {"register_estimate", "values", "that a work-item may hold at once: results, what they read, planes in queues",
         "Han, register usage", values},
        {"local_bytes", "bytes", "of local memory that the work-group uses: those of the region, or none",
         "Han, local memory usage", how.local ? r.bytes : 0},
    };
}

} // namespace gst
