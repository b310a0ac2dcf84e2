#pragma once

#include "backends/cuda/driver.hpp"
#include "core/api/backend.hpp"

#include <cstdint>
#include <memory>

namespace gst::cuda {

/// A buffer, or a texture over one.
struct memory final : gst::memory {
    explicit memory(const driver& d) : from(d) {}
    ~memory() override;
    memory(const memory&) = delete;
    memory& operator=(const memory&) = delete;

    const driver& from;
    device_pointer at = 0; ///< of a buffer
    texture object = 0;    ///< of an image
    std::uint64_t bytes = 0;
    const memory* over = nullptr; ///< of an image: the buffer that it shows
};

/// Throws std::runtime_error that tells how much is free when the device cannot have a buffer as large.
std::unique_ptr<memory> make_buffer(const driver& d, const device_info& device, std::uint64_t bytes);

/// The elements of `over` as a texture of one dimension.
std::unique_ptr<memory> make_image(const driver& d, const device_info& device, const image_shape& shape,
                                   const memory& over);

} // namespace gst::cuda
