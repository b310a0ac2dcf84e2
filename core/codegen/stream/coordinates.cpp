#include "core/codegen/stream/stream_lowering.hpp"

#include <fmt/format.h>

namespace gst::streaming {

value stream_kernel::local_index(std::size_t axis) const {
    return own_index_[axis]             ? own_index_[axis]
           : how_.work_group[axis] == 1 ? number(0)
                                        : make(work_item{id::local, static_cast<int>(axis)}, type::index);
}

void stream_kernel::declare_tile(tile_axis& t, block& out) {
    const value k = tile_index(t);
    const value first = k * number(t.step) - number(t.halo);
    t.written_from = number(t.halo);
    if (t.first_shift == 0) {
        t.first = named(out, t.name + "_tile", first);
    } else {
        const std::int64_t from = t.halo - t.first_shift;
        t.first = named(out, t.name + "_tile", chosen(below(k, 1), number(-from), first));
        t.written_from = named(out, t.name + "_written", chosen(below(k, 1), number(from), number(t.halo)));
    }
    t.own = named(out, t.name + "0", t.first + local_index(t.axis) * number(t.block));
}

bool stream_lowering::loads_vectors(const tile_axis& t) const {
    const bool spreads = edge_ && is_filtered() && t.axis == filtered_axis().axis;
    return !spreads && t.axis == 0 && how_.vector_width > 1 && layout_.aligns(how_.vector_width) && !t.periodic;
}

positions stream_lowering::edge_positions(const tile_axis& t, block& out) {
    positions p;
    const auto [low, high] = layout_.vectors(how_.vector_width);
    for (std::int64_t i = 0; i < t.points; ++i) {
        const value at = plus(t.own, t.shift(i));
        const auto declared = [&](const char* what, const value& v) {
            return named(out, fmt::format("{}_{}{}", t.name, what, i), v);
        };
        if (t.periodic) {
            p.load.push_back(declared("load", in_memory(t, at)));
            p.point.push_back(p.load.back());
            continue;
        }
        if (!loads_vectors(t)) {
            p.load.push_back(declared("load", in_memory(t, at)));
        } else if (i % how_.vector_width == 0) {
            p.piece.push_back(declared("piece", clamped(at, low, high)));
        }
        if (!direct_.empty() || has_coordinates_) {
            p.point.push_back(declared("point", clamped(at, 0, t.size - 1)));
        }
    }
    return p;
}

value stream_lowering::in_memory(const tile_axis& t, const value& at) const {
    const std::int64_t halo = layout_.halo[t.axis];
    if (edge_ && t.seam > 0) {
        const bool exists = t.size % t.step == 0 && t.width - t.halo - t.step <= t.seam;
        return exists ? at : least(at, number(t.size - 1));
    }
    return !edge_ ? at : t.periodic ? wrapped(at, t.size) : clamped(at, -halo, t.size - 1 + halo);
}

value stream_lowering::memory_plane(const value& at) const {
    if (periodic_) {
        return wrapped_plane(at);
    }
    const std::int64_t halo = layout_.halo[along_];
    return clamped(at, -halo, length_ - 1 + halo);
}

value stream_kernel::wrapped_plane(const value& at) const {
    const std::int64_t farthest =
        (how_.steps + (any_delayed() ? 1 : 0)) * lag_ + (how_.ahead + 2) * how_.planes + groups_ * group_distance();
    if (farthest <= length_) {
        return chosen(below(at, 0), plus(at, length_), chosen(at_least(at, length_), plus(at, -length_), at));
    }
    const std::int64_t turns = round_up(farthest, length_);
    return modulo(plus(at, turns), length_);
}

value stream_lowering::row_in_memory(const tracked_array& a, const value& z, std::int64_t y, const std::string& prefix,
                                     block& out) {
    const value row = edge_ ? y_edge_.load[static_cast<std::size_t>(y)] : plus(y_.own, y_.shift(y));
    const value at = number(layout_.origin) + z + row * number(stride(across_));
    return named(out, fmt::format("{}{}_row{}", prefix, a.name, y), edge_ ? at : at + x_.own * number(stride(inner_)));
}

value stream_lowering::element_in_memory(const value& row, std::int64_t x) const {
    return edge_ ? row + x_edge_.load[static_cast<std::size_t>(x)] * number(stride(inner_))
                 : plus(row, x_.shift(x) * stride(inner_));
}

value stream_lowering::piece_in_memory(const value& row, std::int64_t x) const {
    return edge_ && loads_vectors(x_) ? row + x_edge_.piece[static_cast<std::size_t>(x / how_.vector_width)]
                                      : element_in_memory(row, x);
}

} // namespace gst::streaming
