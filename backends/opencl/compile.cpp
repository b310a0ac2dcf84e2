#include "backends/opencl/compile.hpp"

#include "backends/nvidia/ptxas_log.hpp"
#include "backends/opencl/query.hpp"

#include <fmt/format.h>

#include <cassert>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <optional>
#include <set>
#include <unistd.h>

namespace gst::opencl {

namespace {

/// Sets the environment's variable POCL_BINARY_SPECIALIZE_WG. PoCL up to 5 keeps a copy of the first value that it
/// sees, so that others go unseen: the first one is longer than any other, and its copy is overwritten each time.
void set_specialised_sizes(const std::string& names) {
    using option_reader = const char*(const char* variable, const char* otherwise);
    constexpr const char* variable = "POCL_BINARY_SPECIALIZE_WG";
    constexpr std::size_t most = 128;
    static char* const kept = []() -> char* {
        void* const pocl = ::dlopen("libpocl.so.2", RTLD_LAZY | RTLD_NOLOAD);
        const auto read =
            pocl == nullptr ? nullptr : reinterpret_cast<option_reader*>(::dlsym(pocl, "pocl_get_string_option"));
        const std::string blanks(most, ' ');
        ::setenv(variable, blanks.c_str(), 1);
        const char* const seen = read == nullptr ? nullptr : read(variable, nullptr);
        const bool is_copy = seen != nullptr && seen != std::getenv(variable) && seen == blanks;
        return is_copy ? const_cast<char*>(seen) : nullptr; // PoCL allocates it and never changes it
    }();
    ::setenv(variable, names.c_str(), 1);
    assert(names.size() <= most); // two sizes
    if (kept != nullptr) {
        std::memcpy(kept, names.c_str(), names.size() + 1);
    }
}

/// PoCL's binaries hold code for any work-group size alone; the code for the size that a kernel requires is compiled in
/// the process that launches it first (50–70 ms per kernel with PoCL 3.1). This names the sizes, so that the binary has
/// that code too: the first launch after loading then takes under 1 ms. PoCL compiles every kernel for every size
/// named, so more than two different sizes would cost more than they save.
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
    set_specialised_sizes(names);
}

/// Bytes per work-item of registers that NVIDIA's assembler moved to memory; nothing where that is not known: of a
/// program from its cache the driver tells how large the stack is, and no more.
std::optional<double> spilled_bytes(const executable& built) {
    const std::map<std::string, double> assembled = metrics_of_log(built.log());
    const auto told = assembled.find("spill_bytes");
    if (told != assembled.end()) {
        return told->second;
    }
    return built.metrics().at("private_bytes") > 0 ? std::nullopt : std::optional(0.0);
}

} // namespace

compiler::compiler(listed_device target)
    : target_(std::move(target)), nvidias_(target_.info.platform == nvidia_platform) {
    cl_int code = CL_SUCCESS;
    context_ = context(clCreateContext(nullptr, 1, &target_.device, nullptr, nullptr, &code));
    check(code, "open the device " + target_.info.name);
}

executable compiler::build(const module_source& source) const {
    cl_int code = CL_SUCCESS;
    const char* text = source.text.c_str();
    program_object program(clCreateProgramWithSource(context_.get(), 1, &text, nullptr, &code));
    check(code, "take a program's source");
    return {std::move(program), target_.device, source.options + (nvidias_ ? " -cl-nv-verbose" : "")};
}

// NVIDIA's OpenCL (driver 580.159) runs some programs whose registers spill wrongly: other values each time, or illegal
// accesses. The same PTX is right where CUDA loads it (docs/performance.md).
void compiler::refuse_spills(const executable& built, module_source source) const {
    std::optional<double> bytes = spilled_bytes(built);
    if (!bytes) {
        // With one more kernel, of a name that no other program has, it does not come from the driver's cache.
        source.text += fmt::format("\n__kernel void gst_{}_{}(void) {{}}\n", ::getpid(),
                                   std::chrono::steady_clock::now().time_since_epoch().count());
        bytes = spilled_bytes(build(source));
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
    binary b;
    b.log = built.log();
    b.metrics = built.metrics();
    if (nvidias_) {
        refuse_spills(built, source);
        const std::map<std::string, double> assembled = metrics_of_log(built.log());
        b.metrics.insert(assembled.begin(), assembled.end());
        b.log = warnings_of_log(built.log());
    }
    const cl_program p = built.program();
    specialise_for_required_sizes(built);
    std::size_t bytes = 0;
    check(clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, nullptr), "tell the size of a binary");
    b.bytes = (nvidias_ ? source.options : "") + "\n";
    const std::size_t begin = b.bytes.size();
    b.bytes.resize(begin + bytes);
    unsigned char* into = reinterpret_cast<unsigned char*>(b.bytes.data() + begin);
    check(clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof into, &into, nullptr), "give a program's binary");
    return b;
}

} // namespace gst::opencl
