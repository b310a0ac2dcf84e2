#pragma once

#include "core/run/field_data.hpp"

#include <filesystem>

namespace gst {

/// Reads a NumPy array into the field's array for the grid. The file is in (z, y, x) order, as many axes as the stencil
/// has, of the interior or with the field's halo beyond every face; where it has no halo, the halo is 0. C or Fortran
/// order, either byte order, f2 f4 f8, i1 … i8, u1 … u8 and b1. Reals are rounded to the field's type. Throws
/// user_error when the shape does not fit, or a value does not (0.5 or 2^31 for i32, a finite number beyond f16 or
/// f32), and for a file that is no whole array; machine_error when it cannot be read.
GST_API field_data read_npy(const std::filesystem::path& file, const field& f, int dimensions, extent3 size);

/// Throws what read_npy would throw of the file's head and length, without reading its values; of a pipe, nothing.
GST_API void check_npy(const std::filesystem::path& file, const field& f, int dimensions, extent3 size);

/// Writes the interior, or all with the halo, of the field's own type. The file is whole or not there. Throws
/// machine_error.
GST_API void write_npy(const std::filesystem::path& file, const field_data& d, bool with_halo = false);

} // namespace gst
