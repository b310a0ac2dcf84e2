#pragma once

#include "core/codegen/stream/values.hpp"

#include <cstddef>

namespace gst::streaming {

/// Makes values live shorter, so that more of them fit in registers, and leaves work for the time that others take. Of
/// the statements from `first` on
///
/// - loads from local memory are done where the first other statement needs them;
/// - the terms of sums are added as soon as they are known, and shuffled as soon as what others need is: behind a
///   barrier only those are left that wait for a load (FastStencil adds up earlier planes before it, too);
/// - each of `stores`, which would be done last, comes when it has all that it needs and two more results are known.
///
/// Loads and stores pass no barrier. No store may change what one of the loads reads, no statement what a load's
/// address mentions. (ptxas keeps the order of accesses to local memory, and about that of arithmetic around them.)
void shorten_lives(block& all, std::size_t first, block stores);

} // namespace gst::streaming
