#include "core/measure/initial_data.hpp"

#include "core/base/processors.hpp"
#include "core/base/random.hpp"
#include "core/measure/typed_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>
#include <vector>

namespace gst {

namespace {

/// The noise of one field at one time.
class field_noise {
  public:
    field_noise(const field& f, extent3 size, offset3 halo, noise_data data, int age)
        : type_(f.type), seed_(random_source(data.seed).fork(fmt::format("{} {}", f.name, age)).next()), halo_(halo),
          row_(size[0] + 2 * halo[0]), plane_(row_ * (size[1] + 2 * halo[1])) {}

    double at(extent3 p) const {
        const std::int64_t index = p[0] + halo_[0] + row_ * (p[1] + halo_[1]) + plane_ * (p[2] + halo_[2]);
        const double u = noise(seed_, static_cast<std::uint64_t>(index));
        if (type_ != scalar::i32) {
            return u;
        }
        const double n = std::floor(u * 64); // 30 of 64 are 0, 28 are 1, one each of 2 … 7
        return n < 30 ? 0 : n < 58 ? 1 : n - 56;
    }

  private:
    scalar type_;
    std::uint64_t seed_;
    offset3 halo_;
    std::int64_t row_;
    std::int64_t plane_;
};

bool is_interior(extent3 p, extent3 size) {
    return p[0] >= 0 && p[0] < size[0] && p[1] >= 0 && p[1] < size[1] && p[2] >= 0 && p[2] < size[2];
}

struct row_writer {
    const field& f;
    const array_layout& layout;
    field_noise now;  ///< time 0, which fixed halos keep
    field_noise here; ///< the time of the buffer
    bool poisoned = false;

    void put(extent3 p, std::byte* to) const {
        if (is_interior(p, layout.size)) {
            return poisoned ? put_poison(f.type, to) : put_value(f.type, here.at(p), to);
        }
        const halo_source from = resolve_halo(f, layout.size, p);
        if (from.is_constant) {
            put_value(f.type, from.constant, to);
        } else if (!is_interior(from.point, layout.size)) {
            put_value(f.type, now.at(from.point), to);
        } else if (poisoned) {
            put_poison(f.type, to);
        } else {
            put_value(f.type, here.at(from.point), to);
        }
    }

    void row(std::int64_t r, std::byte* to) const {
        const std::size_t bytes = size_of(f.type);
        const auto place = layout.place_of_row(r);
        const auto [y, z] = place.value_or(std::array<std::int64_t, 2>{});
        const bool inside = place && y >= -f.halo[1] && y < layout.size[1] + f.halo[1] && z >= -f.halo[2] &&
                            z < layout.size[2] + f.halo[2];
        const std::int64_t first = inside ? layout.halo[0] - f.halo[0] : layout.row;
        const std::int64_t last = inside ? first + layout.size[0] + 2 * f.halo[0] : layout.row;
        for (std::int64_t i = 0; i < layout.row; ++i, to += bytes) {
            if (i < first || i >= last) {
                put_poison(f.type, to);
            } else {
                put({i - first - f.halo[0], y, z}, to);
            }
        }
    }
};

} // namespace

double initial_value(const field& f, extent3 size, offset3 layout_halo, noise_data data, int age, extent3 point) {
    if (!is_interior(point, size)) {
        const halo_source from = resolve_halo(f, size, point);
        if (from.is_constant) {
            return from.constant;
        }
        point = from.point;
    }
    return field_noise(f, size, layout_halo, data, is_interior(point, size) ? age : 0).at(point);
}

void initial_rows(const field& f, const array_layout& layout, noise_data data, int age, std::int64_t first_row,
                  std::span<std::byte> to) {
    const row_writer writer{f, layout, field_noise(f, layout.size, layout.halo, data, 0),
                            field_noise(f, layout.size, layout.halo, data, std::max(age, 0)), age < 0};
    const std::size_t row_bytes = static_cast<std::size_t>(layout.row) * size_of(f.type);
    const auto rows = static_cast<std::int64_t>(to.size() / row_bytes);
    constexpr std::int64_t worth_a_thread = 1 << 16; // elements
    const std::int64_t threads = std::clamp<std::int64_t>(rows * layout.row / worth_a_thread, 1, processors());
    std::vector<std::jthread> running;
    for (std::int64_t t = 0; t < threads; ++t) {
        const auto part = [&writer, to, row_bytes, first_row, begin = rows * t / threads,
                           end = rows * (t + 1) / threads] {
            for (std::int64_t r = begin; r < end; ++r) {
                writer.row(first_row + r, &to[static_cast<std::size_t>(r) * row_bytes]);
            }
        };
        if (t + 1 == threads) {
            part();
        } else {
            running.emplace_back(part);
        }
    }
}

} // namespace gst
