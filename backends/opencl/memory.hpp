#pragma once

#include "backends/opencl/opencl.hpp"
#include "core/api/backend.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace gst::opencl {

/// A buffer, or a 2-D image over one.
struct memory final : gst::memory {
    memory_object object;
    std::uint64_t bytes = 0;
    std::uint64_t width = 0; ///< of an image, in texels; 0: a buffer
    std::uint64_t height = 0;
    std::uint64_t texel_bytes = 0; ///< of an image
    const memory* alias = nullptr; ///< the buffer that the image shares its bytes with
};

/// Throws std::runtime_error with both numbers of bytes when the device cannot have a buffer as large.
std::unique_ptr<memory> make_buffer(cl_context in, const device_info& device, std::uint64_t bytes);

/// An image of the elements of `over`: the same bytes where the device can, else its own, filled by copy_to_image.
std::unique_ptr<memory> make_image(cl_context in, cl_device_id id, const device_info& device, const image_shape& shape,
                                   const memory& over);

/// Enqueues the copy of the first `bytes` of a buffer to another buffer or to an image's texels; nothing when they are
/// the same bytes. The events are appended to `done`.
void enqueue_copy(cl_command_queue q, const memory& from, const memory& to, std::uint64_t bytes,
                  std::vector<event>& done);

} // namespace gst::opencl
