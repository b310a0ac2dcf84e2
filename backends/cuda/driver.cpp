#include "backends/cuda/driver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace gst::cuda {

namespace {

/// After these errors the context can do nothing any more, and the process cannot have another one.
bool loses_context(result code) {
    constexpr result all[] = {214, 220, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719, 999};
    return std::find(std::begin(all), std::end(all), code) != std::end(all);
}

library open_driver(const std::string& file) {
    library opened(file.empty() ? std::vector<std::string>{"libcuda.so.1"} : std::vector{file});
    if (!opened) {
        throw machine_error(
            fmt::format("no CUDA driver is installed ({}): install NVIDIA's driver for your GPU, or take "
                        "another backend; gst compile needs none with --arch",
                        opened.failure()));
    }
    return opened;
}

} // namespace

driver::driver(const std::string& file) : from(open_driver(file)) {
    from.get(cuInit, "cuInit");
    from.get(cuDriverGetVersion, "cuDriverGetVersion");
    from.get(cuGetErrorName, "cuGetErrorName");
    from.get(cuGetErrorString, "cuGetErrorString");
    from.get(cuDeviceGetCount, "cuDeviceGetCount");
    from.get(cuDeviceGet, "cuDeviceGet");
    from.get(cuDeviceGetName, "cuDeviceGetName");
    from.find(cuDeviceGetUuid, "cuDeviceGetUuid_v2");
    if (cuDeviceGetUuid == nullptr) {
        from.get(cuDeviceGetUuid, "cuDeviceGetUuid");
    }
    from.get(cuDeviceTotalMem, "cuDeviceTotalMem_v2");
    from.get(cuDeviceGetAttribute, "cuDeviceGetAttribute");
    from.find(cuDeviceGetTexture1DLinearMaxWidth, "cuDeviceGetTexture1DLinearMaxWidth");
    from.get(cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain");
    from.get(cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2");
    from.get(cuCtxSetCurrent, "cuCtxSetCurrent");
    from.get(cuMemGetInfo, "cuMemGetInfo_v2");
    from.get(cuMemAlloc, "cuMemAlloc_v2");
    from.get(cuMemFree, "cuMemFree_v2");
    from.get(cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2");
    from.get(cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2");
    from.get(cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2");
    from.get(cuTexObjectCreate, "cuTexObjectCreate");
    from.get(cuTexObjectDestroy, "cuTexObjectDestroy");
    from.get(cuModuleLoadData, "cuModuleLoadData");
    from.get(cuModuleUnload, "cuModuleUnload");
    from.get(cuModuleGetFunction, "cuModuleGetFunction");
    from.get(cuModuleGetGlobal, "cuModuleGetGlobal_v2");
    from.get(cuFuncGetAttribute, "cuFuncGetAttribute");
    from.get(cuFuncSetAttribute, "cuFuncSetAttribute");
    from.find(cuFuncGetParamInfo, "cuFuncGetParamInfo");
    from.get(cuOccupancyMaxActiveBlocksPerMultiprocessor, "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    from.get(cuStreamCreate, "cuStreamCreate");
    from.get(cuStreamDestroy, "cuStreamDestroy_v2");
    from.get(cuStreamSynchronize, "cuStreamSynchronize");
    from.get(cuEventCreate, "cuEventCreate");
    from.get(cuEventDestroy, "cuEventDestroy_v2");
    from.get(cuEventRecord, "cuEventRecord");
    from.get(cuEventElapsedTime, "cuEventElapsedTime");
    from.get(cuLaunchKernel, "cuLaunchKernel");
    from.find(cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled");
}

int driver::version() const {
    int number = 0;
    check(cuDriverGetVersion(&number), "tell its version");
    return number;
}

int driver::value(attribute which, device_id device) const {
    int number = 0;
    check(cuDeviceGetAttribute(&number, which, device), "tell a property of the device");
    return number;
}

std::string driver::error_name(result code) const {
    const char* name = nullptr;
    const char* text = nullptr;
    if (cuGetErrorName(code, &name) != success || cuGetErrorString(code, &text) != success) {
        return fmt::format("error {}", code);
    }
    return fmt::format("{} ({}): {}", name, code, text);
}

void driver::check(result code, const std::string& what) const {
    if (code != success) {
        throw std::runtime_error(fmt::format("CUDA cannot {}: {}{}", what, error_name(code),
                                             loses_context(code) ? "; this process has lost the device" : ""));
    }
}

const driver& the_driver(const std::string& file) {
    static const driver opened = [&] {
        driver d(file);
        const result code = d.cuInit(0);
        if (code != success && code != no_device) {
            throw machine_error(fmt::format(
                "the CUDA driver cannot be started: {}; `nvidia-smi` shows whether it works", d.error_name(code)));
        }
        return d;
    }();
    return opened;
}

std::string version_text(int version) {
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

} // namespace gst::cuda
