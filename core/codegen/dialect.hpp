#pragma once

#include "core/base/visibility.hpp"

#include <map>
#include <string>

namespace gst {

/// How one C-like kernel language spells what the loop nest needs. Plain data, given by the backend.
struct GST_API dialect {
    std::string name;               ///< "opencl", "cuda"
    std::string file_suffix;        ///< ".cl", ".cu"
    std::string compile_options;    ///< of every module
    bool vector_arithmetic = false; ///< operators and functions work on vectors
    /// Text per concept; the emitter looks up every word it needs here (see emit.cpp for the list) and fails on a
    /// missing one.
    std::map<std::string, std::string> words;
};

/// OpenCL C 1.2.
GST_API const dialect& opencl_dialect();

} // namespace gst
