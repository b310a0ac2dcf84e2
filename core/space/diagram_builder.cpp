#include "core/space/arithmetic.hpp"
#include "core/space/diagram.hpp"
#include "core/space/node_set.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <span>

namespace gst {

namespace {

constexpr std::size_t block = 256; ///< lanes computed at once

/// Computes one layer's edges block by block.
class layer_builder {
  public:
    layer_builder(const layer_program& program, const std::vector<double>& domain, node_set& next,
                  std::vector<diagram::edge>& edges)
        : program_(program), domain_(domain), next_(next), edges_(edges), columns_(program.registers * block),
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
                pending_[lanes_++] = {node, edges.front().child, edges.front().value};
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
            const pending& e = pending_[live_[k]];
            const std::uint64_t hash = hashes_[k] ^ (hashes_[k] >> 32);
            // `before` holds the node for now.
            edges_.push_back({e.node, next_.intern(e.child, hash, outputs_.data(), live_[k]), e.value});
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

    struct pending {
        std::uint32_t node;
        std::uint32_t child;
        std::uint16_t value;
    };
    const layer_program& program_;
    const std::vector<double>& domain_;
    node_set& next_;
    std::vector<diagram::edge>& edges_;
    std::vector<double> columns_;
    std::vector<double*> outputs_;
    std::vector<double> state_; ///< of the node whose edges are added
    pending pending_[block];
    std::uint32_t live_[block]; ///< the lanes that hold
    std::uint64_t hashes_[block];
    std::size_t lanes_ = 0;
};

/// The nodes of a layer that differ: from two with equal edges leads the same on.
class distinct_nodes {
  public:
    /// `table` is room that the layers share.
    distinct_nodes(const diagram::layer& of, std::size_t most, std::vector<std::uint32_t>& table)
        : of_(of), table_(table) {
        table_.assign(std::bit_ceil(2 * most + 1), none);
    }

    /// The node with edges as those behind edge `begin`, which is `fresh` if none has them.
    std::uint32_t find_or_insert(std::uint32_t begin, std::uint32_t end, std::uint32_t fresh) {
        std::uint64_t hash = end - begin;
        for (std::uint32_t e = begin; e < end; ++e) {
            const std::uint64_t edge = std::uint64_t{of_.edges[e].child} << 16 | of_.edges[e].value;
            hash = (std::rotl(hash, 29) ^ edge) * 0x9E3779B97F4A7C15ULL;
        }
        for (std::size_t at = hash >> 32 & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
            if (table_[at] == none) {
                table_[at] = fresh;
                return fresh;
            }
            if (equal(of_.begin[table_[at]], of_.begin[table_[at] + 1], begin, end)) {
                return table_[at];
            }
        }
    }

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    bool equal(std::uint32_t a, std::uint32_t a_end, std::uint32_t b, std::uint32_t b_end) const {
        const auto at = [&](std::uint32_t e) { return of_.edges.begin() + e; };
        return std::equal(at(a), at(a_end), at(b), at(b_end), [](const diagram::edge& x, const diagram::edge& y) {
            return x.child == y.child && x.value == y.value;
        });
    }
    const diagram::layer& of_;
    std::vector<std::uint32_t>& table_;
};

/// Removes what does not lead to the end, makes one node of those with the same rests, numbers the nodes anew and
/// counts solutions. Edges hold their node in `before`.
void reduce(diagram& d, std::vector<std::size_t> sizes) {
    std::vector<std::uint64_t> below{1}; // solutions from each node of the next layer; the end
    std::vector<std::uint32_t> number{0};
    std::vector<std::uint64_t> solutions;
    std::vector<std::uint32_t> renumbered;
    std::vector<std::uint32_t> table;
    d.too_many = false;
    for (std::size_t l = d.layers.size(); l-- > 0;) {
        diagram::layer& at = d.layers[l];
        solutions.assign(sizes[l], 0);
        renumbered.assign(sizes[l], 0);
        distinct_nodes distinct(at, sizes[l], table);
        at.begin.assign(1, 0);
        std::uint32_t kept = 0;
        for (auto e = at.edges.begin(); e != at.edges.end();) {
            const std::uint64_t node = e->before;
            for (; e != at.edges.end() && e->before == node; ++e) {
                const std::uint64_t below_child = below[e->child];
                if (below_child == 0) {
                    continue;
                }
                at.edges[kept++] = {solutions[node], number[e->child], e->value};
                if (__builtin_add_overflow(solutions[node], below_child, &solutions[node])) {
                    solutions[node] = ~std::uint64_t{0};
                    d.too_many = true;
                }
            }
            const std::uint32_t begin = at.begin.back();
            const auto fresh = static_cast<std::uint32_t>(at.begin.size() - 1);
            if (kept > begin) {
                renumbered[node] = distinct.find_or_insert(begin, kept, fresh);
                if (renumbered[node] == fresh) {
                    at.begin.push_back(kept);
                } else {
                    kept = begin;
                }
            }
        }
        at.edges.resize(kept);
        if (at.edges.capacity() > kept + 64) { // else it is not worth a copy
            at.edges.shrink_to_fit();
        }
        below.swap(solutions);
        number.swap(renumbered);
    }
    d.count = below.empty() ? 0 : below[0];
}

} // namespace

std::variant<diagram, overgrown> refined(const diagram& base, const std::vector<layer_program>& programs,
                                         const std::vector<std::vector<double>>& domains,
                                         const diagram_limits& limits) {
    diagram d;
    d.layers.resize(base.layers.size());
    std::vector<std::size_t> sizes;
    node_set nodes(0);
    if (base.count > 0) {
        nodes.intern(0, 0, nullptr, 0);
    }
    std::size_t all_nodes = 0;
    std::size_t all_edges = 0;
    for (std::size_t l = 0; l < base.layers.size(); ++l) {
        const layer_program& program = programs[l];
        node_set next(program.outputs.size());
        std::vector<diagram::edge>& edges = d.layers[l].edges;
        layer_builder builder(program, domains[l], next, edges);
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            const diagram::layer& from = base.layers[l];
            const std::uint32_t* begin = from.begin.data() + nodes.base(node);
            builder.add(nodes, node, std::span(from.edges).subspan(begin[0], begin[1] - begin[0]));
            if (all_nodes + next.size() > limits.nodes || all_edges + edges.size() > limits.edges) {
                return overgrown{l, next.different_states()};
            }
        }
        builder.flush();
        sizes.push_back(nodes.size());
        all_nodes += next.size();
        all_edges += edges.size();
        nodes = std::move(next);
    }
    reduce(d, std::move(sizes));
    return d;
}

