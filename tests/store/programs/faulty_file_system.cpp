// Preloaded: makes the file system behave as GST_FAULT says.
//   no_locks      record locks fail with ENOLCK
//   silent_locks  record locks succeed and exclude nobody
//   network       files are on NFS
//   full:N        the disk is full after N writes

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/types.h>
#include <sys/vfs.h>

namespace {

// Of <fcntl.h>, which declares what is defined here in another way.
constexpr int set_lock = 6;
constexpr int set_lock_and_wait = 7;
constexpr int set_descriptor_lock = 37;

bool fault_is(const char* name) {
    const char* fault = std::getenv("GST_FAULT");
    return fault && std::strcmp(fault, name) == 0;
}

template<class F>
F* next(const char* name) {
    return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

int control(const char* name, int file, int command, void* argument) {
    if (command == set_lock || command == set_lock_and_wait || command == set_descriptor_lock) {
        if (fault_is("no_locks")) {
            errno = ENOLCK;
            return -1;
        }
        if (fault_is("silent_locks")) {
            return 0;
        }
    }
    return next<int(int, int, ...)>(name)(file, command, argument);
}

bool full() {
    static std::atomic<long> writes{0};
    const char* fault = std::getenv("GST_FAULT");
    if (!fault || std::strncmp(fault, "full:", 5) != 0) {
        return false;
    }
    return ++writes > std::atol(fault + 5);
}

ssize_t write_at(const char* name, int file, const void* bytes, std::size_t count, long at) {
    if (full()) {
        errno = ENOSPC;
        return -1;
    }
    return next<ssize_t(int, const void*, std::size_t, long)>(name)(file, bytes, count, at);
}

void* argument_after(va_list list) {
    return va_arg(list, void*);
}

} // namespace

extern "C" {

int fcntl(int file, int command, ...) {
    va_list list;
    va_start(list, command);
    void* argument = argument_after(list);
    va_end(list);
    return control("fcntl", file, command, argument);
}

int fcntl64(int file, int command, ...) {
    va_list list;
    va_start(list, command);
    void* argument = argument_after(list);
    va_end(list);
    return control("fcntl64", file, command, argument);
}

ssize_t pwrite(int file, const void* bytes, std::size_t count, off_t at) {
    return write_at("pwrite", file, bytes, count, at);
}

ssize_t pwrite64(int file, const void* bytes, std::size_t count, off64_t at) {
    return write_at("pwrite64", file, bytes, count, at);
}

int statfs(const char* path, struct statfs* about) noexcept {
    const int result = next<int(const char*, struct statfs*)>("statfs")(path, about);
    if (fault_is("network")) {
        about->f_type = 0x6969;
    }
    return result;
}
}
