#include "core/space/diagram.hpp"

#include <algorithm>

namespace gst {

diagram::node diagram::node_at(std::uint32_t first) const {
    node n{first, 1};
    while (n.first + n.count < edges.size() && edges[n.first + n.count].before > 0) {
        ++n.count;
    }
    return n;
}

const diagram::edge* diagram::find(node n, std::uint16_t wanted) const {
    const edge* first = edges.data() + n.first;
    const edge* last = first + n.count;
    // Most domains begin whole, so that the value's own place is the best guess.
    if (wanted < n.count && first[wanted].value == wanted) {
        return first + wanted;
    }
    const edge* found =
        std::lower_bound(first, last, wanted, [](const edge& e, std::uint16_t v) { return e.value < v; });
    return found != last && found->value == wanted ? found : nullptr;
}

void diagram::at(std::uint64_t rank, std::uint16_t* values) const {
    node n = root;
    for (std::size_t l = 0; l < layers; ++l) {
        // The last edge with before <= rank, by halves and without branches that nobody can predict.
        const edge* taken = edges.data() + n.first;
        while (n.count > 1) {
            const std::uint32_t half = n.count / 2;
            taken += taken[half].before <= rank ? half : 0;
            n.count -= half;
        }
        rank -= taken->before;
        *values++ = taken->value;
        n = taken->child();
    }
}

bool diagram::follow(std::size_t l, node n, const std::uint16_t* values, std::uint64_t& rank) const {
    for (; l < layers; ++l) {
        const edge* e = find(n, *values++);
        if (!e) {
            return false;
        }
        rank += e->before;
        n = e->child();
    }
    return true;
}

std::size_t diagram::nodes() const {
    return static_cast<std::size_t>(std::ranges::count(edges, std::uint64_t{0}, &edge::before)) - 1; // but the end
}

diagram empty_diagram(std::size_t layers) {
    diagram d;
    d.layers = layers;
    return d;
}

diagram complete_diagram(const std::vector<std::size_t>& sizes) {
    diagram d;
    d.layers = sizes.size();
    d.count = 1;
    d.root = {0, 1};
    for (std::size_t l = sizes.size(); l-- > 0;) {
        const diagram::node child = d.root;
        d.root = {static_cast<std::uint32_t>(d.edges.size()), static_cast<std::uint32_t>(sizes[l])};
        for (std::size_t v = 0; v < sizes[l]; ++v) {
            std::uint64_t before = 0;
            if (__builtin_mul_overflow(v, d.count, &before)) {
                before = ~std::uint64_t{0}; // never 0 by chance, which only a first edge has
            }
            d.edges.push_back(
                {before, child.first, static_cast<std::uint16_t>(v), static_cast<std::uint16_t>(child.count - 1)});
        }
        if (__builtin_mul_overflow(d.count, sizes[l], &d.count)) {
            d.count = ~std::uint64_t{0};
            d.too_many = true;
        }
    }
    return d;
}

} // namespace gst
