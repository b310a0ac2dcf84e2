#include "core/codegen/stream/stream_kernel.hpp"

#include <algorithm>

namespace gst::streaming {

namespace {

/// The planes of tiles, laid end to end and counted: `more` before those of each tile, and those of tiles at the edge
/// of the grid, the last one and, where it is among them, the first one, for `percent` hundredths each.
class tiles_end_to_end {
  public:
    tiles_end_to_end(std::int64_t tiles, std::int64_t planes, std::int64_t more, std::int64_t percent, bool has_first)
        : tiles_(tiles), planes_(planes), more_(more), percent_(percent),
          longer_((planes * percent + 99) / 100 - planes), first_longer_(has_first && tiles > 1 ? longer_ : 0) {}

    /// What is counted from `more` on.
    std::int64_t all() const { return tiles_ * length() + first_longer_ + longer_ - more_; }

    value tile_of(const value& at) const {
        if (longer_ == 0) {
            return quotient(at, length());
        }
        return least(quotient(greatest(plus(at, -first_longer_), number(0)), length()), number(tiles_ - 1));
    }

    value plane_of(const value& at, const value& tile) const {
        if (longer_ == 0) {
            return greatest(modulo(at, length()) - number(more_), number(0));
        }
        const value before = chosen(below(tile, 1), number(0), tile * number(length()) + number(first_longer_));
        const value counted = greatest(at - before - number(more_), number(0));
        const value at_edge = quotient(counted, percent_) * number(100) + // no product that is out of range
                              quotient(modulo(counted, percent_) * number(100), percent_);
        const value is_last = at_least(tile, tiles_ - 1);
        return chosen(first_longer_ > 0 ? either(below(tile, 1), is_last) : is_last, least(at_edge, number(planes_)),
                      counted);
    }

  private:
    std::int64_t length() const { return planes_ + more_; }

