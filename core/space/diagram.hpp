#pragma once

#include "core/space/layer_program.hpp"

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

namespace gst {

/// A layered decision diagram: from each node of a layer an edge for each value that leads to a solution. Behind the
/// last layer is one end. All edges lie in one piece and say where their child's lie, so that a way through the diagram
/// touches little memory.
struct diagram {
    /// Its edges lie side by side, in ascending order of value.
    struct node {
        std::uint32_t first = 0; ///< edge
        std::uint32_t count = 0; ///< 0: there is no solution
    };
    struct edge {
        std::uint64_t before;     ///< solutions over the earlier edges of the same node: 0 for its first edge only
        std::uint32_t child_edge; ///< the child's first
        std::uint16_t value;      ///< position in the domain
        std::uint16_t siblings;   ///< edges of the child behind its first
        node child() const { return {child_edge, siblings + std::uint32_t{1}}; }
    };
    std::vector<edge> edges{{0, 0, 0, 0}}; ///< of all nodes; the first one is nobody's and stands for the end
    node root;                             ///< of the first layer
    std::size_t layers = 0;
    std::uint64_t count = 0; ///< solutions
    bool too_many = false;   ///< more than 2^64 - 1 solutions: count and before mean nothing

    std::span<const edge> of(node n) const { return {edges.data() + n.first, n.count}; }
    /// The node of which this is the first edge.
    node node_at(std::uint32_t first) const;
    const edge* find(node n, std::uint16_t value) const;
    /// The values of solution number `rank` < count, by layer.
    void at(std::uint64_t rank, std::uint16_t* values) const;
    /// Whether the values of the layers from this one on lead from `n` to the end; the rank among them is added.
    bool follow(std::size_t layer, node n, const std::uint16_t* values, std::uint64_t& rank) const;
    std::size_t nodes() const;
};

/// No solutions.
diagram empty_diagram(std::size_t layers);

/// All combinations of values.
diagram complete_diagram(const std::vector<std::size_t>& sizes);

/// These solutions and no others, in this order: distinct rows of one value per layer, in ascending order. The diagram
/// is the smallest for its order of layers: no two nodes lead to the same rests.
diagram listed_diagram(std::size_t layers, const std::vector<std::vector<std::uint16_t>>& rows);

/// The solutions of `base` without those whose values in some of the layers, those that are true in `among`, are a
/// solution of `excluded`, whose layers are these. `excluded` has solutions.
diagram difference(const diagram& base, const std::vector<bool>& among, const diagram& excluded);

struct diagram_limits {
    std::size_t nodes = 20'000'000;
    std::size_t edges = 100'000'000;
};

/// Why a diagram was given up: the layer behind which the condition has too many states.
struct overgrown {
    std::size_t layer;
    std::size_t states;
};

/// The solutions of `base` that satisfy the condition of these programs; `domains` go by layer.
std::variant<diagram, overgrown> refined(const diagram& base, const std::vector<layer_program>& programs,
                                         const std::vector<std::vector<double>>& domains,
                                         const diagram_limits& limits = {});

/// The solutions of `base` whose values are allowed; `allowed` (empty: all) goes by layer.
diagram restricted(const diagram& base, const std::vector<std::vector<bool>>& allowed);

} // namespace gst
