#include "plugins/search/external/program.hpp"

#include "core/base/error.hpp"
#include "core/base/spawn.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace gst::external {

namespace {

using steady = std::chrono::steady_clock;

/// Where to read, and where to write.
std::array<int, 2> make_pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw machine_error(std::string("cannot make a pipe: ") + std::strerror(errno));
    }
    return ends;
}

/// As write() on a pipe, where nobody reading any more is an error and no signal.
ssize_t write_quietly(int pipe, const std::string& bytes) {
    sigset_t broken;
    sigset_t before;
    ::sigemptyset(&broken);
    ::sigaddset(&broken, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &broken, &before);
    const ssize_t sent = ::write(pipe, bytes.data(), bytes.size());
    const int error = errno;
    if (sent < 0 && error == EPIPE) {
        const timespec at_once{};
        ::sigtimedwait(&broken, nullptr, &at_once);
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return sent;
}

void reap(pid_t id) {
    while (::waitpid(id, nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::string why_not(const std::string& path, int error) {
    std::error_code unknown;
    if (std::filesystem::is_directory(path, unknown)) {
        return "it is a folder: name the program in it";
    }
    if (error == EACCES) {
        return "make it executable: chmod +x";
    }
    if (error == ENOEXEC) {
        return "a script begins with its interpreter: #!/usr/bin/env python3";
    }
    return std::filesystem::exists(path, unknown)
               ? "it is there; the interpreter that its first line names is not"
               : "program names an executable file, relative to the file that it is written in, or one in PATH";
}

} // namespace

program::program(const std::string& path, const std::vector<std::string>& arguments) {
    // The switch to the other process and back takes about half as long with pipes as with a socket.
    const auto [input, to] = make_pipe();
    const auto [from, output] = make_pipe();
    to_ = to;
    from_ = from;
    const int error =
        spawn(id_, path, arguments, {{input, STDIN_FILENO}, {output, STDOUT_FILENO}, {STDERR_FILENO, STDERR_FILENO}});
    ::close(input);
    ::close(output);
    try {
        if (error != 0) {
            throw user_error("the strategy 'external' cannot start '" + path + "': " + std::strerror(error),
                             why_not(path, error));
        }
        ::fcntl(to_, F_SETFL, O_NONBLOCK);
        ::fcntl(from_, F_SETFL, O_NONBLOCK);
        start_guard();
    } catch (...) {
        end();
        throw;
    }
}

program::~program() {
    end();
}

/// A process in the program's group that waits for the end of this one, which closes the pipe, and then kills the
/// group.
void program::start_guard() {
    const auto [input, alive] = make_pipe();
    alive_ = alive;
    const int error = spawn(guard_, "/bin/sh", {"-c", "read -r _; kill -s KILL 0"}, {{input, STDIN_FILENO}}, id_);
    ::close(input);
    if (error != 0) {
        throw machine_error(std::string("cannot start /bin/sh: ") + std::strerror(error));
    }
}

void program::end() {
    if (id_ > 0) {
        // The program is not waited for before the group is dead: its number stays the group's.
        ::kill(-id_, SIGKILL);
        reap(id_);
    }
    if (guard_ > 0) {
        reap(guard_);
    }
    ::close(alive_);
    ::close(to_);
    ::close(from_);
}

void program::send(const std::string& line) {
    outgoing_ += line;
    outgoing_ += '\n';
    write_some();
}

program::heard program::receive(std::string& to, std::chrono::duration<double> longest,
                                const std::function<bool()>& stop) {
    auto until = steady::now() + longest;
    // It reads an answer before it asks again: what is not taken would grow without bound.
    while (!outgoing_.empty() || !take_line(to)) {
        if (ended_) {
            to = std::exchange(incoming_, "");
            return to.empty() ? heard::end : heard::line; // a last line without its end
        }
        if (steady::now() >= until || stop()) {
            to = incoming_;
            return outgoing_.empty() ? heard::nothing : heard::not_listening;
        }
        constexpr int slice = 50; // ms, to look whether to stop
        const bool silent = !exchange_bytes(slice);
        until = silent ? until : steady::now() + longest;
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

/// Sends of what is on its way as much as goes.
void program::write_some() {
    const ssize_t sent = write_quietly(to_, outgoing_);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        outgoing_.clear(); // it does not listen any more
    }
    outgoing_.erase(0, static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
}

/// Sends of what is on its way, or else takes what comes, waiting so long for that. False when nothing went.
bool program::exchange_bytes(int milliseconds) {
    const bool sends = !outgoing_.empty();
    if (!sends && read_soon()) {
        return true;
    }
    pollfd pipe{sends ? to_ : from_, static_cast<short>(sends ? POLLOUT : POLLIN), 0};
    if (::poll(&pipe, 1, milliseconds) <= 0) {
        return false;
    }
    if (sends) {
        write_some();
        return true;
    }
    return read_some();
}

/// Takes what comes at once. Whoever sleeps is woken tens of microseconds late where the processor has halted
/// meanwhile, and most programs answer sooner than that.
bool program::read_soon() {
    constexpr std::chrono::microseconds sooner_than_waking{50};
    const auto until = steady::now() + sooner_than_waking;
    do {
        if (read_some()) {
            return true;
        }
        std::this_thread::yield(); // it may need this very processor to answer
    } while (steady::now() < until);
    return false;
}

/// Takes what is there. False when nothing is.
bool program::read_some() {
    std::array<char, 65536> piece;
    const ssize_t got = ::read(from_, piece.data(), piece.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
        return false;
    }
    ended_ = got <= 0;
    incoming_.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    return true;
}

} // namespace gst::external
