#include "core/codegen/stream/banks.hpp"
#include "core/codegen/stream/stream_lowering.hpp"
#include "core/codegen/stream_rules.hpp"
#include "core/codegen/tile_overlap.hpp"

#include <fmt/format.h>

namespace gst::streaming {

std::int64_t stream_lowering::columns_beside() const {
    return !has_halo_columns(how_) ? 0 : round_up(reach_[inner_], how_.vector_width);
}

std::int64_t stream_lowering::columns_before() const {
    if (reads_stage()) {
        return first_x_.halo;
    }
    const std::int64_t beside = columns_beside();
    return how_.tensor_copies ? beside + columns_before_box(s_, layout_, -first_tile()[0]->halo - beside) : beside;
}

std::int64_t stream_lowering::halo_rows() const {
    return first_tile()[1]->width + 2 * rows_beside();
}

std::int64_t stream_lowering::halo_row() const {
    if (how_.stage_tiles) {
        return reads_stage() ? stage_row_ : in_parts_of_tile() ? parts_.columns : box_row_;
    }
    const std::int64_t between =
        interleaves_vectors() ? (vectors_of_item() - 1) * (vector_run_ - elements_of_vectors()) : 0;
    return round_up(columns_before() + x_.width + between + columns_beside(),
                    how_.tensor_copies ? tensor_alignment(s_) : 1);
}

std::int64_t stream_lowering::halo_plane() const {
    if (reads_stage()) {
        return stage_plane();
    }
    return std::max(round_up(whole_row() * halo_rows(), how_.tensor_copies ? aligned_elements() : 16), parts_.elements);
}

int stream_lowering::boxes_of_pass() const {
    const auto arrays = std::count_if(tracked_.begin(), tracked_.end(), [&](const auto& a) { return is_box(a); });
    return static_cast<int>(arrays) * how_.planes;
}

tensor_shape stream_lowering::tensor_of(const tracked_array& a, bool in_parts) const {
    tensor_shape t;
    t.type = a.type;
    const offset3& halo = layout_.halo;
    t.first = layout_.index(-halo[0], -halo[1], -halo[2]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        t.size[axis] = layout_.size[axis] + 2 * halo[axis];
    }
    const std::int64_t before = t.first % tensor_alignment(s_);
    t.first -= before;
    t.size[0] += before;
    t.stride = {layout_.row, layout_.plane};
    t.box = {in_parts ? parts_.columns : whole_row(), 1, 1};
    t.box[across_] = in_parts ? parts_.rows : halo_rows();
    return t;
}

void stream_lowering::copy_box_of(const tracked_array& a, const value& at, const value& pass, const value& slot,
                                  block& out) {
    const bool in_parts = in_parts_of_tile();
    const tensor_shape shape = tensor_of(a, in_parts);
    const auto [x, y] = first_tile();
    const int rows = in_parts && y->seam > 0 ? 2 : 1, columns = in_parts && x->seam > 0 ? 2 : 1;
    block& here = *enter(out, less(pass, passes_));
    // Where a box begins along an axis, `tensor`: where the tensor has the grid's first point.
    const auto begin = [&](const tile_axis& t, std::int64_t tensor, std::int64_t before, int part) {
        return in_parts ? plus(begin_of_part(t, before, part), tensor) : plus(t.first, tensor - before);
    };
    for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < columns; ++column) {
            copy_box copy{shape,
                          tensor_name(a, in_parts),
                          {},
                          tile_array(a),
                          plus(slot, row * parts_.rows * parts_.columns + column * parts_.right),
                          arrived_boxes,
                          modulo(pass, how_.ahead),
                          row + column == 0 ? rows * columns : 0};
            const offset3& halo = layout_.halo;
            copy.at[0] = begin(*x, shape.size[0] - layout_.size[0] - halo[0], columns_before(), column);
            copy.at[across_] = begin(*y, halo[across_], rows_above() + column * parts_.rows_later, row);
            copy.at[along_] = plus(memory_plane(at), halo[along_]);
            here.push_back({std::move(copy)});
        }
    }
}

std::int64_t stream_lowering::halo_slots(const tracked_array& a) const {
    if (reads_stage()) {
        return stage_slots(a);
    }
    // The oldest plane that is needed is not overwritten by the newest that is on its way.
    const std::int64_t late = is_kept(a) && splits_passes() ? 1 : 0; // work-items in the last step of the pass before
    return how_.ahead * how_.planes + late + (is_kept(a) ? kept_back(a) : lag_ - a.oldest_in_halo.value_or(lag_));
}

