#pragma once

#include "core/codegen/layout.hpp"
#include "core/stencil/interpreter.hpp"

#include <cstddef>
#include <optional>
#include <span>

/// Values as they lie in a device's memory.
namespace gst {

/// Rounds to the type (to nearest, ties to even; i32: truncates) and writes size_of(type) bytes.
GST_API void put_value(scalar type, double value, std::byte* to);
GST_API double get_value(scalar type, const std::byte* from);
/// A quiet NaN; for i32 a number that no stencil is likely to compute.
GST_API void put_poison(scalar type, std::byte* to);

/// Writes rows [first_row, …) of a field, as many as `to` holds; elements that `values` does not have are poison.
GST_API void pack_rows(const field_values& values, scalar type, const array_layout& layout, std::int64_t first_row,
                       std::span<std::byte> to);
/// The inverse: sets the elements that `values` has.
GST_API void unpack_rows(std::span<const std::byte> from, scalar type, const array_layout& layout,
                         std::int64_t first_row, field_values& values);

/// A point of the layout, or nothing in the padding.
GST_API std::optional<extent3> point_of(const array_layout& layout, std::int64_t element);

} // namespace gst
