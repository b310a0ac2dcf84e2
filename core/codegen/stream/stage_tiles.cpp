#include "core/codegen/stage_tiles.hpp"

#include "core/codegen/stream/banks.hpp"
#include "core/codegen/stream/paired_halves.hpp"
#include "core/codegen/stream/short_lives.hpp"
#include "core/codegen/stream/stream_lowering.hpp"
#include "core/codegen/stream_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace gst::streaming {

namespace {

/// Cycles that a vector of each work-item of some sub-groups takes in local memory, of `x.group` work-items in a row,
/// the next row of them y.block rows below.
int cycles_of(const tile_axis& x, const tile_axis& y, std::int64_t row, int width, std::int64_t element_bytes) {
    return bank_cycles(width * element_bytes, [&](std::int64_t item) {
        return (item / x.group * y.block * row + item % x.group * x.block) * element_bytes;
    });
}

/// The shortest of the rows of at least `width` elements, a multiple of `step` longer, that take the fewest cycles.
template<class Cycles>
std::int64_t fastest_row(std::int64_t width, std::int64_t step, Cycles&& cycles) {
    std::int64_t best = width;
    for (std::int64_t row = width, fewest = cycles(width); row < width + 32; row += step) {
        if (const std::int64_t now = cycles(row); now < fewest) {
            best = row;
            fewest = now;
        }
    }
    return best;
}

} // namespace

void stream_lowering::make_stage_groups() {
    stage_items_ = stage_groups_of(how_, updated_reach(s_));
    completes_in_tiles_ = planes_to_complete(s_, how_.stream_axis, false) > 0;
    second_completing_ = planes_to_complete(s_, how_.stream_axis, how_.left_terms);
    find_arrays_beside();
    const stage_items& first = stage_items_[0];
    second_x_ = first_x_ = x_;
    second_y_ = first_y_ = y_;
    first_x_.halo = first.before_x;
    first_x_.group = first.lanes;
    first_x_.width = first_x_.group * first_x_.points;
    first_y_.halo = first.before;
    first_y_.group = first.rows;
    first_y_.block = first_y_.points = how_.stage_rows;
    first_y_.width = first_y_.group * first_y_.points;
    // Rows as long as lets work-items read different banks.
    const std::int64_t bytes = widest_element();
    const std::int64_t step = aligned_columns();
    const auto of_first = [&](std::int64_t row) {
        return cycles_of(first_x_, first_y_, row, how_.vector_width, bytes);
    };
    box_row_ = fastest_row(
        round_up(columns_before() + first_x_.width + columns_beside(), tensor_alignment(s_)), step,
        [&](std::int64_t row) { return row > longest_box ? std::numeric_limits<int>::max() : of_first(row); });
    // The first group writes its rows; the second one reads its own, those beside them and the columns beside.
    const std::int64_t beside = columns_beside() / how_.vector_width;
    const std::int64_t reads = second_y_.points * (1 + 2 * beside) + 2 * rows_beside();
    find_seams();
    stage_row_ = fastest_row(first_x_.width, step, [&](std::int64_t row) {
        return first_y_.points * of_first(row) + reads * cycles_of(second_x_, second_y_, row, how_.vector_width, bytes);
    });
}

void stream_lowering::declare_tile(tile_axis& t, block& out) {
    if (!how_.stage_tiles) {
        stream_kernel::declare_tile(t, out);
        return;
    }
    t.first = named(out, t.name + "_tile", plus(tile_index(t) * number(t.step), -t.seam));
    tile_axis& first = &t == &x_ ? first_x_ : first_y_;
    (&t == &x_ ? second_x_ : second_y_).first = t.first;
    first.first = t.first - number(first.halo);
}

void stream_lowering::declare_stage_group(block& out) {
    const value item = named(out, "item", make(work_item{id::local, static_cast<int>(inner_)}, type::index));
    stage_group_ = named(out, "stage_group", chosen(below(item, stage_items_[1].first), number(0), number(1)));
    in_first_stage_ = binary_value(ir::binary_op::equal, stage_group_, number(0));
    shows_ = stage_items_[0].count() % stage_alignment == 0 ? value() : below(item, stage_items_[0].count());
    if (shows_) {
        out.push_back({end_idle{both(at_least(item, stage_items_[0].count()), below(item, stage_items_[1].first))}});
    }
    const value of_group = named(out, "of_group", chosen(in_first_stage_, item, plus(item, -stage_items_[1].first)));
    const auto [first_lane, first_row] = place_in_group(0, of_group);
    const auto [second_lane, second_row] = place_in_group(1, of_group);
    own_index_[inner_] = named(out, "lane", chosen(in_first_stage_, first_lane, second_lane));
    own_index_[across_] = named(out, "lane_row", chosen(in_first_stage_, first_row, second_row));
}

