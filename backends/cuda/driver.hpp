#pragma once

#include "backends/cuda/library.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace gst::cuda {

// What is used of the CUDA driver API, declared after its public documentation, so that no CUDA package is needed to
// build this. Functions have the names under which the driver exports their current versions.

using result = int;
using device_id = int;
using device_pointer = unsigned long long;
using texture = unsigned long long;
using context_handle = struct cuda_context*;
using module_handle = struct cuda_module*;
using function_handle = struct cuda_function*;
using stream_handle = struct cuda_stream*;
using event_handle = struct cuda_event*;

constexpr result success = 0;
constexpr result out_of_memory = 2;
constexpr result device_unavailable = 46;
constexpr result no_device = 100;
constexpr result not_found = 500;

/// Of a device.
enum class attribute : int {
    threads_per_block = 1,
    block_x = 2,
    grid_x = 5,
    shared_bytes_per_block = 8,
    multiprocessors = 16,
    cache_bytes = 38,
    threads_per_multiprocessor = 39,
    linear_texture_width = 69,
    capability_major = 75,
    capability_minor = 76,
    shared_bytes_per_block_on_request = 97,
};

/// Of a kernel.
enum class function_attribute : int {
    threads_per_block = 0,
    shared_bytes = 1,
    constant_bytes = 2,
    local_bytes = 3,
    registers = 4,
    dynamic_shared_bytes = 8,
};

enum class tensor_type : int { i32 = 3, f32 = 7, f64 = 8 };

/// CUtensorMap.
struct alignas(64) tensor_map {
    unsigned char bytes[128];
};

enum class texel_format : int { u16 = 0x02, i32 = 0x0a, f32 = 0x20 };

struct uuid {
    unsigned char bytes[16];
};

/// CUDA_RESOURCE_DESC of a linear resource.
struct linear_resource {
    int type = 2; ///< CU_RESOURCE_TYPE_LINEAR
    union {
        struct {
            device_pointer address;
            texel_format format;
            unsigned channels;
            std::size_t bytes;
        } linear;
        int reserved[32];
    } what{};
    unsigned flags = 0;
};

/// CUDA_TEXTURE_DESC.
struct texture_reading {
    int address_mode[3]{};
    int filter = 0;
    unsigned flags = 1; ///< CU_TRSF_READ_AS_INTEGER
    unsigned anisotropy = 0;
    int mipmap_filter = 0;
    float mipmap_level[3]{};
    float border[4]{};
    int reserved[12]{};
};

/// The driver's functions. Those that may be null are newer than what is asked for otherwise.
struct driver {
    /// Opens the driver; `file` is where it is, or "". Throws machine_error that says what to install.
    explicit driver(const std::string& file);

    library from;
    result (*cuInit)(unsigned flags);
    result (*cuDriverGetVersion)(int* version);
    result (*cuGetErrorName)(result code, const char** name);
    result (*cuGetErrorString)(result code, const char** text);
    result (*cuDeviceGetCount)(int* count);
    result (*cuDeviceGet)(device_id* device, int ordinal);
    result (*cuDeviceGetName)(char* name, int size, device_id device);
    result (*cuDeviceGetUuid)(uuid* id, device_id device);
    result (*cuDeviceTotalMem)(std::size_t* bytes, device_id device);
    result (*cuDeviceGetAttribute)(int* value, attribute which, device_id device);
    result (*cuDeviceGetTexture1DLinearMaxWidth)(std::size_t* texels, texel_format format, unsigned channels,
                                                 device_id device); ///< may be null
    result (*cuDevicePrimaryCtxRetain)(context_handle* context, device_id device);
    result (*cuDevicePrimaryCtxRelease)(device_id device);
    result (*cuCtxSetCurrent)(context_handle context);
    result (*cuMemGetInfo)(std::size_t* free, std::size_t* total);
    result (*cuMemAlloc)(device_pointer* at, std::size_t bytes);
    result (*cuMemFree)(device_pointer at);
    result (*cuMemcpyHtoDAsync)(device_pointer to, const void* from, std::size_t bytes, stream_handle stream);
    result (*cuMemcpyDtoHAsync)(void* to, device_pointer from, std::size_t bytes, stream_handle stream);
    result (*cuMemcpyDtoDAsync)(device_pointer to, device_pointer from, std::size_t bytes, stream_handle stream);
    result (*cuTexObjectCreate)(texture* object, const linear_resource* what, const texture_reading* how,
                                const void* view);
    result (*cuTexObjectDestroy)(texture object);
    result (*cuModuleLoadData)(module_handle* module, const void* image);
    result (*cuModuleUnload)(module_handle module);
    result (*cuModuleGetFunction)(function_handle* function, module_handle module, const char* name);
    result (*cuModuleGetGlobal)(device_pointer* at, std::size_t* bytes, module_handle module, const char* name);
    result (*cuFuncGetAttribute)(int* value, function_attribute which, function_handle function);
    result (*cuFuncSetAttribute)(function_handle function, function_attribute which, int value);
    result (*cuFuncGetParamInfo)(function_handle function, std::size_t index, std::size_t* offset,
                                 std::size_t* bytes); ///< may be null
    result (*cuOccupancyMaxActiveBlocksPerMultiprocessor)(int* blocks, function_handle function, int threads,
                                                          std::size_t dynamic_bytes);
    result (*cuStreamCreate)(stream_handle* stream, unsigned flags);
    result (*cuStreamDestroy)(stream_handle stream);
    result (*cuStreamSynchronize)(stream_handle stream);
    result (*cuEventCreate)(event_handle* event, unsigned flags);
    result (*cuEventDestroy)(event_handle event);
    result (*cuEventRecord)(event_handle event, stream_handle stream);
    result (*cuEventElapsedTime)(float* ms, event_handle first, event_handle last);
    result (*cuLaunchKernel)(function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_bytes,
                             stream_handle stream, void** arguments, void** extra);

    /// May be null. The last four: no interleaving, no swizzling, what the second-level cache fetches (2: 128 bytes),
    /// zeros outside.
    result (*cuTensorMapEncodeTiled)(tensor_map* map, tensor_type type, unsigned rank, device_pointer at,
                                     const std::uint64_t* size, const std::uint64_t* stride, const unsigned* box,
                                     const unsigned* element_stride, int interleave, int swizzle, int fetch, int fill);

    /// The version of CUDA that the driver serves: 13020 is 13.2.
    int version() const;
    int value(attribute which, device_id device) const;

    /// "CUDA_ERROR_INVALID_VALUE (1): invalid argument"
    std::string error_name(result code) const;
    /// Throws std::runtime_error "CUDA cannot <what>: <error name>" unless `code` is success; the text says so when
    /// everything that is asked of the device from now on will fail as well.
    void check(result code, const std::string& what) const;
};

/// The driver that this process uses: opened and started once. Throws machine_error.
const driver& the_driver(const std::string& file);

/// "13.2" of 13020.
std::string version_text(int version);

} // namespace gst::cuda
