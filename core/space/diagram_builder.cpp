#include "core/space/diagram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <set>

namespace gst {

namespace {

constexpr std::size_t block = 256; ///< lanes computed at once

/// The nodes of one layer: the node of the base diagram that each stands for, and its state.
class node_set {
  public:
    explicit node_set(std::size_t width) : width_(width), table_(64, none) {}

    /// The node with this base and state (every `stride`-th number from the columns), made when it is new.
    std::uint32_t intern(std::uint32_t base, const double* columns, std::size_t stride,
                         const std::uint32_t* registers) {
        row_.resize(width_);
        std::uint64_t hash = base * 0x9E3779B97F4A7C15ULL;
        for (std::size_t i = 0; i < width_; ++i) {
            const double x = columns[registers[i] * stride];
            row_[i] = std::isnan(x) ? std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN())
                                    : std::bit_cast<std::uint64_t>(x + 0.0);
            hash = (std::rotl(hash, 29) ^ row_[i]) * 0x9E3779B97F4A7C15ULL;
        }
        hash ^= hash >> 32;
        for (std::size_t at = hash & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
            const std::uint32_t found = table_[at];
            if (found == none) {
                table_[at] = static_cast<std::uint32_t>(bases_.size());
                bases_.push_back(base);
                hashes_.push_back(hash);
                states_.insert(states_.end(), row_.begin(), row_.end());
                grow();
                return static_cast<std::uint32_t>(bases_.size() - 1);
            }
            if (hashes_[found] == hash && bases_[found] == base &&
                std::equal(row_.begin(), row_.end(), states_.begin() + static_cast<std::ptrdiff_t>(found * width_))) {
                return found;
            }
        }
    }

    std::size_t size() const { return bases_.size(); }
    std::uint32_t base(std::size_t node) const { return bases_[node]; }
    double state(std::size_t node, std::size_t i) const { return std::bit_cast<double>(states_[node * width_ + i]); }

    /// The condition with the most different states, and how many.
    std::pair<std::uint32_t, std::size_t> widest(const std::vector<std::uint32_t>& owners) const {
        std::pair<std::uint32_t, std::size_t> widest{0, 0};
        for (const std::uint32_t owner : std::set<std::uint32_t>(owners.begin(), owners.end())) {
            std::set<std::vector<std::uint64_t>> different;
            for (std::size_t node = 0; node < size(); ++node) {
                std::vector<std::uint64_t> own;
                for (std::size_t i = 0; i < width_; ++i) {
                    if (owners[i] == owner) {
                        own.push_back(states_[node * width_ + i]);
                    }
                }
                different.insert(std::move(own));
            }
            if (different.size() > widest.second) {
                widest = {owner, different.size()};
            }
        }
        return widest;
    }

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    void grow() {
        if (bases_.size() * 2 < table_.size()) {
            return;
        }
        table_.assign(table_.size() * 4, none);
        for (std::uint32_t node = 0; node < bases_.size(); ++node) {
            std::size_t at = hashes_[node] & (table_.size() - 1);
            while (table_[at] != none) {
                at = (at + 1) & (table_.size() - 1);
            }
            table_[at] = node;
        }
    }

    std::size_t width_;
    std::vector<std::uint32_t> table_;
    std::vector<std::uint32_t> bases_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint64_t> states_;
    std::vector<std::uint64_t> row_;
};

/// Computes one layer's edges block by block.
class layer_builder {
  public:
    layer_builder(const layer_program& program, const std::vector<double>& domain, node_set& next,
                  std::vector<diagram::edge>& edges)
        : program_(program), domain_(domain), next_(next), edges_(edges), columns_(program.registers * block) {
        for (const auto& [where, number] : program.constants) {
            std::fill_n(columns_.data() + where * block, block, number);
        }
    }

    void add(const node_set& nodes, std::size_t node, const diagram::edge& e) {
        for (std::uint32_t i = 0; i < program_.inputs; ++i) {
            columns_[i * block + lanes_] = nodes.state(node, i);
        }
        if (!domain_.empty()) {
            columns_[program_.inputs * block + lanes_] = domain_[e.value];
        }
        pending_[lanes_++] = {static_cast<std::uint32_t>(node), e.child, e.value};
        if (lanes_ == block) {
            flush();
        }
    }

