#include "core/codegen/stream/stream_lowering.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst::streaming {

const tracked_array* stream_kernel::passed_on(const tracked_array& a) const {
    return how_.steps == 1 || is_kept(a)    ? nullptr
           : s_.fields[a.field].coefficient ? &a
           : a.level < 0                    ? find_array(tracked_, a.field, a.level + 1)
                                            : nullptr;
}

std::int64_t stream_kernel::delay(const tracked_array& a) const {
    const bool passes = groups_ == 1 && how_.steps > 1 && !how_.loops && a.level == -1;
    return !a.reads_neighbours && (passes || is_kept(a)) ? lag_ : 0;
}

bool stream_kernel::any_delayed() const {
    return std::any_of(tracked_.begin(), tracked_.end(), [&](const tracked_array& a) { return delay(a) > 0; });
}

bool stream_kernel::is_kept(const tracked_array& a) const {
    return s_.fields[a.field].coefficient && keeps_coefficients() && (how_.halo || !a.is_exchanged());
}

bool stream_kernel::has_ghosts(const tracked_array& a) const {
    return !s_.fields[a.field].coefficient && (a.level == 0 || a.reads_neighbours);
}

bool stream_lowering::shares_queue(const tracked_array& a, int stage) const {
    return s_.fields[a.field].coefficient && stage > 0 && skew_ == 0;
}

std::int64_t stream_lowering::own_planes(const tracked_array& a, int stage) const {
    return delay(a) > 0 ? 0 : shares_queue(a, stage) ? lag_ : 2 * lag_;
}

std::int64_t stream_lowering::kept_back(const tracked_array& a) const {
    return lag_ - delay(a) - a.oldest_plane + (stages_ - 1) * (lag_ + skew_) + (groups_ - 1) * group_distance();
}

std::int64_t stream_lowering::ahead_slots(const tracked_array& a) const {
    return how_.ahead * how_.planes + (is_kept(a) ? kept_back(a) : 0);
}

value stream_lowering::kept_place(const tracked_array& a, const value& counted) const {
    return modulo(counted, ahead_slots(a)) * number(group_points()) + first_piece();
}

value stream_lowering::of_kept_plane(passage& p, const tracked_array& a, std::int64_t offset, std::int64_t x,
                                     std::int64_t y, const std::string& words, block& out) {
    const std::int64_t back = lag_ - delay(a) - offset + p.stage * (lag_ + skew_);
    value& begin = p.tiles[{&a, back}];
    if (!begin) {
        const value counted = plus(var("pass") * number(how_.planes), p.row + ahead_slots(a) - back);
        begin = named(out, fmt::format("{}{}_kept_back{}", p.prefix, a.name, back),
                      kept_place(a, counted - group_ * number(group_distance())));
    }
    const int width = how_.vector_width;
    const std::int64_t first = floor_div(x, width) * width;
    const std::int64_t piece = (y_.point(y) * x_.points + x_.point(first)) / width;
    const value at = plus(begin, piece * width * x_.group * y_.group);
    const fetched_point from{&a, static_cast<int>(offset), first, y};
    if (width == 1) {
        p.fetched[from] = named(out, words, make(load{a.name + "_ahead", at, a.type, true}, register_type(a.type)));
    } else {
        fetch_piece(p, from, a.name + "_ahead", at, words, out);
    }
    return p.fetched.at({&a, static_cast<int>(offset), x, y});
}

} // namespace gst::streaming
