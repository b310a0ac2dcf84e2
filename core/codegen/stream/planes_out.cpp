#include "core/codegen/stream/stream_lowering.hpp"

#include <fmt/format.h>

#include <utility>

namespace gst::streaming {

void stream_lowering::write(block& out, const std::vector<planes_of_arrays>& rows) {
    for (int r = 0; r < how_.planes; ++r) {
        write_row(out, r, rows[static_cast<std::size_t>(r)]);
    }
}

void stream_lowering::write_row(block& out, int r, const planes_of_arrays& row) {
    const std::string prefix = fmt::format("w{}_", r);
    const value at = named(out, prefix + "plane", plus(plane_, r - group_lag()));
    block* inside = enter(out, both(less_equal(first_, at), less(at, last_)));
    for_written([&](const field& f, int level, const tracked_array* from) {
        write_plane(f, level, at, prefix, row.at(from), *inside);
    });
}

void stream_lowering::for_written(
    const std::function<void(const field& f, int level, const tracked_array* from)>& one) const {
    for (const std::size_t u : updates_) {
        const update& what = s_.updates[u];
        const field& f = s_.fields[what.field];
        const int together = how_.stage_tiles ? 1 : written_levels(f); // write_first_step writes the other one
        for (int age = 0; age < together; ++age) {
            one(f, how_.steps - age, age == 0 ? result_of(what) : find_array(tracked_, what.field, -age));
        }
    }
}

value stream_lowering::writable(const tile_axis& t, const value& within, const value& at, std::int64_t count) const {
    value inside;
    if (t.halo > 0) {
        const value from = edge_ ? t.written_from : number(t.halo);
        inside = both(binary_value(ir::binary_op::greater_equal, within, from), less(within, plus(from, t.step)));
    }
    const bool cut = edge_ && t.size % t.step != 0; // the last tile writes less than the others
    return cut ? both(inside, below(plus(at, count - 1), t.size - t.seam)) : inside;
}

void stream_lowering::write_plane(const field& f, int level, const value& at, const std::string& prefix,
                                  const plane& values, block& out) {
    const std::string array = array_name(f, level);
    const int width = how_.vector_width;
    for (std::int64_t y = 0; y < y_.points; ++y) {
        block* row = enter(out, writable(y_, y, 1));
        const value to = named(*row, fmt::format("{}{}_to{}", prefix, level == how_.steps ? f.name : array, y),
                               number(layout_.origin) + at * number(stride(along_)) +
                                   plus(own_in_memory(y_), y_.shift(y)) * number(stride(across_)) +
                                   own_in_memory(x_) * number(stride(inner_)));
        for (std::int64_t x = 0; x < x_.points; x += width) {
            const auto first = values.begin() + y * x_.points + x;
            write_piece(
                f, array, plus(to, x_.shift(x) * stride(inner_)), {first, first + width},
                [&](std::int64_t from, std::int64_t count) { return writable(x_, x + from, count); }, *row);
        }
    }
}

void stream_lowering::write_piece(const field& f, const std::string& array, const value& to, const plane& values,
                                  const std::function<value(std::int64_t, std::int64_t)>& fits, block& out) {
    const int width = how_.vector_width;
    block* here = &out;
    block* rest = nullptr;
    if (const value whole = fits(0, width)) {
        out.push_back({branch{whole, {}, {}}});
        here = &std::get<branch>(out.back().what).yes;
        rest = &std::get<branch>(out.back().what).no;
    }
    if (width == 1) {
        here->push_back({store{array, to, values.front(), f.type, false}});
        return;
    }
    here->push_back({vector_store{array, to, values, width, f.type, layout_.aligns(width), how_.streaming_stores}});
    if (edge_ && x_.size % width != 0) { // the end of a row, point by point
        for (int e = 0; e < width - 1; ++e) {
            block* one = enter(*rest, fits(e, 1));
            one->push_back({store{array, plus(to, e), values[static_cast<std::size_t>(e)], f.type}});
        }
    }
}

void stream_lowering::hand_over(block& out, const std::vector<planes_of_arrays>& rows) {
    for (const tracked_array& a : tracked_) {
        for (int r = 0; r < how_.planes && !is_kept(a); ++r) {
            const value at = hand_over_place(group_, var("turn"), r);
            const plane& what = rows[static_cast<std::size_t>(r)].at(&a);
            for (std::int64_t c = 0; c < pieces(); ++c) {
                put_local(a.type, a.name + "_hand_over", at + number(c * how_.vector_width * x_.group * y_.group), what,
                          static_cast<std::size_t>(c * how_.vector_width), out, how_.vector_width);
            }
        }
    }
}

} // namespace gst::streaming