diagram restricted(const diagram& base, const std::vector<std::vector<bool>>& allowed) {
    constexpr std::uint32_t none = 0xFFFFFFFF;
    diagram d;
    d.layers.resize(base.layers.size());
    std::vector<std::size_t> sizes;
    std::vector<std::uint32_t> nodes; // of `base`
    std::vector<std::uint32_t> next;  // of the layer behind
    std::vector<std::uint32_t> number;
    if (base.count > 0) {
        nodes.push_back(0);
    }
    for (std::size_t l = 0; l < base.layers.size(); ++l) {
        const diagram::layer& from = base.layers[l];
        const bool last = l + 1 == base.layers.size();
        number.assign(last ? 1 : base.layers[l + 1].begin.size() - 1, none);
        next.clear();
        d.layers[l].edges.reserve(nodes.size());
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            for (std::uint32_t e = from.begin[nodes[node]]; e < from.begin[nodes[node] + 1]; ++e) {
                const diagram::edge& edge = from.edges[e];
                if (!allowed[l].empty() && !allowed[l][edge.value]) {
                    continue;
                }
                if (number[edge.child] == none) {
                    number[edge.child] = static_cast<std::uint32_t>(next.size());
                    next.push_back(edge.child);
                }
                d.layers[l].edges.push_back({node, number[edge.child], edge.value}); // see reduce
            }
        }
        sizes.push_back(nodes.size());
        nodes.swap(next);
    }
    reduce(d, std::move(sizes));
    return d;
}

diagram difference(const diagram& base, const std::vector<bool>& among, const diagram& excluded) {
    constexpr std::uint32_t apart = 0xFFFFFFFF; // in place of a node of `excluded`: none of its solutions is left
    using pair = std::array<std::uint32_t, 2>;  // a node of each diagram
    diagram d;
    d.layers.resize(base.layers.size());
    std::vector<std::size_t> sizes;
    std::vector<pair> nodes;
    if (base.count > 0) {
        nodes.push_back({0, 0});
    }
    std::size_t other = 0; // layer of `excluded`
    for (std::size_t l = 0; l < base.layers.size(); ++l) {
        std::map<pair, std::uint32_t> numbers;
        std::vector<pair> next;
        const diagram::layer& from = base.layers[l];
        for (std::uint32_t node = 0; node < nodes.size(); ++node) {
            const auto [at, at_other] = nodes[node];
            for (std::uint32_t e = from.begin[at]; e < from.begin[at + 1]; ++e) {
                std::uint32_t to_other = at_other;
                if (among[l] && at_other != apart) {
                    const diagram::edge* same = excluded.find(other, at_other, from.edges[e].value);
                    if (same != nullptr && other + 1 == excluded.layers.size()) {
                        continue;
                    }
                    to_other = same != nullptr ? same->child : apart;
                }
                const pair to{from.edges[e].child, to_other};
                const auto [found, fresh] = numbers.try_emplace(to, static_cast<std::uint32_t>(next.size()));
                if (fresh) {
                    next.push_back(to);
                }
                d.layers[l].edges.push_back({node, found->second, from.edges[e].value}); // see reduce
            }
        }
        other += among[l] ? 1 : 0;
        sizes.push_back(nodes.size());
        nodes = std::move(next);
    }
    reduce(d, std::move(sizes));
    return d;
}

} // namespace gst
