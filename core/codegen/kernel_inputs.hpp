#pragma once

#include "core/stencil/stencil.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gst {

/// The name of a field's array at a level: u_t, u_t_plus_1, u_t_minus_1.
std::string array_name(const field& f, int level);

/// A field at a time level, as a kernel reads it.
struct source_array {
    std::uint32_t field = 0;
    int level = 0;
    offset3 low{}; ///< least and greatest offset of its reads
    offset3 high{};
};

/// What a kernel that computes some updates of a stencil reads.
struct kernel_inputs {
    std::vector<source_array> arrays;
    std::map<std::uint32_t, scalar> parameters; ///< and the type of its argument: the widest that it is used in
    bool step = false;                          ///< the step number
};
kernel_inputs inputs_of(const stencil& s, const std::vector<std::size_t>& updates);

/// The arrays that s.updates[index] caches in local memory: those read at more than one point, or all when there is
/// none such.
std::vector<source_array> cached_arrays(const stencil& s, std::size_t index);

} // namespace gst
