#pragma once

#include "core/codegen/retime.hpp"
#include "core/codegen/schedule.hpp"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Stage groups with tiles of their own (schedule::stage_tiles): the first time step's tile is as large as the second
/// one reads, the second one's is what a work-group writes.
namespace gst {

/// Work-items of a stage group begin at a multiple of so many: those of a sub-group take the same branch.
inline constexpr std::int64_t stage_alignment = 32;

/// The work-items of a stage group and the points that its tile begins before the second one's.
struct stage_items {
    std::int64_t before_x = 0; ///< a multiple of a work-item's points in a row
    std::int64_t before = 0;   ///< across x
    std::int64_t lanes = 1;    ///< work-items of a row
    std::int64_t rows = 1;     ///< rows of work-items
    std::int64_t first = 0;    ///< its first work-item
    std::int64_t count() const { return lanes * rows; }
};
std::array<stage_items, 2> stage_groups_of(const schedule& how, const offset3& reach);

/// Passes whose planes lie between the groups: one that is written, one that is read and, where the second group may be
/// a pass behind, one more.
inline std::int64_t passes_between(const schedule& how) {
    return how.arrival > 0 ? 3 : 2;
}

/// The launched work-group of a schedule for a stencil that reads so far.
range3 launched_work_group(const schedule& how, const offset3& reach);

/// The work-items of the first stage group in the parameters of the space, where planes come along `axis`.
std::string first_stage_items(int axis, const offset3& reach);

/// Whether updates read what no tile holds: coefficients, or time levels before t. Partial sums are completed with it.
bool reads_beside_tiles(const stencil& s);
/// The sum that such an update completes in a kernel that streams along `axis`; nothing where it does not. Appends
/// nodes to `s`.
std::optional<completed_sum> completed_sum_of(stencil& s, std::size_t update, int axis);
/// A field, and a time level of it as a time step sees it.
using field_level = std::pair<std::uint32_t, int>;
/// The arrays of which points complete sums.
std::vector<field_level> completing_arrays(const stencil& s);
/// Those of which points scale sums along `axis`: what is left of them where the first time step has the terms that are
/// added.
std::set<field_level> scaling_arrays(const stencil& s, int axis);
/// Those of which points are among the terms that are added to sums, and the bytes of these terms, of a point.
std::set<field_level> added_arrays(const stencil& s, int axis);
std::uint64_t bytes_of_terms(const stencil& s, int axis);
/// Those of completing_arrays of which the first time step has the points that the second one needs: of its tiles
/// first. `terms`: it leaves the terms that are added (schedule::left_terms).
std::vector<field_level> arrays_to_leave(const stencil& s, int axis, bool terms);
/// Why a schedule with tiles of their own cannot leave so many arrays, or "".
std::string no_left_arrays(const stencil& s, int axis, bool terms, std::int64_t arrays);
/// Why the first time step cannot leave the terms that are added to the second one's sums, or "".
std::string no_left_terms(const stencil& s, int axis);
/// Planes of its results that the first time step keeps in local memory besides those of passes_between, as the second
/// one completes sums with them; `terms` as above.
std::int64_t planes_to_complete(const stencil& s, int axis, bool terms);

/// Planes behind a point's along `axis` that are read of what is updated.
std::int64_t planes_behind(const stencil& s, int axis);

/// Bytes of local memory that such time steps need at least where planes come along `axis`: planes with their halo on
/// their way, those that are kept, those that one time step hands on to the other or leaves to it. In the parameters of
/// the space.
std::string stage_tile_bytes(const stencil& s, int axis);

/// Why time steps of a stencil cannot have work-items of their own in a kernel that streams along `axis`, or "".
GST_API std::string no_stage_tiles(const stencil& s, int axis);
/// Why those of a schedule that asks for it cannot, or "".
std::string no_stage_groups(const stencil& s, const schedule& how);

} // namespace gst
