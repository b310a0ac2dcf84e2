#include "core/codegen/stream/short_lives.hpp"
#include "core/codegen/stream/stream_lowering.hpp"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gst::streaming {

value stream_lowering::handed_slot(const tracked_array& a, const value& group, const value& turn) const {
    return number(halo_slots(a)) + (group * number(2) + turn) * number(how_.planes);
}

void stream_lowering::take_together(const value& newest, block& out, std::vector<planes_of_arrays>& rows) {
    copy_next(newest, out);
    for (const tracked_array& a : tracked_) {
        if (is_kept(a)) {
            continue;
        }
        const value slot = chosen(is_group(0), slot_number(halo_slots(a), var("pass"), 0),
                                  handed_slot(a, plus(group_, -1), number(1) - var("turn")));
        const value first = named(out, a.name + "_from", slot * number(halo_plane()) + halo_own());
        for (int r = 0; r < how_.planes; ++r) {
            const std::string words = fmt::format("{}_in{}", a.name, r);
            const plane own = own_points(a, plus(first, r * halo_plane()), words, out);
            rows[static_cast<std::size_t>(r)][&a] = how_.vector_width == 1 ? named_plane(out, words, own) : own;
        }
    }
}

void stream_lowering::hand_on(block& out, std::size_t begin, const std::vector<planes_of_arrays>& rows) {
    // To planes that no stage group reads in this pass.
    block stores;
    for (const tracked_array& a : tracked_) {
        if (is_kept(a)) {
            continue;
        }
        const value first =
            named(stores, a.name + "_to", handed_slot(a, group_, var("turn")) * number(halo_plane()) + halo_own());
        for (int r = 0; r < how_.planes; ++r) {
            for (std::int64_t y = 0; y < y_.points; ++y) {
                for (std::int64_t x = 0; x < x_.points; x += how_.vector_width) {
                    put_local(a.type, tile_array(a),
                              plus(first, r * halo_plane() + y_.shift(y) * halo_row() + halo_shift(x)),
                              rows[static_cast<std::size_t>(r)].at(&a), static_cast<std::size_t>(y * x_.points + x),
                              stores, how_.vector_width);
                }
            }
        }
    }
    shorten_lives(out, begin, std::move(stores));
}

void stream_lowering::declare_written_pieces(block& out) {
    const std::int64_t per_row = x_.width / how_.vector_width;
    const std::int64_t all = per_row * y_.width;
    written_pieces_.clear();
    for (std::int64_t i = 0; i * items() < all; ++i) {
        const std::string words = fmt::format("written{}", i);
        const bool some = (i + 1) * items() > all;
        const value n = plus(var("item"), i * items());
        const value piece = named(out, words, some ? least(n, number(all - 1)) : n);
        const bool one_row = all == per_row;
        const value row = one_row ? number(0) : named(out, words + "_row", quotient(piece, per_row));
        const value column =
            named(out, words + "_column", (one_row ? piece : modulo(piece, per_row)) * number(how_.vector_width));
        const value place = interleaves_vectors()
                                ? named(out, words + "_place", row * number(halo_row()) + halo_column(column))
                                : piece * number(how_.vector_width);
        written_pieces_.push_back({place, row, column, some ? below(n, all) : value()});
    }
}

void stream_lowering::write_together(const value& newest, block& out) {
    const std::int64_t behind = how_.planes + (groups_ - 1) * group_distance() + group_lag();
    const int width = how_.vector_width;
    // Everything is loaded before the first branch.
    std::vector<std::vector<std::map<const tracked_array*, plane>>> loaded;
    for (int r = 0; r < how_.planes; ++r) {
        loaded.emplace_back();
        for (const written_piece& p : written_pieces_) {
            std::map<const tracked_array*, plane>& values = loaded.back().emplace_back();
            for_written([&](const field& f, int, const tracked_array* a) {
                const std::string words = fmt::format("w{}_{}_piece{}", r, a->name, loaded.back().size() - 1);
                const value slot = handed_slot(*a, number(groups_ - 1), number(1) - var("turn"));
                const value at = plus(slot * number(halo_plane()), r * halo_plane()) + p.place; // rows have no halo
                load_piece(values[a], {tile_array(*a), f.type, width, true, true}, at, words, out);
                if (width == 1) {
                    values[a].front() = named(out, words, values[a].front());
                }
            });
        }
    }
    for (int r = 0; r < how_.planes; ++r) {
        const std::string prefix = fmt::format("w{}_", r);
        const value at = named(out, prefix + "plane", plus(newest, r - behind));
        const value here = named(out, prefix + "here", both(less_equal(first_, at), less(at, last_)));
        for (std::size_t i = 0; i < written_pieces_.size(); ++i) {
            const written_piece& p = written_pieces_[i];
            const value x = x_.first + p.column;
            const value to = number(layout_.origin) + at * number(stride(along_)) +
                             (y_.first + p.row) * number(stride(across_)) + x * number(stride(inner_));
            // One branch per store becomes a predicate: between nested branches ptxas does not keep numbers in uniform
            // registers.
            const value in_row = both(here, both(p.exists, writable(y_, p.row, y_.first + p.row, 1)));
            for_written([&](const field& f, int level, const tracked_array* a) {
                write_piece(
                    f, array_name(f, level), to, loaded[static_cast<std::size_t>(r)][i].at(a),
                    [&](std::int64_t from, std::int64_t count) {
                        return both(in_row, writable(x_, plus(p.column, from), plus(x, from), count));
                    },
                    out);
            });
        }
    }
}

} // namespace gst::streaming
