#include "tests/store/support.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gst::test {

result_key key_of(int number) {
    return {"heat3d",   "stencil heat3d(x, y, z) { … }",
            "64x64x64", fmt::format("program {}", number),
            "opencl",   "Device One",
            "driver 1", "median 5..30"};
}

measurement correct(double time) {
    measurement m;
    m.outcome = status::correct;
    m.time = time;
    m.times = {time};
    return m;
}

process::process(const std::vector<std::string>& arguments, const std::string& fault, bool bound_by_rights) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    std::vector<std::string> words{std::string(GST_BINARY_DIR) + "/tests/store_process"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) {
        argv.push_back(word.data());
    }
    argv.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ == 0) {
        ::dup2(ends[1], 1);
        ::dup2(ends[1], 2);
        if (!fault.empty()) {
            ::setenv("GST_FAULT", fault.c_str(), 1);
            ::setenv("LD_PRELOAD", GST_BINARY_DIR "/tests/faulty_file_system.so", 1);
        }
        // Root keeps to rights without these; another user might not reach the program.
        for (const unsigned long capability : {CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH}) {
            if (bound_by_rights && ::geteuid() == 0 && ::prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0) {
                ::_exit(126);
            }
        }
        ::execv(argv[0], argv.data());
        ::_exit(127);
    }
    ::close(ends[1]);
    output_ = ends[0];
}

process::~process() {
    if (pid_ > 0) {
        kill();
        finish();
    }
}

void process::wait_for_output() {
    pollfd waited{output_, POLLIN, 0};
    ::poll(&waited, 1, -1);
}

void process::kill() {
    ::kill(pid_, SIGKILL);
}

process::result process::finish() {
    result r;
    std::array<char, 4096> buffer{};
    for (ssize_t n = 0; (n = ::read(output_, buffer.data(), buffer.size())) > 0;) {
        r.output.append(buffer.data(), static_cast<std::size_t>(n));
    }
    ::close(output_);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    r.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    return r;
}

} // namespace gst::test
