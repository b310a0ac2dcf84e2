#pragma once

#include "core/codegen/dialect.hpp"
#include "core/codegen/program.hpp"

namespace gst {

/// Kernels that copy f32 elements from buffer 0 to buffer 1 in several ways; the fastest one, or the device's own copy
/// command if that is faster, is the bandwidth limit that sweeps are compared with.
struct copy_benchmark {
    module_source module;
    std::vector<launch> kernels; ///< arguments: extra_argument{0} read, extra_argument{1} written
};

/// `elements` is a multiple of 16384.
GST_API copy_benchmark make_copy_benchmark(std::uint64_t elements, const dialect& language);

} // namespace gst
