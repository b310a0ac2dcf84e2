#include "core/codegen/stream/banks.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace gst::streaming {

int bank_cycles(std::int64_t bytes, const std::function<std::int64_t(std::int64_t)>& place_of) {
    constexpr std::int64_t times = 32, word_bytes = 4, banks = bytes_of_banks / word_bytes;
    const std::int64_t together = std::max<std::int64_t>(bytes_of_banks / bytes, 1);
    int all = 0;
    for (std::int64_t first = 0; first < times * together; first += together) {
        std::array<std::set<std::int64_t>, banks> of_bank;
        for (std::int64_t item = first; item < first + together; ++item) {
            const std::int64_t at = place_of(item);
            for (std::int64_t word = at / word_bytes; word < (at + bytes) / word_bytes; ++word) {
                of_bank[static_cast<std::size_t>(word % banks)].insert(word);
            }
        }
        std::size_t most = 0;
        for (const auto& words : of_bank) {
            most = std::max(most, words.size());
        }
        all += static_cast<int>(most);
    }
    return all;
}

} // namespace gst::streaming
