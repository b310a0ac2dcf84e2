#include "tests/opencl/support.hpp"

#include "core/host/make_plugin.hpp"

#include <array>
#include <cstdio>
#include <iostream>
#include <stdexcept>
#include <unistd.h>

namespace gst::test {

backend& opencl() {
    static const std::unique_ptr<backend> made = [] {
        const auto opened = open_plugin(GST_BINARY_DIR "/lib/gst/backend_opencl.so");
        if (const auto* refusal = std::get_if<std::string>(&opened)) {
            throw std::runtime_error(*refusal);
        }
        return make_backend(*std::get<const plugin*>(opened), plugin_options({}));
    }();
    return *made;
}

const device_info& pocl() {
    static const device_info found = [] {
        for (const device_info& d : opencl().devices()) {
            if (d.platform == "Portable Computing Language") {
                return d;
            }
        }
        throw std::runtime_error("these tests need PoCL: install pocl-opencl-icd");
    }();
    return found;
}

bool tells_local_memory() {
    const std::string& driver = pocl().driver;
    const bool tells = driver.find("PoCL 5.") == std::string::npos && driver.find("PoCL 6.") == std::string::npos;
    if (!tells) {
        std::cout << "skipped: this driver does not tell the local memory of kernels: " << driver << "\n";
    }
    return tells;
}

device& opened() {
    static const std::unique_ptr<device> d = opencl().open(pocl());
    return *d;
}

std::unique_ptr<executable> load(const std::string& text) {
    return opened().load(opencl().compile(pocl(), {text, ""}));
}

std::string run_apart(const std::string& test_case, const std::map<std::string, std::string>& environment) {
    std::array<char, 4096> self{};
    if (::readlink("/proc/self/exe", self.data(), self.size() - 1) < 0) {
        throw std::runtime_error("cannot tell the path of this program");
    }
    std::string line = "env";
    for (const auto& [name, value] : environment) {
        line += " " + name + "='" + value + "'";
    }
    line += " '" + std::string(self.data()) + "' '" + test_case + "' 2>&1";
    FILE* out = ::popen(line.c_str(), "r");
    std::string text;
    for (std::array<char, 4096> part{}; std::fgets(part.data(), part.size(), out) != nullptr;) {
        text += part.data();
    }
    ::pclose(out);
    return text;
}

} // namespace gst::test
