#pragma once

#include "core/codegen/filtering.hpp"
#include "core/codegen/retime.hpp"
#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream/local_tile.hpp"
#include "core/codegen/stream/passage.hpp"
#include "core/codegen/stream/stream_kernel.hpp"
#include "core/codegen/stream/tile_faces.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gst::streaming {

/// The local array that counts arrivals at a barrier.
inline constexpr const char* arrivals = "arrivals";

/// The local array that counts the boxes that have arrived, for each pass that is on its way.
inline constexpr const char* arrived_boxes = "arrived_boxes";

/// A work-group holds its tile in registers, in straight code. With temporal blocking every plane passes through
/// several time steps before it is written: tiles overlap by what these steps need (overlapped in space, streamed in
/// one dimension), stage groups of work-items share the steps and hand planes on through local memory (AN5D;
/// FastStencil's warps as time stages). Each section of its member functions is defined in the file that its title
/// names.
class stream_lowering final : public stream_kernel {
  public:
    stream_lowering(const stencil& s, std::vector<std::size_t> updates, const array_layout& layout,
                    const schedule& how);

  private:
    // ---- the kernel: stream_lowering.cpp

    void add_formals_of(const tracked_array& a, lowered_kernel& out) override;
    /// Counters, zeros, the stage group.
    void prepare(block& out) override;
    void declare_tile(tile_axis& t, block& out) override;
    std::array<const tile_axis*, 2> first_tile() const override {
        return how_.stage_tiles ? std::array<const tile_axis*, 2>{&first_x_, &first_y_} : stream_kernel::first_tile();
    }
    void end_tile(block& out) override;
    void stream_tile(const value& outside, const value& at_edge, block& out) override;
    /// The streaming loop of a tile that reaches beyond the grid, and that of one that does not.
    void loops_of_tile(const value& outside, const value& at_edge, block& out);
    /// Points of a work-item in a plane.
    std::size_t points() const { return static_cast<std::size_t>(x_.points * y_.points); }

    // ---- coordinates and places in memory: coordinates.cpp

    /// Whether the edge's tiles load whole vectors: those that reach beyond the grid lie in the padding, as far as
    /// their points are needed. Where columns are filtered together, what lies in the padding would reach others.
    bool loads_vectors(const tile_axis& t) const;
    /// Names the positions of the work-item's points along an axis of a tile that reaches beyond the grid.
    positions edge_positions(const tile_axis& t, block& out);
    /// Where along an axis of the tile a point lies in memory or, beyond what exists, some place.
    value in_memory(const tile_axis& t, const value& at) const;
    /// The plane of memory that a plane stands for or, beyond what exists, some plane.
    value memory_plane(const value& at) const;
    /// A plane of the grid: the one that this one stands for or, beyond what is needed, some plane.
    value point_plane(const value& at) const { return periodic_ ? wrapped_plane(at) : clamped(at, 0, length_ - 1); }
    /// Where row y of the work-item's points lies in memory.
    value row_in_memory(const tracked_array& a, const value& z, std::int64_t y, const std::string& prefix, block& out);
    /// Point x of the work-item in such a row.
    value element_in_memory(const value& row, std::int64_t x) const;
    /// Of a vector from point x on.
    value piece_in_memory(const value& row, std::int64_t x) const;

    // ---- local memory: local_memory.cpp

