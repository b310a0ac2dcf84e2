#include "backends/cuda/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace gst::cuda {

namespace {

struct texel {
    texel_format format;
    unsigned channels;
};

texel texel_of(scalar type) {
    switch (type) {
    case scalar::f16:
        return {texel_format::u16, 1};
    case scalar::f32:
        return {texel_format::f32, 1};
    case scalar::f64:
        return {texel_format::i32, 2};
    case scalar::i32:
        return {texel_format::i32, 1};
    case scalar::boolean:
        break;
    }
    throw std::logic_error("booleans are not stored");
}

} // namespace

memory::~memory() {
    if (object != 0) {
        from.cuTexObjectDestroy(object);
    }
    if (at != 0) {
        from.cuMemFree(at);
    }
}

std::unique_ptr<memory> make_buffer(const driver& d, const device_info& device, std::uint64_t bytes) {
    if (bytes == 0) {
        throw std::logic_error("a buffer of no bytes");
    }
    if (bytes > device.allocation_bytes) {
        throw std::runtime_error(fmt::format("a buffer of {} bytes is too large: {} allows {} bytes in one buffer",
                                             bytes, device.name, device.allocation_bytes));
    }
    auto m = std::make_unique<memory>(d);
    const result code = d.cuMemAlloc(&m->at, bytes);
    if (code == out_of_memory) {
        std::size_t free = 0, total = 0;
        d.check(d.cuMemGetInfo(&free, &total), "tell how much memory is free");
        throw std::runtime_error(fmt::format("a buffer of {} bytes does not fit: {} of the {} bytes of {} are free; "
                                             "end what else uses it, or choose a smaller grid",
                                             bytes, free, total, device.name));
    }
    d.check(code, fmt::format("allocate a buffer of {} bytes", bytes));
    m->bytes = bytes;
    return m;
}

std::unique_ptr<memory> make_image(const driver& d, const device_info& device, const image_shape& shape,
                                   const memory& over) {
    if (shape.width > device.image_width || shape.height > device.image_height) {
        throw std::runtime_error(fmt::format("an image of {} × {} texels is too large: {} allows {} × {}", shape.width,
                                             shape.height, device.name, device.image_width, device.image_height));
    }
    const texel t = texel_of(shape.type);
    auto m = std::make_unique<memory>(d);
    m->bytes = std::min(over.bytes, shape.width * shape.height * size_of(shape.type));
    m->over = &over;
    linear_resource what;
    what.what.linear = {over.at, t.format, t.channels, m->bytes};
    const texture_reading how;
    d.check(d.cuTexObjectCreate(&m->object, &what, &how, nullptr),
            fmt::format("make an image of {} × {} texels", shape.width, shape.height));
    return m;
}

} // namespace gst::cuda
