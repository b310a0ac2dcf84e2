#pragma once

// OpenCL 1.2 through the ICD loader; what is newer is asked for by extension.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>

#include <utility>

namespace gst::opencl {

/// Owns one reference to an OpenCL object.
template<class T, cl_int (*release)(T)>
class handle {
  public:
    handle() = default;
    explicit handle(T object) : object_(object) {}
    handle(handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    handle& operator=(handle&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }
    ~handle() {
        if (object_ != nullptr) {
            release(object_);
        }
    }
    T get() const { return object_; }
    explicit operator bool() const { return object_ != nullptr; }

  private:
    T object_ = nullptr;
};

using context = handle<cl_context, clReleaseContext>;
using queue = handle<cl_command_queue, clReleaseCommandQueue>;
using program_object = handle<cl_program, clReleaseProgram>;
using kernel = handle<cl_kernel, clReleaseKernel>;
using memory_object = handle<cl_mem, clReleaseMemObject>;
using event = handle<cl_event, clReleaseEvent>;

} // namespace gst::opencl
