#include "plugins/search/external/program.hpp"

#include "core/base/error.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gst::external {

namespace {

using steady = std::chrono::steady_clock;

void need(bool done, const std::string& what) {
    if (!done) {
        throw machine_error("cannot " + what + ": " + std::strerror(errno));
    }
}

/// In a new process, where only what is safe in signal handlers may be done: closes all descriptors from this one on.
void close_from(unsigned first) {
    ::close_range(first, ~0U, 0);
}

/// In the new process: becomes the program, or reports the error number on the pipe.
[[noreturn]] void become(const char* path, char* const* arguments, int socket, int report) {
    ::setpgid(0, 0);
    ::dup2(socket, STDIN_FILENO);
    ::dup2(socket, STDOUT_FILENO);
    ::dup2(report, 3); // closed by exec
    ::fcntl(3, F_SETFD, FD_CLOEXEC);
    close_from(4);
    ::signal(SIGPIPE, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    // A file without an interpreter's line is an error, not a shell script, as execvp would have it.
    std::strchr(path, '/') != nullptr ? ::execv(path, arguments) : ::execvp(path, arguments);
    const int error = errno;
    [[maybe_unused]] const ssize_t told = ::write(3, &error, sizeof error);
    ::_exit(127);
}

void reap(pid_t id) {
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
}

/// The error number that a process reported which did not become the program; 0 when it did.
int reported(int pipe) {
    int error = 0;
    while (::read(pipe, &error, sizeof error) < 0 && errno == EINTR) {
    }
    return error;
}

std::string why_not(int error) {
    switch (error) {
    case EACCES:
        return "make it executable: chmod +x";
    case ENOEXEC:
        return "a script begins with its interpreter: #!/usr/bin/env python3";
    default:
        return "program names an executable file, relative to the file that it is written in, or one in PATH";
    }
}

} // namespace

program::program(const std::string& path, const std::vector<std::string>& arguments) {
    std::vector<char*> argv{const_cast<char*>(path.c_str())};
    for (const std::string& a : arguments) {
        argv.push_back(const_cast<char*>(a.c_str()));
    }
    argv.push_back(nullptr);
    std::array<int, 2> sockets{};
    std::array<int, 2> report{};
    need(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) == 0, "make a socket");
    need(::pipe2(report.data(), O_CLOEXEC) == 0, "make a pipe");
    id_ = ::fork();
    if (id_ == 0) {
        become(path.c_str(), argv.data(), sockets[1], report[1]);
    }
    ::close(sockets[1]);
    ::close(report[1]);
    socket_ = sockets[0];
    need(id_ > 0, "start a process");
    ::setpgid(id_, id_); // whoever comes first
    ::fcntl(socket_, F_SETFL, O_NONBLOCK);
    const int error = reported(report[0]);
    ::close(report[0]);
    try {
        if (error != 0) {
            throw user_error("the strategy 'external' cannot start '" + path + "': " + std::strerror(error),
                             why_not(error));
        }
        start_guard();
    } catch (...) {
        end();
        throw;
    }
}

program::~program() {
    end();
}

/// A process in the program's group that does nothing but wait for the end of this one, which closes the pipe.
void program::start_guard() {
    std::array<int, 2> pipe{};
    need(::pipe2(pipe.data(), O_CLOEXEC) == 0, "make a pipe");
    guard_ = ::fork();
    if (guard_ == 0) {
        ::setpgid(0, id_);
        ::dup2(pipe[0], 0);
        close_from(1);
        char nothing = 0;
        while (::read(0, &nothing, 1) < 0 && errno == EINTR) {
        }
        ::kill(-id_, SIGKILL);
        ::_exit(0);
    }
    alive_ = pipe[1];
    ::close(pipe[0]);
    need(guard_ > 0, "start a process");
    ::setpgid(guard_, id_);
}

void program::end() {
    // The program is not waited for before the group is dead: its number stays the group's.
    ::kill(-id_, SIGKILL);
    if (guard_ > 0) {
        reap(guard_);
    }
    reap(id_);
    ::close(alive_);
    ::close(socket_);
}

void program::send(const std::string& line) {
    outgoing_ += line + "\n";
}

program::heard program::receive(std::string& to, std::chrono::duration<double> longest,
                                const std::function<bool()>& stop) {
    const auto until = steady::now() + longest;
    while (!take_line(to)) {
        if (ended_) {
            to = std::exchange(incoming_, "");
            return to.empty() ? heard::end : heard::line; // a last line without its end
        }
        if (steady::now() >= until || stop()) {
            to = incoming_;
            return heard::nothing;
        }
        constexpr int slice = 50; // ms, to look whether to stop
        const bool silent = !exchange_bytes(slice);
        // What it started may still hold its output open.
        ended_ = ended_ || (silent && exit_code(std::chrono::seconds(0)));
    }
    return heard::line;
}

std::optional<int> program::exit_code(std::chrono::duration<double> longest) const {
    const auto until = steady::now() + longest;
    siginfo_t info{};
    // It stays a zombie, so that its group's number stays its own.
    while (::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0) {
        if (steady::now() >= until) {
            return std::nullopt;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return info.si_code == CLD_EXITED ? info.si_status : 128 + info.si_status;
}

bool program::take_line(std::string& to) {
    constexpr std::size_t longest_line = std::size_t{64} << 20;
    const std::size_t end = std::min(incoming_.find('\n'), incoming_.size());
    if (end == incoming_.size() && end < longest_line) {
        return false;
    }
    to = incoming_.substr(0, end);
    incoming_.erase(0, end + 1);
    return true;
}

/// Sends and takes what goes, waiting so long for the first of it. False when nothing did.
bool program::exchange_bytes(int milliseconds) {
    pollfd p{socket_, static_cast<short>(outgoing_.empty() ? POLLIN : POLLIN | POLLOUT), 0};
    if (::poll(&p, 1, milliseconds) <= 0) {
        return false;
    }
    if ((p.revents & POLLOUT) != 0) {
        const ssize_t sent = ::send(socket_, outgoing_.data(), outgoing_.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            outgoing_.clear(); // it does not listen any more
        }
        outgoing_.erase(0, static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
    }
    if ((p.revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
        std::array<char, 65536> piece;
        const ssize_t got = ::recv(socket_, piece.data(), piece.size(), 0);
        ended_ = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
        incoming_.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    return true;
}

} // namespace gst::external
