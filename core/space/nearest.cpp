#include "core/space/nearest.hpp"

#include <algorithm>
#include <unordered_map>

namespace gst {

namespace {

/// Depth-first with a bound on the steps, raised until a solution is within it (iterative deepening, Korf 1985): what
/// is asked for is mostly near, and then only the surroundings of the wanted path are looked at.
class nearest_search {
  public:
    nearest_search(const diagram& d, const std::vector<std::uint16_t>& values, const std::vector<bool>& ordered)
        : diagram_(d), values_(values), ordered_(ordered), found_(values) {}

    std::vector<std::uint16_t> run() {
        for (std::uint64_t bound = 0; !reach(0, 0, bound); ++bound) {
            far_ = bound > 0;
        }
        return found_;
    }

  private:
    std::uint64_t steps(std::size_t layer, std::uint16_t to) const {
        const std::uint16_t from = values_[layer];
        if (ordered_[layer]) {
            return from < to ? to - from : from - to;
        }
        return from == to ? 0 : 1;
    }

    /// Whether a solution lies behind the node within the bound; it is in found_ then.
    bool reach(std::size_t layer, std::uint32_t node, std::uint64_t bound) {
        if (layer == diagram_.layers.size()) {
            return true;
        }
        const std::uint64_t place = std::uint64_t{layer} << 32 | node;
        if (far_) {
            const auto before = failed_.find(place);
            if (before != failed_.end() && bound <= before->second) {
                return false;
            }
        }
        const diagram::layer& at = diagram_.layers[layer];
        const diagram::edge* first = at.edges.data() + at.begin[node];
        const diagram::edge* last = at.edges.data() + at.begin[node + 1];
        // From the wanted value outwards.
        const diagram::edge* up = std::lower_bound(first, last, values_[layer],
                                                   [](const diagram::edge& e, std::uint16_t v) { return e.value < v; });
        const diagram::edge* down = up;
        while (up != last || down != first) {
            const bool upwards =
                down == first || (up != last && steps(layer, up->value) <= steps(layer, (down - 1)->value));
            const diagram::edge* e = upwards ? up++ : --down;
            const std::uint64_t cost = steps(layer, e->value);
            if (cost > bound) {
                break; // the others are as far or farther
            }
            if (reach(layer + 1, e->child, bound - cost)) {
                found_[layer] = e->value;
                return true;
            }
        }
        if (far_) {
            failed_[place] = bound;
        }
        return false;
    }

    const diagram& diagram_;
    const std::vector<std::uint16_t>& values_;
    const std::vector<bool>& ordered_;
    std::vector<std::uint16_t> found_;
    bool far_ = false; ///< farther than a step: nodes are reached in many ways, and those in vain are worth remembering
    std::unordered_map<std::uint64_t, std::uint64_t> failed_; ///< largest bound in vain, by layer and node
};

} // namespace

std::vector<std::uint16_t> nearest_solution(const diagram& d, const std::vector<std::uint16_t>& values,
                                            const std::vector<bool>& ordered) {
    return nearest_search(d, values, ordered).run();
}

} // namespace gst
