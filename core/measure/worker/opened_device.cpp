#include "core/measure/worker/opened_device.hpp"

#include "core/measure/frame.hpp"

#include <algorithm>

namespace gst::worker {

executable& opened_device::module(const std::string& id) const {
    const auto found = modules.find(id);
    if (found == modules.end()) {
        throw std::runtime_error("the module " + id + " is not loaded");
    }
    return *found->second;
}

void fill(device& d, memory& m, std::uint64_t begin, std::uint64_t end, std::span<const std::byte> element) {
    std::vector<std::byte> piece(std::min<std::uint64_t>(end - begin, piece_bytes / element.size() * element.size()));
    for (std::size_t i = 0; i < piece.size(); ++i) {
        piece[i] = element[i % element.size()];
    }
    for (std::uint64_t at = begin; at < end; at += piece.size()) {
        d.write(m, at, std::span(piece).first(std::min<std::uint64_t>(piece.size(), end - at)));
    }
}

} // namespace gst::worker
