#include "core/space/diagram.hpp"

#include <algorithm>

namespace gst {

const diagram::edge* diagram::find(std::size_t l, std::uint32_t node, std::uint16_t wanted) const {
    const layer& at = layers[l];
    if (at.begin.size() < 2) {
        return nullptr;
    }
    const edge* first = at.edges.data() + at.begin[node];
    const edge* last = at.edges.data() + at.begin[node + 1];
    // Most domains begin whole, so that the value's own place is the best guess.
    if (wanted < last - first && first[wanted].value == wanted) {
        return first + wanted;
    }
    const edge* found =
        std::lower_bound(first, last, wanted, [](const edge& e, std::uint16_t v) { return e.value < v; });
    return found != last && found->value == wanted ? found : nullptr;
}

void diagram::at(std::uint64_t rank, std::uint16_t* values) const {
    std::uint32_t node = 0;
    for (const layer& l : layers) {
        // The last edge with before <= rank, by halves and without branches that nobody can predict.
        const edge* taken = l.edges.data() + l.begin[node];
        for (std::uint32_t n = l.begin[node + 1] - l.begin[node]; n > 1;) {
            const std::uint32_t half = n / 2;
            taken += taken[half].before <= rank ? half : 0;
            n -= half;
        }
        rank -= taken->before;
        *values++ = taken->value;
        node = taken->child;
    }
}

bool diagram::follow(std::size_t l, std::uint32_t node, const std::uint16_t* values, std::uint64_t& rank) const {
    for (; l < layers.size(); ++l) {
        const edge* e = find(l, node, *values++);
        if (!e) {
            return false;
        }
        rank += e->before;
        node = e->child;
    }
    return true;
}

std::size_t diagram::nodes() const {
    std::size_t n = 0;
    for (const layer& l : layers) {
        n += l.begin.size() - 1;
    }
    return n;
}

diagram complete_diagram(const std::vector<std::size_t>& sizes) {
    diagram d;
    d.layers.resize(sizes.size());
    d.count = 1;
    for (std::size_t l = sizes.size(); l-- > 0;) {
        d.layers[l].begin = {0, static_cast<std::uint32_t>(sizes[l])};
        d.layers[l].edges.reserve(sizes[l]);
        for (std::size_t v = 0; v < sizes[l]; ++v) {
            d.layers[l].edges.push_back({v * d.count, 0, static_cast<std::uint16_t>(v)});
        }
        if (__builtin_mul_overflow(d.count, sizes[l], &d.count)) {
            d.count = ~std::uint64_t{0};
            d.too_many = true;
        }
    }
    return d;
}

} // namespace gst
