#pragma once

#include "core/codegen/dialect.hpp"
#include "core/codegen/loop_nest.hpp"
#include "core/codegen/program.hpp"

#include <string>
#include <vector>

namespace gst {

/// Whether an array of so many elements, and a work-group beyond its end, is past 32-bit indices.
GST_API bool needs_wide_index(std::uint64_t elements);

/// Whether the compiler is told how many of the kernel's work-groups are to have registers at once.
bool is_bounded(const nest::kernel& k, const dialect& language);

/// The kernels as the source text of one module. `wide_index`: arrays have 2^31 elements or more.
GST_API std::string emit(const std::vector<nest::kernel>& kernels, const dialect& language, bool wide_index);

/// The same, with what the compiler is told.
GST_API module_source emit_module(const std::vector<nest::kernel>& kernels, const dialect& language, bool wide_index);

/// The loop nest in a neutral notation, for `gst show --stage schedule`: loops, loads and stores without their
/// arithmetic.
GST_API std::string outline(const nest::kernel& k);

} // namespace gst
