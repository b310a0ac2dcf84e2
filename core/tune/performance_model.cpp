#include "core/tune/performance_model.hpp"

#include "core/stencil/work.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace gst {

namespace {

constexpr double operations_per_byte = 10; ///< balance of the device: arithmetic that hides behind a byte of traffic
constexpr double cache_per_memory = 4;     ///< bytes that caches deliver for one of memory
constexpr double segment = 128;            ///< bytes along x that a memory transaction fetches
constexpr double most_values = 200;        ///< values that a work-item keeps in registers without spilling
constexpr double not_hidden = 0.1;         ///< share of the shorter ones of traffic, cache accesses and arithmetic
// Of CPUs, whose work-items are loops that barriers cut, and whose images are function calls: operations per read,
// after a 7-point stencil through PoCL that took 10 times as long with local memory and 100 times as long with images.
constexpr double local_read = 100;
constexpr double image_read = 1000;
constexpr double group_start = 1e-6; ///< seconds to start a work-group

struct cost_per_point {
    double bytes = 0; ///< least traffic
    double reads = 0; ///< bytes of all reads
    double operations = 0;
    double value = 4; ///< bytes of a value
};

cost_per_point cost_of(const stencil& s, extent3 size) {
    cost_per_point out;
    std::set<node_id> nodes;
    for (const update& u : s.updates) {
        out.value = static_cast<double>(size_of(s.fields[u.field].type));
        const auto some = reachable(s, u.value);
        nodes.insert(some.begin(), some.end());
    }
    for (const node_id n : nodes) {
        if (const auto* r = std::get_if<ir::read>(&s.nodes[n].op)) {
            out.reads += static_cast<double>(size_of(s.fields[r->field].type));
        } else {
            out.operations += 1;
        }
    }
    const double points = static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]);
    out.bytes = least_traffic(s, size) / points;
    return out;
}

/// Points that a tile computes or loads for one that it writes: it overlaps its neighbours by the halo of its steps.
double redundancy(const schedule& how, offset3 reach, bool of_loads) {
    double out = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool along = how.stream_axis == static_cast<int>(axis);
        const double tile =
            along ? static_cast<double>(how.stream_length) : static_cast<double>(how.tile(static_cast<int>(axis)));
        const double steps = of_loads || how.steps > 1 ? how.steps : 0;
        const double halo = 2.0 * static_cast<double>(reach[axis]) * steps;
        const bool tile_holds_halo = how.stream_axis >= 0 && !along;
        const double written = tile_holds_halo ? std::max(1.0, tile - halo) : tile;
        out *= (tile_holds_halo ? tile : tile + halo) / written;
    }
    return out;
}

double share(double used, double granularity) {
    return used / (std::ceil(used / granularity) * granularity);
}

} // namespace

roofline roofline_of(const device_info& device, double copy_bandwidth) {
    return {copy_bandwidth, std::max(1.0, static_cast<double>(device.compute_units)),
            device.type == "gpu" ? std::max(32.0, static_cast<double>(device.language.sub_group)) : 1.0};
}

double estimate(const stencil& s, extent3 size, const schedule& how, const roofline& device) {
    const cost_per_point one = cost_of(s, size);
    const offset3 reach = reach_of(s);
    const double steps = how.steps;
    // Through local memory or registers a point is fetched once per tile; else every read goes to the caches.
    const bool shares = how.local || how.shuffle || how.stream_axis >= 0;
    const double memory = one.bytes * (shares ? redundancy(how, reach, true) : 1) / steps;
    const bool cpu = device.lanes <= 1;
    const double caches = shares ? 0 : one.reads / static_cast<double>(how.vector_width) / cache_per_memory;
    const double read_cost = !cpu ? 0 : how.image ? image_read : how.local ? local_read : 0;
    const double arithmetic =
        (one.operations * redundancy(how, reach, false) + read_cost * one.reads / one.value) / operations_per_byte;

    const double group = static_cast<double>(how.work_group[0] * how.work_group[1] * how.work_group[2]);
    double groups = 1;
    double values = 1; // that a work-item holds
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const bool along = how.stream_axis == static_cast<int>(axis);
        const double tile =
            along ? static_cast<double>(how.stream_length) : static_cast<double>(how.tile(static_cast<int>(axis)));
        groups *= std::ceil(static_cast<double>(size[axis]) / tile);
        values *= along ? 1 : static_cast<double>(how.block[axis] * how.cyclic[axis]);
    }
    if (how.stream_axis >= 0) {
        const auto r = static_cast<double>(reach[static_cast<std::size_t>(how.stream_axis)]);
        values *= (2 * r + 1) * steps / how.stage_groups() + how.planes * (how.prefetch ? 2 : 1);
    }
    const double coalesced =
        device.lanes > 1 ? share(static_cast<double>(how.work_group[0]) * how.vector_width * one.value, segment) : 1;
    const double busy = share(group, device.lanes) * share(groups, device.compute_units) /
                        (cpu ? 1 : std::max(1.0, values / most_values));
    const double longest = std::max({memory / coalesced, caches, arithmetic});
    const double bytes = longest + not_hidden * (memory / coalesced + caches + arithmetic - longest);
    const double points = static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]);
    const double starting = cpu ? groups * group_start / steps / device.compute_units : 0;
    return 1e3 * (points * bytes / device.bandwidth / busy + starting);
}

std::function<double(const configuration&)> performance_model(const tuning_request& r, const device_info& device,
                                                              double copy_bandwidth) {
    const roofline roof = roofline_of(device, copy_bandwidth);
    return [&r, roof](const configuration& c) {
        return estimate(r.stencil, r.size, schedule_of(r.space, c, schedule()), roof);
    };
}

} // namespace gst
