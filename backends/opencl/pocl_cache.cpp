#include "backends/opencl/pocl_cache.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace gst::opencl {

namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
    const char* text = std::getenv(name);
    return text == nullptr ? "" : text;
}

/// 0, or the error that stands in the way of writing into the folder, or of making it.
int obstacle(fs::path folder) {
    while (::access(folder.c_str(), F_OK) != 0 && errno == ENOENT && folder.has_relative_path()) {
        folder = folder.parent_path();
    }
    struct stat about {};
    if (::stat(folder.c_str(), &about) != 0) {
        return errno;
    }
    if (!S_ISDIR(about.st_mode)) {
        return ENOTDIR;
    }
    return ::access(folder.c_str(), W_OK | X_OK) == 0 ? 0 : errno;
}

/// Where PoCL puts its cache by itself.
fs::path default_folder() {
    if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) {
        return fs::path(cache) / "pocl/kcache";
    }
    if (const std::string home = variable("HOME"); !home.empty()) {
        return fs::path(home) / ".cache/pocl/kcache";
    }
    return "/tmp/pocl/kcache";
}

/// 0, or the error that stands in the way of a folder that is this user's alone: what is in it is run.
int make_private(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 0700) == 0) {
        return 0;
    }
    if (errno != EEXIST) {
        return errno;
    }
    struct stat about {};
    if (::lstat(folder.c_str(), &about) != 0) {
        return errno;
    }
    const bool ours = S_ISDIR(about.st_mode) && about.st_uid == ::geteuid() && (about.st_mode & 022) == 0;
    return ours ? obstacle(folder) : EPERM;
}

} // namespace

std::string prepare_pocl_cache() {
    const std::string given = variable("POCL_CACHE_DIR");
    if (!given.empty() && ::access(given.c_str(), W_OK) == 0) { // PoCL does not make it
        return "";
    }
    const fs::path usual = default_folder();
    const int failed = obstacle(usual);
    if (failed == 0) {
        return "";
    }
    const std::string temporary = variable("TMPDIR");
    const fs::path folder = fs::path(temporary.empty() ? "/tmp" : temporary) / fmt::format("gst-pocl-{}", ::geteuid());
    if (make_private(folder) == 0) {
        ::setenv("POCL_CACHE_DIR", folder.c_str(), 1);
        return "";
    }
    return fmt::format("PoCL needs a folder for compiled kernels and can write neither '{}' ({}) nor '{}'; set "
                       "POCL_CACHE_DIR to a folder that can be written",
                       usual.string(), std::strerror(failed), folder.string());
}

} // namespace gst::opencl
