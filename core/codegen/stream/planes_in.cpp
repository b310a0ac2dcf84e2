#include "core/codegen/stream/stream_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst::streaming {

void stream_lowering::take_inputs(const value& newest, block& out, std::vector<planes_of_arrays>& rows) {
    if (how_.group_copies) {
        take_together(newest, out, rows);
        return;
    }
    if (groups_ == 1 && !how_.prefetch) {
        for (const tracked_array& a : tracked_) {
            for (int r = 0; r < how_.planes; ++r) {
                rows[static_cast<std::size_t>(r)][&a] = loaded_plane(a, plus(newest, r), fmt::format("l{}_", r), out);
            }
        }
        return;
    }
    for (const tracked_array& a : tracked_) {
        const std::vector<plane> in = is_kept(a) ? std::vector<plane>{} : inputs(&out, a, "in");
        for (std::size_t r = 0; r < in.size(); ++r) {
            rows[r][&a] = in[r];
        }
    }
    if (groups_ == 1) {
        take_from_memory(newest, out, rows);
        return;
    }
    out.push_back({branch{is_group(0), {}, {}}});
    branch& split = std::get<branch>(out.back().what);
    take_from_memory(newest, split.yes, rows);
    for (const tracked_array& a : tracked_) {
        for (int r = 0; r < how_.planes && !is_kept(a); ++r) {
            const value at = hand_over_place(group_ - number(1), number(1) - var("turn"), r);
            set(split.no, rows[static_cast<std::size_t>(r)].at(&a),
                pieces_at(a, "_hand_over", at, fmt::format("{}_from{}", a.name, r), split.no));
        }
    }
}

void stream_lowering::take_from_memory(const value& newest, block& out, const std::vector<planes_of_arrays>& rows) {
    if (copies_ahead()) {
        copy_next(newest, out);
        for (const tracked_array& a : tracked_) {
            for (int r = 0; r < how_.planes && !is_kept(a); ++r) {
                plane values;
                if (holds_halo(a)) {
                    const std::string words = fmt::format("{}_own{}", a.name, r);
                    values = own_points(a, named(out, words, halo_slot(a, var("pass"), r) + halo_own()), words, out);
                } else {
                    values =
                        pieces_at(a, "_ahead", ahead_place(var("slot"), r), fmt::format("{}_ahead{}", a.name, r), out);
                }
                set(out, rows[static_cast<std::size_t>(r)].at(&a), values);
            }
        }
        return;
    }
    for (const tracked_array& a : tracked_) {
        const std::vector<plane> next = how_.prefetch ? inputs(nullptr, a, "next") : std::vector<plane>{};
        for (std::size_t r = 0; r < next.size(); ++r) {
            set(out, rows[r].at(&a), next[r]);
        }
        for (int r = 0; r < how_.planes; ++r) {
            const auto i = static_cast<std::size_t>(r);
            load_plane(a, plus(newest, how_.prefetch ? how_.planes + r : r), fmt::format("l{}_", r), out,
                       how_.prefetch ? next[i] : rows[i].at(&a));
        }
    }
}

void stream_lowering::copy_next(const value& newest, block& out) {
    value free; // of the arrays of which work-items copy what they need themselves
    if (!std::all_of(tracked_.begin(), tracked_.end(),
                     [&](const auto& a) { return is_copied_together(a) || is_kept(a); })) {
        free = named(out, "free_slot", modulo(plus(var("pass"), how_.ahead - 1), how_.ahead));
        named(out, "slot", modulo(var("pass"), how_.ahead));
    }
    const bool together = any_copied_together();
    if (together) { // others' copies are there, and nobody needs the planes that are overwritten
        if (splits_passes()) {
            out.push_back({await_arrivals{arrivals, "", modulo(var("pass"), 2)}});
        } else {
            await_shared_copies(out);
            out.push_back({barrier{}});
        }
    }
    copy_planes(plus(newest, (how_.ahead - 1) * how_.planes), plus(var("pass"), how_.ahead - 1), free, "c", out);
    if (copies_boxes()) {
        await_boxes_of_pass(out);
    }
    if (!together || (copies_boxes() && !all_boxes())) {
        out.push_back({await_copies{how_.ahead - 1}});
    }
}

