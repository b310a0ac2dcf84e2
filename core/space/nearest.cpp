#include "core/space/nearest.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace gst {

namespace {

/// The fewest steps in which nodes were reached: a hash table in one piece, since it lives for microseconds.
class fewest_steps {
  public:
    fewest_steps() = default;
    fewest_steps(const fewest_steps&) = delete;
    fewest_steps& operator=(const fewest_steps&) = delete;

    /// Notes in how many steps the node was reached; false when it was reached in as few before.
    bool lower(std::uint32_t node, std::uint64_t steps) {
        if (2 * used_ >= slots_.size()) {
            grow();
        }
        slot& s = find(node);
        used_ += s.node == none ? 1 : 0;
        const bool fewer = s.node == none || steps < s.steps;
        if (fewer) {
            s = {node, steps};
        }
        return fewer;
    }

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;
    struct slot {
        std::uint32_t node = none; ///< its first edge
        std::uint64_t steps = 0;
    };

    slot& find(std::uint32_t node) {
        std::size_t at = node * 0x9E3779B97F4A7C15ULL >> shift_;
        while (slots_[at].node != none && slots_[at].node != node) {
            at = (at + 1) & (slots_.size() - 1);
        }
        return slots_[at];
    }
    void grow() {
        shift_ -= 2;
        std::vector<slot> larger(4 * slots_.size());
        const std::span<const slot> before = std::exchange(slots_, larger);
        for (const slot& s : before) {
            if (s.node != none) {
                find(s.node) = s;
            }
        }
        larger_ = std::move(larger); // the slots stay where they are
    }

    int shift_ = 64 - 7;
    std::array<slot, 128> first_; ///< enough for most; no memory is asked for
    std::vector<slot> larger_;
    std::span<slot> slots_ = first_;
    std::size_t used_ = 0;
};

/// Depth-first branch and bound (Land and Doig 1960), from the wanted values outwards: the first way down is near, and
/// bounds the others.
class nearest_search {
  public:
    nearest_search(const diagram& d, const std::vector<std::uint16_t>& values, const std::vector<bool>& ordered)
        : diagram_(d), values_(values), ordered_(ordered), at_(values), found_(values) {}

    std::vector<std::uint16_t> run() {
        descend(0, diagram_.root, 0);
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

    /// Takes the solutions behind the node, so many steps away, that are nearer than what was found.
    void descend(std::size_t layer, diagram::node node, std::uint64_t away) {
        if (layer == diagram_.layers) {
            nearest_ = away;
            found_ = at_;
            return;
        }
        if (!reached_.lower(node.first, away)) {
            return; // what lies behind was searched as near or nearer
        }
        const diagram::edge* first = diagram_.edges.data() + node.first;
        const diagram::edge* last = first + node.count;
        const diagram::edge* up = std::lower_bound(first, last, values_[layer],
                                                   [](const diagram::edge& e, std::uint16_t v) { return e.value < v; });
        const diagram::edge* down = up;
        while (up != last || down != first) {
            const bool upwards =
                down == first || (up != last && steps(layer, up->value) <= steps(layer, (down - 1)->value));
            const diagram::edge* e = upwards ? up++ : --down;
            const std::uint64_t there = away + steps(layer, e->value);
            if (there >= nearest_) {
                break; // the others are as far or farther
            }
            at_[layer] = e->value;
            descend(layer + 1, e->child(), there);
        }
    }

    const diagram& diagram_;
    const std::vector<std::uint16_t>& values_;
    const std::vector<bool>& ordered_;
    std::vector<std::uint16_t> at_;
    std::vector<std::uint16_t> found_;
    fewest_steps reached_;
    std::uint64_t nearest_ = std::numeric_limits<std::uint64_t>::max();
};

} // namespace

std::vector<std::uint16_t> nearest_solution(const diagram& d, const std::vector<std::uint16_t>& values,
                                            const std::vector<bool>& ordered) {
    return nearest_search(d, values, ordered).run();
}

} // namespace gst
