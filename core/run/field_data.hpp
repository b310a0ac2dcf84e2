#pragma once

#include "core/codegen/layout.hpp"
#include "core/run/half.hpp"
#include "core/stencil/interpreter.hpp"

#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace gst {

/// The values of one field at one time level as they travel between files and devices: in (z, y, x) order, halo
/// included, nothing between the rows, of the stored type in this machine's byte order.
struct field_data {
    std::string name;
    scalar type = scalar::f32;
    int dimensions = 3;
    extent3 size{}; ///< interior points
    offset3 halo{}; ///< points beyond each face
    std::vector<std::byte> bytes;

    std::int64_t extent(int axis) const {
        return size[axis] + 2 * halo[axis];
    } ///< points along the axis, halo included
    std::int64_t rows() const { return extent(1) * extent(2); }
    std::size_t row_bytes() const { return static_cast<std::size_t>(extent(0)) * size_of(type); }
    std::span<std::byte> row(std::int64_t r) { return {bytes.data() + r * row_bytes(), row_bytes()}; }
    std::span<const std::byte> row(std::int64_t r) const { return {bytes.data() + r * row_bytes(), row_bytes()}; }
    bool operator==(const field_data&) const = default;
};

/// The field's array for the grid with the field's own halo, filled with zeros.
GST_API field_data make_field_data(const field& f, int dimensions, extent3 size);

/// Calls visit(row) for the rows in order: of the interior, or of all with the halo.
template<class F>
void for_each_row(const field_data& d, bool with_halo, F&& visit) {
    const offset3 skipped = with_halo ? offset3{} : d.halo;
    const std::size_t cut = static_cast<std::size_t>(skipped[0]) * size_of(d.type);
    for (std::int64_t z = skipped[2]; z < d.extent(2) - skipped[2]; ++z) {
        for (std::int64_t y = skipped[1]; y < d.extent(1) - skipped[1]; ++y) {
            visit(d.row(z * d.extent(1) + y).subspan(cut, d.row_bytes() - 2 * cut));
        }
    }
}

/// The values of row `r` (halo included) as doubles, and back: rounded to the type; i32 truncates and saturates.
GST_API void read_row(const field_data& d, std::int64_t r, std::span<double> values);
GST_API void write_row(field_data& d, std::int64_t r, std::span<const double> values);

/// To and from the interpreter's form, which has the same order.
GST_API field_values to_values(const field_data& d);
GST_API void from_values(const field_values& v, field_data& d);

enum class norm { maximum, rms };

/// Of a − b over the interior: the largest magnitude, or the root of the mean square. NaN when any difference is. The
/// arrays have one shape and type.
GST_API double norm_of_change(const field_data& a, const field_data& b, norm which);

} // namespace gst
