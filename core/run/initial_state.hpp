#pragma once

#include "core/run/run_state.hpp"
#include "core/space/expression.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gst {

/// How a field begins. Coordinates are those of the stencil language: points from 0, negative or beyond the size in the
/// halo.
namespace initial {

/// Uniform in [low, high); i32: the integers low … high, both included. The value of a point depends on the seed, the
/// field's name and the coordinates alone.
struct noise {
    double low = 0;
    double high = 1;
    std::int64_t seed = 1;
};
/// amplitude × exp(−distance² / (2 width²))
struct gaussian {
    std::optional<std::vector<double>> center; ///< x first; absent: the middle of the grid
    double width = 0;                          ///< in points; 0: a tenth of the grid along x
    double amplitude = 1;
};
struct constant {
    double value = 0;
};
/// Over the stencil's axes (x, y, z), the grid's sizes (nx, ny, nz) and pi.
struct formula {
    expression what;
};
/// A .npy file with or without halo: see read_npy.
struct file {
    std::filesystem::path path;
};

} // namespace initial

using initial_data =
    std::variant<initial::noise, initial::gaussian, initial::constant, initial::formula, initial::file>;

/// The array that a field begins with, halo included (0 where a file has none). i32 fields take the integer part of a
/// Gaussian or formula. Throws user_error: a name or a value of the formula that does not exist, with the place; a
/// constant that the field cannot hold; what read_npy throws.
GST_API field_data make_initial(const initial_data& data, const stencil& s, std::size_t field, extent3 size);

/// Throws what make_initial would throw, without making the array: of a formula only the rows at the edges of the array
/// and through the origin are computed, and of a file the head and the length are looked at.
GST_API void check_initial(const initial_data& data, const stencil& s, std::size_t field, extent3 size);

/// The state at step 0. `data` has per field name its levels, newest first; levels that are not given begin as the
/// oldest given one, fields that are not given with noise.
GST_API run_state make_initial_state(const stencil& s, extent3 size,
                                     const std::map<std::string, std::vector<initial_data>>& data);

} // namespace gst
