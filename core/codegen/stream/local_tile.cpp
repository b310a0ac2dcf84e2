#include "core/codegen/stream/local_tile.hpp"

#include "core/codegen/layout.hpp"

#include <algorithm>

namespace gst::streaming {

std::int64_t local_tile::shared_rows() const {
    return shuffle_ ? std::min(y_.points, 2 * y_.reach) : y_.points;
}

std::int64_t local_tile::row_place(std::int64_t y) const {
    if (shared_rows() == y_.points) {
        return y_.shift(y);
    }
    return y < y_.reach ? y : y >= y_.points - y_.reach ? y - (y_.points - shared_rows()) : -1;
}

std::int64_t local_tile::row(std::int64_t y) const {
    if (shared_rows() == y_.points) {
        return y;
    }
    const std::int64_t items = floor_div(y, y_.points);
    return items * shared_rows() + row_place(y - items * y_.points);
}

std::int64_t local_tile::elements() const {
    return round_up(x_.width * y_.group * shared_rows(), 16);
}

std::int64_t local_tile::guard() const {
    const std::int64_t rows = (y_.reach + y_.points - 1) / y_.points * shared_rows();
    return round_up(rows * x_.width + (shuffle_ ? 0 : x_.reach), 16);
}

} // namespace gst::streaming
