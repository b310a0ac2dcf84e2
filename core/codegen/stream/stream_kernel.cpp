#include "core/codegen/stream/stream_kernel.hpp"

#include "core/codegen/stage_tiles.hpp"
#include "core/codegen/stream/looped_lowering.hpp"
#include "core/codegen/stream/stream_lowering.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/tile_overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace gst::streaming {

stream_kernel::stream_kernel(const stencil& s, std::vector<std::size_t> updates, const array_layout& layout,
                             const schedule& how)
    : s_(s), updates_(std::move(updates)), layout_(layout), how_(how),
      along_(static_cast<std::size_t>(how.stream_axis)), inner_(along_ == 0 ? 1 : 0), across_(along_ == 2 ? 1 : 2),
      length_(layout.size[along_]), groups_(how.stage_groups()), stages_(how.steps / groups_),
      inputs_(inputs_of(s_, updates_)) {
    collect_reads();
    x_ = tile_along(inner_, how.vector_width);
    y_ = tile_along(across_, 1);
    periodic_ = how.steps > 1 && is_periodic(along_);
    lag_ = reach_[along_];
}

lowered_kernel stream_kernel::lower() {
    lowered_kernel out;
    kernel_ = &out.kernel;
    const field& target = s_.fields[s_.updates[updates_.front()].field];
    out.kernel.name = s_.name + "_" + (how_.steps > 1 ? fmt::format("{}_steps", how_.steps) : target.name);
    out.kernel.about = fmt::format("{}[t+{}] on {} × {} × {} points: {}", how_.steps > 1 ? s_.name : target.name,
                                   how_.steps, layout_.size[0], layout_.size[1], layout_.size[2], to_string(how_));
    out.kernel.work_group = launched_work_group(how_, updated_reach(s_));
    out.kernel.groups_at_once = how_.groups_at_once > 1 || how_.all_registers ? how_.groups_at_once : 0;
    out.error_factor = error_factor_;
    add_formals(out);
    declare_locals();
    block& body = how_.equal_shares ? begin_shares(out.kernel.body) : out.kernel.body; // of one tile
    const std::int64_t numbered = how_.equal_shares ? how_.shares() : how_.numbers_tiles() ? declare_rest(body) : 0;
    value outside;
    declare_tile(x_, body);
    declare_tile(y_, body);
    for (const tile_axis* t : first_tile()) {
        // Beyond periodic faces, whose halo is left (program::halos), is also what tiles hold beside their points.
        const bool holds_beside = how_.halo && (t->axis != inner_ || has_halo_columns(how_));
        const std::int64_t beside = t->periodic && holds_beside ? t->reach : 0;
        if (t->seam > 0) {
            const value last = at_least(t->first, t->size - t->seam - t->halo - t->step + 1);
            outside = either(outside, either(below(t->first, 0), t->size % t->step == 0 ? value() : last));
            continue;
        }
        if (t->tiles * t->step != t->size || t->halo > 0 || t->width > t->step || beside > 0) {
            outside =
                either(outside, either(below(t->first, beside), at_least(t->first, t->size - t->width - beside + 1)));
        }
    }
    const value at_edge = how_.edge_blocks ? outside : value(); // where there is one block more
    out.launch.local = out.kernel.work_group;
    out.launch.global = out.kernel.work_group;
    if (how_.numbers_tiles()) {
        out.launch.global[how_.equal_shares ? along_ : 0] *= static_cast<std::uint64_t>(numbered);
    } else {
        out.launch.global[inner_] *= static_cast<std::uint64_t>(x_.tiles);
        out.launch.global[across_] *= static_cast<std::uint64_t>(y_.tiles);
        out.launch.global[along_] *= static_cast<std::uint64_t>(declare_block(at_edge, body));
    }
    out.launch.kernel = out.kernel.name;
    if (!how_.equal_shares) {
        prepare(body);
    }
    stream_tile(outside, at_edge, body);
    if (how_.equal_shares) {
        end_tile(body);
    }
    return out;
}

const tracked_array* stream_kernel::result_of(const update& u) const {
    return how_.steps > 1 ? find_array(tracked_, u.field, 0) : &untracked_result_;
}

