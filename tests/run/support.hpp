#pragma once

#include "core/run/field_data.hpp"
#include "core/stencil/stencil.hpp"
#include "tests/temporary_folder.hpp"

#include <filesystem>
#include <string>

namespace gst::test {

std::string contents(const std::filesystem::path& file);
void write(const std::filesystem::path& file, const std::string& bytes);

/// A field with a halo of 1 along the first `dimensions` axes.
field some_field(scalar type, int dimensions);
/// Values that count 1, 2, 3 … in memory order, halo included.
field_data counting(const field& f, int dimensions, extent3 size);
double value_at(const field_data& d, std::int64_t x, std::int64_t y = 0, std::int64_t z = 0);

/// u with history 1, a coefficient k, and a parameter alpha; 2-D.
stencil some_stencil();

} // namespace gst::test