value stream_lowering::slot_number(std::int64_t slots, const value& pass, std::int64_t r) const {
    return modulo(plus(pass * number(how_.planes), (r % slots + slots) % slots), slots);
}

value stream_lowering::halo_slot(const tracked_array& a, const value& pass, std::int64_t r) const {
    return slot_number(halo_slots(a), pass, r) * number(halo_plane());
}

value stream_lowering::halo_place(const passage& p, const tracked_array& a, std::int64_t back) const {
    const std::int64_t all = back + p.stage * (lag_ + skew_); // behind the plane that has come in
    return halo_slot(a, var("pass"), p.row - planes_behind() - all) + halo_own();
}

value stream_lowering::halo_own() const {
    const value own = number(rows_above() * halo_row() + columns_before()) +
                      local_index(across_) * number(y_.block * halo_row()) +
                      local_index(inner_) * number(interleaves_vectors() ? how_.vector_width : x_.block);
    return in_parts_of_tile() && x_.seam > 0 ? own + own_part_ : own;
}

bool stream_lowering::interleaves_vectors() const {
    return how_.group_copies && x_.runs == 1 && vectors_of_item() % 2 == 0;
}

std::int64_t stream_lowering::widest_element() const {
    std::int64_t bytes = 0;
    for (const tracked_array& a : tracked_) {
        bytes = std::max(bytes, static_cast<std::int64_t>(nest::register_size(a.type)));
    }
    return bytes;
}

// Work-items copy and write pieces of a row in their order, which are all vectors of one work-item before the next
// one's.
void stream_lowering::place_interleaved() {
    const std::int64_t bytes = widest_element(), width = how_.vector_width, vectors = vectors_of_item();
    int fewest = 0;
    for (std::int64_t run = elements_of_vectors(); run < elements_of_vectors() + bytes_of_banks / bytes; run += width) {
        const int cycles = bank_cycles(width * bytes, [&](std::int64_t piece) {
            return (piece % vectors * run + piece / vectors * width) * bytes;
        });
        if (vector_run_ == 0 || cycles < fewest) {
            vector_run_ = run;
            fewest = cycles;
        }
    }
}

std::int64_t stream_lowering::halo_shift(std::int64_t x) const {
    const std::int64_t width = how_.vector_width;
    return interleaves_vectors() ? x / width * vector_run_ + x % width : x_.shift(x);
}

std::int64_t stream_lowering::halo_width() const {
    const int width = how_.vector_width;
    const bool wraps = x_.periodic && how_.stage_tiles && layout_.aligns(width) && x_.size % width == 0;
    return wraps || loads_vectors(x_) ? width : 1;
}

value stream_lowering::halo_column(const value& column) const {
    if (!interleaves_vectors()) {
        return column;
    }
    const std::int64_t width = how_.vector_width;
    const value own = modulo(column, x_.points);
    const value in_row = quotient(own, width) * number(vector_run_) + quotient(column, x_.points) * number(width);
    return width == 1 ? in_row : in_row + modulo(own, width);
}

value stream_lowering::column_in_memory(const value& x) const {
    // What lies beyond the elements that exist is of no point that is written.
    if (edge_ && x_.seam > 0) {
        return x_.size % x_.step == 0 ? x : least(x, number(x_.size - halo_width()));
    }
    if (edge_ && x_.periodic) {
        return wrapped(x, x_.size);
    }
    const std::int64_t width = halo_width();
    if (width < how_.vector_width || (edge_ && width == 1)) { // columns of a vector, which need not be there
        return clamped(x, -layout_.halo[inner_], x_.size - 1 + layout_.halo[inner_]);
    }
    const auto [low, high] = layout_.vectors(width);
    return edge_ ? clamped(x, low, high) : x;
}

value stream_lowering::item_number() const {
    return (group_ * number(y_.group) + local_index(across_)) * number(x_.group) + local_index(inner_);
}

void stream_lowering::declare_halo_pieces(block& out) {
    const std::int64_t width = halo_width();
    const std::int64_t beside = columns_beside() / width;
    const value item = named(out, how_.stage_tiles ? "copying_item" : "item", item_number());
    halo_pieces_.clear();
    const std::int64_t row = x_.width / width + 2 * beside;
    if (how_.stage_tiles && row <= items()) { // whole rows, so that all of a work-item's pieces are of one column
        add_halo_pieces(item, items() / row * row, row, out, [&](const value& piece) {
            return plus(piece * number(width), columns_before() - columns_beside());
        });
        return;
    }
    add_halo_pieces(item, items(), x_.width / width, out,
                    [&](const value& piece) { return plus(piece * number(width), columns_before()); });
    if (beside > 0) {
        add_halo_pieces(item, items(), 2 * beside, out, [&](const value& piece) {
            return plus(piece * number(width) + chosen(below(piece, beside), number(0), number(x_.width)),
                        columns_before() - columns_beside());
        });
    }
}

