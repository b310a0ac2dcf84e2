#include "backends/opencl/list_devices.hpp"

#include "backends/opencl/pocl_cache.hpp"
#include "backends/opencl/query.hpp"
#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <sstream>

namespace gst::opencl {

namespace {

constexpr cl_int platform_not_found =
    -1001; // CL_PLATFORM_NOT_FOUND_KHR: the loader's answer when no driver is registered

std::vector<cl_platform_id> platforms() {
    cl_uint count = 0;
    const cl_int code = clGetPlatformIDs(0, nullptr, &count);
    if (code == platform_not_found || (code == CL_SUCCESS && count == 0)) {
        throw machine_error(
            "no OpenCL driver is installed: install the one of your device's vendor, or pocl-opencl-icd "
            "to compute on the processor");
    }
    check(code, "list the platforms");
    std::vector<cl_platform_id> all(count);
    check(clGetPlatformIDs(count, all.data(), nullptr), "list the platforms");
    return all;
}

std::vector<cl_device_id> devices_of(cl_platform_id platform) {
    cl_uint count = 0;
    const cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count);
    if (code == CL_DEVICE_NOT_FOUND || count == 0) {
        return {};
    }
    check(code, "list the devices");
    std::vector<cl_device_id> all(count);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, all.data(), nullptr), "list the devices");
    return all;
}

std::string platform_text(cl_platform_id platform, cl_platform_info which) {
    const auto ask = [&](std::size_t size, void* value, std::size_t* needed) {
        return clGetPlatformInfo(platform, which, size, value, needed);
    };
    return text_of(ask, "a property of the platform");
}

bool has_extension(cl_device_id device, const std::string& name) {
    std::istringstream all(device_text(device, CL_DEVICE_EXTENSIONS));
    const std::istream_iterator<std::string> begin(all), end;
    return std::find(begin, end, name) != end;
}

std::string type_name(cl_device_type type) {
    if ((type & CL_DEVICE_TYPE_GPU) != 0) {
        return "gpu";
    }
    return (type & CL_DEVICE_TYPE_CPU) != 0 ? "cpu" : "accelerator";
}

device_info describe(cl_platform_id platform, cl_device_id device) {
    device_info d;
    d.backend = "opencl";
    d.name = device_text(device, CL_DEVICE_NAME);
    d.vendor = device_text(device, CL_DEVICE_VENDOR);
    d.platform = platform_text(platform, CL_PLATFORM_NAME);
    d.driver = fmt::format("{}; {}; {}", platform_text(platform, CL_PLATFORM_VERSION),
                           device_text(device, CL_DEVICE_VERSION), device_text(device, CL_DRIVER_VERSION));
    d.type = type_name(device_value<cl_device_type>(device, CL_DEVICE_TYPE));
    d.compute_units = device_value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
    d.memory_bytes = device_value<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    d.allocation_bytes = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    d.local_bytes = device_value<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
    d.cache_bytes = device_value<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    d.work_group = device_value<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
    const auto ask = [&](std::size_t size, void* value, std::size_t* needed) {
        return clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, size, value, needed);
    };
    const std::vector<std::size_t> items = list_of<std::size_t>(ask, "a property of the device");
    std::copy_n(items.begin(), std::min(items.size(), d.work_items.size()), d.work_items.begin());
    d.f64 = has_extension(device, "cl_khr_fp64");
    d.f16 = has_extension(device, "cl_khr_fp16");
    d.images = device_value<cl_bool>(device, CL_DEVICE_IMAGE_SUPPORT) != CL_FALSE;
    if (d.images) {
        d.image_from_buffer = has_extension(device, "cl_khr_image2d_from_buffer");
        d.image_width = device_value<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
        d.image_height = device_value<std::size_t>(device, CL_DEVICE_IMAGE2D_MAX_HEIGHT);
    }
    const bool has_ptx = d.platform == nvidia_platform && has_extension(device, "cl_nv_device_attribute_query") &&
                         device_value<cl_uint>(device, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV) >= 8;
    d.language = has_ptx ? nvidia_opencl_dialect() : opencl_dialect();
    return d;
}

} // namespace

std::vector<listed_device> list_devices() {
    static const std::string pocl_obstacle = prepare_pocl_cache();
    std::vector<listed_device> all;
    bool pocl_is_silent = false;
    std::size_t p = 0;
    for (cl_platform_id platform : platforms()) {
        std::size_t n = 0;
        const std::vector<cl_device_id> devices = devices_of(platform);
        pocl_is_silent |= devices.empty() && platform_text(platform, CL_PLATFORM_NAME) == "Portable Computing Language";
        for (cl_device_id device : devices) {
            all.push_back({platform, device, describe(platform, device)});
            all.back().info.id = fmt::format("{}.{}", p, n++);
        }
        ++p;
    }
    if (all.empty() && pocl_is_silent && !pocl_obstacle.empty()) {
        throw machine_error(pocl_obstacle);
    }
    return all;
}

listed_device find_device(const device_info& target) {
    for (listed_device& d : list_devices()) {
        if (d.info.id == target.id && d.info.name == target.name) {
            return std::move(d);
        }
    }
    throw machine_error(
        fmt::format("the OpenCL device {} '{}' is gone; `gst devices` lists what is there", target.id, target.name));
}

} // namespace gst::opencl
