#include "core/space/node_set.hpp"

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
            for (std::size_t i = 0; i < width_; ++i) {
                states_.push_back(columns[i][lane]);
            }
            grow();
            return static_cast<std::uint32_t>(bases_.size() - 1);
        }
        if (hashes_[found] == hash && bases_[found] == base && holds(found, columns, lane)) {
            return found;
        }
    }
}

bool node_set::holds(std::size_t node, const double* const* columns, std::size_t lane) const {
    for (std::size_t i = 0; i < width_; ++i) {
        if (std::bit_cast<std::uint64_t>(state(node)[i]) != std::bit_cast<std::uint64_t>(columns[i][lane])) {
            return false;
        }
    }
    return true;
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

std::pair<std::uint32_t, std::size_t> node_set::widest(const std::vector<std::uint32_t>& owners) const {
    std::pair<std::uint32_t, std::size_t> widest{0, 0};
    for (const std::uint32_t owner : std::set<std::uint32_t>(owners.begin(), owners.end())) {
        std::set<std::vector<std::uint64_t>> different;
        for (std::size_t node = 0; node < size(); ++node) {
            std::vector<std::uint64_t> own;
            for (std::size_t i = 0; i < width_; ++i) {
                if (owners[i] == owner) {
                    own.push_back(std::bit_cast<std::uint64_t>(state(node)[i]));
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

} // namespace gst
