#pragma once

#include "core/base/visibility.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gst {

/// A program running in a process group of its own, with a socket to it and its standard output and error on a pipe.
/// It is killed, with all that it started, when the object goes; and by the kernel when the *thread* that started it
/// ends.
class GST_API child_process {
  public:
    /// Starts `path` with the arguments; the child finds its end of the socket at descriptor 3.
    /// Throws machine_error when the program cannot be started.
    child_process(const std::string& path, const std::vector<std::string>& arguments);
    ~child_process();
    child_process(const child_process&) = delete;
    child_process& operator=(const child_process&) = delete;

    pid_t id() const { return id_; }
    int socket() const { return socket_; }
    int output() const { return output_; }
    /// Takes what the child has printed since; the end of it is kept.
    void read_output();
    /// The last lines that the child printed.
    const std::string& printed() const { return printed_; }
    std::uint64_t resident_bytes() const; ///< 0 when it has ended
    void freeze();                        ///< stops the whole group, from any thread …
    void thaw();                          ///< … and lets it go on
    void kill();                          ///< kills the whole group, from any thread; end() is still to be called
    bool running() const;
    /// Waits so long for the child to end by itself, then kills the group. How it ended by itself ("was ended by signal
    /// SIGSEGV", "exited with code 3"); "" when it had to be killed.
    std::string end(double seconds);

  private:
    pid_t id_ = -1;
    int socket_ = -1;
    int output_ = -1;
    std::string printed_;
    bool ended_ = false;
    std::mutex mutex_; ///< of signals, against the end of the process: its number may then be another's
};

/// The program gst-worker that belongs to this libgst.so; GST_WORKER overrides it. Throws machine_error when it is
/// missing.
GST_API std::string worker_program();

} // namespace gst
