#include "core/codegen/stream/stream_lowering.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/tile_overlap.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace gst::streaming {

void stream_lowering::show(passage& p, block& out) {
    if (p.stage < first_shown()) {
        return;
    }
    for (const tracked_array& a : tracked_) {
        if (!is_shown(a)) {
            continue;
        }
        const int newest = *a.exchanged_planes.rbegin();
        const value tile = named(out, p.prefix + a.name + "_tile", tile_place(p, a, 0));
        p.tiles[{&a, 0}] = tile;
        put_shown(a, tile, own(p, a, newest), out);
    }
}

void stream_lowering::show_next(const passage& p, const planes_of_arrays& before, block& out) const {
    for (const tracked_array& a : tracked_) {
        if (!is_shown(a)) {
            continue;
        }
        const std::int64_t known = lag_ - *a.exchanged_planes.rbegin(); // so many passes before it has passed
        const plane* what = &before.at(&a);
        if (known > 1) {
            what = &own(p, a, lag_ + 1 - known);
        } else if (known == 1 && skew_ > 0) {
            what = &p.now.at(&a);
        }
        put_shown(a, named(out, p.prefix + a.name + "_next_tile", tile_place(p, a, -1)), *what, out);
    }
}

void stream_lowering::put_shown(const tracked_array& a, const value& tile, const plane& what, block& out) const {
    for (std::int64_t y = 0; y < y_.points; ++y) {
        if (tile_.row_place(y) < 0) {
            continue;
        }
        for (std::int64_t x = 0; x < x_.points; x += how_.vector_width) {
            put_local(a.type, a.name + "_tiles", plus(tile, tile_.row_place(y) * x_.width + x_.shift(x)), what,
                      static_cast<std::size_t>(y * x_.points + x), out, how_.vector_width);
        }
    }
}

value stream_lowering::tile_place(const passage& p, const tracked_array& a, std::int64_t back) const {
    if (reads_halo(p, a)) {
        return halo_place(p, a, back);
    }
    const int shown = p.stage - first_shown(); // of the time steps whose planes are
    value slot;
    if (in_ring(a)) {
        const std::int64_t slots = shown_slots(a);
        value counted = var("pass") * number(how_.planes) + number(p.row + slots - back);
        if (checked_ && back > 0) {
            counted = counted - ring_correction(p, a, back);
        }
        slot = (group_ * number(shown_steps()) + number(shown)) * number(slots) + modulo(counted, slots);
    } else {
        const std::int64_t i = exchanges_at_once() ? p.row : std::int64_t{p.row} * shown_steps() + shown;
        const value turn = exchanges() == 1                               ? var("turn")
                           : i == exchanges() - 1 && exchanges() % 2 == 1 ? number(2)
                                                                          : number(i % 2);
        const std::int64_t step = exchanges_at_once() ? shown : 0;
        slot = group_ * number(turn_slots()) + turn + number(step * turns());
    }
    return number(tile_.guard()) + slot * number(tile_.elements() + tile_.guard()) +
           local_index(across_) * number(tile_.shared_rows() / y_.runs * x_.width) +
           local_index(inner_) * number(x_.block);
}

value stream_lowering::ring_correction(const passage& p, const tracked_array& a, std::int64_t back) const {
    const boundary& low = s_.fields[a.field].faces[along_][0];
    if (how_.retiming || !has_ghosts(a) || !is_copied(low)) {
        return number(0);
    }
    const value at = plus(p.result, *a.exchanged_planes.rbegin() - back);
    // The plane at is found `at - source` planes further back (a negative number).
    const value behind = low.kind == boundary_kind::clamp ? at : at + at;
    return chosen(both(below(at, 0), at_least(p.result, 0)), behind, number(0));
}

