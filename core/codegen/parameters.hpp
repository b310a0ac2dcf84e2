#pragma once

#include "core/space/space.hpp"
#include "core/stencil/stencil.hpp"

#include <string>
#include <vector>

/// What the preset spaces are made of.
namespace gst {

inline constexpr const char* axis_suffixes[] = {"x", "y", "z"};

/// 1, 2, 4 … up to `most`.
std::vector<value> powers_of_two(std::int64_t most);

/// `prefix` with the axis' letter: powers of two up to its points; inactive where the stencil has no such axis.
parameter axis_parameter(const char* prefix, const char* alias, std::size_t axis, const stencil& s, extent3 size,
                         role purpose, const std::string& meaning);

/// A technique that is used or not; neutral is not.
parameter flag(const char* name, const char* meaning);

/// The floating-point numbers that an update is written with.
std::vector<node_id> real_numbers_of(const stencil& s, const update& u);

/// The gest space or, with more sizes and parameters, the full one.
space make_gest_space(const stencil& s, extent3 size, bool full);

} // namespace gst
