#pragma once

#include <cstdint>
#include <functional>

namespace gst::streaming {

/// Bytes of local memory that are read or written in a cycle, each word of 4 bytes in one of the banks.
inline constexpr std::int64_t bytes_of_banks = 128;

/// Cycles that local memory takes for vectors of `bytes` of some sub-groups' work-items, of which work-item n's begins
/// at byte place_of(n): as many at a time as fill all banks, each bank a word at a time.
int bank_cycles(std::int64_t bytes, const std::function<std::int64_t(std::int64_t)>& place_of);

} // namespace gst::streaming
