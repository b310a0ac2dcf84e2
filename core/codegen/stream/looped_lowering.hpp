#pragma once

#include "core/codegen/stream/stream_kernel.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gst::streaming {

/// A time step of one plane, where one work-item computes the tile in loops.
struct looped_step {
    value s; ///< from 0
    enum class place : std::uint8_t {
        first,
        between,
        last
    } where{};    ///< the first one reads from memory, the last one writes there
    value z = {}; ///< the plane of the grid
    value y = {}; ///< the row of the grid, the points' coordinate along x
    value x = {};
    value row = {};      ///< where point 0 of the row lies in memory
    value ring_row = {}; ///< and in a plane of a ring
    value target = {};   ///< where the plane of the result begins in its ring
    std::map<std::pair<const tracked_array*, int>, value> planes = {}; ///< where those that are read do, per offset

    bool is_first() const { return where == place::first; }
    bool is_last() const { return where == place::last; }
    /// Of names.
    std::string suffix() const { return is_first() ? "_first" : is_last() ? "_last" : ""; }
};

/// A work-item that is alone in its work-group computes the tile in loops. What a time step makes of the latest planes
/// lies in a ring in local memory, from which the next step reads; the first one reads from memory, the last one writes
/// there. Defined in looped_lowering.cpp.
class looped_lowering final : public stream_kernel {
  public:
    looped_lowering(const stencil& s, std::vector<std::size_t> updates, const array_layout& layout, const schedule& how)
        : stream_kernel(s, std::move(updates), layout, how) {}

  private:
    void declare_locals() override;
    /// The loop over planes; in each pass every time step computes one, `lag_` behind the one of the step before.
    void stream_tile(const value& outside, const value& at_edge, block& out) override;
    /// A time step of the plane that is its turn in this pass.
    void plane_in_loops(looped_step& step, block& out);
    /// A time step of a plane of the grid.
    void step_in_loops(looped_step& step, const value& at, block& out);
    /// The points of a row that the later time steps need, or that are written.
    void row_in_loops(looped_step& step, block& row);
    /// Points next to each other, from that with the coordinate variable x on.
    void points_in_loops(const looped_step& step, int width, block& out);
    /// Where the planes lie that a time step reads; planes beyond clamped and mirrored ends are others.
    void name_source_planes(looped_step& step, const value& at, block& out) const;
    /// Copies a plane beyond a fixed or constant end of the grid.
    void keep_plane(const tracked_array& a, const looped_step& step, const value& z, block& out);
    /// The points beyond the grid's faces along the rows.
    void ghosts_of_row(const tracked_array& a, const looped_step& step, block& row);
    /// The rows beyond the grid's faces, with the points beyond it at their ends.
    void ghost_rows(const tracked_array& a, const looped_step& step, block& out);
    /// The loop over x of such a row.
    block* row_with_halo(const value& s, const field& f, const std::string& words, block& out) const;
    /// The points of an axis of the tile that the steps after s need of it.
    value needed_from(const tile_axis& t, const value& s) const;
    value needed_to(const tile_axis& t, const value& s) const;
    /// By how much they reach beyond those that the tile writes.
    value margin(const tile_axis& t, const value& s) const;
    /// What is done where the steps after s need points beyond a face.
    block* enter_beyond(const tile_axis& t, int face, const value& s, block& out) const;
    /// The coordinate of the grid that one in the tile stands for.
    value grid_point(const tile_axis& t, const value& at) const;
    /// Where the point 0 of a row lies in memory, and in a plane of a ring.
    value row_in_grid(const value& y, const value& z) const;
    value row_in_ring(const value& y) const;
    /// Where a plane begins in the ring of a time step.
    value ring_place(const value& s, const value& z) const;
    std::int64_t ring_slots() const { return 2 * lag_ + 1; }
    std::int64_t ring_row() const;
    std::int64_t ring_plane() const;
    /// The rings of an array, one for each time step but the last.
    static std::string ring_name(const tracked_array& a) { return a.name + "_rings"; }
};

} // namespace gst::streaming
