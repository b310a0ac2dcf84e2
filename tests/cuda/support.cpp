#include "tests/cuda/support.hpp"

#include "core/base/error.hpp"
#include "core/host/check_options.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"
#include "tests/catch.hpp"

#include <cstdlib>
#include <iostream>

namespace gst::test {

std::unique_ptr<backend> make_cuda(const std::map<std::string, value>& options) {
    const plugin& p = find_plugin("backend", "cuda", {});
    return make_backend(p, check_options(p, options));
}

backend& cuda() {
    static const std::unique_ptr<backend> made = make_cuda();
    return *made;
}

bool has_nvrtc() {
    try {
        cuda().architecture("sm_90");
        return true;
    } catch (const machine_error& e) {
        const char* wanted = std::getenv("GST_TEST_NVRTC");
        if (wanted != nullptr && std::string(wanted) == "required") {
            FAIL(e.what());
        }
        std::cout << "skipped: " << e.what() << "\n";
        return false;
    }
}

const device_info& hopper() {
    static const device_info d = cuda().architecture("sm_90");
    return d;
}

} // namespace gst::test
