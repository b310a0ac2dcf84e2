#pragma once

#include "core/stencil/stencil.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace gst::streaming {

/// An array of which planes pass through the kernel.
struct tracked_array {
    std::uint32_t field = 0;
    int level = 0;
    scalar type = scalar::f32;
    std::string name;
    int oldest_plane = 0;              ///< least offset along the streaming axis that it is read at, or 0
    bool reads_neighbours = false;     ///< it is read at other points than the one that is computed
    std::set<int> exchanged_planes;    ///< offsets of those of which work-items show each other points
    std::optional<int> oldest_in_halo; ///< with halos in local memory: least offset that points are read at there

    bool is_exchanged() const { return !exchanged_planes.empty(); }
    /// Several of its planes are held in local memory at a time.
    bool is_ring() const { return exchanged_planes.size() > 1; }
    std::int64_t ring_slots() const { return *exchanged_planes.rbegin() - *exchanged_planes.begin() + 2; }
};

/// An array of which no tile of stage groups with tiles of their own holds points: the first one loads them.
struct array_beside {
    std::uint32_t field = 0;
    int level = 0;       ///< as each group sees it
    bool second = false; ///< whether the second one does, too
};

/// An array of which the first of two stage groups with tiles of their own leaves points in local memory.
struct left_array {
    std::uint32_t field = 0;
    int level = 0; ///< as the first one sees it
    std::string name;
    scalar type = scalar::f32;
};

/// The array of a field at a level; null: there is none.
template<class Arrays>
auto find_array(Arrays& all, std::uint32_t field, int level) -> decltype(&*all.begin()) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.field == field && a.level == level; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace gst::streaming