    /// Whether work-items show each other points of any plane through local memory.
    bool is_exchanged() const;
    /// The first time step that does so: with the halo in local memory the first one of all needs nothing shown.
    int first_shown() const { return how_.halo ? 1 : 0; }
    /// Of a stage group, how many do.
    int shown_steps() const { return stages_ - first_shown(); }
    /// Whether what a time step reads of an array's other rows (and columns) lies in tiles with their halo.
    bool reads_halo(const passage& p, const tracked_array& a) const {
        return holds_halo(a) && (is_kept(a) || p.stage < first_shown());
    }
    /// Every time step needs neighbours' points of planes only that it has before any step begins: one barrier serves
    /// all steps.
    bool exchanges_at_once() const;
    /// Barriers per pass for exchanges; tiles take turns, so that one barrier per exchange is enough.
    std::int64_t exchanges() const;
    /// Tiles that take turns.
    std::int64_t turns() const { return exchanges() > 1 && exchanges() % 2 == 1 ? 3 : 2; }
    /// Whether the shown planes of an array lie in a ring, by pass: those of other work-items' passes, too.
    bool in_ring(const tracked_array& a) const { return a.is_ring() || splits_passes(); }
    std::int64_t shown_slots(const tracked_array& a) const { return a.ring_slots() + (splits_passes() ? 1 : 0); }
    /// Tiles of an array of which one plane at a time is exchanged.
    std::int64_t turn_slots() const { return turns() * (exchanges_at_once() ? shown_steps() : 1); }
    /// Whether a face of the array across the streaming axis holds copies that a time step reads.
    bool is_copied_across(const tracked_array& a) const;
    /// Points of a plane that a stage group holds.
    std::int64_t group_points() const { return x_.width * y_.width; }
    /// Elements of the tiles in which work-items show each other an array.
    std::int64_t tile_elements(const tracked_array& a) const;
    void declare_locals() override;
    /// The work-item's first piece of plane r that a stage group hands to the next one.
    value hand_over_place(const value& group, const value& turn, int r) const;
    /// The work-item's first piece of a plane in a slot of the planes that are copied ahead.
    value ahead_place(const value& slot, int r) const;
    /// Where a work-item's pieces begin in a plane that lies piece by piece.
    value first_piece() const;
    /// Vectors of a work-item in a plane.
    std::int64_t pieces() const { return x_.points * y_.points / how_.vector_width; }
    /// One vector of values into local memory.
    void put_local(scalar stored, const std::string& array, const value& at, const plane& what, std::size_t from,
                   block& out, int width) const;
    /// The work-item's points of a plane, which lie in local memory piece by piece.
    plane pieces_at(const tracked_array& a, const char* array, const value& at, const std::string& words, block& out);

    // ---- what no update computes, with temporal blocking: passing.cpp
    // Earlier time levels and coefficients pass from time step to time step, or coefficients stay in local memory.

    /// Whether work-items show each other points of its planes.
    bool is_shown(const tracked_array& a) const { return a.is_exchanged() && !is_kept(a); }
    /// Whether the newer half of its queue in a time step of the stage group is the older half of the step before: of
    /// coefficients.
    bool shares_queue(const tracked_array& a, int stage) const;
    /// Planes of its queue that are variables of this step.
    std::int64_t own_planes(const tracked_array& a, int stage) const;
    /// Planes between what comes in and the oldest one that a time step needs of an array that stays in local memory.
    std::int64_t kept_back(const tracked_array& a) const;
    /// Planes of an array that are copied ahead or stay, where work-items copy what they need themselves.
    std::int64_t ahead_slots(const tracked_array& a) const;
    /// The work-item's first piece of a plane of an array that stays; those that come in are counted from 0.
    value kept_place(const tracked_array& a, const value& counted) const;
    /// One of the work-item's own points of a coefficient that stays in local memory.
    value of_kept_plane(passage& p, const tracked_array& a, std::int64_t offset, std::int64_t x, std::int64_t y,
                        const std::string& words, block& out);

    // ---- tiles in local memory, with their halo or without, which work-items copy together: halo_tile.cpp

