#include "core/stencil/canonical.hpp"

#include <limits>

namespace gst {

namespace {

constexpr node_id unplaced = std::numeric_limits<node_id>::max();

node with_operands(node n, const std::vector<node_id>& place) {
    if (auto* u = std::get_if<ir::unary>(&n.op)) {
        u->a = place[u->a];
    } else if (auto* b = std::get_if<ir::binary>(&n.op)) {
        b->a = place[b->a];
        b->b = place[b->b];
    } else if (auto* c = std::get_if<ir::call>(&n.op)) {
        c->a = place[c->a];
    } else if (auto* s = std::get_if<ir::select>(&n.op)) {
        s->condition = place[s->condition];
        s->a = place[s->a];
        s->b = place[s->b];
    } else if (auto* k = std::get_if<ir::convert>(&n.op)) {
        k->a = place[k->a];
    }
    return n;
}

} // namespace

stencil canonical(const stencil& s) {
    stencil out = s;
    out.nodes.clear();
    std::vector<node_id> place(s.nodes.size(), unplaced);
    std::vector<node_id> open; // a node lies below the operands that it waits for
    for (update& u : out.updates) {
        open.push_back(u.value);
        while (!open.empty()) {
            const node_id id = open.back();
            const std::size_t before = open.size();
            for_each_operand(s.nodes[id], [&](node_id a) {
                if (place[a] == unplaced) {
                    open.insert(open.begin() + static_cast<std::ptrdiff_t>(before),
                                a); // the first operand comes out on top
                }
            });
            if (open.size() == before) {
                open.pop_back();
                if (place[id] == unplaced) {
                    place[id] = static_cast<node_id>(out.nodes.size());
                    out.nodes.push_back(with_operands(s.nodes[id], place));
                }
            }
        }
        u.value = place[u.value];
    }
    return out;
}

} // namespace gst
