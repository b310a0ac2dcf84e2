#pragma once

#include "core/codegen/lower.hpp"
#include "core/codegen/stream/tile_axis.hpp"
#include "core/codegen/stream/tracked_array.hpp"
#include "core/codegen/stream/values.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Streaming kernels (2.5-D blocking): a work-group moves with a tile of points along the streaming axis plane by
/// plane.
namespace gst::streaming {

/// What every streaming kernel has. Each section of its member functions is defined in the file that its title names.
class stream_kernel {
  public:
    virtual ~stream_kernel() = default;
    /// The kernel with its launch. May be called once.
    lowered_kernel lower();

  protected:
    stream_kernel(const stencil& s, std::vector<std::size_t> updates, const array_layout& layout, const schedule& how);

    // ---- what kinds of kernels differ in

    /// The arrays in local memory.
    virtual void declare_locals() = 0;
    /// Arguments of an array besides itself.
    virtual void add_formals_of(const tracked_array&, lowered_kernel&) {}
    /// What all tiles of a work-group need once.
    virtual void prepare(block&) {}
    /// Names the coordinates of the tile's and of the work-item's first point.
    virtual void declare_tile(tile_axis& t, block& out);
    /// The axes of the tile that the first time step computes.
    virtual std::array<const tile_axis*, 2> first_tile() const { return {&x_, &y_}; }
    /// Ends a tile whose local memory the next one takes.
    virtual void end_tile(block&) {}
    /// The loops over the planes of a tile, which may lie `outside` of the grid in part; `at_edge`: of one block more.
    virtual void stream_tile(const value& outside, const value& at_edge, block& out) = 0;

    // ---- what is computed, and the arguments: stream_kernel.cpp

    /// Whether the element is read from memory for the point alone: no plane with it passes through.
    bool is_direct(const ir::read& r) const { return !find_tracked(r); }
    /// The array of which planes pass through the kernel; null: the read is direct.
    const tracked_array* find_tracked(const ir::read& r) const { return find_array(tracked_, r.field, r.level); }
    /// What a result is where it goes on: with temporal blocking the next step's array.
    const tracked_array* result_of(const update& u) const;
    /// Adds an argument, and what the launch gives for it.
    static void add_formal(lowered_kernel& out, formal f, kernel_argument a);
    /// What surrounds points of a time step wherever they lie: parameters, numbers, the step.
    point_surroundings step_surroundings(const value& s);

    // ---- planes and passes

    /// Planes that the result of a stage group lies behind what comes into it.
    std::int64_t group_lag() const { return stages_ * lag_ + (stages_ - 1) * skew_; }
    /// Planes that a stage group is behind the one before it.
    std::int64_t group_distance() const { return how_.planes + group_lag(); }
    /// Whether planes beyond the grid are computed otherwise than those in it.
    bool checks_planes() const { return how_.steps > 1 && lag_ > 0 && !periodic_; }
    /// Whether blocks of planes near the low face of the grid begin with what one time step reads beyond it, and with
    /// no plane farther away: planes beyond faces are copies, or keep their values.
    bool begins_at_face() const { return checks_planes() && !how_.loops; }
    /// Whether planes wait in local memory for their pass.
    bool copies_ahead() const { return how_.prefetch && how_.ahead > 1; }

    // ---- coordinates: coordinates.cpp

    /// The tile's place along an axis.
    value tile_index(const tile_axis& t) const;
    /// The work-item's place in its stage group along an axis; 0 where there is one only.
    value local_index(std::size_t axis) const;
    /// The plane of a periodic grid that a plane stands for.
    value wrapped_plane(const value& at) const;
    /// Elements from a point to the next one along an axis.
    std::int64_t stride(std::size_t axis) const { return axis == 0 ? 1 : axis == 1 ? layout_.row : layout_.plane; }

    // ---- what no update computes, with temporal blocking: passing.cpp
    // Earlier time levels and coefficients pass from time step to time step, or coefficients stay in local memory.

