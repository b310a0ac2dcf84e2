#include "core/stencil/features.hpp"

#include "core/stencil/work.hpp"

#include <algorithm>
#include <utility>

namespace gst {

namespace {

bool is_binary(const node& n, std::initializer_list<ir::binary_op> among) {
    const auto* b = std::get_if<ir::binary>(&n.op);
    return b != nullptr && std::find(among.begin(), among.end(), b->op) != among.end();
}

std::set<offset3> exchanged(const std::set<offset3>& pattern, std::size_t a, std::size_t b) {
    std::set<offset3> out;
    for (offset3 o : pattern) {
        std::swap(o[a], o[b]);
        out.insert(o);
    }
    return out;
}

double ratio(std::size_t a, std::size_t b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

double box_points(const access_summary& a) {
    double points = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        points *= a.high[axis] - a.low[axis] + 1;
    }
    return points;
}

double dimensionality(const access_summary& a) {
    double axes = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        axes += a.low[axis] != a.high[axis] ? 1 : 0;
    }
    return axes;
}

double radius(const access_summary& a, std::size_t axis) {
    return std::max(-a.low[axis], a.high[axis]);
}

double value_bytes(const stencil& s) {
    std::size_t bytes = 0;
    for (const field& f : s.fields) {
        bytes = std::max(bytes, size_of(f.type));
    }
    return static_cast<double>(bytes);
}

} // namespace

bool is_operation(const node& n) {
    return std::holds_alternative<ir::unary>(n.op) || std::holds_alternative<ir::binary>(n.op) ||
           std::holds_alternative<ir::call>(n.op) || std::holds_alternative<ir::select>(n.op);
}

access_summary accesses_of(const stencil& s) {
    access_summary out;
    for (const update& u : s.updates) { // each is computed by a launch of its own
        std::set<std::pair<std::uint32_t, int>> arrays;
        for (const node_id id : reachable(s, u.value)) {
            const node& n = s.nodes[id];
            out.additions += is_binary(n, {ir::binary_op::add, ir::binary_op::subtract}) ? 1 : 0;
            out.multiplications += is_binary(n, {ir::binary_op::multiply}) ? 1 : 0;
            out.operations += is_operation(n) ? 1 : 0;
            const auto* r = std::get_if<ir::read>(&n.op);
            if (r == nullptr) {
                continue;
            }
            ++out.reads;
            out.unaligned_reads += r->at[0] != 0 ? 1 : 0;
            arrays.insert({r->field, r->level});
            out.pattern.insert(r->at);
            for (std::size_t axis = 0; axis < 3; ++axis) {
                out.low[axis] = std::min(out.low[axis], r->at[axis]);
                out.high[axis] = std::max(out.high[axis], r->at[axis]);
            }
        }
        out.arrays += arrays.size();
    }
    return out;
}

int unique_axis(const std::set<offset3>& pattern) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const std::size_t a = (axis + 1) % 3;
        const std::size_t b = (axis + 2) % 3;
        if (exchanged(pattern, a, b) == pattern && exchanged(pattern, axis, a) != pattern) {
            return static_cast<int>(axis);
        }
    }
    return -1;
}

features stencil_features(const stencil& s, extent3 size) {
    const access_summary a = accesses_of(s);
    const auto count = [](std::size_t n) { return static_cast<double>(n); };
    const double traffic = least_traffic(s, size) / points_of(size);
    const double box = box_points(a);
    return {
        {"size", "points", "distinct offsets that are read", "Garvey §6.1", count(a.pattern.size())},
        {"dimensionality", "axes", "axes along which something off the centre is read", "Garvey §6.1",
         dimensionality(a)},
        {"density", "1", "size over the points of the smallest box around the offsets and the centre", "Garvey §6.1",
         count(a.pattern.size()) / box},
        {"unique_dimension", "axis", "the axis that differs from the other two: 1 x, 2 y, 3 z, 0 none", "Garvey §6.1",
         static_cast<double>(unique_axis(a.pattern) + 1)},
        {"radius_x", "points", "greatest distance along x that is read", "Garvey §7.1", radius(a, 0)},
        {"radius_y", "points", "greatest distance along y that is read", "Garvey §7.1", radius(a, 1)},
        {"radius_z", "points", "greatest distance along z that is read", "Garvey §7.1", radius(a, 2)},
        {"adds_per_read", "1", "additions and subtractions over reads", "Garvey §8.3.8", ratio(a.additions, a.reads)},
        {"multiplies_per_read", "1", "multiplications over reads", "Garvey §8.3.8", ratio(a.multiplications, a.reads)},
        {"operations", "per point", "operations and functions of the updates", "gst", count(a.operations)},
        {"reads", "per point", "distinct elements that the updates read", "gst", count(a.reads)},
        {"writes", "per point", "elements that are written", "gst", count(s.updates.size())},
        {"arrays_read", "arrays", "fields, coefficients and earlier time levels that the updates read", "gst",
         count(a.arrays)},
        {"reuse", "1", "reads over arrays read: how often an element is needed", "Han, impact of local memory",
         ratio(a.reads, a.arrays)},
        {"unaligned_share", "1", "share of the reads that are off the centre along x", "Garvey §4.5",
         ratio(a.unaligned_reads, a.reads)},
        {"value_bytes", "bytes", "of a value of the widest field", "gst", value_bytes(s)},
        {"bytes", "per point", "least traffic with memory: what must be read and written once", "gst", traffic},
        {"intensity", "per byte", "operations over bytes", "gst", count(a.operations) / traffic},
        {"grid_x", "points", "of the grid along x", "Garvey §8.3.6", static_cast<double>(size[0])},
        {"grid_y", "points", "of the grid along y", "Garvey §8.3.7", static_cast<double>(size[1])},
        {"grid_z", "points", "of the grid along z", "Garvey §8.3.7", static_cast<double>(size[2])},
    };
}

} // namespace gst