value stream_lowering::fetch(passage& p, const tracked_array& a, std::int64_t offset, std::int64_t x, std::int64_t y,
                             block& out) {
    const std::int64_t column = x_.point(x);
    const std::int64_t own_row = y_.point(y);
    if (column >= 0 && own_row >= 0 && !is_kept(a) && !(sums_are_late() && offset > 0)) {
        return own(p, a, offset)[static_cast<std::size_t>(own_row * x_.points + column)];
    }
    const auto key = std::make_tuple(&a, static_cast<int>(offset), x, y);
    if (const auto found = p.fetched.find(key); found != p.fetched.end()) {
        return found->second;
    }
    const auto sign = [](std::int64_t n) { return fmt::format("{}{}", n < 0 ? "m" : "p", std::abs(n)); };
    const std::string words = fmt::format("{}{}_{}_{}_{}", p.prefix, a.name, sign(x), sign(y), sign(offset));
    value v;
    if (how_.shuffle && (x < 0 || x >= x_.points) && !(reads_halo(p, a) && has_halo_columns(how_))) {
        v = of_another_lane(p, a, offset, x, y, words, out);
    } else if (is_kept(a) && !holds_halo(a)) {
        return of_kept_plane(p, a, offset, x, y, words, out);
    } else if (!how_.local && reads_pieces(x)) {
        const std::int64_t first = floor_div(x, how_.vector_width) * how_.vector_width;
        fetch_piece(p, {&a, static_cast<int>(offset), first, y}, a.name,
                    memory_place(p, offset, first, y, how_.vector_width), words, out);
        return p.fetched.at(key);
    } else if (!how_.local) {
        v = make(load{a.name, memory_place(p, offset, x, y), a.type}, register_type(a.type));
    } else if (reads_halo(p, a)) {
        const value row = plus(tile_of(p, a, offset, out), y * halo_row());
        const int width = how_.vector_width;
        if (width > 1 && (column >= 0 || reach_[inner_] > 1)) {
            const std::int64_t first = floor_div(x, width) * width;
            fetch_piece(p, {&a, static_cast<int>(offset), first, y}, tile_array(a),
                        beside_seam(plus(row, first), first), words, out);
            return p.fetched.at(key);
        }
        v = make(load{tile_array(a), beside_seam(plus(row, x), x), a.type, true}, register_type(a.type));
    } else {
        const std::int64_t place = tile_.row(y);
        const value row = plus(tile_of(p, a, offset, out), place * x_.width);
        const int width = how_.vector_width;
        if (width > 1 && column >= 0) {
            const std::int64_t first = x / width * width;
            fetch_piece(p, {&a, static_cast<int>(offset), first, y}, a.name + "_tiles", plus(row, first), words, out);
            return p.fetched.at(key);
        }
        v = make(load{a.name + "_tiles", plus(row, x), a.type, true}, register_type(a.type));
    }
    v = named(out, words, v);
    p.fetched.emplace(key, v);
    return v;
}

value stream_lowering::of_another_lane(passage& p, const tracked_array& a, std::int64_t offset, std::int64_t x,
                                       std::int64_t y, const std::string& words, block& out) {
    const std::int64_t lanes = floor_div(x, x_.points);
    const value theirs = fetch(p, a, offset, x - lanes * x_.points, y, out);
    const value shuffled = make(shuffle{theirs, static_cast<int>(lanes)}, theirs->of);
    if (tiles_overlap(how_, inner_)) {
        return shuffled; // what the lanes at the ends get there reaches no point that is written
    }
    const value beyond =
        lanes < 0 ? below(local_index(inner_), -lanes) : at_least(local_index(inner_), x_.group - lanes);
    const std::string loaded = words + "_beyond";
    out.push_back({declare{theirs->of, loaded, zero(theirs->of), true}});
    block* end = enter(out, beyond);
    end->push_back({assign{loaded, make(load{a.name, memory_place(p, offset, x, y), a.type}, theirs->of)}});
    // The lanes at the ends take part in the shuffle, too: it may not hang on the condition.
    return chosen(beyond, var(loaded, theirs->of), named(out, words + "_shuffled", shuffled));
}

bool stream_lowering::reads_pieces(std::int64_t x) const {
    return inner_ == 0 && how_.vector_width > 1 && layout_.aligns(how_.vector_width) && (!edge_ || loads_vectors(x_)) &&
           (x_.point(x) >= 0 || reach_[inner_] > 1);
}

void stream_lowering::fetch_piece(passage& p, const fetched_point& from, const std::string& array, const value& at,
                                  const std::string& words, block& out) const {
    const auto& [a, offset, x, y] = from;
    const int width = how_.vector_width;
    out.push_back({declare_vector{a->type, width, words, array, at, true, how_.local}});
    for (int e = 0; e < width; ++e) {
        p.fetched.emplace(fetched_point{a, offset, x + e, y}, make(lane{words, width, e}, register_type(a->type)));
    }
}

value stream_lowering::memory_place(const passage& p, std::int64_t offset, std::int64_t x, std::int64_t y,
                                    int width) const {
    const value z = memory_plane(how_.retiming ? p.come : plus(p.result, offset));
    value column = plus(x_.own, x);
    value row = plus(y_.own, y);
    if (edge_) {
        const auto [low, high] = layout_.vectors(width);
        column = width > 1 ? clamped(column, low, high)
                           : clamped(column, -layout_.halo[inner_], x_.size - 1 + layout_.halo[inner_]);
        row = clamped(row, -layout_.halo[across_], y_.size - 1 + layout_.halo[across_]);
    }
    return number(layout_.origin) + z * number(stride(along_)) + row * number(stride(across_)) +
           column * number(stride(inner_));
}

value stream_lowering::tile_of(passage& p, const tracked_array& a, std::int64_t offset, block& out) {
    const std::int64_t newest = reads_halo(p, a) ? lag_ : *a.exchanged_planes.rbegin();
    const std::int64_t back = newest_is_read() ? 0 : newest - offset;
    value& tile = p.tiles[{&a, back}];
    if (!tile) {
        tile = named(out, fmt::format("{}{}_tile_back{}", p.prefix, a.name, back), tile_place(p, a, back));
    }
    return tile;
}

} // namespace gst::streaming
