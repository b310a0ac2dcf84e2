#include "core/base/hash.hpp"

#include <fmt/format.h>
#include <xxhash.h>

namespace gst {

std::string digest(std::string_view bytes) {
    const XXH128_hash_t h = XXH3_128bits(bytes.data(), bytes.size());
    return fmt::format("{:016x}{:016x}", h.high64, h.low64);
}

} // namespace gst