    /// Whether the array's planes come with their halo.
    bool holds_halo(const tracked_array& a) const { return a.oldest_in_halo.has_value(); }
    /// Whether they come that way.
    bool is_copied_together(const tracked_array& a) const {
        return holds_halo(a) || (how_.group_copies && !is_kept(a));
    }
    bool any_copied_together() const {
        return std::any_of(tracked_.begin(), tracked_.end(), [&](const auto& a) { return is_copied_together(a); });
    }
    /// The local array that they come to, or that a second stage group reads them from.
    std::string tile_array(const tracked_array& a) const {
        return a.name + (reads_stage() ? "_stage" : holds_halo(a) ? "_halo" : "_ahead");
    }
    /// A work-item's number among those that copy together.
    value item_number() const;
    std::int64_t items() const { return (how_.stage_tiles ? 1 : groups_) * x_.group * y_.group; }
    /// Rows and columns beside the tile on either side, columns a multiple of vectors.
    std::int64_t rows_beside() const { return how_.halo ? reach_[across_] : 0; }
    std::int64_t columns_beside() const;
    /// Columns before the tile's own, as many as a row of local memory begins earlier.
    std::int64_t columns_before() const;
    /// Elements of a row of such a tile, its halo included, and of a plane.
    std::int64_t halo_row() const;
    std::int64_t halo_plane() const;
    std::int64_t halo_rows() const; ///< in a plane that is copied
    /// Planes in local memory: those that results need and those on their way.
    std::int64_t halo_slots(const tracked_array& a) const;
    /// The one of so many that plane r of a pass lies in (of passes before, where r is negative).
    value slot_number(std::int64_t slots, const value& pass, std::int64_t r) const;
    /// Where that of an array begins.
    value halo_slot(const tracked_array& a, const value& pass, std::int64_t r) const;
    /// The work-item's first element in the plane that lies `back` planes behind the one that has come.
    value halo_place(const passage& p, const tracked_array& a, std::int64_t back) const;
    /// The same in a plane that begins at 0.
    value halo_own() const;
    /// Whether vectors of different work-items that are neighbours lie beside each other there: where each has an even
    /// number of vectors in a row, those that are read at the same time would lie in the same banks. Only where no
    /// other work-item reads them (group_copies), and work-items have one run: else not all of a row would have a
    /// place.
    bool interleaves_vectors() const;
    /// A work-item's vectors in a row.
    std::int64_t vectors_of_item() const { return x_.block / how_.vector_width; }
    /// Elements of one vector of each of a row's work-items.
    std::int64_t elements_of_vectors() const { return how_.vector_width * x_.group; }
    /// Finds how far a work-item's vectors lie from each other there.
    void place_interleaved();
    /// Bytes of an element of the widest array, in local memory.
    std::int64_t widest_element() const;
    /// How far the work-item's column x lies there from its first one.
    std::int64_t halo_shift(std::int64_t x) const;
    /// Where the tile's column lies in a row.
    value halo_column(const value& column) const;
    /// Elements that are copied at a time.
    std::int64_t halo_width() const;
    /// The column from which a piece comes that belongs at x, or some that exists.
    value column_in_memory(const value& x) const;
    /// Names where the work-item's share of a plane comes from and goes to.
    void declare_halo_pieces(block& out);
    /// Adds those of columns of which every row has so many pieces, of so many work-items that copy; `column_of`: where
    /// a piece of a row begins.
    void add_halo_pieces(const value& item, std::int64_t copying, std::int64_t per_row, block& out,
                         const std::function<value(const value&)>& column_of);
    /// Whether all rows of the tile lie in memory, each a row behind the one before.
    bool has_rows_of_pieces() const;
    /// Starts to copy the work-item's share of a plane.
    void copy_halo_plane(const tracked_array& a, const value& at, const value& slot, const std::string& prefix,
                         block& out);
    /// Whether the device copies the array's planes as wholes.
    bool is_box(const tracked_array& a) const { return how_.tensor_copies && holds_halo(a); }
    bool all_boxes() const {
        return std::all_of(tracked_.begin(), tracked_.end(), [&](const auto& a) { return is_box(a); });
    }
    /// Whether they come that way in the loop that is being made: rows of tiles that reach beyond a periodic face are
    /// in several places.
    bool copies_boxes() const {
        return boxes_of_pass() > 0 && (!(edge_ && (x_.periodic || y_.periodic)) || parts_.elements > 0);
    }
    /// Boxes that are copied for a pass: none where the kernel reads no neighbours that come that way.
    int boxes_of_pass() const;
    /// What the places of boxes in local memory are multiples of, in elements, and what their rows and vectors are.
    std::int64_t aligned_elements() const;
    std::int64_t aligned_columns() const;
    /// Elements of a row of a tile that is copied as a whole.
    std::int64_t whole_row() const { return how_.stage_tiles ? box_row_ : halo_row(); }
    /// The array as a tensor of which tiles are copied, or parts of them, and the name of the kernel's argument for it.
    tensor_shape tensor_of(const tracked_array& a, bool in_parts) const;
    static std::string tensor_name(const tracked_array& a, bool in_parts) {
        return a.name + (in_parts ? "_tensor_in_parts" : "_tensor");
    }
    /// Starts to copy a plane of a pass as a whole, or in parts, to the slot, where there is such a pass.
    void copy_box_of(const tracked_array& a, const value& at, const value& pass, const value& slot, block& out);
    /// The work-item's points of a plane, `first` is where they begin.
    plane own_points(const tracked_array& a, const value& first, const std::string& words, block& out) const;

    // ---- the streaming loop: streaming_loop.cpp

