#pragma once

#include <cstdint>
#include <cstdlib>

namespace gst::testing {

/// GST_TEST_SEED, or 0: added to every property test's own seeds.
inline std::uint64_t first_seed() {
    const char* given = std::getenv("GST_TEST_SEED");
    return given != nullptr ? std::strtoull(given, nullptr, 10) : 0;
}

} // namespace gst::testing
