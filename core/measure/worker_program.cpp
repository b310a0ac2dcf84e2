#include "core/base/error.hpp"
#include "core/measure/child_process.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <unistd.h>

namespace gst {

namespace fs = std::filesystem;

std::string worker_program() {
    if (const char* given = std::getenv("GST_WORKER")) {
        return given;
    }
    Dl_info info{};
    if (::dladdr(reinterpret_cast<void*>(&worker_program), &info) == 0) {
        throw machine_error("cannot tell where libgst.so lies; set GST_WORKER to the path of gst-worker");
    }
    // lib/, lib/x86_64-linux-gnu/ and bin/ all lie below the folder that also holds libexec/ and bin/.
    const fs::path library = fs::weakly_canonical(info.dli_fname);
    fs::path above = library.parent_path();
    for (int i = 0; i < 3 && above.has_parent_path(); ++i, above = above.parent_path()) {
        for (const char* place : {"libexec/gst/gst-worker", "bin/gst-worker"}) {
            if (::access((above / place).c_str(), X_OK) == 0) {
                return above / place;
            }
        }
    }
    throw machine_error(
        fmt::format("gst-worker is missing: it belongs into libexec/gst/ or bin/ beside {}; install gst "
                    "again, or set GST_WORKER to its path",
                    library.string()));
}

} // namespace gst
