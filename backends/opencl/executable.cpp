#include "backends/opencl/executable.hpp"

#include "backends/opencl/query.hpp"
#include "core/base/diagnostic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <vector>

namespace gst::opencl {

namespace {

kernel_limits limits_of(cl_kernel k, cl_device_id device) {
    const auto about = [&]<class T>(cl_kernel_work_group_info which, T) {
        const auto ask = [&](std::size_t size, void* value, std::size_t* needed) {
            return clGetKernelWorkGroupInfo(k, device, which, size, value, needed);
        };
        return value_of<T>(ask, "what a kernel needs");
    };
    const auto count = [&](std::size_t size, void* value, std::size_t* needed) {
        return clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, size, value, needed);
    };
    const auto required = about(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, std::array<std::size_t, 3>{});
    kernel_limits l;
    l.work_group = about(CL_KERNEL_WORK_GROUP_SIZE, std::size_t{});
    l.required = {required[0], required[1], required[2]};
    l.local_bytes = about(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong{});
    l.private_bytes = about(CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong{});
    l.arguments = value_of<cl_uint>(count, "a kernel's arguments");
    return l;
}

std::string log_of(cl_program program, cl_device_id device) {
    const auto ask = [&](std::size_t size, void* value, std::size_t* needed) {
        return clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, value, needed);
    };
    return text_of(ask, "the build log");
}

/// Builds `program` for `device`; the log of a refusal is the text of the compile_error.
void build(cl_program program, cl_device_id device, const std::string& options) {
    const cl_int code = clBuildProgram(program, 1, &device, options.c_str(), nullptr, nullptr);
    if (code == CL_OUT_OF_HOST_MEMORY || code == CL_OUT_OF_RESOURCES) {
        check(code, "build a program"); // another time, perhaps
    }
    if (code != CL_SUCCESS) {
        const std::string log = log_of(program, device);
        throw compile_error(log.empty() ? "OpenCL cannot build the program: " + error_name(code) : log);
    }
}

} // namespace

executable::executable(program_object program, cl_device_id device, const std::string& options)
    : program_(std::move(program)) {
    build(program_.get(), device, options);
    take_kernels(device);
    log_ = log_of(program_.get(), device);
}

void executable::take_kernels(cl_device_id device) {
    const auto ask = [&](std::size_t size, void* value, std::size_t* needed) {
        return clGetProgramInfo(program_.get(), CL_PROGRAM_KERNEL_NAMES, size, value, needed);
    };
    std::istringstream names(text_of(ask, "the kernels of a program"));
    for (std::string name; std::getline(names, name, ';');) {
        cl_int code = CL_SUCCESS;
        kernel k(clCreateKernel(program_.get(), name.c_str(), &code));
        check(code, "make the kernel " + name);
        const kernel_limits limits = limits_of(k.get(), device);
        kernels_[name] = {std::move(k), limits};
    }
}

named_numbers executable::metrics() const {
    double local = 0, own = 0, group = 0;
    for (const auto& [name, k] : kernels_) {
        local = std::max(local, static_cast<double>(k.limits.local_bytes));
        own = std::max(own, static_cast<double>(k.limits.private_bytes));
        const auto most = static_cast<double>(k.limits.work_group);
        group = group == 0 ? most : std::min(group, most);
    }
    return {{"local_bytes", local}, {"private_bytes", own}, {"work_group_limit", group}};
}

const built_kernel& executable::find(const std::string& name) const {
    const auto found = kernels_.find(name);
    if (found == kernels_.end()) {
        std::vector<std::string> names;
        for (const auto& k : kernels_) {
            names.push_back(k.first);
        }
        throw std::runtime_error(
            fmt::format("the program has no kernel '{}'; it has {}", name, names.empty() ? "none" : enumerate(names)));
    }
    return found->second;
}

} // namespace gst::opencl