    /// The streaming loop of a tile; `edge`: of one that reaches beyond the grid.
    void stream(block& out, bool edge);
    /// The loop over passes from `from` to `to`; `checked`: planes may lie beyond the grid.
    void passes_of(block& out, const value& from, const value& to, const value& first_plane, bool checked);
    void loop_of_passes(block& out, loop passes, const value& first_plane); ///< gives the loop its body
    /// Where those start to copy planes that come in who do.
    block& copying(block& out) const;
    /// Takes the planes of a pass, `newest` and those after it, in, through the time steps and out.
    void one_pass(block& out, const value& newest);
    /// Takes plane r of a pass, `newest` is the first one, through the time steps of the stage group.
    void row_of_steps(block& out, int r, std::vector<stage_state>& state, const value& newest,
                      std::vector<planes_of_arrays>& rows);
    /// With the halo in local memory what has been copied there comes behind a barrier, which the first plane's
    /// exchange needs as well: it is done before.
    bool joins_barriers() const { return how_.halo && exchanges_at_once(); }
    /// Arrives where others may begin the next pass.
    void arrive_in_pass(block& out) const;
    /// So many variables; null: they are declared already.
    static plane variables(block* declared, const std::string& words, type of, std::size_t count);
    /// The variables that carry planes or sums from one pass of the loop to the next.
    std::vector<stage_state> carried(block* declared);
    /// Leaves to the next pass in the variables what this one has in `state`.
    void carry_on(block& out, const std::vector<stage_state>& state);
    /// The variables of the planes of a pass of an array.
    std::vector<plane> inputs(block* declared, const tracked_array& a, const char* words);
    /// Planes beyond an end of the streaming axis are copies of others.
    bool copies_planes() const;
    /// Whether a variable tells the tiles of two passes apart.
    bool uses_turn() const;
    /// Whether the work-item belongs to a stage group.
    value is_group(int g) const { return binary_value(ir::binary_op::equal, group_, number(g)); }

    // ---- stage groups that share what comes in and goes out: group_copies.cpp
    // Planes lie in local memory as in memory: those on their way in, then of each stage group those of two passes that
    // it hands on, to the next one or to be written. All stage groups run the same code.

    /// The slot of the first plane that a stage group hands on in a pass.
    value handed_slot(const tracked_array& a, const value& group, const value& turn) const;
    /// The planes of a pass.
    void take_together(const value& newest, block& out, std::vector<planes_of_arrays>& rows);
    /// Hands the planes of a pass, whose statements begin at `begin`, on: each piece soon after it is known.
    void hand_on(block& out, std::size_t begin, const std::vector<planes_of_arrays>& rows);
    /// Names the work-item's pieces of a plane that is written.
    void declare_written_pieces(block& out);
    /// Writes the work-item's share of what the last stage group handed on in the pass before.
    void write_together(const value& newest, block& out);

    // ---- stage groups with tiles of their own: stage_tiles.cpp
    // The first one's results lie in local memory, tiles with the halo of the second one. Axes, places and columns are
    // those of the group whose code is being made.

    /// Whether that is the second one.
    bool reads_stage() const { return how_.stage_tiles && emitted_ == 1; }
    /// Their axes and the rows of local memory.
    void make_stage_groups();
    /// Names the work-item's group and its place there.
    void declare_stage_group(block& out);
    /// The lane and the row of lanes of a group's work-item, of its number there.
    std::array<value, 2> place_in_group(int g, const value& of_group) const;
    /// Names the coordinates of its first point.
    void place_stage_group(block& out);
    /// Makes the code of a group from here on.
    void enter_stage(int g);
    /// Where code goes that each group has for itself where the schedule says `when`; else `out`.
    block& own_code(stage_code when, block& out) const;
    /// Elements of a plane of the first one's results, and such planes in local memory.
    std::int64_t stage_plane() const { return stage_row_ * first_y_.width; }
    std::int64_t stage_slots(const tracked_array& a) const;
    /// The second group's planes were computed in the pass before.
    std::int64_t planes_behind() const { return reads_stage() ? how_.planes : 0; }
    /// Whether the group whose code is being made keeps sums of the planes behind a result's alone.
    bool sums_are_late() const { return emitted_ < how_.late_sums; }
    /// Whether points of the plane that has just come alone are read, for the sums of several results.
    bool newest_is_read() const { return how_.retiming && !sums_are_late(); }
    /// So many planes behind the one that has come lies the one of which stage groups with tiles of their own have
    /// their points in registers.
    std::int64_t own_back() const { return sums_are_late() ? lag_ : 0; }
    /// lag_, or 0 with late sums: how far behind the plane of its own points the group has its result's.
    std::int64_t centre_back() const { return lag_ - own_back(); }
    /// The terms that the i-th sum, that of the result's plane first, has added.
    std::vector<sum_term> terms_of(const plane_terms& sum, std::int64_t i) const;
    /// Writes the first group's results where the second one reads them.
    void hand_on_tile(const planes_of_arrays& results, int r, block& out) const;
    /// The work-item's first point, along an axis with clamped or mirrored faces in values that compilers do not know
    /// from pass to pass.
    first_point renewed_first(const field& f, const tile_axis& t, const std::string& words, block& out) const;
    /// hand_on_tile of an array whose points beyond faces are copies, to a plane that begins at `slot`: who has a point
    /// writes them, too.
    void hand_on_copies(const tracked_array& a, const plane& results, const value& slot, const std::string& words,
                        block& out) const;
    // Where each begins its passes at a barrier of its own, number 1 + g:
    /// Lets group g begin its next pass: the first one when the second one has begun the pass before and reads none of
    /// what is overwritten, the second one in the middle of the first one's, so that one reads local memory while the
    /// other computes.
    statement arrival_at(int g) const;
    /// Awaits that; `all_pass`: both groups pass the statement, each awaits its own.
    statement await_pass(const value& stage_group, bool all_pass) const;
    void arrive_while_reading(block& pass) const;
    /// Around the passes of a tile: the first one's first pass, and what the second one's last pass lets begin.
    void begin_stages(block& out) const;
    void end_stages(block& out) const;
    /// Names the work-item's place anew for a pass.
    void place_again(int g, block& out);
    /// A pass of both groups; `newest`: the plane that comes into the first one.
    void pass_of_stages(const value& newest, block& out);

