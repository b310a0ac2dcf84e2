#pragma once

#include "core/codegen/stream/values.hpp"

#include <cstddef>

namespace gst::streaming {

/// Makes values live shorter, so that more of them fit in registers: of the statements from `first` on, loads from
/// local memory are done where the first other statement needs them, and each of `stores`, which would be done last, as
/// soon as it has all that it needs; neither passes a barrier. No store may change what one of the loads reads. (ptxas
/// keeps the order of accesses to local memory.)
void shorten_lives(block& all, std::size_t first, block stores);

} // namespace gst::streaming
