#include "core/codegen/stream/stream_lowering.hpp"

#include "core/codegen/stream_rules.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace gst::streaming {

stream_lowering::stream_lowering(const stencil& s, std::vector<std::size_t> updates, const array_layout& layout,
                                 const schedule& how)
    : stream_kernel(s, std::move(updates), layout, how) {
    if (how.retiming) {
        const bool completes = how.stage_tiles && reads_beside_tiles(s_);
        for (const std::size_t u : updates_) {
            if (completes) {
                completed_.push_back(*completed_sum_of(s_, u, how.stream_axis));
                sums_.push_back(std::exchange(completed_.back().sum, {}));
            } else {
                sums_.push_back(*terms_by_plane(s_, s_.updates[u].value, how.stream_axis,
                                                [&](const ir::read& r) { return !is_direct(r); }));
            }
            order_terms(s_, how.terms, inner_, across_, sums_.back());
            if (how.filtered_lines > 1) {
                filtered_.push_back(filter_lines(s_, s_.updates[u], sums_.back(), how.stream_axis, how.filtered_lines));
                if (!filtered_.back().filter) {
                    throw std::logic_error(filtered_.back().why_not);
                }
                error_factor_ = std::max(error_factor_, filtered_.back().how.error_factor);
            }
        }
    }
    if (how.stage_tiles) {
        make_stage_groups();
    } else if (interleaves_vectors()) {
        place_interleaved();
    }
    for (tracked_array& a : tracked_) {
        // With sums whatever plane has just come, and what points beyond the grid keep, completes them or is left; with
        // late ones from the result's on.
        if (how.retiming && a.oldest_in_halo) {
            const bool result = how.late_sums > 0 || (how.steps > 1 && has_frozen_faces(a)) || completes_in_tiles_ ||
                                find_array(left_, a.field, a.level) != nullptr ||
                                (how.left_terms && added_arrays(s_, how.stream_axis).contains({a.field, -1}));
            a.oldest_in_halo = result ? 0 : static_cast<int>(lag_);
        }
        if (!a.is_exchanged()) {
            continue;
        }
        const int first = *a.exchanged_planes.begin();
        if (how.retiming) {
            a.exchanged_planes = {static_cast<int>(lag_)};
        } else if (first < 0 && how.steps > 1 && has_ghosts(a) && is_copied(s_.fields[a.field].faces[along_][0])) {
            a.exchanged_planes.insert(-first); // planes before the first are copies of these
        }
    }
    if (boxes_of_pass() > 0 &&
        (columns_before() % how.vector_width != 0 || std::max(halo_row(), halo_rows()) > longest_box)) {
        throw std::logic_error("a tile cannot be copied as a whole");
    }
    skew_ = how.skewing && stages_ > 1 && is_exchanged() && !exchanges_at_once() ? 1 : 0;
    if (splits_passes() && (how.planes > 1 || groups_ > 1 || how.equal_shares || !any_copied_together())) {
        throw std::logic_error("passes cannot end between the halves of a barrier");
    }
}

void stream_lowering::add_formals_of(const tracked_array& a, lowered_kernel& out) {
    if (is_box(a)) {
        add_formal(out, {formal::kind::tensor, tensor_name(a, false), a.type},
                   tensor_argument{{a.field, a.level, false}, tensor_of(a, false)});
        if (parts_.elements > 0) {
            add_formal(out, {formal::kind::tensor, tensor_name(a, true), a.type},
                       tensor_argument{{a.field, a.level, false}, tensor_of(a, true)});
        }
    }
}

void stream_lowering::prepare(block& out) {
    if (counts_arrivals()) {
        out.push_back({prepare_arrivals{arrivals, how_.work_group[0] * how_.work_group[1] * how_.work_group[2]}});
    }
    if (boxes_of_pass() > 0) {
        out.push_back({prepare_boxes{arrived_boxes, how_.ahead, boxes_of_pass()}});
    }
    if (how_.filtered_lines > 1) {
        clear_tiles(out);
    }
    if (how_.stage_tiles) {
        declare_stage_group(out);
        return;
    }
    group_ = groups_ == 1 ? number(0) : named(out, "stage_group", local_index(along_));
}

void stream_lowering::end_tile(block& out) {
    if (copies_ahead()) {
        out.push_back({await_copies{0}});
    }
    out.push_back({barrier{}});
    if (boxes_of_pass() > 0) {
        out.push_back({prepare_boxes{arrived_boxes, how_.ahead, boxes_of_pass(), true}});
    }
}

void stream_lowering::stream_tile(const value& outside, const value& at_edge, block& out) {
    if (!how_.stage_tiles) {
        loops_of_tile(outside, at_edge, out);
        return;
    }
    block& code = own_code(stage_code::tiles, out);
    place_stage_group(code);
    begin_stages(code);
    loops_of_tile(outside, at_edge, code);
    end_stages(code);
}

void stream_lowering::loops_of_tile(const value& outside, const value& at_edge, block& out) {
    if (!outside) {
        stream(out, false);
        return;
    }
    // One of two loops runs once: a barrier may not stand in a branch everywhere. PoCL up to 5 compiles programs
    // wrongly whose loop LLVM has made a branch.
    value once = make(work_item{id::one}, type::index);
    if (at_edge) { // other tiles have no such block
        once = named(out, "works", chosen(below(first_, length_), once, number(0)));
    }
    const value beyond = named(out, "beyond", chosen(outside, once, number(0)));
    out.push_back({comment{"a tile that reaches beyond the grid"}});
    stream(*enter(out, loop{"edge", number(0), beyond, number(1), {}}), true);
    out.push_back({comment{"a tile inside of the grid"}});
    stream(*enter(out, loop{"inner", beyond, once, number(1), {}}), false);
}

} // namespace gst::streaming
