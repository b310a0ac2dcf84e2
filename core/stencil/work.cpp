#include "core/stencil/work.hpp"

#include <set>
#include <utility>

namespace gst {

double points_of(extent3 size) {
    return static_cast<double>(size[0]) * static_cast<double>(size[1]) * static_cast<double>(size[2]);
}

double least_traffic(const stencil& s, extent3 size) {
    const double points = points_of(size);
    double bytes = 0;
    std::set<std::pair<std::uint32_t, int>> arrays;
    for (const update& u : s.updates) {
        bytes += points * static_cast<double>(size_of(s.fields[u.field].type));
        for (const node_id n : reachable(s, u.value)) {
            const auto* r = std::get_if<ir::read>(&s.nodes[n].op);
            if (r && r->level <= 0 && arrays.insert({r->field, r->level}).second) {
                bytes += points * static_cast<double>(size_of(s.fields[r->field].type));
            }
        }
    }
    return bytes;
}

} // namespace gst
