#pragma once

#include "core/codegen/layout.hpp"
#include "core/codegen/schedule.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Where streaming, temporal blocking and retiming apply.
namespace gst {

/// Halo points behind such a face keep their values.
GST_API bool is_frozen(const boundary& b);
/// Halo points behind such a face are copies of interior points near it.
bool is_copied(const boundary& b);
/// Whether points that are read beyond some face of a field keep their values.
bool has_frozen_faces(const field& f);
/// Whether points are read beyond some periodic face of a field.
bool has_periodic_faces(const field& f);

/// Arrays (field and level) of which planes pass through a kernel: with temporal blocking all levels that fields keep;
/// else those that are read at more than one point. If `coefficients`, coefficients, too: those of which neighbours are
/// read and, with temporal blocking, the others (which are read where they are needed unless planes are copied ahead).
std::set<std::pair<std::uint32_t, int>> streamed_arrays(const stencil& s, const std::vector<std::size_t>& updates,
                                                        int steps, bool coefficients);

/// How far a time step reads the fields that are updated.
offset3 updated_reach(const stencil& s);

/// Why temporal blocking cannot apply to a stencil, or "".
std::string no_temporal_blocking(const stencil& s);
/// Why planes of a stencil's coefficients cannot pass through a kernel of one time step or of several, or "".
GST_API std::string no_coefficient_planes(const stencil& s, bool several_steps);
/// Why a streaming kernel along `axis` cannot keep partial sums, of one time step or of several at a time, or "".
std::string no_retiming(const stencil& s, int axis, bool several_steps);
/// Why partial sums of a streaming kernel along `axis` are not added in an order of their own by it, or "".
std::string no_term_order(const stencil& s, int axis, term_order order);
/// Why a streaming kernel along `axis` with partial sums cannot filter so many lines together, of one time step or
/// of several at a time, or "".
std::string no_filtering(const stencil& s, int axis, int outputs, bool several_steps);
/// How many lines a minimal filter takes together.
inline constexpr std::initializer_list<std::int64_t> filtered_line_numbers = {2, 4};
/// How much farther than the stencil's reach groups of so many columns, filtered together in a streaming kernel along
/// `axis` of several time steps, need each other (decomposed_filter::beyond); 0: no columns are.
GST_API int groups_beyond(const stencil& s, int axis, int outputs);
/// What a point takes in a streaming kernel along `axis` that filters so many lines together.
struct filtered_point {
    double operations = 0;
    double sums = 0;       ///< of products, of one plane and field that is updated
    int groups_beyond = 0; ///< as the function
};
std::optional<filtered_point> filtered_point_of(const stencil& s, int axis, int outputs);
/// Why the barriers of temporal blocking along `axis`, with neighbours along x from other lanes' registers or not,
/// cannot be in two halves, or "".
GST_API std::string no_split_barriers(const stencil& s, int axis, bool shuffle);
/// Why, where tiles hold their halo, a pass along `axis` cannot end between the halves of its barrier, or "".
GST_API std::string no_split_passes(const stencil& s, int axis);
/// What a streaming kernel of one time step along an axis reads of arrays whose planes pass through it.
struct halo_reads {
    std::uint64_t bytes = 0; ///< of one point of the arrays that neighbouring work-items' points are needed of
    offset3 reach{};         ///< how far it reads
};
halo_reads read_with_halo(const stencil& s, std::size_t update, int axis, bool shuffle);
/// Why tiles of a streaming kernel along `axis`, with neighbours along x from other lanes' registers or not, need no
/// halo in local memory, or "".
GST_API std::string no_halo_tiles(const stencil& s, int axis, bool shuffle);
/// Why tiles of a streaming kernel along `axis` cannot be copied as wholes, or "".
std::string no_tensor_copies(const stencil& s, int axis);
/// Elements of a tensor that begin 16 bytes apart, of the narrowest field.
std::int64_t tensor_alignment(const stencil& s);
/// Columns that a tile with its halo, copied as a whole, begins before its own: a box begins at a multiple of
/// tensor_alignment. `first`: where the tile does, its halo beside it included.
std::int64_t columns_before_box(const stencil& s, const array_layout& layout, std::int64_t first);

} // namespace gst
