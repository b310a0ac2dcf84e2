#pragma once

#include "core/codegen/stream/values.hpp"

namespace gst::streaming {

/// Pairs loads, from local memory, of vectors of which half of the lanes is needed, the first half of one and the
/// second half of the other. Work-items side by side load vectors side by side, and so the needed halves are in half of
/// the banks, which takes as long as loading all lanes. Of a pair some work-items load the one half while the others
/// load the other one, and then the other way round, so that each time all banks are read: half of the cycles, for a
/// selection per lane.
///
/// `item` numbers the work-items that load side by side. Vectors are paired whose places differ by a constant, where
/// the statements between them are declarations.
void pair_halves(block& all, const value& item);

} // namespace gst::streaming
