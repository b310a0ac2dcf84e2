#include "core/codegen/stream/stream_lowering.hpp"
#include "core/codegen/stream/tile_faces.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace gst::streaming {

bool stream_lowering::is_exchanged() const {
    return stages_ > first_shown() &&
           std::any_of(tracked_.begin(), tracked_.end(), [&](const auto& a) { return is_shown(a); });
}

bool stream_lowering::exchanges_at_once() const {
    return is_exchanged() && (skew_ > 0 || std::all_of(tracked_.begin(), tracked_.end(), [&](const tracked_array& a) {
                                  return !is_shown(a) || *a.exchanged_planes.rbegin() < lag_;
                              }));
}

std::int64_t stream_lowering::exchanges() const {
    return !is_exchanged() ? 0 : exchanges_at_once() ? how_.planes : std::int64_t{shown_steps()} * how_.planes;
}

bool stream_lowering::is_copied_across(const tracked_array& a) const {
    return has_ghosts(a) && std::any_of(std::begin(tile_axes_), std::end(tile_axes_),
                                        [&](const tile_axis* t) { return has_copied_faces(s_.fields[a.field], *t); });
}

std::int64_t stream_lowering::tile_elements(const tracked_array& a) const {
    const std::int64_t tiles = groups_ * (in_ring(a) ? shown_steps() * shown_slots(a) : turn_slots());
    return tile_.guard() + tiles * (tile_.elements() + tile_.guard());
}

void stream_lowering::declare_locals() {
    if (counts_arrivals()) {
        kernel_->locals.push_back({scalar::i32, arrivals, 2});
    }
    if (boxes_of_pass() > 0) {
        kernel_->locals.push_back({scalar::i32, arrived_boxes, 2 * how_.ahead});
    }
    for (const tracked_array& a : tracked_) {
        const auto add = [&](const char* what, std::int64_t elements) {
            kernel_->locals.push_back({a.type, a.name + what, elements});
        };
        if (is_exchanged() && is_shown(a)) {
            add("_tiles", tile_elements(a));
        }
        if (how_.stage_tiles) {
            add("_stage", stage_slots(a) * stage_plane());
        } else if (groups_ > 1 && !how_.group_copies && !is_kept(a)) {
            add("_hand_over", (groups_ - 1) * 2 * how_.planes * group_points());
        }
        if (is_copied_together(a)) {
            const std::int64_t handed = how_.group_copies ? std::int64_t{groups_} * 2 * how_.planes : 0;
            kernel_->locals.push_back({a.type, tile_array(a), (halo_slots(a) + handed) * halo_plane(),
                                       static_cast<std::uint64_t>(is_box(a) ? box_alignment : 16)});
        } else if (copies_ahead()) {
            add("_ahead", ahead_slots(a) * group_points());
        }
        if (how_.steps > 1 && !how_.stage_tiles && is_copied_across(a)) {
            add("_ghosts", groups_ * group_points());
        }
    }
    for (const left_array& a : left_) {
        kernel_->locals.push_back({a.type, a.name, left_slots() * second_x_.width * second_y_.width});
    }
    for (const std::size_t u : updates_with_left_terms()) {
        const left_array a = terms_array(u);
        kernel_->locals.push_back({a.type, a.name, left_slots() * second_x_.width * second_y_.width});
    }
    // Nothing lies between them then, in whatever order compilers would take them.
    std::stable_sort(kernel_->locals.begin(), kernel_->locals.end(),
                     [](const local_array& a, const local_array& b) { return a.alignment > b.alignment; });
}

value stream_lowering::hand_over_place(const value& group, const value& turn, int r) const {
    return (group * number(2 * how_.planes) + turn * number(how_.planes) + number(r)) * number(group_points()) +
           first_piece();
}

value stream_lowering::ahead_place(const value& slot, int r) const {
    return (slot * number(how_.planes) + number(r)) * number(group_points()) + first_piece();
}

value stream_lowering::first_piece() const {
    return (local_index(across_) * number(x_.group) + local_index(inner_)) * number(how_.vector_width);
}

void stream_lowering::put_local(scalar stored, const std::string& array, const value& at, const plane& what,
                                std::size_t from, block& out, int width) const {
    if (width == 1) {
        out.push_back({store{array, at, what[from], stored, true}});
        return;
    }
    vector_store v{array, at, {}, width, stored, true, false, true};
    for (int e = 0; e < width; ++e) {
        v.values.push_back(what[from + static_cast<std::size_t>(e)]);
    }
    out.push_back({std::move(v)});
}

plane stream_lowering::pieces_at(const tracked_array& a, const char* array, const value& at, const std::string& words,
                                 block& out) {
    const memory_piece piece{a.name + array, a.type, how_.vector_width, true, true};
    plane values;
    for (std::int64_t k = 0; k < x_.points * y_.points; k += piece.width) {
        load_piece(values, piece, at + number(k * x_.group * y_.group), fmt::format("{}_{}", words, k / piece.width),
                   out);
    }
    return values;
}

} // namespace gst::streaming
