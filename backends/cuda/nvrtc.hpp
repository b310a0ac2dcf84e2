#pragma once

#include "backends/cuda/library.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace gst::cuda {

/// NVIDIA's run-time compiler. Its functions are declared after its public documentation.
struct nvrtc {
    using result = int;
    using program = struct nvrtc_program*;
    static constexpr result success = 0;

    explicit nvrtc(library opened);

    library from;
    result (*nvrtcVersion)(int* major, int* minor);
    result (*nvrtcGetNumSupportedArchs)(int* count);
    result (*nvrtcGetSupportedArchs)(int* all);
    const char* (*nvrtcGetErrorString)(result code);
    result (*nvrtcCreateProgram)(program* made, const char* source, const char* name, int header_count,
                                 const char* const* headers, const char* const* header_names);
    result (*nvrtcDestroyProgram)(program* p);
    result (*nvrtcCompileProgram)(program p, int option_count, const char* const* options);
    result (*nvrtcGetProgramLogSize)(program p, std::size_t* bytes);
    result (*nvrtcGetProgramLog)(program p, char* log);
    result (*nvrtcGetCUBINSize)(program p, std::size_t* bytes);
    result (*nvrtcGetCUBIN)(program p, char* cubin);

    int version = 0; ///< 13000 is 13.0
    /// "sm_75", "sm_80" …
    std::vector<std::string> architectures() const;
    /// The folder of CUDA's headers that belong to the library, or "".
    std::string include_folder() const;

    /// Throws std::runtime_error "NVRTC cannot <what>: <error>" unless `code` is success.
    void check(result code, const std::string& what) const;
};

/// The compiler that this process uses, opened once: `file`, or when that is "" the first one found in CUDA_HOME,
/// CUDA_PATH, where the system looks for libraries, and the usual folders, that is not newer than the driver here (its
/// binaries would not be loaded). Throws machine_error that says what to install.
const nvrtc& the_nvrtc(const std::string& file, const std::string& driver_file);

} // namespace gst::cuda
