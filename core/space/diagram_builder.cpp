#include "core/space/arithmetic.hpp"
#include "core/space/node_set.hpp"
#include "core/space/reduced_diagram.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <span>

namespace gst {

namespace {

constexpr std::size_t block = 256; ///< lanes computed at once

/// Computes one layer's arcs block by block.
class layer_builder {
  public:
    layer_builder(const layer_program& program, const std::vector<double>& domain, node_set& next,
                  std::vector<diagram_draft::arc>& arcs)
        : program_(program), domain_(domain), next_(next), arcs_(arcs), columns_(program.registers * block),
          state_(program.inputs) {
        for (const auto& [where, number] : program.constants) {
            std::fill_n(column(where), block, number);
        }
        for (const std::uint32_t output : program.outputs) {
            outputs_.push_back(column(output));
        }
    }

    /// The edges of a node of the base diagram, continued from a node of this one.
    void add(const node_set& nodes, std::uint32_t node, std::span<const diagram::edge> edges) {
        nodes.read_state(node, state_.data());
        while (!edges.empty()) {
            const std::size_t begin = lanes_;
            for (; lanes_ < block && !edges.empty(); edges = edges.subspan(1)) {
                pending_[lanes_++] = {node, edges.front().child_edge, edges.front().value};
            }
            for (std::uint32_t i = 0; i < program_.inputs; ++i) {
                std::fill(column(i) + begin, column(i) + lanes_, state_[i]);
            }
            if (!domain_.empty()) {
                double* values = column(program_.inputs);
                for (std::size_t lane = begin; lane < lanes_; ++lane) {
                    values[lane] = domain_[pending_[lane].value];
                }
            }
            if (lanes_ == block) {
                flush();
            }
        }
    }

    void flush() {
        const std::size_t steps = (lanes_ + layer_program::lane_step - 1) / layer_program::lane_step;
        program_.run(columns_.data(), block, steps * layer_program::lane_step);
        std::size_t live = 0;
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
            live_[live] = static_cast<std::uint32_t>(lane);
            live += holds(lane) ? 1 : 0;
        }
        for (std::size_t k = 0; k < live; ++k) {
            hashes_[k] = pending_[live_[k]].child * multiplier;
        }
        for (double* output : outputs_) {
            for (std::size_t k = 0; k < live; ++k) {
                // One NaN and one zero, so that equal states are equal bits.
                double& x = output[live_[k]];
                x = std::isnan(x) ? undefined : x + 0.0;
                hashes_[k] = (std::rotl(hashes_[k], 29) ^ std::bit_cast<std::uint64_t>(x)) * multiplier;
            }
        }
        for (std::size_t k = 0; k < live; ++k) {
            const diagram_draft::arc& a = pending_[live_[k]];
            const std::uint64_t hash = hashes_[k] ^ (hashes_[k] >> 32);
            arcs_.push_back({a.node, next_.intern(a.child, hash, outputs_.data(), live_[k]), a.value});
        }
        lanes_ = 0;
    }

  private:
    static constexpr std::uint64_t multiplier = 0x9E3779B97F4A7C15ULL;
    bool holds(std::size_t lane) const {
        for (const std::uint32_t c : program_.conditions) {
            if (columns_[c * block + lane] == 0) {
                return false;
            }
        }
        return true;
    }
    double* column(std::size_t r) { return columns_.data() + r * block; }

    const layer_program& program_;
    const std::vector<double>& domain_;
    node_set& next_;
    std::vector<diagram_draft::arc>& arcs_;
    std::vector<double> columns_;
    std::vector<double*> outputs_;
    std::vector<double> state_;         ///< of the node whose edges are added
    diagram_draft::arc pending_[block]; ///< whose child is the first edge of one of the base diagram
    std::uint32_t live_[block];         ///< the lanes that hold
    std::uint64_t hashes_[block];
    std::size_t lanes_ = 0;
};

} // namespace

std::variant<diagram, overgrown> refined(const diagram& base, const std::vector<layer_program>& programs,
                                         const std::vector<std::vector<double>>& domains,
                                         const diagram_limits& limits) {
    if (base.count == 0) {
        return base;
    }
    diagram_draft draft;
    node_set nodes(0);
    nodes.intern(base.root.first, 0, nullptr, 0);
    std::size_t all_nodes = 0;
    for (std::size_t l = 0; l < base.layers; ++l) {
        draft.layers.push_back({draft.arcs.size(), nodes.size()});
        const layer_program& program = programs[l];
        node_set next(program.outputs.size());
        layer_builder builder(program, domains[l], next, draft.arcs);
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            builder.add(nodes, node, base.of(base.node_at(nodes.base(node))));
            if (all_nodes + next.size() > limits.nodes || draft.arcs.size() > limits.edges) {
                return overgrown{l, next.different_states()};
            }
        }
        builder.flush();
        all_nodes += next.size();
        nodes = std::move(next);
    }
    return reduced(draft);
}

diagram restricted(const diagram& base, const std::vector<std::vector<bool>>& allowed) {
    constexpr std::uint32_t none = 0xFFFFFFFF;
    if (base.count == 0) {
        return base;
    }
    diagram_draft draft;
    std::vector<diagram::node> nodes{base.root};                // of `base`
    std::vector<diagram::node> next;                            // of the layer behind
    std::vector<std::uint32_t> number(base.edges.size(), none); // of nodes, by their first edge
    for (std::size_t l = 0; l < base.layers; ++l) {
        draft.layers.push_back({draft.arcs.size(), nodes.size()});
        next.clear();
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            for (const diagram::edge& edge : base.of(nodes[node])) {
                if (!allowed[l].empty() && !allowed[l][edge.value]) {
                    continue;
                }
                if (number[edge.child_edge] == none) {
                    number[edge.child_edge] = static_cast<std::uint32_t>(next.size());
                    next.push_back(edge.child());
                }
                draft.arcs.push_back({node, number[edge.child_edge], edge.value});
            }
        }
        nodes.swap(next);
    }
    return reduced(draft);
}

diagram difference(const diagram& base, const std::vector<bool>& among, const diagram& excluded) {
    struct pair {
        diagram::node at;
        diagram::node other; ///< of `excluded`; without edges where none of its solutions is left
    };
    if (base.count == 0) {
        return base;
    }
    diagram_draft draft;
    std::vector<pair> nodes{{base.root, excluded.root}};
    std::size_t others = 0; // layers of `excluded` so far
    for (std::size_t l = 0; l < base.layers; ++l) {
        draft.layers.push_back({draft.arcs.size(), nodes.size()});
        others += among[l] ? 1 : 0;
        std::map<std::array<std::uint32_t, 3>, std::uint32_t> numbers;
        std::vector<pair> next;
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            for (const diagram::edge& edge : base.of(nodes[node].at)) {
                pair to{edge.child(), nodes[node].other};
                if (among[l]) {
                    const diagram::edge* same = excluded.find(to.other, edge.value);
                    if (same != nullptr && others == excluded.layers) {
                        continue;
                    }
                    to.other = same != nullptr ? same->child() : diagram::node{};
                }
                const auto [found, fresh] = numbers.try_emplace({to.at.first, to.other.first, to.other.count},
                                                                static_cast<std::uint32_t>(next.size()));
                if (fresh) {
                    next.push_back(to);
                }
                draft.arcs.push_back({node, found->second, edge.value});
            }
        }
        nodes = std::move(next);
    }
    return reduced(draft);
}

} // namespace gst
