/// gst-worker: does for gst what may crash or hang. It is started by gst, never by hand, and ends with it.
#include "core/base/error.hpp"
#include "core/measure/worker/role.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <string_view>
#include <sys/prctl.h>
#include <unistd.h>

namespace {

using namespace gst;
using namespace gst::worker;

constexpr int parent_socket = 3;

/// Dies with its parent, and before it when memory runs out; leaves the socket to nobody. Compilers find their linker
/// in an empty environment too.
void settle(long parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(0);
    }
    ::fcntl(parent_socket, F_SETFD, FD_CLOEXEC);
    ::setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 0);
    if (std::FILE* score = std::fopen("/proc/self/oom_score_adj", "we")) {
        std::fputs("1000", score);
        std::fclose(score);
    }
}

std::unique_ptr<role> role_named(std::string_view name) {
    if (name == "describe") {
        return make_describe_role();
    }
    if (name == "compile") {
        return make_compile_role();
    }
    return name == "measure" ? make_measure_role() : nullptr;
}

answer refusal(const char* type, const char* text) {
    return {nlohmann::json{{"error", {{"type", type}, {"text", text}}}}, {}};
}

answer handled(role& r, const frame& request) {
    try {
        return r.handle(request);
    } catch (const compile_error& error) {
        return refusal("compile_error", error.what());
    } catch (const machine_error& error) {
        return refusal("machine_error", error.what());
    } catch (const std::exception& error) {
        return refusal("error", error.what());
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("gst-worker is started by gst\n", stderr);
        return 2;
    }
    settle(std::atol(argv[2]));
    const std::unique_ptr<role> r = role_named(argv[1]);
    if (!r) {
        std::fprintf(stderr, "gst-worker knows no role '%s'\n", argv[1]);
        return 2;
    }
    while (const auto request = receive_frame(parent_socket)) {
        const answer a = handled(*r, *request);
        if (!send_frame(parent_socket, request->sequence, a.body, a.payload,
                        std::chrono::steady_clock::time_point::max())) {
            break;
        }
    }
    ::_exit(0); // drivers do not end well
}
