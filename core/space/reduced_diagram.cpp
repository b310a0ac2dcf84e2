#include "core/space/reduced_diagram.hpp"

#include <algorithm>
#include <bit>

namespace gst {

namespace {

/// The nodes of a layer that differ: from two with equal edges leads the same on.
class distinct_nodes {
  public:
    /// `table` is room that the layers share.
    distinct_nodes(const std::vector<diagram::edge>& edges, std::size_t most, std::vector<diagram::node>& table)
        : edges_(edges), table_(table) {
        table_.assign(std::bit_ceil(2 * most + 1), {});
    }

    /// The node with edges as this one, which it is itself if none has them.
    diagram::node find_or_insert(diagram::node n) {
        std::uint64_t hash = n.count;
        for (std::uint32_t e = n.first; e < n.first + n.count; ++e) {
            const std::uint64_t edge = std::uint64_t{edges_[e].child_edge} << 16 | edges_[e].value;
            hash = (std::rotl(hash, 29) ^ edge) * 0x9E3779B97F4A7C15ULL;
        }
        for (std::size_t at = hash >> 32 & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
            if (table_[at].count == 0) {
                table_[at] = n;
            }
            if (table_[at].first == n.first || equal(table_[at], n)) {
                return table_[at];
            }
        }
    }

  private:
    bool equal(diagram::node a, diagram::node b) const {
        const auto at = [&](std::uint32_t e) { return edges_.begin() + e; };
        return std::equal(at(a.first), at(a.first + a.count), at(b.first), at(b.first + b.count),
                          [](const diagram::edge& x, const diagram::edge& y) {
                              return x.child_edge == y.child_edge && x.value == y.value;
                          });
    }

    const std::vector<diagram::edge>& edges_;
    std::vector<diagram::node>& table_;
};

struct counted_node {
    diagram::node at;
    std::uint64_t solutions = 0;
};

} // namespace

diagram reduced(const diagram_draft& draft) {
    diagram d;
    d.layers = draft.layers.size();
    d.edges.reserve(draft.arcs.size() + 1);
    std::vector<counted_node> next{{{0, 1}, 1}}; // of the layer behind; the end
    std::vector<counted_node> here;
    std::vector<diagram::node> table;
    std::size_t end = draft.arcs.size();
    for (std::size_t l = d.layers; l-- > 0;) {
        here.assign(draft.layers[l].nodes, {});
        distinct_nodes distinct(d.edges, here.size(), table);
        for (std::size_t a = draft.layers[l].begin; a < end;) {
            const std::uint32_t node = draft.arcs[a].node;
            counted_node& n = here[node];
            const auto first = static_cast<std::uint32_t>(d.edges.size());
            for (; a < end && draft.arcs[a].node == node; ++a) {
                const counted_node& child = next[draft.arcs[a].child];
                if (child.solutions == 0) {
                    continue;
                }
                d.edges.push_back(
                    {n.solutions, child.at.first, draft.arcs[a].value, static_cast<std::uint16_t>(child.at.count - 1)});
                if (__builtin_add_overflow(n.solutions, child.solutions, &n.solutions)) {
                    n.solutions = ~std::uint64_t{0};
                    d.too_many = true;
                }
            }
            if (d.edges.size() > first) {
                n.at = distinct.find_or_insert({first, static_cast<std::uint32_t>(d.edges.size() - first)});
                if (n.at.first != first) {
                    d.edges.resize(first);
                }
            }
        }
        end = draft.layers[l].begin;
        next.swap(here);
    }
    if (d.edges.capacity() > d.edges.size() + 64) { // else it is not worth a copy
        d.edges.shrink_to_fit();
    }
    if (!next.empty()) {
        d.root = next[0].at;
        d.count = next[0].solutions;
    }
    return d;
}

} // namespace gst
