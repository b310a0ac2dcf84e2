#pragma once

#include "core/codegen/dialect.hpp"
#include "core/codegen/loop_nest.hpp"
#include "core/codegen/program.hpp"
#include "core/codegen/schedule.hpp"
#include "core/stencil/stencil.hpp"

namespace gst {

/// A program before it is spelled in a dialect.
struct lowered_program {
    std::vector<std::vector<nest::kernel>> modules; ///< the kernels of each
    program rest;                                   ///< everything but the modules
};

/// The loop nests of a stencil under a schedule: per update its kernel, then the halo of what it wrote, then its image.
/// The halo kernels are a module of their own: they do not depend on the schedule, so that they are compiled once.
/// `s` must be verified IR and fit the grid (check_grid).
GST_API lowered_program lower(const stencil& s, extent3 size, std::int64_t alignment, const schedule& how);

/// Spells the loop nests.
GST_API program spell(lowered_program p, const dialect& language);

/// lower, then spell.
GST_API program generate(const stencil& s, extent3 size, std::int64_t alignment, const schedule& how,
                         const dialect& language);

/// Elements that a buffer of the layout is allocated with: room for every image over it.
GST_API std::uint64_t allocated_elements(const array_layout& layout);

/// Texels per row of images: the widest power of two the device allows, up to 16384; 0 when an array does not fit an
/// image.
GST_API std::uint64_t image_width_for(const array_layout& layout, std::uint64_t widest, std::uint64_t highest);

} // namespace gst