    std::int64_t tiles_, planes_, more_, percent_;
    std::int64_t longer_, first_longer_; ///< by so many planes
};

} // namespace

value stream_kernel::group_index(std::size_t axis, std::int64_t groups) {
    return groups == 1 ? number(0) : make(work_item{id::group, static_cast<int>(axis)}, type::index);
}

value stream_kernel::tile_index(const tile_axis& t) const {
    if (!how_.numbers_tiles()) {
        return group_index(t.axis, t.tiles);
    }
    return t.tiles == 1       ? number(0)
           : t.axis == inner_ ? modulo(tile_number_, t.tiles)
                              : quotient(tile_number_, x_.tiles);
}

std::int64_t stream_kernel::declare_block(const value& at_edge, block& out) {
    const stream_blocks blocks = blocks_of(how_, length_);
    if (blocks.shorter == 0) {
        return declare_equal_block(blocks, at_edge, out);
    }
    const value k = group_index(along_, blocks.count);
    const value before = k * number(blocks.longest) - quotient(k * plus(k, -1), 2) * number(blocks.shorter);
    first_ = named(out, "first", before);
    last_ = named(out, "last", least(first_ + number(blocks.longest) - k * number(blocks.shorter), number(length_)));
    return blocks.count;
}

std::int64_t stream_kernel::declare_equal_block(const stream_blocks& blocks, const value& at_edge, block& out) {
    const std::int64_t count = blocks.count + (at_edge ? 1 : 0);
    const value k = group_index(along_, count);
    value length = number(blocks.longest);
    std::int64_t last_planes = length_ - (blocks.count - 1) * blocks.longest;
    if (at_edge) {
        const std::int64_t at_most = (length_ + count - 1) / count;
        length = named(out, "planes", chosen(at_edge, number(at_most), length));
        last_planes = std::min(last_planes, length_ - (count - 1) * at_most);
    }
    const planes_of_block planes = equal_block(k, count, length, last_planes);
    first_ = named(out, "first", planes.first);
    last_ = named(out, "last", planes.last);
    return count;
}

stream_kernel::planes_of_block stream_kernel::equal_block(const value& k, std::int64_t count, const value& length,
                                                          std::int64_t last_planes) const {
    // The first block begins near the face of the grid, which saves it planes. It takes two thirds of so many from the
    // last block, of which more passes are checked.
    const std::int64_t saved = count > 1 && begins_at_face() ? (how_.steps - 1) * lag_ : 0;
    const std::int64_t more = std::min(2 * saved / 3, std::max<std::int64_t>(last_planes, 0) / 2);
    return {more == 0 ? k * length : chosen(below(k, 1), number(0), plus(k * length, more)),
            least(plus(plus(k, 1) * length, more), number(length_))};
}

std::int64_t stream_kernel::declare_rest(block& out) {
    const rest_of_tiles tiles = rest_of(how_, x_.tiles * y_.tiles, length_);
    const value k = group_index(0, tiles.groups());
    if (tiles.rest == 0) {
        tile_number_ = k;
        first_ = number(0);
        last_ = number(length_);
        return tiles.groups();
    }
    // The first blocks of all tiles come before the second ones, so that tiles beside each other pass the same planes
    // at the same time. Whole tiles, which take longest, come first.
    const value of_rest = plus(k, -tiles.whole);
    const value is_whole = tiles.whole > 0 ? below(k, tiles.whole) : value();
    const auto unless_whole = [&](const value& whole, const value& part) {
        return is_whole ? chosen(is_whole, whole, part) : part;
    };
    tile_number_ = named(out, "tile", unless_whole(k, plus(modulo(of_rest, tiles.rest), tiles.whole)));
    const value part = named(out, "part", quotient(of_rest, tiles.rest));
    const planes_of_block planes = equal_block(part, tiles.parts.count, number(tiles.parts.longest),
                                               length_ - (tiles.parts.count - 1) * tiles.parts.longest);
    first_ = named(out, "first", unless_whole(number(0), planes.first));
    last_ = named(out, "last", unless_whole(number(length_), planes.last));
    return tiles.groups();
}

block& stream_kernel::begin_shares(block& out) {
    prepare(out);
    // Whole tiles first. Those of a round lie side by side and pass the same planes at the same time, so that one reads
    // what it overlaps with another from the caches.
    const std::int64_t groups = how_.shares(), tiles = x_.tiles * y_.tiles;
    const value k = group_index(along_, groups);
    return tiles % groups == 0 ? whole_tiles(k, tiles / groups, out)
                               : shared_tiles(k, tiles / groups, tiles % groups, out);
}

block& stream_kernel::whole_tiles(const value& k, std::int64_t rounds, block& out) {
    block& tile = *enter(out, loop{"tile_in_turn", number(0), number(rounds), number(1), {}});
    tile_number_ = named(tile, "tile", k + var("tile_in_turn") * number(how_.shares()));
    first_ = number(0);
    last_ = number(length_);
    return tile;
}

block& stream_kernel::shared_tiles(const value& k, std::int64_t rounds, std::int64_t rest, block& out) {
    // Planes that pass besides those of a share where it goes on with the next tile. Tiles count as so much longer, so
    // that such a share has fewer planes of its own.
    const std::int64_t more = (begins_at_face() ? lag_ : how_.steps * lag_) + groups_ * group_lag() +
                              (groups_ - (how_.group_copies ? 0 : 1)) * how_.planes;
    const std::int64_t groups = how_.shares();
    const tiles_end_to_end laid(rest, length_, more, 100 + how_.edge_percent, rounds == 0);
    const std::int64_t least_share = laid.all() / groups, have_more = laid.all() % groups;
    const auto begin_of = [&](const value& share) {
        return number(more) + share * number(least_share) + least(share, number(have_more));
    };
    const value from = named(out, "share_from", begin_of(k)), to = named(out, "share_to", begin_of(plus(k, 1)));
    const value first_tile = named(out, "first_tile", laid.tile_of(from));
    const value last_tile = named(out, "last_tile", laid.tile_of(to));
    const value first_plane = named(out, "share_first", laid.plane_of(from, first_tile));
    const value last_plane = named(out, "share_last", laid.plane_of(to, last_tile));
    const value end = last_tile + chosen(below(last_plane, 1), number(0), number(1));
    const std::string name = rounds == 0 ? "tile" : "tile_in_turn";
    const value turn = var(name); // the first `rounds` are of whole tiles
    block& tile = *enter(out, loop{name, plus(first_tile, -rounds), end, number(1), {}});
    const value is_whole = rounds == 0 ? value() : less(turn, first_tile);
    tile_number_ = rounds == 0 ? turn
                               : named(tile, "tile",
                                       chosen(is_whole, k + (turn - first_tile + number(rounds)) * number(groups),
                                              plus(turn, rounds * groups)));
    first_ = named(tile, "first", chosen(either(is_whole, less(first_tile, turn)), number(0), first_plane));
    last_ = named(tile, "last", chosen(less(turn, last_tile), number(length_), last_plane));
    return tile;
}

} // namespace gst::streaming