bool stream_lowering::has_rows_of_pieces() const {
    const std::int64_t rows = layout_.halo[across_] + layout_.guard, before = y_.halo + rows_beside();
    return !edge_ || (how_.stage_tiles && !y_.periodic && along_ == 2 && before <= rows &&
                      (y_.tiles - 1) * y_.step - before + y_.width + 2 * rows_beside() <= y_.size + rows);
}

void stream_lowering::add_halo_pieces(const value& item, std::int64_t copying, std::int64_t per_row, block& out,
                                      const std::function<value(const value&)>& column_of) {
    const std::int64_t all = per_row * (y_.width + 2 * rows_beside());
    value row, column, x; // of the piece, or of the first one
    for (std::int64_t i = 0; i * copying < all; ++i) {
        const std::string words = fmt::format("halo{}", halo_pieces_.size());
        const std::int64_t pieces = std::min(copying, all - i * copying);
        halo_piece piece{{}, {}, 0, pieces < items() ? below(item, pieces) : value()};
        if (i > 0 && copying % per_row == 0) { // below the first one, in its column
            piece.rows = i * copying / per_row;
        } else {
            const value n = plus(item, i * copying);
            row = named(out, words + "_row", quotient(n, per_row));
            column = named(out, words + "_column", column_of(modulo(n, per_row)));
            x = column_in_memory(plus(x_.first + column, -columns_before()));
            piece.to = named(out, words + "_to", row * number(halo_row()) + halo_column(column));
        }
        if (piece.rows == 0 || !has_rows_of_pieces()) {
            const value at = plus(y_.first + row, piece.rows - rows_beside());
            const value y = has_rows_of_pieces() ? at : in_memory(y_, at);
            piece.from = named(out, words + "_from",
                               number(layout_.origin) + y * number(stride(across_)) + x * number(stride(inner_)));
        }
        halo_pieces_.push_back(std::move(piece));
    }
}

void stream_lowering::copy_halo_plane(const tracked_array& a, const value& at, const value& slot,
                                      const std::string& prefix, block& out) {
    const std::string array = tile_array(a);
    const auto width = static_cast<int>(halo_width());
    const bool aligned = layout_.aligns(width);
    const value z = named(out, prefix + a.name + "_plane", memory_plane(at) * number(stride(along_)));
    value first_from, first_to;
    for (std::size_t i = 0; i < halo_pieces_.size(); ++i) {
        const halo_piece& piece = halo_pieces_[i];
        // Sums with names of their own: of others that do not change from pass to pass compilers keep each.
        const auto begin = [&](const value& of_plane, const value& within, const char* word) {
            return how_.stage_tiles ? named(out, fmt::format("{}{}_{}{}", prefix, a.name, word, i), of_plane + within)
                                    : of_plane + within;
        };
        if (piece.to) {
            first_to = begin(slot, piece.to, "to");
        }
        const value from = piece.from ? begin(piece.from, z, "from") : plus(first_from, piece.rows * stride(across_));
        if (piece.rows == 0) {
            first_from = from;
        }
        const value to = plus(first_to, piece.rows * halo_row());
        block* here = enter(out, piece.exists);
        if (a.type != scalar::f16) {
            here->push_back({async_copy{a.type, width, a.name, from, array, to, aligned}});
            continue;
        }
        plane values;
        load_piece(values, {a.name, a.type, width, aligned}, from, fmt::format("{}{}_piece{}", prefix, a.name, i),
                   *here);
        put_local(a.type, array, to, values, 0, *here, width);
    }
}

plane stream_lowering::own_points(const tracked_array& a, const value& first, const std::string& words,
                                  block& out) const {
    const memory_piece own{tile_array(a), a.type, how_.vector_width, true, true};
    plane values;
    for (std::int64_t y = 0; y < y_.points; ++y) {
        for (std::int64_t x = 0; x < x_.points; x += own.width) {
            load_piece(values, own, plus(first, y_.shift(y) * halo_row() + halo_shift(x)),
                       fmt::format("{}_{}", words, y * x_.points + x), out);
        }
    }
    return values;
}

} // namespace gst::streaming
