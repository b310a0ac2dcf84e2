#include "core/measure/child_process.hpp"

#include "core/base/error.hpp"
#include "core/base/spawn.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gst {

namespace {

constexpr std::size_t kept_output = 4096;

/// A descriptor that is closed unless it is released.
class descriptor {
  public:
    explicit descriptor(int fd) : fd_(fd) {}
    ~descriptor() {
        if (fd_ >= 0) {
            ::close(fd_);
        }
    }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    int get() const { return fd_; }
    int release() { return std::exchange(fd_, -1); }

  private:
    int fd_;
};

void check(int error, const std::string& path) {
    if (error != 0) {
        throw machine_error(fmt::format("cannot start {}: {}", path, std::strerror(error)));
    }
}

std::string describe(const siginfo_t& info) {
    if (info.si_code == CLD_EXITED) {
        return fmt::format("exited with code {}", info.si_status);
    }
    const char* name = ::sigabbrev_np(info.si_status);
    return name == nullptr ? fmt::format("was ended by signal {}", info.si_status)
                           : fmt::format("was ended by signal SIG{}", name);
}

} // namespace

child_process::child_process(const std::string& path, const std::vector<std::string>& arguments) {
    std::array<int, 2> sockets{};
    std::array<int, 2> pipes{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) != 0) {
        check(errno, path);
    }
    descriptor ours(sockets[0]);
    const descriptor theirs(sockets[1]);
    if (::pipe2(pipes.data(), O_CLOEXEC | O_NONBLOCK) != 0) {
        check(errno, path);
    }
    descriptor output(pipes[0]);
    const descriptor input(pipes[1]);
    check(spawn(id_, path, arguments, {{-1, 0}, {input.get(), 1}, {input.get(), 2}, {theirs.get(), 3}}), path);
    socket_ = ours.release();
    output_ = output.release();
}

child_process::~child_process() {
    end(0);
    ::close(socket_);
    ::close(output_);
}

void child_process::read_output() {
    std::array<char, 4096> piece;
    // No more than the pipe holds: a child that prints without end must not keep us here.
    for (int i = 0; i < 16; ++i) {
        const ssize_t got = ::read(output_, piece.data(), piece.size());
        if (got <= 0) {
            break;
        }
        printed_.append(piece.data(), static_cast<std::size_t>(got));
        if (printed_.size() > kept_output) {
            printed_.erase(0, printed_.size() - kept_output);
        }
    }
}

std::uint64_t child_process::resident_bytes() const {
    const std::string path = fmt::format("/proc/{}/statm", id_);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
    unsigned long long total = 0;
    unsigned long long resident = 0;
    if (!file || std::fscanf(file.get(), "%llu %llu", &total, &resident) != 2) {
        return 0;
    }
    return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void child_process::freeze() {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
        ::kill(-id_, SIGSTOP);
    }
}

void child_process::thaw() {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
        ::kill(-id_, SIGCONT);
    }
}

void child_process::kill() {
    const std::lock_guard lock(mutex_);
    if (!ended_) {
        ::kill(-id_, SIGKILL);
    }
}

bool child_process::running() const {
    siginfo_t info{};
    return !ended_ && ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == 0;
}

std::string child_process::end(double seconds) {
    if (ended_) {
        return "";
    }
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
    while (running() && std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const bool by_itself = !running();
    // The zombie keeps the group's number ours until the rest of the group is dead as well.
    const std::lock_guard lock(mutex_);
    ::kill(-id_, SIGKILL);
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED) != 0 && errno == EINTR) {
    }
    ended_ = true;
    read_output();
    return by_itself ? describe(info) : "";
}

} // namespace gst
