#pragma once

#include "core/codegen/layout.hpp"
#include "core/codegen/tensor_shape.hpp"
#include "core/stencil/stencil.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace gst {

/// One unit of compilation.
struct module_source {
    std::string text;
    std::string options; ///< compiler options
    bool operator==(const module_source&) const = default;
};

/// Kernel arguments. A field's level is relative to the time t at which the list of operations begins: levels 0, -1 …
/// are kept from the call before; of the levels 1 … n of a list of n steps, the last ones are written (rotation.hpp).
struct field_argument {
    std::uint32_t field = 0;
    int level = 0;
    bool as_image = false; ///< the field's image instead of its buffer
    bool operator==(const field_argument&) const = default;
};
struct parameter_argument {
    std::uint32_t index = 0; ///< into stencil.parameters
    scalar type = scalar::f32;
    bool operator==(const parameter_argument&) const = default;
};
struct step_argument { ///< i32: t at which the list begins
    bool operator==(const step_argument&) const = default;
};
/// A field's buffer as a tensor, where devices copy boxes of them; elsewhere the buffer.
struct tensor_argument {
    field_argument of;
    tensor_shape shape;
    bool operator==(const tensor_argument&) const = default;
};
/// A buffer of the verification kernels: 0, 1, 2 … as verify.hpp lists them.
struct extra_argument {
    std::uint32_t index = 0;
    bool operator==(const extra_argument&) const = default;
};
using kernel_argument =
    std::variant<field_argument, parameter_argument, step_argument, extra_argument, tensor_argument>;

using range3 = std::array<std::uint64_t, 3>;

struct launch {
    std::string kernel;
    range3 global{1, 1, 1}; ///< work-items, a multiple of local
    range3 local{1, 1, 1};
    range3 offset{0, 0, 0};
    std::vector<kernel_argument> arguments;
    std::uint32_t module = 0;      ///< into the modules of the program
    std::uint64_t local_bytes = 0; ///< that the kernel declares in each work-group; 0: none, or not told
    bool operator==(const launch&) const = default;
};

/// Copies a buffer of a field into its image; a device that makes images from buffers does nothing here. A program
/// copies after it wrote; whoever uploads the initial data brings every image up to date.
struct image_copy {
    std::uint32_t field = 0;
    int level = 0;
    bool operator==(const image_copy&) const = default;
};
using program_operation = std::variant<launch, image_copy>;

/// A 2-D image over a field's buffer: element i is texel (i mod width, i / width).
struct image_shape {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    scalar type = scalar::f32; ///< f16 travels as one 16-bit unsigned channel, f64 as four
    bool operator==(const image_shape&) const = default;
};

/// What runs the time loop of one stencil on one grid with one configuration.
struct program {
    std::vector<module_source> modules;
    array_layout layout;
    std::vector<scalar> types; ///< stored type per field
    std::vector<int> kept;     ///< per field: time levels kept between calls, t, t-1 …; of a coefficient 1
    std::vector<std::uint8_t> coefficient; ///< per field: 1 has one buffer, which never rotates
    std::vector<image_shape> images;       ///< per field; width 0: none
    int steps = 1;                         ///< time steps that a call advances
    /// Its results may be off by so many times the error bound of the sums as they are written (filtering.hpp).
    int error_factor = 1;
    /// In order; computes levels steps, steps - 1 … of every updated field, as many as are kept, halo included but for
    /// what `halos` fills.
    std::vector<program_operation> call;
    /// Calls leave some of the halos of the kept levels as they are, as the next call does not read them. These fill
    /// them, before a step of the remainder and before values are read. Empty: calls leave nothing.
    std::vector<program_operation> halos;
    /// Where steps > 1: one time step, for what is left of a number of steps that `steps` does not divide; else empty.
    std::vector<program_operation> remainder;
    bool operator==(const program&) const = default;
};

/// Bytes of all buffers (and copied images, when `images_copied`) of the program.
GST_API std::uint64_t memory_of(const program& p, bool images_copied);

} // namespace gst
