#pragma once

#include "core/codegen/loop_nest.hpp"

#include <cstdint>

namespace gst {

/// The code of one part of a work-group (nest::in_parts), where the language lets it pass barriers at a place of its
/// own: branches on the parts' condition go one way, whole barriers are numbered ones of all `work_items`. The second
/// part begins no copies of boxes where the device makes them (`copies_boxes`). Throws std::logic_error where boxes are
/// prepared in a part, or parts stand in one.
nest::block code_of_part(const nest::in_parts& p, bool first, std::uint64_t work_items, bool copies_boxes);

} // namespace gst
