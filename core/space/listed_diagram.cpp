#include "core/space/diagram.hpp"

#include <algorithm>
#include <map>

namespace gst {

diagram listed_diagram(std::size_t layers, const std::vector<std::vector<std::uint16_t>>& rows) {
    using edges = std::vector<std::pair<std::uint16_t, std::uint32_t>>; // value, node of the next layer
    diagram d;
    d.layers.resize(layers, {{0}, {}});
    d.count = rows.size();
    if (rows.empty()) {
        return d;
    }
    // Rows with the same values before a layer stand together: `begin` are the first rows of such groups, `node` what
    // each group's rest is. Groups of equal rests are one node.
    std::vector<std::size_t> begin(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        begin[r] = r;
    }
    std::vector<std::uint32_t> node(rows.size(), 0);
    std::vector<std::uint64_t> below{1}; // rows from each node of the next layer
    for (std::size_t l = layers; l-- > 0;) {
        const auto same_group = [&](std::size_t a, std::size_t b) {
            return std::equal(rows[a].begin(), rows[a].begin() + static_cast<std::ptrdiff_t>(l), rows[b].begin());
        };
        std::map<edges, std::uint32_t> nodes;
        std::vector<std::size_t> groups;
        std::vector<std::uint32_t> group_nodes;
        std::vector<std::uint64_t> counts;
        for (std::size_t g = 0; g < begin.size();) {
            const std::size_t first = begin[g];
            edges from;
            for (; g < begin.size() && same_group(first, begin[g]); ++g) {
                from.emplace_back(rows[begin[g]][l], node[g]);
            }
            const auto [found, fresh] = nodes.try_emplace(from, static_cast<std::uint32_t>(nodes.size()));
            groups.push_back(first);
            group_nodes.push_back(found->second);
            if (fresh) {
                std::uint64_t before = 0;
                for (const auto& [taken, child] : from) {
                    d.layers[l].edges.push_back({before, child, taken});
                    before += below[child];
                }
                d.layers[l].begin.push_back(static_cast<std::uint32_t>(d.layers[l].edges.size()));
                counts.push_back(before);
            }
        }
        begin = std::move(groups);
        node = std::move(group_nodes);
        below = std::move(counts);
    }
    return d;
}

} // namespace gst
