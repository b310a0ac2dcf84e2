#include "core/codegen/stream/banks.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace gst::streaming {

int bank_cycles(std::int64_t bytes, const std::function<std::int64_t(std::int64_t)>& place_of) {
    constexpr std::int64_t times = 32, word_bytes = 4, banks = bytes_of_banks / word_bytes;
    const std::int64_t together = std::max<std::int64_t>(bytes_of_banks / bytes, 1);
    int all = 0;
    std::vector<std::int64_t> words;
    for (std::int64_t first = 0; first < times * together; first += together) {
        words.clear();
        for (std::int64_t item = first; item < first + together; ++item) {
            const std::int64_t at = place_of(item);
            for (std::int64_t word = at / word_bytes; word < (at + bytes) / word_bytes; ++word) {
                words.push_back(word);
            }
        }
        std::sort(words.begin(), words.end());
        words.erase(std::unique(words.begin(), words.end()), words.end());
        std::array<int, banks> asked{};
        for (const std::int64_t word : words) {
            ++asked[static_cast<std::size_t>(word % banks)];
        }
        all += *std::max_element(asked.begin(), asked.end());
    }
    return all;
}

} // namespace gst::streaming
