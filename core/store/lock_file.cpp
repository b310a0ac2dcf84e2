#include "core/store/lock_file.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <signal.h>
#include <sstream>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace gst {

namespace {

std::string link_target(const std::string& path) {
    std::array<char, 1024> buffer{};
    const ssize_t length = ::readlink(path.c_str(), buffer.data(), buffer.size());
    return length < 0 ? "" : std::string(buffer.data(), static_cast<std::size_t>(length));
}

/// What the system tells of a process; empty where it tells nothing.
struct process_state {
    std::string state; ///< "R", "S", "Z" …
    std::string start; ///< clock ticks since boot
};

process_state look_at(long process) {
    std::ifstream in(fmt::format("/proc/{}/stat", process));
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    const std::size_t name_end = all.rfind(')'); // the name may hold anything
    if (name_end == std::string::npos) {
        return {};
    }
    std::istringstream fields(all.substr(name_end + 1));
    process_state s;
    fields >> s.state;
    for (int field = 4; field <= 22; ++field) {
        fields >> s.start;
    }
    return s;
}

/// The processes that this one can see, and how: machine since its last boot, and namespace of process numbers.
std::string process_table() {
    std::ifstream in("/proc/sys/kernel/random/boot_id");
    std::string boot;
    in >> boot;
    return boot + "/" + link_target("/proc/self/ns/pid");
}

struct lock_owner {
    std::string host, process, start, table;
};

std::string written(const lock_owner& o) {
    return o.host + " " + o.process + " " + o.start + " " + o.table;
}

lock_owner this_process() {
    std::array<char, 256> host{};
    ::gethostname(host.data(), host.size() - 1);
    return {host.data(), std::to_string(::getpid()), look_at(::getpid()).start, process_table()};
}

lock_owner parse(const std::string& text) {
    lock_owner o;
    std::array<std::string*, 4> parts{&o.host, &o.process, &o.start, &o.table};
    std::size_t at = 0;
    for (std::string* part : parts) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        *part = text.substr(std::min(at, text.size()), end - std::min(at, text.size()));
        at = end + 1;
    }
    return o;
}

/// No process of that number, or another one by now, or one that only waits to be reaped.
bool certainly_dead(const lock_owner& o) {
    if (o.process.empty() || o.start.empty() || o.table != process_table()) {
        return false;
    }
    const long process = std::stol(o.process);
    if (::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH) {
        return true;
    }
    const process_state now = look_at(process);
    return !now.start.empty() && (now.start != o.start || now.state == "Z");
}

} // namespace

lock_file::lock_file(std::string path, std::chrono::milliseconds patience)
    : path_(std::move(path)), breaking_(path_ + ".break"), owner_(written(this_process())), patience_(patience) {}

void lock_file::acquire() {
    const auto begin = std::chrono::steady_clock::now();
    while (::symlink(owner_.c_str(), path_.c_str()) != 0) {
        if (errno != EEXIST) {
            throw machine_error(
                fmt::format("the lock '{}' cannot be made ({}), and the file system has no locks of its own; "
                            "name another place for the results: [store] path",
                            path_, std::strerror(errno)));
        }
        remove_if_dead();
        if (std::chrono::steady_clock::now() - begin > patience_) {
            const lock_owner o = parse(link_target(path_));
            throw machine_error(
                fmt::format("process {} on {} has held '{}' for {} s; if it does not run any more, remove {}",
                            o.process, o.host, path_, std::chrono::duration<double>(patience_).count(),
                            ::access(breaking_.c_str(), F_OK) == 0 ? fmt::format("'{}' and '{}'", path_, breaking_)
                                                                   : fmt::format("'{}'", path_)));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

void lock_file::release() {
    ::unlink(path_.c_str());
}

void lock_file::remove_if_dead() const {
    if (!certainly_dead(parse(link_target(path_)))) {
        return;
    }
    // One process at a time looks again and removes: nobody else takes away a dead owner's lock, so what is looked at
    // stays.
    if (::mkdir(breaking_.c_str(), 0777) != 0) {
        return;
    }
    if (certainly_dead(parse(link_target(path_)))) {
        ::unlink(path_.c_str());
    }
    ::rmdir(breaking_.c_str());
}

} // namespace gst
