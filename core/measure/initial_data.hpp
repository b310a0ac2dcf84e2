#pragma once

#include "core/codegen/layout.hpp"
#include "core/stencil/interpreter.hpp"

#include <cstddef>
#include <span>

namespace gst {

/// The data that programs are verified and timed with: noise, since smooth data hides wrong offsets.
struct noise_data {
    std::uint64_t seed = 1;
};

/// The initial value of a point at time -age: reals in [0, 1); i32 mostly 0 and 1, some up to 7. Halo points follow
/// their rule.
GST_API double initial_value(const field& f, extent3 size, offset3 layout_halo, noise_data data, int age,
                             extent3 point);

/// Writes rows [first_row, …) of the field's buffer of time -age, as many as `to` holds, on all cores. Elements that
/// the field does not have are poison. Age -1 is a buffer that holds no level yet: poison wherever a step must write,
/// constant and fixed halos as they stay.
GST_API void initial_rows(const field& f, const array_layout& layout, noise_data data, int age, std::int64_t first_row,
                          std::span<std::byte> to);

} // namespace gst