std::array<value, 2> stream_lowering::place_in_group(int g, const value& of_group) const {
    const stage_items& items = stage_items_[static_cast<std::size_t>(g)];
    const value row = quotient(of_group, items.lanes);
    // Work-items of the first group beyond its last row compute that one, too, where they have not ended.
    return {modulo(of_group, items.lanes), g == 0 ? least(row, number(items.rows - 1)) : row};
}

void stream_lowering::place_stage_group(block& out) {
    const value x = named(out, "x0",
                          second_x_.first + local_index(inner_) * number(x_.block) -
                              chosen(in_first_stage_, number(first_x_.halo), number(0)));
    const value y = named(
        out, "y0",
        second_y_.first + chosen(in_first_stage_, local_index(across_) * number(first_y_.block) - number(first_y_.halo),
                                 local_index(across_) * number(second_y_.block)));
    first_x_.own = second_x_.own = x;
    first_y_.own = second_y_.own = y;
}

void stream_lowering::enter_stage(int g) {
    emitted_ = g;
    x_ = g == 0 ? first_x_ : second_x_;
    y_ = g == 0 ? first_y_ : second_y_;
    group_ = number(g);
}

block& stream_lowering::own_code(stage_code when, block& out) const {
    if (how_.code != when) {
        return out;
    }
    out.push_back({in_parts{in_first_stage_, {}}});
    return std::get<in_parts>(out.back().what).body;
}

// In a pass the first group writes its planes, and the second one, which may be a pass behind where it has a barrier of
// its own, reads those of the pass before and, where planes wait in queues, those of which it needs neighbours: up to
// lag_ - oldest before that; where sums are completed with them, up to those of the result.
std::int64_t stream_lowering::stage_slots(const tracked_array& a) const {
    return passes_between(how_) * how_.planes + (how_.late_sums > 1 ? lag_
                                                 : how_.retiming    ? second_completing_
                                                                    : lag_ - *a.oldest_in_halo);
}

void stream_lowering::hand_on_tile(const planes_of_arrays& results, int r, block& out) const {
    block& shown = *enter(out, shows_);
    for (const tracked_array& a : tracked_) {
        const std::string words = fmt::format("{}_shown{}", a.name, r);
        const value slot = slot_number(stage_slots(a), var("pass"), r) * number(stage_plane());
        if (edge_ && is_copied_across(a)) {
            hand_on_copies(a, results.at(&a), named(shown, words, slot), words, shown);
            continue;
        }
        const value to =
            named(shown, words,
                  slot + local_index(across_) * number(y_.block * stage_row_) + local_index(inner_) * number(x_.block));
        for (std::int64_t y = 0; y < y_.points; ++y) {
            for (std::int64_t x = 0; x < x_.points; x += how_.vector_width) {
                put_local(a.type, a.name + "_stage", plus(to, y * stage_row_ + x), results.at(&a),
                          static_cast<std::size_t>(y * x_.points + x), shown, how_.vector_width);
            }
        }
    }
}

first_point stream_lowering::renewed_first(const field& f, const tile_axis& t, const std::string& words,
                                           block& out) const {
    const value own = local_index(t.axis) * number(t.block);
    if (!has_copied_faces(f, t)) {
        return {t.own, own};
    }
    const auto again = [&](const char* word, const value& v) {
        return named(out, fmt::format("{}_{}_{}", words, t.name, word), unknown(v));
    };
    return {again("at", t.own), again("own", own)};
}

void stream_lowering::hand_on_copies(const tracked_array& a, const plane& results, const value& slot,
                                     const std::string& words, block& out) const {
    const field& f = s_.fields[a.field];
    const int width = has_copied_faces(f, x_) ? 1 : how_.vector_width;
    // Else the conditions and places of all rows are kept from pass to pass.
    const first_point x_first = renewed_first(f, x_, words, out), y_first = renewed_first(f, y_, words, out);
    for (std::int64_t y = 0; y < y_.points; ++y) {
        for (const image& row : images(f, y_, y_first, y, 1)) {
            block& in_row = *enter(out, row.exists);
            for (std::int64_t x = 0; x < x_.points; x += width) {
                for (const image& column : images(f, x_, x_first, x, width)) {
                    put_local(a.type, a.name + "_stage", slot + row.place * number(stage_row_) + column.place, results,
                              static_cast<std::size_t>(y * x_.points + x), *enter(in_row, column.exists), width);
                }
            }
        }
    }
}

