#include "core/store/file_system.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/vfs.h>
#include <unistd.h>

namespace gst {

namespace {

/// A descriptor that closes itself.
struct descriptor {
    int number = -1;
    explicit descriptor(int n) : number(n) {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() {
        if (number >= 0) {
            ::close(number);
        }
    }
};

struct temporary_file {
    std::string path;
    ~temporary_file() { ::unlink(path.c_str()); }
};

struct flock whole_file() {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

/// True when a second descriptor is refused the lock that the first one holds. Locks of descriptors (Linux 3.15)
/// conflict with those of processes even within one process; where they do not exist nothing can be said and the first
/// lock is believed.
bool excludes(int second) {
    struct flock lock = whole_file();
    return ::fcntl(second, F_OFD_SETLK, &lock) != 0;
}

bool shared_over_network(const std::string& path) {
    // NFS, SMB, CIFS, SMB2, AFS, Coda, Ceph, Lustre, GPFS, BeeGFS, OCFS2, 9P, FUSE
    constexpr std::array<std::uint32_t, 13> types{0x6969,     0x517B,     0xFF534D42, 0xFE534D42, 0x5346414F,
                                                  0x73757245, 0x00C36400, 0x0BD00BD0, 0x47504653, 0x19830326,
                                                  0x7461636F, 0x01021997, 0x65735546};
    struct statfs about {};
    if (::statfs(path.c_str(), &about) != 0) {
        return false;
    }
    for (const std::uint32_t type : types) {
        if (static_cast<std::uint32_t>(about.f_type) == type) {
            return true;
        }
    }
    return false;
}

} // namespace

lock_support probe_locks(const std::filesystem::path& folder) {
    std::string name = (folder / ".gst-lock-probe-XXXXXX").string();
    const descriptor first(::mkostemp(name.data(), O_CLOEXEC));
    if (first.number < 0) {
        throw machine_error(
            fmt::format("no file can be made in '{}' ({}); name another place for the results: [store] path",
                        folder.string(), std::strerror(errno)));
    }
    const temporary_file file{name};
    const descriptor second(::open(name.c_str(), O_RDWR | O_CLOEXEC));
    struct flock lock = whole_file();
    if (::fcntl(first.number, F_SETLK, &lock) != 0 || !excludes(second.number)) {
        return lock_support::none;
    }
    return shared_over_network(name) ? lock_support::network : lock_support::full;
}

} // namespace gst