    // ---- tiles in parts, of stage groups with tiles of their own: seams.cpp
    // Along a periodic axis the grid's first point lies amid the first tile, the other ones lie in the grid with all
    // that their points need. What is left and right of it, or above and below, comes as boxes of their own; parts
    // beside each other lie one behind the other in local memory.

    struct tile_parts {
        std::int64_t columns = 0, rows = 0; ///< of each
        std::int64_t rows_above = 0;        ///< more than the tile has
        std::int64_t rows_later = 0;        ///< that its first row lies in those to the right, for the banks' sake
        std::int64_t right = 0;             ///< where those to the right begin
        std::int64_t to_right = 0;          ///< from where their columns would lie in those to the left
        std::int64_t elements = 0;          ///< of all of a plane; 0: there are none
    };
    /// The parts of a tile with such seams (0: none), which have so many columns more than they need.
    tile_parts parts_at(std::int64_t x_seam, std::int64_t y_seam, std::int64_t more_columns,
                        std::int64_t rows_later) const;
    /// Finds where the seams are, and the parts.
    void find_seams();
    /// Names where the work-item's first point lies in memory.
    void declare_seams(const std::string& suffix, block& out);
    /// Names in a pass where its columns and those beside them lie in the tile.
    void find_parts(block& out);
    /// Whether the tile that the code reads came in parts.
    bool in_parts_of_tile() const { return edge_ && parts_.elements > 0 && !reads_stage(); }
    /// Where along an axis a part begins: the first one `before` points before the tile, the second one at the seam.
    value begin_of_part(const tile_axis& t, std::int64_t before, int part) const;
    /// Rows of the copied plane above the tile's own.
    std::int64_t rows_above() const { return rows_beside() + (in_parts_of_tile() ? parts_.rows_above : 0); }
    /// The place of what lies at column x, of the work-item's first column, where it may be in another part.
    value beside_seam(const value& place, std::int64_t x) const;
    /// Where the work-item's first point lies in memory.
    value own_in_memory(const tile_axis& t) const;

    // ---- planes in: planes_in.cpp

    /// The planes of a pass: from memory or, in all stage groups but the first, from the one before.
    void take_inputs(const value& newest, block& out, std::vector<planes_of_arrays>& rows);
    /// The planes that come into the first stage group.
    void take_from_memory(const value& newest, block& out, const std::vector<planes_of_arrays>& rows);
    /// Starts to copy the planes of the pass that is `ahead` - 1 passes on, and awaits those of this one: where
    /// work-items copy together behind a barrier.
    void copy_next(const value& newest, block& out);
    /// Awaits the planes of this pass that are copied as wholes.
    void await_boxes_of_pass(block& out) const;
    /// Awaits the work-item's share of what comes in the next pass.
    void await_shared_copies(block& out) const;
    /// Starts to copy the planes of a pass, from `newest` on, to the slot that it takes: each work-item what it needs
    /// itself or, together with others, its share.
    void copy_planes(const value& newest, const value& pass, const value& slot, const std::string& words, block& out);
    /// Starts to copy a plane to `place`.
    void copy_plane(const tracked_array& a, const value& at, const value& place, const std::string& prefix, block& out);
    /// Loads a plane of memory.
    plane loaded_plane(const tracked_array& a, const value& at, const std::string& prefix, block& out);
    /// Loads a plane of memory into variables.
    void load_plane(const tracked_array& a, const value& at, const std::string& prefix, block& out, const plane& to);

