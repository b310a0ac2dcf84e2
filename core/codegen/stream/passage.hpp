#pragma once

#include "core/codegen/stream/tracked_array.hpp"
#include "core/codegen/stream/values.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gst::streaming {

/// A plane of every array.
using planes_of_arrays = std::map<const tracked_array*, plane>;

/// The work-item's points of planes of arrays that no tile holds, by field and level.
using planes_beside = std::map<std::pair<std::uint32_t, int>, plane>;

/// What the variables of a time step hold before a plane passes through it.
struct stage_state {
    std::map<const tracked_array*, std::deque<plane>> queue; ///< the planes that came before, oldest first
    std::vector<std::deque<plane>> sums;                     ///< per update: of the planes of the result, oldest first
    planes_of_arrays late;             ///< with skewing: what the step before it has computed last
    std::vector<planes_beside> beside; ///< by plane of a pass: of its result, what completes sums
};

/// An array, the plane's offset from the result's, column and row from the work-item's first point.
using fetched_point = std::tuple<const tracked_array*, int, std::int64_t, std::int64_t>;

/// Where things are while a plane passes through a time step.
struct passage {
    int stage = 0;
    int row = 0;
    std::string prefix;
    value come;   ///< the plane that has come
    value result; ///< the plane that it completes
    stage_state* state = nullptr;
    planes_of_arrays now;     ///< the plane that has come, of arrays that come behind the others the result's
    planes_of_arrays results; ///< the planes of the results; points that are not computed yet are null
    std::map<fetched_point, value> fetched;
    // The work-item's points of the result's plane that complete sums:
    planes_beside beside;
    planes_of_arrays centre; ///< of arrays that tiles hold
    /// By update, array, part of a minimal filter, group of lines and place along them: what the part makes of the
    /// group.
    std::map<std::tuple<std::size_t, const tracked_array*, std::size_t, std::int64_t, std::int64_t>, plane> filtered;
    /// This work-item's first element in the tile of the exchanged plane so many planes behind the newest one.
    std::map<std::pair<const tracked_array*, std::int64_t>, value> tiles;
};

} // namespace gst::streaming
