#pragma once

#include "core/codegen/stream/values.hpp"

#include <cstddef>
#include <string>

namespace gst::streaming {

/// The name of what a statement loads from local memory, or "".
std::string loaded(const statement& s);

/// Makes values live shorter, so that more of them fit in registers, and leaves work for the time that others take. Of
/// the statements from `first` on
///
/// - loads from local memory are done where the first other statement needs them;
/// - sums are begun, and what other lanes need is shuffled, as soon as the first terms are known, so that behind a
///   barrier terms are left from the first one on that waits for a load (FastStencil adds up earlier planes before it,
///   too);
/// - each of `stores`, which would be done last, comes when it has all that it needs and two more results are known.
///
/// Loads and stores pass no barrier, and what comes between its halves stays there. No store may change what one of the
/// loads reads, no statement what a load's address mentions, and none of the loads that address itself. (ptxas keeps
/// the order of accesses to local memory, and about that of arithmetic around them.)
void shorten_lives(block& all, std::size_t first, block stores);

} // namespace gst::streaming
