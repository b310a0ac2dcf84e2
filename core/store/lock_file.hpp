#pragma once

#include <chrono>
#include <string>

namespace gst {

/// Mutual exclusion of processes where the file system has no locks: a symbolic link that is made in one step and names
/// its owner (host, boot, process). A lock whose owner is certainly dead is removed; one that cannot be judged, e.g. of
/// another machine, is waited for.
class lock_file {
  public:
    lock_file(std::string path, std::chrono::milliseconds patience);

    /// Throws machine_error that names the owner and the file when it is not had in time.
    void acquire();
    void release();
    const std::string& path() const { return path_; }

  private:
    void remove_if_dead() const;

    std::string path_;
    std::string breaking_; ///< held by who removes a dead owner's lock
    std::string owner_;
    std::chrono::milliseconds patience_;
};

} // namespace gst
