#pragma once

#include "core/stencil/stencil.hpp"

#include <array>
#include <cstdint>

namespace gst {

/// An array as a tensor of three axes, x first, of which boxes are copied to local memory as wholes.
struct tensor_shape {
    scalar type = scalar::f32;
    std::int64_t first = 0;               ///< the array's element at which it begins
    std::array<std::int64_t, 3> size{};   ///< elements; zeros come from outside of them
    std::array<std::int64_t, 2> stride{}; ///< elements from one to the next along y and z
    std::array<std::int64_t, 3> box{};    ///< elements of what is copied at a time
    bool operator==(const tensor_shape&) const = default;
};

/// Bytes that a box's rows, its place in memory and the tensor's strides are multiples of (CUDA driver API,
/// cuTensorMapEncodeTiled; that boxes must begin at such is not documented: others end in an illegal instruction).
inline constexpr std::int64_t tensor_bytes = 16;
/// Elements of a box along an axis, at most.
inline constexpr std::int64_t longest_box = 256;
/// What its place in local memory is a multiple of, in bytes.
inline constexpr std::int64_t box_alignment = 128;

} // namespace gst
