#include "backends/opencl/memory.hpp"

#include "backends/opencl/query.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>
#include <sys/mman.h>

namespace gst::opencl {

namespace {

struct texel {
    cl_image_format format;
    std::uint64_t bytes;
};

texel texel_of(scalar type) {
    switch (type) {
    case scalar::f16:
        return {{CL_R, CL_UNSIGNED_INT16}, 2}; // PoCL 3.1 lists CL_HALF_FLOAT and reads it wrongly
    case scalar::f32:
        return {{CL_R, CL_FLOAT}, 4};
    case scalar::f64:
        return {{CL_RGBA, CL_UNSIGNED_INT16}, 8}; // every device has this format; PoCL 3.1 has no CL_RG
    case scalar::i32:
        return {{CL_R, CL_SIGNED_INT32}, 4};
    case scalar::boolean:
        break;
    }
    throw std::logic_error("booleans are not stored");
}

memory_object allocated(cl_context in, cl_mem_flags flags, std::uint64_t bytes, void* host) {
    cl_int code = CL_SUCCESS;
    memory_object m(clCreateBuffer(in, flags, bytes, host, &code));
    check(code, fmt::format("allocate a buffer of {} bytes", bytes));
    return m;
}

constexpr std::uint64_t huge_page = 2 << 20; // bytes

/// A CPU's buffer in pages as large as the system has them: a sweep over several planes of a large grid touches more
/// pages than a CPU keeps the addresses of. PoCL alone takes pages of 4 KiB.
memory_object on_huge_pages(cl_context in, std::uint64_t bytes) {
    const std::uint64_t whole = (bytes + huge_page - 1) / huge_page * huge_page;
    std::unique_ptr<void, void (*)(void*)> host(std::aligned_alloc(huge_page, whole), std::free);
    if (!host) {
        throw std::runtime_error(fmt::format("cannot allocate a buffer of {} bytes: out of memory", bytes));
    }
#ifdef MADV_HUGEPAGE
    ::madvise(host.get(), whole, MADV_HUGEPAGE); // a system without them goes on with small ones
#endif
    memory_object m = allocated(in, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, host.get());
    // Images over the buffer may live longer than its handle here.
    const auto release = [](cl_mem, void* memory) { std::free(memory); };
    check(clSetMemObjectDestructorCallback(m.get(), release, host.get()), "keep a buffer's memory");
    host.release();
    return m;
}

bool can_alias(cl_device_id id, const device_info& device, const image_shape& shape, const memory& over,
               std::uint64_t bytes) {
    if (!device.image_from_buffer || over.bytes < bytes) {
        return false;
    }
    const auto pitch = device_value<cl_uint>(id, CL_DEVICE_IMAGE_PITCH_ALIGNMENT_KHR); // in texels
    return pitch != 0 && shape.width % pitch == 0;
}

} // namespace

std::unique_ptr<memory> make_buffer(cl_context in, const device_info& device, std::uint64_t bytes) {
    if (bytes == 0) {
        throw std::logic_error("a buffer of no bytes");
    }
    if (bytes > device.allocation_bytes) {
        throw std::runtime_error(fmt::format("a buffer of {} bytes is too large: {} allows {} bytes in one buffer",
                                             bytes, device.name, device.allocation_bytes));
    }
    auto m = std::make_unique<memory>();
    m->object = device.type == "cpu" && bytes >= 2 * huge_page ? on_huge_pages(in, bytes)
                                                               : allocated(in, CL_MEM_READ_WRITE, bytes, nullptr);
    m->bytes = bytes;
    return m;
}

std::unique_ptr<memory> make_image(cl_context in, cl_device_id id, const device_info& device, const image_shape& shape,
                                   const memory& over) {
    if (!device.images) {
        throw std::runtime_error(device.name + " has no images");
    }
    if (shape.width > device.image_width || shape.height > device.image_height) {
        throw std::runtime_error(fmt::format("an image of {} × {} texels is too large: {} allows {} × {}", shape.width,
                                             shape.height, device.name, device.image_width, device.image_height));
    }
    const texel t = texel_of(shape.type);
    auto m = std::make_unique<memory>();
    m->bytes = shape.width * shape.height * t.bytes;
    m->width = shape.width;
    m->height = shape.height;
    m->texel_bytes = t.bytes;
    cl_image_desc what{};
    what.image_type = CL_MEM_OBJECT_IMAGE2D;
    what.image_width = shape.width;
    what.image_height = shape.height;
    if (can_alias(id, device, shape, over, m->bytes)) {
        m->alias = &over;
        what.image_row_pitch = shape.width * t.bytes;
        what.buffer = over.object.get();
    }
    cl_int code = CL_SUCCESS;
    const cl_mem_flags flags = m->alias != nullptr ? 0 : CL_MEM_READ_ONLY; // an alias has its buffer's
    m->object = memory_object(clCreateImage(in, flags, &t.format, &what, nullptr, &code));
    check(code, fmt::format("allocate an image of {} × {} texels of {} bytes", shape.width, shape.height, t.bytes));
    return m;
}

void enqueue_copy(cl_command_queue q, const memory& from, const memory& to, std::uint64_t bytes,
                  std::vector<event>& done) {
    if (to.alias == &from) {
        return;
    }
    if (from.width != 0) {
        throw std::logic_error("a copy from an image");
    }
    if (bytes > from.bytes || bytes > to.bytes) {
        throw std::logic_error(
            fmt::format("a copy of {} bytes from a buffer of {} to memory of {}", bytes, from.bytes, to.bytes));
    }
    if (to.width == 0) {
        cl_event e = nullptr;
        check(clEnqueueCopyBuffer(q, from.object.get(), to.object.get(), 0, 0, bytes, 0, nullptr, &e), "copy a buffer");
        done.emplace_back(e);
        return;
    }
    const std::uint64_t texels = bytes / to.texel_bytes;
    const std::uint64_t rows = texels / to.width;
    const std::uint64_t rest = texels % to.width; // of a last row that is not full
    const auto copy = [&](std::uint64_t row, std::uint64_t width, std::uint64_t height) {
        const std::size_t origin[3] = {0, row, 0};
        const std::size_t region[3] = {width, height, 1};
        if (width * height > 0) {
            cl_event e = nullptr;
            check(clEnqueueCopyBufferToImage(q, from.object.get(), to.object.get(), row * to.width * to.texel_bytes,
                                             origin, region, 0, nullptr, &e),
                  "copy a buffer to an image");
            done.emplace_back(e);
        }
    };
    copy(0, to.width, rows);
    copy(rows, rest, 1);
}

} // namespace gst::opencl