statement stream_lowering::arrival_at(int g) const {
    return {arrive_at{1 + g, kernel_->work_group[0]}};
}

statement stream_lowering::await_pass(const value& stage_group, bool all_pass) const {
    return {await_at{plus(stage_group, 1), kernel_->work_group[0], all_pass}};
}

void stream_lowering::begin_stages(block& out) const {
    if (how_.arrival > 0) {
        out.push_back({branch{in_first_stage_, {}, {arrival_at(0)}}});
    }
}

void stream_lowering::end_stages(block& out) const {
    if (how_.arrival > 0) {
        enter(out, in_first_stage_)->push_back(await_pass(number(0), false));
    }
}

void stream_lowering::arrive_while_reading(block& pass) const {
    const auto reads = std::count_if(pass.begin(), pass.end(), [](const auto& s) { return !loaded(s).empty(); });
    auto before = std::max<std::int64_t>(reads * how_.arrival / 10, 1);
    auto here = pass.begin();
    for (; before > 0 && here != pass.end(); ++here) {
        before -= loaded(*here).empty() ? 0 : 1;
    }
    pass.insert(here, arrival_at(1));
}

void stream_lowering::place_again(int g, block& out) {
    const value item =
        named(out, "item_again", unknown(make(work_item{id::local, static_cast<int>(inner_)}, type::index)));
    const auto [lane, row] = place_in_group(g, plus(item, -stage_items_[static_cast<std::size_t>(g)].first));
    own_index_[inner_] = named(out, "lane_again", lane);
    own_index_[across_] = named(out, "row_again", row);
    x_.own = named(out, "x_again", x_.first + local_index(inner_) * number(x_.block));
    y_.own = named(out, "y_again", y_.first + local_index(across_) * number(y_.block));
    if (edge_) {
        declare_seams("_again", out);
    }
}

void stream_lowering::pass_of_stages(const value& newest, block& out) {
    await_shared_copies(out);
    // What the others handed on is there, and nobody reads what is overwritten now.
    out.push_back(how_.arrival > 0 ? await_pass(stage_group_, true) : statement{barrier{}});
    copy_planes(plus(newest, (how_.ahead - 1) * how_.planes), plus(var("pass"), how_.ahead - 1), {}, "c", copying(out));
    out.push_back({branch{in_first_stage_, {}, {}}});
    branch& split = std::get<branch>(out.back().what);
    const std::array<value, 3> own_index = own_index_;
    for (int g = 0; g < groups_; ++g) {
        block& here = g == 0 ? split.yes : split.no;
        enter_stage(g);
        if (how_.rematerialization) {
            place_again(g, here);
        }
        plane_ = g == 0 ? newest : named(here, "plane", newest - number(g * group_distance()));
        if (g == 0) {
            if (in_parts_of_tile()) {
                find_parts(here);
            }
            if (copies_boxes()) {
                await_boxes_of_pass(here);
            }
        } else if (how_.arrival > 0) {
            here.push_back(arrival_at(0));
        }
        std::vector<stage_state> state = carried(nullptr);
        std::vector<planes_of_arrays> rows(static_cast<std::size_t>(how_.planes));
        for (int r = 0; r < how_.planes; ++r) {
            planes_of_arrays& row = rows[static_cast<std::size_t>(r)];
            for (const tracked_array& a : tracked_) {
                const std::string words = fmt::format("{}_own{}", a.name, r);
                row[&a] = own_points(
                    a, named(here, words, halo_slot(a, var("pass"), r - planes_behind() - own_back()) + halo_own()),
                    words, here);
            }
            if (g == 1) {
                write_first_step(r, row, here);
            }
            row_of_steps(here, r, state, newest, rows);
            if (g == 0) {
                hand_on_tile(row, r, here);
            } else {
                write_row(here, r, row);
            }
        }
        carry_on(here, state);
        if (how_.half_loads) {
            pair_halves(here, var("item"));
        }
        if (g == 0 && how_.arrival > 0) {
            arrive_while_reading(here);
        }
    }
    own_index_ = own_index;
    enter_stage(0);
}

} // namespace gst::streaming