    // ---- one time step of one plane: time_step.cpp

    /// The plane that has come is complete.
    void begin(passage& p, block& out);
    /// Takes the plane that has come through one time step: the planes of its results.
    planes_of_arrays time_step(block& out, passage& p);
    /// Whether it is the last time step, of which only points of the grid are written, for all that runs this code.
    bool is_last(const passage& p) const;
    /// Computes some of the work-item's points of the results.
    void compute(passage& p, const std::vector<std::size_t>& which, block& out);
    /// Of all time steps the points that await nobody, while the others arrive at the barrier.
    void compute_meanwhile(std::vector<passage>& steps, const planes_of_arrays& now, block& out);
    /// Whether barriers may be in two halves: within time steps, or
    bool counts_arrivals() const { return how_.split_barriers && exchanges_at_once() && (how_.halo || skew_ == 0); }
    /// with the halo in local memory, around the last time step of a pass: before it work-items show what the others
    /// need in the next pass, which begins with the second half. The last time step of one pass and the first ones of
    /// the next are computed at the same time.
    bool splits_passes() const { return counts_arrivals() && how_.halo; }
    /// Whether they are here, within time steps: no copies of points have to be made between these.
    bool splits_barriers() const;
    /// Whether a point needs no other work-item's points of local memory.
    bool awaits_nobody(const offset3& point) const;
    /// The work-item's points that are computed between the halves of a barrier (0), or behind it (1).
    std::vector<std::size_t> points_in_half(int half) const;
    /// The work-item's own points of a plane, `offset` from the result's.
    const plane& own(const passage& p, const tracked_array& a, std::int64_t offset) const;
    /// Planes beyond a clamped or mirrored end of the streaming axis are copies of planes that have come (beyond the
    /// first plane: when the plane 0 is computed).
    void copy_end_planes(passage& p, block& out);

    // ---- neighbours: neighbours.cpp

    /// Shows the other work-items what they need of a plane.
    void show(passage& p, block& out);
    /// Shows them what they need of it in the next pass; `before`: the results of the time step before.
    void show_next(const passage& p, const planes_of_arrays& before, block& out) const;
    /// Writes the shown rows of a plane to a tile.
    void put_shown(const tracked_array& a, const value& tile, const plane& what, block& out) const;
    /// The work-item's first element in the tile of the exchanged plane that lies `back` planes behind the newest one
    /// (-1: that of the next pass).
    value tile_place(const passage& p, const tracked_array& a, std::int64_t back) const;
    /// A plane before the first one is found where the plane lies that it copies: this many planes on.
    value ring_correction(const passage& p, const tracked_array& a, std::int64_t back) const;
    /// The point that lies so far from the work-item's first one.
    value fetch(passage& p, const tracked_array& a, std::int64_t offset, std::int64_t x, std::int64_t y, block& out);
    /// The same from another lane or, where the tile ends and no other overlaps it, from memory.
    value of_another_lane(passage& p, const tracked_array& a, std::int64_t offset, std::int64_t x, std::int64_t y,
                          const std::string& words, block& out);
    /// Whether neighbours in column x come from memory as a vector: those above and below, and those to the sides where
    /// more than one of a vector is needed.
    bool reads_pieces(std::int64_t x) const;
    /// The vector from point `from` on, for all of its points.
    void fetch_piece(passage& p, const fetched_point& from, const std::string& array, const value& at,
                     const std::string& words, block& out) const;
    /// An element near the work-item's points, or a vector of `width` from there on; of one that nobody needs, some
    /// other.
    value memory_place(const passage& p, std::int64_t offset, std::int64_t x, std::int64_t y, int width = 1) const;
    /// tile_place, named once per passage.
    value tile_of(passage& p, const tracked_array& a, std::int64_t offset, block& out);

    // ---- arithmetic: arithmetic.cpp

