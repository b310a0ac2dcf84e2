// Preloaded: the OpenCL driver says that it is NVIDIA's, and what its assembler would say of programs. Those with local
// memory spill registers; all have a stack. GST_DRIVER=cached: of a program that it builds for the first time in the
// test it says nothing, as NVIDIA's driver of one from its cache, unless the program has a kernel gst_….
// GST_DRIVER=ampere: the device has compute capability 8, and programs can only be loaded with a bound on registers
// where a kernel has no required size of work-groups, and without one where all have.

#include "backends/opencl/opencl.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string>

namespace {

std::mutex guard;
std::map<cl_program, std::string> logs;
std::map<cl_program, std::string> sources;

template<class F>
F* next(F*, const char* name) {
    static void* const loader = dlopen("libOpenCL.so.1", RTLD_NOW); // plugins, which link to it, are opened later
    return reinterpret_cast<F*>(dlsym(loader, name));
}

cl_int give(const void* from, std::size_t bytes, std::size_t size, void* value, std::size_t* needed) {
    if (needed) {
        *needed = bytes;
    }
    if (value) {
        std::memcpy(value, from, std::min(size, bytes));
    }
    return CL_SUCCESS;
}

bool is_driver(const char* name) {
    const char* driver = std::getenv("GST_DRIVER");
    return driver && std::strcmp(driver, name) == 0;
}

std::string log_of(const std::string& source) {
    if (source.empty() || (is_driver("cached") && source.find("__kernel void gst_") == std::string::npos)) {
        return "\n";
    }
    const std::string bytes = source.find("__local") != std::string::npos ? "24" : "0";
    return "ptxas info    : 0 bytes gmem\nptxas info    : Compiling entry function 'f' for 'sm_90a'\n"
           "ptxas info    : Function properties for f\nptxas         .     40 bytes stack frame, " +
           bytes + " bytes spill stores, " + bytes +
           " bytes spill loads\nptxas info    : Used 26 registers, used 0 barriers\n";
}

/// Whether a kernel of this built program may be launched with work-groups of any size.
bool has_free_size(cl_program program, cl_device_id device) {
    cl_kernel all[16];
    cl_uint count = 0;
    next(clCreateKernelsInProgram, "clCreateKernelsInProgram")(program, 16, all, &count);
    bool out = false;
    for (cl_uint i = 0; i < count; ++i) {
        std::size_t required[3]{};
        next(clGetKernelWorkGroupInfo, "clGetKernelWorkGroupInfo")(all[i], device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                                                   sizeof required, required, nullptr);
        out |= required[0] == 0;
        next(clReleaseKernel, "clReleaseKernel")(all[i]);
    }
    return out;
}

/// Removes the word that begins so. Whether there was one.
bool take_option(std::string& options, const std::string& begin) {
    const auto at = options.find(begin);
    if (at == std::string::npos) {
        return false;
    }
    options.erase(at, options.find(' ', at) - at);
    return true;
}

} // namespace

extern "C" {

cl_int clGetDeviceInfo(cl_device_id device, cl_device_info what, std::size_t size, void* value, std::size_t* needed) {
    constexpr char extensions[] = "cl_khr_fp64 cl_nv_device_attribute_query";
    constexpr cl_uint capability = 8;
    if (is_driver("ampere") && what == CL_DEVICE_EXTENSIONS) {
        return give(extensions, sizeof extensions, size, value, needed);
    }
    return is_driver("ampere") && what == CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV
               ? give(&capability, sizeof capability, size, value, needed)
               : next(clGetDeviceInfo, "clGetDeviceInfo")(device, what, size, value, needed);
}

cl_int clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, std::size_t size, void* value,
                         std::size_t* needed) {
    constexpr char name[] = "NVIDIA CUDA";
    return what == CL_PLATFORM_NAME ? give(name, sizeof name, size, value, needed)
                                    : next(clGetPlatformInfo, "clGetPlatformInfo")(platform, what, size, value, needed);
}

cl_program clCreateProgramWithSource(cl_context context, cl_uint count, const char** texts, const std::size_t* lengths,
                                     cl_int* code) {
    const cl_program p =
        next(clCreateProgramWithSource, "clCreateProgramWithSource")(context, count, texts, lengths, code);
    const std::lock_guard lock(guard);
    sources[p] = texts[0];
    return p;
}

cl_int clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices, const char* options,
                      void (*done)(cl_program, void*), void* with) {
    std::string others = options;
    const std::lock_guard lock(guard);
    const bool compiles = !sources[program].empty();
    if (!take_option(others, "-cl-nv-verbose") && compiles) {
        return CL_INVALID_BUILD_OPTIONS; // gst asks NVIDIA's driver for it whenever it compiles
    }
    const bool bound = take_option(others, "-cl-nv-maxrregcount=");
    logs[program] = log_of(sources[program]);
    const cl_int code = next(clBuildProgram, "clBuildProgram")(program, count, devices, others.c_str(), done, with);
    const bool wrong = code == CL_SUCCESS && !compiles && has_free_size(program, devices[0]) != bound;
    return wrong ? CL_INVALID_BUILD_OPTIONS : code;
}

cl_int clGetProgramBuildInfo(cl_program program, cl_device_id device, cl_program_build_info what, std::size_t size,
                             void* value, std::size_t* needed) {
    if (what != CL_PROGRAM_BUILD_LOG) {
        return next(clGetProgramBuildInfo, "clGetProgramBuildInfo")(program, device, what, size, value, needed);
    }
    const std::lock_guard lock(guard);
    return give(logs[program].c_str(), logs[program].size() + 1, size, value, needed);
}

cl_int clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, std::size_t size,
                                void* value, std::size_t* needed) {
    constexpr cl_ulong stack = 40;
    return what == CL_KERNEL_PRIVATE_MEM_SIZE
               ? give(&stack, sizeof stack, size, value, needed)
               : next(clGetKernelWorkGroupInfo, "clGetKernelWorkGroupInfo")(kernel, device, what, size, value, needed);
}
}
