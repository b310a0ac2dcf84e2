#include "core/codegen/stream/banks.hpp"
#include "core/codegen/stream/stream_lowering.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace gst::streaming {

std::int64_t stream_lowering::aligned_elements() const {
    return tensor_alignment(s_) * (box_alignment / tensor_bytes);
}

std::int64_t stream_lowering::aligned_columns() const {
    return std::max<std::int64_t>(tensor_alignment(s_), how_.vector_width);
}

stream_lowering::tile_parts stream_lowering::parts_at(std::int64_t x_seam, std::int64_t y_seam,
                                                      std::int64_t more_columns, std::int64_t rows_later) const {
    tile_parts parts;
    const std::int64_t before = first_x_.halo + columns_before() + x_seam;
    const std::int64_t behind = first_x_.width - first_x_.halo - x_seam + columns_beside();
    parts.columns = (x_seam == 0 ? box_row_ : round_up(std::max(before, behind), aligned_columns())) + more_columns;
    const std::int64_t rows = halo_rows();
    const std::int64_t above = first_y_.halo + rows_beside() + y_seam;
    parts.rows = y_seam == 0 ? rows + rows_later : std::max(above, rows - above);
    while (y_seam > 0 && parts.rows * parts.columns % aligned_elements() != 0) {
        ++parts.rows;
    }
    parts.rows_above = y_seam == 0 ? 0 : parts.rows - above;
    parts.right = round_up(parts.rows * parts.columns * (y_seam == 0 ? 1 : 2), aligned_elements());
    parts.rows_later = rows_later;
    parts.to_right = parts.right + rows_later * parts.columns - before;
    parts.elements = parts.right * (x_seam == 0 ? 1 : 2);
    return parts;
}

void stream_lowering::find_seams() {
    const std::int64_t alignment = aligned_columns();
    std::vector<std::int64_t> x_seams = seams_of(first_x_, second_x_, columns_beside(), alignment);
    std::vector<std::int64_t> y_seams = seams_of(first_y_, second_y_, rows_beside(), 1);
    if ((!x_.periodic && !y_.periodic) || x_seams.empty() == x_.periodic || y_seams.empty() == y_.periodic ||
        !layout_.aligns(alignment)) {
        return; // work-items copy such tiles piece by piece
    }
    x_seams.resize(std::max<std::size_t>(x_seams.size(), 1)); // 0: none
    y_seams.resize(std::max<std::size_t>(y_seams.size(), 1));
    // Local memory that grows leaves less of the first-level cache, and tiles that begin amid its lines take more.
    const std::int64_t bytes = widest_element(), whole = halo_plane();
    std::array<std::int64_t, 3> least_cost{whole + whole / 4};
    const auto try_parts = [&](std::int64_t x_seam, std::int64_t y_seam, const tile_parts& parts) {
        const int cycles = bank_cycles(how_.vector_width * bytes, [&](std::int64_t item) {
            const std::int64_t column = item % first_x_.group * first_x_.block;
            return (item / first_x_.group * first_y_.block * parts.columns + columns_before() + column +
                    (x_seam == 0 || column < first_x_.halo + x_seam ? 0 : parts.to_right)) *
                   bytes;
        });
        const std::array<std::int64_t, 3> cost{std::max(parts.elements, whole), x_seam * bytes % box_alignment, cycles};
        if (cost < least_cost && std::max(parts.rows, parts.columns) <= longest_box) {
            least_cost = cost;
            parts_ = parts;
            x_.seam = first_x_.seam = second_x_.seam = x_seam;
            y_.seam = first_y_.seam = second_y_.seam = y_seam;
        }
    };
    for (const std::int64_t x_seam : x_seams) {
        for (const std::int64_t y_seam : y_seams) {
            for (std::int64_t more = 0; more < bytes_of_banks / bytes; more += alignment) {
                for (std::int64_t later = 0; later < (y_seam == 0 ? 4 : 1); ++later) {
                    try_parts(x_seam, y_seam, parts_at(x_seam, y_seam, more, later));
                }
            }
        }
    }
}

void stream_lowering::declare_seams(const std::string& suffix, block& out) {
    for (const auto& [t, at] : {std::pair{&x_, &x_in_memory_}, std::pair{&y_, &y_in_memory_}}) {
        if (t->seam > 0) {
            *at = named(out, t->name + "_in_memory" + suffix, chosen(below(t->own, 0), plus(t->own, t->size), t->own));
        }
    }
}

void stream_lowering::find_parts(block& out) {
    other_part_.clear();
    if (x_.seam == 0) {
        return;
    }
    const value column = named(out, "column", unknown(local_index(inner_) * number(x_.block)));
    const std::int64_t right = first_x_.halo + x_.seam;
    const auto farther = [&](const std::string& words, const value& condition, std::int64_t by) {
        return named(out, words, chosen(condition, number(by), number(0)));
    };
    own_part_ = farther("own_part", at_least(column, right), parts_.to_right);
    const std::int64_t width = how_.vector_width > 1 && reach_[inner_] > 1 ? how_.vector_width : 1; // of fetch
    for (std::int64_t x = width; x < round_up(reach_[inner_], width) + width; x += width) {
        other_part_[-x] = farther(fmt::format("part_m{}", x), both(at_least(column, right), below(column, right + x)),
                                  -parts_.to_right);
        const std::int64_t behind = x_.block - width + x;
        other_part_[behind] = farther(fmt::format("part_p{}", behind),
                                      both(below(column, right), at_least(column, right - behind)), parts_.to_right);
    }
}

value stream_lowering::beside_seam(const value& place, std::int64_t x) const {
    const auto other = other_part_.find(x);
    return in_parts_of_tile() && other != other_part_.end() ? place + other->second : place;
}

value stream_lowering::own_in_memory(const tile_axis& t) const {
    return !edge_ || t.seam == 0 ? t.own : t.axis == inner_ ? x_in_memory_ : y_in_memory_;
}

value stream_lowering::begin_of_part(const tile_axis& t, std::int64_t before, int part) const {
    const value first = unknown(t.first);
    return part == 1     ? plus(first, t.halo + t.seam)
           : t.seam == 0 ? plus(first, -before)
                         : first + chosen(below(first, 0), number(t.size - before), number(-before));
}

} // namespace gst::streaming