    /// Of an array that no update computes: what the next step's is, an earlier level's the level after it, a
    /// coefficient's itself; else null.
    const tracked_array* passed_on(const tracked_array& a) const;
    /// Planes that it comes in behind the other arrays, so that what comes is what the result needs: the level before
    /// the latest, where the point itself alone is needed of it; after the first time step it comes from the planes
    /// that are kept of the latest. So do coefficients that stay in local memory.
    std::int64_t delay(const tracked_array& a) const;
    bool any_delayed() const;
    /// Whether planes of coefficients stay in local memory, to which they are copied ahead, for all time steps.
    bool keeps_coefficients() const { return how_.steps > 1 && copies_ahead(); }
    /// Whether this array's do: work-items know its neighbouring points without showing them to each other.
    bool is_kept(const tracked_array& a) const;
    /// Whether its points beyond the grid are made anew in each time step: those of coefficients are in memory, and
    /// nobody needs those of earlier levels that are read at no neighbours.
    bool has_ghosts(const tracked_array& a) const;
    /// The number of levels of an updated field that the kernel writes.
    int written_levels(const field& f) const { return std::min(f.history + 1, how_.steps); }

    // ---- state

    stencil s_; // with the nodes of the partial sums
    std::vector<std::size_t> updates_;
    const array_layout& layout_;
    const schedule& how_;
    std::size_t along_;   ///< the streaming axis
    std::size_t inner_;   ///< the tile's axes: this, x unless streaming runs along it
    std::size_t across_;  ///< and this
    std::int64_t length_; ///< planes of the grid
    int groups_;          ///< stage groups
    int stages_;          ///< time steps of a stage group
    std::vector<tracked_array> tracked_;
    std::set<std::pair<std::uint32_t, int>> direct_; ///< arrays that are read that way
    bool has_coordinates_ = false;
    bool reads_neighbours_directly_ = false; ///< of arrays of which no planes pass through the kernel
    std::array<std::int64_t, 3> reach_{};
    std::int64_t lag_ = 0;  ///< planes that a result lies behind what has come
    std::int64_t skew_ = 0; ///< planes more that a time step lies behind the one before it
    bool periodic_ = false;
    tile_axis x_, y_;
    std::array<value, 3> own_index_; ///< local_index, where it is not the work-item's in the work-group
    kernel* kernel_ = nullptr;
    value first_, last_;   ///< planes of this work-group
    int error_factor_ = 1; ///< see lowered_kernel

  private:
    /// Fills tracked_, direct_, reach_ and has_coordinates_.
    void collect_reads();
    /// Whether an array that passes through the kernel is periodic along the axis.
    bool is_periodic(std::size_t axis) const;
    /// The tile along an axis; its halo is a multiple of `alignment`.
    tile_axis tile_along(std::size_t axis, std::int64_t alignment) const;
    /// The arguments, and what the launch gives for them.
    void add_formals(lowered_kernel& out);

    // ---- what a work-group computes: work_groups.cpp

    /// The work-group's place along an axis; 0 where there is one only.
    static value group_index(std::size_t axis, std::int64_t groups);
    /// The planes of the work-group's block, first_ and last_. A tile at the edge, where the condition holds, has one
    /// block more, for which first_ lies beyond the grid in other tiles. Returns how many blocks a launch has.
    std::int64_t declare_block(const value& at_edge, block& out);
    std::int64_t declare_equal_block(const stream_blocks& blocks, const value& at_edge, block& out);
    /// From `first` to below `last`.
    struct planes_of_block {
        value first, last;
    };
    /// Those of block k of `count`, of `length` planes each; `last_planes`: what is left for the last one.
    planes_of_block equal_block(const value& k, std::int64_t count, const value& length,
                                std::int64_t last_planes) const;
    /// The tile and its planes where tiles beyond whole rounds are cut into blocks. Returns how many work-groups a
    /// launch has.
    std::int64_t declare_rest(block& out);
    /// The loop over the tiles of which the work-group takes planes, first_ to last_ of each: where work-groups have
    /// equal shares of all. As many whole tiles as each can have come first.
    block& begin_shares(block& out);
    /// The same of work-group k, with so many whole tiles, where that is all there are.
    block& whole_tiles(const value& k, std::int64_t rounds, block& out);
    /// The same with parts of the `rest` of them behind the whole ones.
    block& shared_tiles(const value& k, std::int64_t rounds, std::int64_t rest, block& out);

    kernel_inputs inputs_;
    tracked_array untracked_result_; ///< stands for the result, where it is not what comes in next
    value tile_number_;              ///< the tile, where schedule::numbers_tiles
};

} // namespace gst::streaming