void stream_lowering::await_boxes_of_pass(block& out) const {
    out.push_back(
        {await_boxes{arrived_boxes, modulo(var("pass"), how_.ahead), modulo(quotient(var("pass"), how_.ahead), 2)}});
}

void stream_lowering::await_shared_copies(block& out) const {
    if (!copies_boxes()) {
        out.push_back({await_copies{how_.ahead - 2}});
    }
}

void stream_lowering::copy_planes(const value& newest, const value& pass, const value& slot, const std::string& words,
                                  block& out) {
    for (const tracked_array& a : tracked_) {
        for (int r = 0; r < how_.planes; ++r) {
            const std::string prefix = fmt::format("{}{}_", words, r);
            if (is_box(a) && copies_boxes()) {
                const value to = named(out, prefix + a.name + "_slot", halo_slot(a, pass, r));
                copy_box_of(a, plus(newest, r), pass, to, out);
            } else if (is_copied_together(a)) {
                const value to = named(out, prefix + a.name + "_slot", halo_slot(a, pass, r));
                copy_halo_plane(a, plus(newest, r), to, prefix, out);
            } else {
                block* copying = enter(out, how_.group_copies ? is_group(0) : value());
                const value to = is_kept(a) ? named(*copying, prefix + a.name + "_slot",
                                                    kept_place(a, plus(pass * number(how_.planes), r)))
                                            : ahead_place(slot, r);
                copy_plane(a, plus(newest, r), to, prefix, *copying);
            }
        }
    }
    if (!copies_boxes() || !all_boxes()) {
        out.push_back({commit_copies{}});
    }
}

void stream_lowering::copy_plane(const tracked_array& a, const value& at, const value& place, const std::string& prefix,
                                 block& out) {
    const std::string array = a.name + "_ahead";
    const int width = how_.vector_width;
    const auto to = [&](std::int64_t piece) { return place + number(piece * width * x_.group * y_.group); };
    if (a.type == scalar::f16 || (edge_ && width > 1 && !loads_vectors(x_))) { // no copy of whole pieces as they are
        const plane values = loaded_plane(a, at, prefix, out);
        for (std::int64_t piece = 0; piece < pieces(); ++piece) {
            put_local(a.type, array, to(piece), values, static_cast<std::size_t>(piece * width), out,
                      how_.vector_width);
        }
        return;
    }
    const value z = named(out, prefix + a.name + "_plane", memory_plane(plus(at, -delay(a)))) * number(stride(along_));
    for (std::int64_t y = 0; y < y_.points; ++y) {
        const value row = row_in_memory(a, z, y, prefix, out);
        for (std::int64_t x = 0; x < x_.points; x += width) {
            out.push_back({async_copy{a.type, width, a.name, piece_in_memory(row, x), array,
                                      to((y * x_.points + x) / width), layout_.aligns(width)}});
        }
    }
}

plane stream_lowering::loaded_plane(const tracked_array& a, const value& at, const std::string& prefix, block& out) {
    const value z = named(out, prefix + a.name + "_plane", memory_plane(plus(at, -delay(a)))) * number(stride(along_));
    const int width = edge_ && !loads_vectors(x_) ? 1 : how_.vector_width;
    plane values;
    for (std::int64_t y = 0; y < y_.points; ++y) {
        const value row = row_in_memory(a, z, y, prefix, out);
        for (std::int64_t x = 0; x < x_.points; x += width) {
            const std::string words = fmt::format("{}{}_{}", prefix, a.name, y * x_.points + x);
            if (width == 1) {
                values.push_back(
                    named(out, words, make(load{a.name, element_in_memory(row, x), a.type}, register_type(a.type))));
                continue;
            }
            load_piece(values, {a.name, a.type, width, layout_.aligns(width)}, piece_in_memory(row, x), words, out);
        }
    }
    return values;
}

void stream_lowering::load_plane(const tracked_array& a, const value& at, const std::string& prefix, block& out,
                                 const plane& to) {
    set(out, to, loaded_plane(a, at, prefix, out));
}

} // namespace gst::streaming
