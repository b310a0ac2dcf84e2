#include "core/space/reduced_diagram.hpp"

#include <utility>

namespace gst {

diagram listed_diagram(std::size_t layers, const std::vector<std::vector<std::uint16_t>>& rows) {
    if (rows.empty()) {
        return empty_diagram(layers);
    }
    diagram_draft draft;
    std::vector<std::uint32_t> node(rows.size(), 0); // that each row has come to: rows with the same values so far
    std::size_t nodes = 1;
    for (std::size_t l = 0; l < layers; ++l) {
        draft.layers.push_back({draft.arcs.size(), nodes});
        nodes = 0;
        std::uint32_t from = 0;
        for (std::size_t r = 0; r < rows.size(); ++r) {
            if (r == 0 || node[r] != from || rows[r][l] != rows[r - 1][l]) {
                const std::uint32_t child = l + 1 < layers ? static_cast<std::uint32_t>(nodes++) : 0;
                draft.arcs.push_back({node[r], child, rows[r][l]});
            }
            from = std::exchange(node[r], draft.arcs.back().child);
        }
    }
    return reduced(draft);
}

} // namespace gst
