#include "core/run/field_data.hpp"

#include "core/run/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gst {

namespace {

template<class T>
T element_of(double v) {
    if constexpr (std::is_same_v<T, std::int32_t>) {
        return std::isnan(v) ? 0 : static_cast<T>(std::clamp(v, -2147483648.0, 2147483647.0));
    } else {
        return static_cast<T>(v);
    }
}

/// Calls f with a value of the type that the scalar has in memory.
template<class F>
void with_element(scalar type, F&& f) {
    switch (type) {
    case scalar::i32:
        return f(std::int32_t{});
    case scalar::f16:
        return f(half{});
    case scalar::f32:
        return f(float{});
    case scalar::f64:
        return f(double{});
    case scalar::boolean:
        break;
    }
    throw std::logic_error("a boolean is not stored");
}

void require(bool holds) {
    if (!holds) {
        throw std::logic_error("arrays of different shapes");
    }
}

} // namespace

field_data make_field_data(const field& f, int dimensions, extent3 size) {
    field_data d{f.name, f.type, dimensions, size, f.halo, {}};
    d.bytes.resize(static_cast<std::size_t>(d.rows()) * d.row_bytes());
    return d;
}

void read_row(const field_data& d, std::int64_t r, std::span<double> values) {
    with_element(d.type, [&]<class T>(T) {
        const std::byte* from = d.row(r).data();
        for (double& v : values) {
            T element;
            std::memcpy(&element, from, sizeof element);
            v = static_cast<double>(element);
            from += sizeof element;
        }
    });
}

void write_row(field_data& d, std::int64_t r, std::span<const double> values) {
    with_element(d.type, [&]<class T>(T) {
        std::byte* to = d.row(r).data();
        for (const double v : values) {
            const T element = element_of<T>(v);
            std::memcpy(to, &element, sizeof element);
            to += sizeof element;
        }
    });
}

field_values to_values(const field_data& d) {
    field_values v(d.size, d.halo);
    const auto width = static_cast<std::size_t>(d.extent(0));
    for (std::int64_t r = 0; r < d.rows(); ++r) {
        read_row(d, r, std::span(v.data).subspan(r * width, width));
    }
    return v;
}

void from_values(const field_values& v, field_data& d) {
    require(v.size == d.size && v.halo == d.halo);
    const auto width = static_cast<std::size_t>(d.extent(0));
    for (std::int64_t r = 0; r < d.rows(); ++r) {
        write_row(d, r, std::span(v.data).subspan(r * width, width));
    }
}

double norm_of_change(const field_data& a, const field_data& b, norm which) {
    require(a.size == b.size && a.halo == b.halo && a.type == b.type);
    const auto together = [which](double all, double more) {
        return which == norm::rms ? all + more : std::isnan(all) || more <= all ? all : more; // keeps a NaN
    };
    std::vector<double> of_row(static_cast<std::size_t>(a.size[2] * a.size[1]));
    in_parallel(a.size[2] * a.size[1], [&](std::int64_t begin, std::int64_t end) {
        std::vector<double> left(static_cast<std::size_t>(a.extent(0)));
        std::vector<double> right(left.size());
        for (std::int64_t i = begin; i < end; ++i) {
            const std::int64_t r = (i / a.size[1] + a.halo[2]) * a.extent(1) + i % a.size[1] + a.halo[1];
            read_row(a, r, left);
            read_row(b, r, right);
            double all = 0;
            for (std::int64_t x = a.halo[0]; x < a.halo[0] + a.size[0]; ++x) {
                const double change = std::abs(left[x] - right[x]);
                all = together(all, which == norm::rms ? change * change : change);
            }
            of_row[i] = all;
        }
    });
    const double all = std::accumulate(of_row.begin(), of_row.end(), 0.0, together);
    return which == norm::rms ? std::sqrt(all / static_cast<double>(a.size[0] * a.size[1] * a.size[2])) : all;
}

} // namespace gst