void stream_kernel::collect_reads() {
    std::vector<node_id> nodes;
    for (const std::size_t u : updates_) {
        const auto some = reachable(s_, s_.updates[u].value);
        nodes.insert(nodes.end(), some.begin(), some.end());
    }
    for (const auto& [f, level] : streamed_arrays(s_, updates_, how_.steps, how_.coefficients)) {
        const field& what = s_.fields[f];
        if (what.coefficient && what.halo == offset3{} && !keeps_coefficients()) {
            continue;
        }
        if (how_.stage_tiles && level < 0) { // of the point alone
            continue;
        }
        tracked_.push_back({f, level, what.type, array_name(what, level), 0, false, {}, {}});
    }
    for (const node_id n : nodes) {
        has_coordinates_ = has_coordinates_ || std::holds_alternative<ir::coordinate>(s_.nodes[n].op);
        const auto* r = std::get_if<ir::read>(&s_.nodes[n].op);
        if (!r) {
            continue;
        }
        if (is_direct(*r)) {
            direct_.emplace(r->field, r->level);
            if (how_.stage_tiles && r->level < -1) { // what the second time step reads
                direct_.emplace(r->field, r->level + 1);
            }
            reads_neighbours_directly_ = reads_neighbours_directly_ || r->at != offset3{};
            continue;
        }
        for (std::size_t axis = 0; axis < 3; ++axis) {
            reach_[axis] = std::max<std::int64_t>(reach_[axis], std::abs(r->at[axis]));
        }
        tracked_array& a = *find_array(tracked_, r->field, r->level);
        a.oldest_plane = std::min(a.oldest_plane, r->at[along_]);
        a.reads_neighbours = a.reads_neighbours || r->at != offset3{};
        const bool beside = r->at[inner_] != 0;
        if (how_.local && (r->at[across_] != 0 || (beside && !how_.shuffle))) {
            a.exchanged_planes.insert(r->at[along_]);
        }
        if (how_.halo && (r->at[across_] != 0 || (beside && has_halo_columns(how_)))) {
            a.oldest_in_halo = std::min(a.oldest_in_halo.value_or(r->at[along_]), r->at[along_]);
        }
    }
}

bool stream_kernel::is_periodic(std::size_t axis) const {
    return std::any_of(tracked_.begin(), tracked_.end(), [&](const tracked_array& a) {
        const field& f = s_.fields[a.field];
        return !f.coefficient && f.halo[axis] > 0 && f.faces[axis][0].kind == boundary_kind::periodic;
    });
}

tile_axis stream_kernel::tile_along(std::size_t axis, std::int64_t alignment) const {
    const bool periodic = how_.steps > 1 && is_periodic(axis);
    const bool alone =
        how_.loops && !periodic && how_.tile(static_cast<int>(axis)) >= static_cast<std::uint64_t>(layout_.size[axis]);
    tile_axis t = make_tile(
        how_, axis, layout_.size[axis], reach_[axis],
        alone ? tile_overlap()
              : overlap_of(how_, axis, reach_[axis], groups_beyond(s_, how_.stream_axis, how_.filtered_lines)));
    t.periodic = periodic;
    if (how_.steps > 1 && !how_.loops && std::any_of(tracked_.begin(), tracked_.end(), [&](const tracked_array& a) {
            const field& f = s_.fields[a.field];
            return f.halo[axis] > 0 && is_frozen(f.faces[axis][0]) && is_frozen(f.faces[axis][1]);
        })) {
        t.first_shift = shift_of_first(
            t, axis == inner_ && how_.tensor_copies ? std::max(alignment, tensor_alignment(s_)) : alignment);
    }
    return t;
}

void stream_kernel::add_formal(lowered_kernel& out, formal f, kernel_argument a) {
    out.kernel.formals.push_back(std::move(f));
    out.launch.arguments.push_back(std::move(a));
}

void stream_kernel::add_formals(lowered_kernel& out) {
    for (const std::size_t u : updates_) {
        const std::uint32_t f = s_.updates[u].field;
        for (int age = 0; age < written_levels(s_.fields[f]); ++age) {
            const int level = how_.steps - age;
            add_formal(out, {formal::kind::output, array_name(s_.fields[f], level), s_.fields[f].type},
                       field_argument{f, level, false});
        }
    }
    for (const tracked_array& a : tracked_) {
        add_formal(out, {formal::kind::input, a.name, a.type}, field_argument{a.field, a.level, false});
        add_formals_of(a, out);
    }
    for (const auto& [f, level] : direct_) {
        add_formal(out, {formal::kind::input, array_name(s_.fields[f], level), s_.fields[f].type},
                   field_argument{f, level, false});
    }
    for (const auto& [p, type] : inputs_.parameters) {
        add_formal(out, {formal::kind::scalar, s_.parameters[p].name + "_param", type}, parameter_argument{p, type});
    }
    if (inputs_.step) {
        add_formal(out, {formal::kind::scalar, "step_number", scalar::i32}, step_argument{});
    }
}

} // namespace gst::streaming

namespace gst {

lowered_kernel lower_stream(const stencil& s, const std::vector<std::size_t>& updates, const array_layout& layout,
                            const schedule& how) {
    if (how.loops) {
        return streaming::looped_lowering(s, updates, layout, how).lower();
    }
    return streaming::stream_lowering(s, updates, layout, how).lower();
}

} // namespace gst