    /// How lower_points gets at what surrounds the work-item's points.
    point_surroundings surroundings(passage& p, const std::string& words, std::int64_t come_offset, block& out);
    /// The work-item's points, from its first one.
    std::vector<offset3> all_points() const;
    /// Some of the work-item's points of the result of an update.
    void evaluate(passage& p, std::size_t u, const std::vector<std::size_t>& which, plane& result, block& out);
    /// Adds the terms that the plane which came contributes to every plane of the result that is open.
    plane add_terms(passage& p, std::size_t u, block& out);

    // ---- what completes partial sums, of stage groups with tiles of their own: completion.cpp

    // What no tile holds of it is loaded a pass before, so that nothing waits for memory, or the first group leaves it
    // to the second one.

    /// Tells what is loaded and what is left.
    void find_arrays_beside();
    /// Loads the points of a plane of memory that the group whose code is being made completes sums with.
    planes_beside load_beside(const value& z, const std::string& words, block& out) const;
    bool is_loaded(const array_beside& a) const { return emitted_ == 0 || a.second; }
    plane points_beside(const value& z, const std::string& array, scalar type, const std::string& prefix,
                        block& out) const;
    /// Loads those of the first pass.
    void begin_beside(const value& first_plane, block& out);
    /// The work-item's points of the result's plane of what tiles hold.
    const plane& centre(passage& p, const tracked_array& a, block& out) const;
    /// Makes results of a plane of sums.
    void complete(passage& p, std::size_t u, plane& sums, block& out);
    /// `sum`, which may be null, and what is added to it when it is complete, of the work-item's k-th point.
    value completing_term(const completed_sum& how, std::size_t k, point_surroundings& around, const std::string& words,
                          const value& sum, block& out);
    /// Writes what the first time step made of the second one's own points, plane r of a pass, where levels before the
    /// last one are needed.
    void write_first_step(int r, const planes_of_arrays& row, block& out);

    /// What the first group leaves of an array that the second one reads.
    const left_array& left_to_second(const ir::read& r) const;
    /// Planes of what is left, and where that of plane r of a pass of the first group begins.
    std::int64_t left_slots() const;
    value left_slot(std::int64_t r) const;
    /// Leaves the second group the first one's points of the result's plane that it completes sums with, and finds
    /// them.
    void leave_points(passage& p, block& out);
    /// Updates of which the first group leaves what is added to the second one's sums, the array for it, and its plane.
    std::vector<std::size_t> updates_with_left_terms() const;
    left_array terms_array(std::size_t u) const;
    plane terms_of_second(passage& p, std::size_t u, block& out);
    plane left_points(const passage& p, const left_array& a, block& out) const;

    // ---- lines filtered together: filtered_sums.cpp

    /// Whether sums are kept as a minimal filter's products.
    bool is_filtered() const { return how_.filtered_lines > 1; }
    /// Values of a plane of partial sums: the work-item's points, or the products that stand for them.
    std::size_t partial_sums(std::size_t u) const;
    /// Adds the products of the plane which came to every plane of the result that is open.
    plane add_products(passage& p, std::size_t u, block& out);
    /// The plane's axis along which the filtered lines follow each other, and the other one.
    const tile_axis& filtered_axis() const { return filters_columns() ? x_ : y_; }
    const tile_axis& beside_axis() const { return filters_columns() ? y_ : x_; }
    bool filters_columns() const { return filtered_lines_of(s_, how_.stream_axis).axis == inner_; }
    /// What a part of the filter of an update makes of the lines of an array that it takes together (group: which
    /// ones), so far along them from the work-item's first point. Groups behind the work-item's are the next one's.
    const plane& filtered_values(passage& p, std::size_t u, const tracked_array& a, std::size_t part,
                                 std::int64_t group, std::int64_t beside, block& out);
    /// The points of a plane of sums.
    plane sums_of_products(const passage& p, std::size_t u, const plane& products, block& out);
    /// c · v, of the filter's matrices or its weights.
    value scaled(double c, const value& v);
    /// Writes zeros to the local memory that work-items read their neighbours' points from: filtered sums depend, with
    /// factors that cancel out, on points beyond the tile.
    void clear_tiles(block& out);

    // ---- beyond the grid: beyond_grid.cpp

