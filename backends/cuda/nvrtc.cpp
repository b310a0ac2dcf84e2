#include "backends/cuda/nvrtc.hpp"

#include "backends/cuda/driver.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace gst::cuda {

namespace {

/// Where the library may be, most wanted first: `file` alone unless that is "".
std::vector<std::string> candidates(const std::string& file) {
    constexpr const char* names[] = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"};
    std::vector<std::string> all;
    if (!file.empty()) {
        all.push_back(file);
        return all;
    }
    const auto add = [&](const std::string& folder) {
        for (const char* name : names) {
            all.push_back(folder + name);
        }
    };
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* root = std::getenv(variable); root != nullptr && *root != '\0') {
            add(std::string(root) + "/lib64/");
            add(std::string(root) + "/lib/");
        }
    }
    add("");
    for (const char* folder : {"/usr/local/cuda/lib64/", "/usr/local/cuda/lib/", "/opt/cuda/lib64/"}) {
        add(folder);
    }
    return all;
}

/// The version of CUDA that the driver here serves; 0 when there is none. The driver is not started: compilers do
/// without the device.
int driver_version(const std::string& file) {
    try {
        return driver(file).version();
    } catch (const std::exception&) {
        return 0;
    }
}

nvrtc open_nvrtc(const std::string& file, const std::string& driver_file) {
    const int driver = driver_version(driver_file);
    std::string failure;
    int newer = 0;
    for (const std::string& name : candidates(file)) {
        library opened({name});
        if (!opened) {
            failure = failure.empty() ? opened.failure() : failure;
            continue;
        }
        nvrtc compiler(std::move(opened));
        if (driver == 0 || compiler.version / 1000 <= driver / 1000) {
            return compiler;
        }
        newer = compiler.version;
    }
    if (newer != 0) {
        throw machine_error(
            fmt::format("NVRTC {} is newer than the driver, which is for CUDA {}: update the driver, or "
                        "install the CUDA {} toolkit and set CUDA_HOME to it",
                        version_text(newer), version_text(driver), driver / 1000));
    }
    throw machine_error(fmt::format("CUDA's compiler library NVRTC is missing ({}): install the CUDA toolkit, or set "
                                    "CUDA_HOME to where it is",
                                    failure));
}

} // namespace

nvrtc::nvrtc(library opened) : from(std::move(opened)) {
    from.get(nvrtcVersion, "nvrtcVersion");
    from.get(nvrtcGetNumSupportedArchs, "nvrtcGetNumSupportedArchs");
    from.get(nvrtcGetSupportedArchs, "nvrtcGetSupportedArchs");
    from.get(nvrtcGetErrorString, "nvrtcGetErrorString");
    from.get(nvrtcCreateProgram, "nvrtcCreateProgram");
    from.get(nvrtcDestroyProgram, "nvrtcDestroyProgram");
    from.get(nvrtcCompileProgram, "nvrtcCompileProgram");
    from.get(nvrtcGetProgramLogSize, "nvrtcGetProgramLogSize");
    from.get(nvrtcGetProgramLog, "nvrtcGetProgramLog");
    from.get(nvrtcGetCUBINSize, "nvrtcGetCUBINSize");
    from.get(nvrtcGetCUBIN, "nvrtcGetCUBIN");
    int major = 0, minor = 0;
    check(nvrtcVersion(&major, &minor), "tell its version");
    version = 1000 * major + 10 * minor;
}

std::vector<std::string> nvrtc::architectures() const {
    int count = 0;
    check(nvrtcGetNumSupportedArchs(&count), "tell what it compiles for");
    std::vector<int> numbers(static_cast<std::size_t>(count));
    check(nvrtcGetSupportedArchs(numbers.data()), "tell what it compiles for");
    std::vector<std::string> names;
    for (const int n : numbers) {
        names.push_back(fmt::format("sm_{}", n));
    }
    return names;
}

std::string nvrtc::include_folder() const {
    const std::filesystem::path folder = std::filesystem::path(from.path()).parent_path().parent_path() / "include";
    std::error_code ignored;
    return std::filesystem::exists(folder / "cuda.h", ignored) ? folder.string() : "";
}

void nvrtc::check(result code, const std::string& what) const {
    if (code != success) {
        throw std::runtime_error(fmt::format("NVRTC cannot {}: {}", what, nvrtcGetErrorString(code)));
    }
}

const nvrtc& the_nvrtc(const std::string& file, const std::string& driver_file) {
    static const nvrtc opened = open_nvrtc(file, driver_file);
    return opened;
}

} // namespace gst::cuda
