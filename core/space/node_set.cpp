#include "core/space/node_set.hpp"

#include <algorithm>
#include <bit>
#include <set>

namespace gst {

std::uint32_t node_set::intern(std::uint32_t base, std::uint64_t hash, const double* const* columns, std::size_t lane) {
    for (std::size_t at = hash & (table_.size() - 1);; at = (at + 1) & (table_.size() - 1)) {
        const std::uint32_t found = table_[at];
        if (found == none) {
            table_[at] = static_cast<std::uint32_t>(bases_.size());
            bases_.push_back(base);
            hashes_.push_back(hash);
            push_state(columns, lane);
            grow();
            return static_cast<std::uint32_t>(bases_.size() - 1);
        }
        if (hashes_[found] == hash && bases_[found] == base && holds(found, columns, lane)) {
            return found;
        }
    }
}

bool node_set::holds(std::size_t node, const double* const* columns, std::size_t lane) const {
    const std::uint64_t* mask = masks_.data() + node * words_;
    const double* next = begins_[node];
    for (std::size_t i = 0; i < width_; ++i) {
        const bool is_zero = (mask[i / 64] >> (i % 64) & 1) == 0;
        const std::uint64_t bits = is_zero ? 0 : std::bit_cast<std::uint64_t>(*next++);
        if (bits != std::bit_cast<std::uint64_t>(columns[i][lane])) {
            return false;
        }
    }
    return true;
}

void node_set::push_state(const double* const* columns, std::size_t lane) {
    if (left_ < width_) {
        constexpr std::size_t first = 256;
        constexpr std::size_t most_doublings = 8;
        left_ = std::max(width_, first << std::min(pieces_.size(), most_doublings));
        pieces_.emplace_back(new double[left_]);
        room_ = pieces_.back().get();
    }
    begins_.push_back(room_);
    masks_.resize(masks_.size() + words_);
    std::uint64_t* mask = masks_.data() + masks_.size() - words_;
    for (std::size_t i = 0; i < width_; ++i) {
        if (std::bit_cast<std::uint64_t>(columns[i][lane]) != 0) {
            mask[i / 64] |= std::uint64_t{1} << (i % 64);
            *room_++ = columns[i][lane];
            --left_;
        }
    }
}

void node_set::read_state(std::size_t node, double* to) const {
    const std::uint64_t* mask = masks_.data() + node * words_;
    const double* next = begins_[node];
    for (std::size_t i = 0; i < width_; ++i) {
        to[i] = (mask[i / 64] >> (i % 64) & 1) == 0 ? 0 : *next++;
    }
}

void node_set::grow() {
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

std::size_t node_set::different_states() const {
    std::set<std::vector<std::uint64_t>> states;
    std::vector<double> state(width_);
    for (std::size_t node = 0; node < size(); ++node) {
        read_state(node, state.data());
        std::vector<std::uint64_t> bits;
        for (const double x : state) {
            bits.push_back(std::bit_cast<std::uint64_t>(x));
        }
        states.insert(std::move(bits));
    }
    return states.size();
}

} // namespace gst