    /// Whether points beyond some face of the array keep their value from one time step to the next.
    bool has_frozen_faces(const tracked_array& a) const;
    /// Points beyond a fixed or constant face keep their value.
    void keep_outside(const passage& p, const tracked_array& a, const std::vector<std::size_t>& which, plane& values,
                      block& out);
    /// The same of the first of several time steps with partial sums: what they keep is in the tile with its halo.
    /// `beyond`: whether one of the work-item's rows or columns is beyond such a face; null: it is not.
    void keep_from_tile(const passage& p, const tracked_array& a, const value& plane_outside,
                        const std::function<value(const tile_axis& t, std::int64_t i)>& beyond,
                        const std::string& words, plane& values, block& out);
    /// Points beyond a clamped or mirrored face of the tile's axes take the values of the points that they copy.
    void copy_ghosts(const passage& p, planes_of_arrays& results, block& out);

    // ---- planes out: planes_out.cpp

    /// Writes the planes of a pass that belong to this work-group.
    void write(block& out, const std::vector<planes_of_arrays>& rows);
    /// Those of plane r alone.
    void write_row(block& out, int r, const planes_of_arrays& row);
    /// Calls `one` with the levels of fields that are written together: what they are, and the planes that hold them.
    void for_written(const std::function<void(const field& f, int level, const tracked_array* from)>& one) const;
    /// Whether the tile's writable part of an axis has `count` points from that on which is the tile's point `within`
    /// and lies at `at`.
    value writable(const tile_axis& t, const value& within, const value& at, std::int64_t count) const;
    /// Whether it has the work-item's points from point i on.
    value writable(const tile_axis& t, std::int64_t i, std::int64_t count) const {
        return writable(t, plus(local_index(t.axis) * number(t.block), t.shift(i)), plus(t.own, t.shift(i)), count);
    }
    /// Writes the points of a plane of a level that the tile owns.
    void write_plane(const field& f, int level, const value& at, const std::string& prefix, const plane& values,
                     block& out);
    /// Writes points next to each other that lie from `to` on; `fits`: whether so many from the given one on are
    /// written.
    void write_piece(const field& f, const std::string& array, const value& to, const plane& values,
                     const std::function<value(std::int64_t first, std::int64_t count)>& fits, block& out);
    /// Gives the planes of a pass to the next stage group.
    void hand_over(block& out, const std::vector<planes_of_arrays>& rows);

    // ---- state

    std::vector<plane_terms> sums_;        ///< per update
    std::vector<completed_sum> completed_; ///< per update, where the point's own values complete these
    std::vector<filtering> filtered_;      ///< per update, where lines are filtered together
    const tile_axis* const tile_axes_[2]{&x_, &y_};
    local_tile tile_{x_, y_, how_.shuffle};
    value group_;                   ///< stage group
    tile_axis first_x_, first_y_;   ///< of the first stage group, where it has a tile of its own
    tile_axis second_x_, second_y_; ///< and of the second one
    int emitted_ = 0;               ///< the group whose code is being made
    std::array<stage_items, 2> stage_items_{};
    bool completes_in_tiles_ = false;    ///< points of tiles complete sums
    std::int64_t second_completing_ = 0; ///< planes_to_complete, of the second stage group
    std::vector<array_beside> beside_;   ///< of which points complete sums
    std::vector<left_array> left_;       ///< of which the first one leaves points to the second one
    std::int64_t box_row_ = 0;           ///< elements of a row of the tile that the first one reads
    std::int64_t stage_row_ = 0;         ///< and of its results
    tile_parts parts_;
    value own_part_; ///< how much farther on than in the left part the work-item's columns are
    std::map<std::int64_t, value> other_part_; ///< and neighbours in a column than its own
    value x_in_memory_, y_in_memory_;          ///< own_in_memory, where a seam lies before it
    std::int64_t vector_run_ = 0; ///< elements from a work-item's vector to its next one, where they are interleaved
    value stage_group_;           ///< the work-item's
    value in_first_stage_;        ///< whether that is the first one
    value shows_;                 ///< whether it has a place in the first one; null: all have
    value plane_;                 ///< that comes into this stage group first in this pass
    value passes_;                ///< of the streaming loop
    bool edge_ = false;
    bool checked_ = false;
    positions x_edge_, y_edge_;
    struct halo_piece {
        value from; ///< in memory, in the plane 0; null: that of the last piece of 0 `rows`, so many rows on
        value to;   ///< in a plane of the tile; null: likewise
        std::int64_t rows = 0;
        value exists{}; ///< null: it does
    };
    std::vector<halo_piece> halo_pieces_; ///< the work-item's share of a plane
    struct written_piece {
        value place; ///< in the plane; of one that does not exist that of some other
        value row, column;
        value exists; ///< null: it does
    };
    std::vector<written_piece> written_pieces_; ///< where stage groups share what goes out
};

} // namespace gst::streaming
