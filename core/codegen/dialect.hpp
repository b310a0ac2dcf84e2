#pragma once

#include "core/base/visibility.hpp"

#include <cstdint>
#include <map>
#include <string>

namespace gst {

/// 32-bit registers of a GPU's multiprocessor: NVIDIA's have at least so many since compute capability 3.0.
constexpr std::uint64_t multiprocessor_registers = 65536;
constexpr std::uint64_t work_item_registers = 255; ///< the most that one can have of them

/// How one C-like kernel language spells what the loop nest needs. Plain data, given by the backend.
struct GST_API dialect {
    std::string name;               ///< "opencl", "cuda"
    std::string file_suffix;        ///< ".cl", ".cu"
    std::string compile_options;    ///< of every module
    bool vector_arithmetic = false; ///< operators and functions work on vectors
    bool joins_branches = false;    ///< its compiler keeps a branch in a branch, so that stores have one
    /// Most bytes of local arrays that a kernel declares one by one; where it has more, all of them lie in one block
    /// ("local block", "local array in block") whose size its launch asks for. 0: any number of bytes.
    std::uint64_t static_local_bytes = 0;
    /// Most work-items of a work-group where the compiler is told how many such groups are to have registers at once;
    /// 0: it never is.
    std::uint64_t bounded_work_items = 0;
    int sub_group = 0; ///< work-items, in rows along x, that read each other's registers ("shuffle up"); 0: none
    /// Text per concept; the emitter looks up every word it needs here (see emit.cpp for the list) and fails on a
    /// missing one.
    std::map<std::string, std::string> words;
};

/// A dialect's own words and those that OpenCL C and CUDA C++ spell alike: literals, and functions that are overloaded
/// for float and double.
std::map<std::string, std::string> with_common_words(std::map<std::string, std::string> own);

/// OpenCL C 1.2.
GST_API const dialect& opencl_dialect();

/// With PTX for what OpenCL C 1.2 has no words for: NVIDIA's own driver, from compute capability 8.0 on.
GST_API const dialect& nvidia_opencl_dialect();

/// CUDA C++17, without any header: what NVRTC knows by itself. A kernel with a block of local memory has its size in
/// the module's variable <kernel>_local_bytes.
GST_API const dialect& cuda_dialect();

} // namespace gst
