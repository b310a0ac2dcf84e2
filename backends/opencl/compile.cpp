#include "backends/opencl/compile.hpp"

#include "backends/opencl/query.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <set>
#include <unistd.h>

namespace gst::opencl {

namespace {

/// PoCL's binaries hold code for any work-group size alone; the code for the size that a kernel requires is compiled in
/// the process that launches it first (50–70 ms per kernel with PoCL 3.1). This names the sizes, so that the binary has
/// that code too: the first launch after loading then takes under 1 ms. PoCL compiles every kernel for every size
/// named, so more than two different sizes would cost more than they save. PoCL 5 keeps to the sizes of the first
/// program of a process.
void specialise_for_required_sizes(const executable& built) {
    std::set<range3> sizes;
    for (const auto& [name, k] : built.kernels()) {
        if (k.limits.required[0] != 0) {
            sizes.insert(k.limits.required);
        }
    }
    std::string names;
    if (sizes.size() <= 2) {
        for (const range3& s : sizes) {
            names += fmt::format("{}{}-{}-{}-goffs0-smallgrid", names.empty() ? "" : ",", s[0], s[1], s[2]);
        }
    }
    ::setenv("POCL_BINARY_SPECIALIZE_WG", names.c_str(), 1);
}

} // namespace

compiler::compiler(listed_device target) : target_(std::move(target)) {
    cl_int code = CL_SUCCESS;
    context_ = context(clCreateContext(nullptr, 1, &target_.device, nullptr, nullptr, &code));
    check(code, "open the device " + target_.info.name);
}

executable compiler::build(const module_source& source) const {
    cl_int code = CL_SUCCESS;
    const char* text = source.text.c_str();
    program_object program(clCreateProgramWithSource(context_.get(), 1, &text, nullptr, &code));
    check(code, "take a program's source");
    return {std::move(program), target_.device, source.options};
}

// NVIDIA's OpenCL (driver 580.159) runs some programs whose registers spill wrongly: other values each time, or illegal
// accesses, at every -cl-nv-opt-level. The same PTX is right where CUDA loads it (docs/performance.md).
void compiler::refuse_spills(const executable& built, module_source source) const {
    std::optional<double> bytes = built.spilled_bytes();
    if (!bytes) {
        // With one more kernel, of a name that no other program has, it does not come from the driver's cache.
        source.text += fmt::format("\n__kernel void gst_{}_{}(void) {{}}\n", ::getpid(),
                                   std::chrono::steady_clock::now().time_since_epoch().count());
        bytes = build(source).spilled_bytes();
    }
    if (!bytes || *bytes > 0) {
        throw compile_error(
            fmt::format("registers of the program {}, and NVIDIA's OpenCL is not to be trusted with "
                        "that; its CUDA is",
                        bytes ? fmt::format("spill ({} bytes of stores and loads)", *bytes) : "may spill"));
    }
}

binary compiler::compile(const module_source& source) const {
    const executable built = build(source);
    if (is_nvidias(target_.device)) {
        refuse_spills(built, source);
    }
    const cl_program p = built.program();

    binary b;
    b.log = built.log();
    b.metrics = built.metrics();
    specialise_for_required_sizes(built);
    std::size_t bytes = 0;
    check(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr), "tell the size of a binary");
    b.bytes.resize(bytes);
    unsigned char* into = reinterpret_cast<unsigned char*>(b.bytes.data());
    check(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof into, &into, nullptr), "give a program's binary");
    return b;
}

} // namespace gst::opencl
