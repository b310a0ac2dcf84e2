#include "core/base/atomic_file.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace gst {

namespace {
constexpr std::size_t buffered = 1 << 20;

mode_t rights_of_new_files() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}
} // namespace

atomic_file::atomic_file(std::filesystem::path path) : path_(std::move(path)) {
    std::error_code unknown;
    const std::filesystem::file_status there = std::filesystem::status(path_, unknown);
    if (exists(there) && !is_regular_file(there) && !is_directory(there)) {
        file_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
        if (file_ < 0) {
            fail();
        }
        return;
    }
    if (std::filesystem::is_symlink(path_, unknown)) { // read_symlink: what it names may not be there yet
        path_ = exists(there) ? std::filesystem::canonical(path_)
                              : path_.parent_path() / std::filesystem::read_symlink(path_);
    }
    const std::filesystem::path folder = std::filesystem::absolute(path_).parent_path();
    std::error_code failed;
    std::filesystem::create_directories(folder, failed);
    if (failed) {
        errno = failed.value();
        fail();
    }
    temporary_ = (folder / ("." + path_.filename().string() + "-XXXXXX")).string();
    file_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
    if (file_ < 0) {
        fail();
    }
    buffer_.reserve(buffered);
}

atomic_file::~atomic_file() {
    if (file_ >= 0) {
        ::close(file_);
        if (!temporary_.empty()) {
            ::unlink(temporary_.c_str());
        }
    }
}

void atomic_file::fail() const {
    const int reason = errno;
    throw machine_error(fmt::format("'{}' cannot be written ({})", path_.string(), std::strerror(reason)));
}

void atomic_file::flush() {
    for (std::span<const std::byte> left = buffer_; !left.empty();) {
        const ssize_t n = ::write(file_, left.data(), left.size());
        if (n < 0 && errno != EINTR) {
            fail();
        }
        left = left.subspan(n < 0 ? 0 : static_cast<std::size_t>(n));
    }
    buffer_.clear();
}

void atomic_file::write(std::span<const std::byte> bytes) {
    if (buffer_.size() + bytes.size() > buffered) {
        flush();
    }
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

void atomic_file::commit() {
    flush();
    if (temporary_.empty()) {
        if (::close(std::exchange(file_, -1)) != 0) {
            fail();
        }
        return;
    }
    if (::fchmod(file_, rights_of_new_files()) != 0 || ::fsync(file_) != 0) {
        fail();
    }
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
        fail();
    }
    ::close(file_);
    file_ = -1;
}

} // namespace gst