    void flush() {
        const std::size_t steps = (lanes_ + layer_program::lane_step - 1) / layer_program::lane_step;
        program_.run(columns_.data(), block, steps * layer_program::lane_step);
        for (std::size_t lane = 0; lane < lanes_; ++lane) {
            const bool holds = std::all_of(program_.conditions.begin(), program_.conditions.end(),
                                           [&](std::uint32_t c) { return columns_[c * block + lane] != 0; });
            if (holds) {
                const std::uint32_t child =
                    next_.intern(pending_[lane].child, columns_.data() + lane, block, program_.outputs.data());
                edges_.push_back({pending_[lane].node, child, pending_[lane].value}); // `before` holds the node for now
            }
        }
        lanes_ = 0;
    }

  private:
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
    pending pending_[block];
    std::size_t lanes_ = 0;
};

/// Removes what does not lead to the end, numbers the rest anew and counts solutions. Edges hold their node in
/// `before`.
void count_backwards(diagram& d, std::vector<std::size_t> sizes) {
    std::vector<std::uint64_t> below{1}; // solutions from each node of the next layer; the end
    std::vector<std::uint32_t> number{0};
    d.too_many = false;
    for (std::size_t l = d.layers.size(); l-- > 0;) {
        diagram::layer& at = d.layers[l];
        std::vector<std::uint64_t> solutions(sizes[l]);
        std::vector<std::uint32_t> renumbered(sizes[l]);
        at.begin.clear();
        std::size_t kept = 0;
        std::uint64_t node = ~std::uint64_t{0};
        for (const diagram::edge& e : at.edges) {
            if (below[e.child] == 0) {
                continue;
            }
            if (e.before != node) {
                node = e.before;
                renumbered[node] = static_cast<std::uint32_t>(at.begin.size());
                at.begin.push_back(static_cast<std::uint32_t>(kept));
            }
            at.edges[kept++] = {solutions[node], number[e.child], e.value};
            if (__builtin_add_overflow(solutions[node], below[e.child], &solutions[node])) {
                solutions[node] = ~std::uint64_t{0};
                d.too_many = true;
            }
        }
        at.edges.resize(kept);
        at.edges.shrink_to_fit();
        at.begin.push_back(static_cast<std::uint32_t>(kept));
        below = std::move(solutions);
        number = std::move(renumbered);
    }
    d.count = below.empty() ? 0 : below[0];
}

} // namespace

std::variant<diagram, overgrown> refined(const diagram& base, const std::vector<layer_program>& programs,
                                         const std::vector<std::vector<double>>& domains,
                                         const std::vector<std::vector<bool>>& allowed, const diagram_limits& limits) {
    const layer_program nothing;
    const std::vector<double> none;
    diagram d;
    d.layers.resize(base.layers.size());
    std::vector<std::size_t> sizes;
    node_set nodes(0);
    if (base.count > 0) {
        nodes.intern(0, nullptr, 0, nullptr);
    }
    std::size_t all_nodes = 0;
    std::size_t all_edges = 0;
    for (std::size_t l = 0; l < base.layers.size(); ++l) {
        const layer_program& program = programs.empty() ? nothing : programs[l];
        node_set next(program.outputs.size());
        std::vector<diagram::edge>& edges = d.layers[l].edges;
        layer_builder builder(program, programs.empty() ? none : domains[l], next, edges);
        for (std::size_t node = 0; node < nodes.size(); ++node) {
            const diagram::layer& from = base.layers[l];
            for (std::uint32_t e = from.begin[nodes.base(node)]; e < from.begin[nodes.base(node) + 1]; ++e) {
                if (allowed.empty() || allowed[l].empty() || allowed[l][from.edges[e].value]) {
                    builder.add(nodes, node, from.edges[e]);
                }
            }
            if (all_nodes + next.size() > limits.nodes || all_edges + edges.size() > limits.edges) {
                const auto [condition, states] = next.widest(program.owners);
                return overgrown{l, condition, states};
            }
        }
        builder.flush();
        sizes.push_back(nodes.size());
        all_nodes += next.size();
        all_edges += edges.size();
        nodes = std::move(next);
    }
    count_backwards(d, std::move(sizes));
    return d;
}

} // namespace gst
