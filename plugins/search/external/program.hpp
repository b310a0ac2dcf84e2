#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace gst::external {

/// A program that is spoken to in lines, on its standard input and output; its standard error is ours. It runs in a
/// process group of its own, and all that is in the group is killed when the object goes – and when this process ends,
/// however it does.
class program {
  public:
    /// `path`: a name that is looked for in PATH, or a file. Throws user_error when it cannot be started.
    program(const std::string& path, const std::vector<std::string>& arguments);
    ~program();
    program(const program&) = delete;
    program& operator=(const program&) = delete;

    /// Puts a line on its way; what does not go at once is sent while the next one is waited for.
    void send(const std::string& line);

    enum class heard : std::uint8_t { line, end, nothing, not_listening };
    /// Waits for its next line, which `to` becomes, as long as it does not stay idle for longer. `end`: it has closed
    /// its output; `nothing`, or `not_listening` while a line for it is on its way: time is up, or `stop` has said so.
    heard receive(std::string& to, std::chrono::duration<double> longest, const std::function<bool()>& stop);

    /// Waits so long for it to end. Its exit code, or 128 + the number of the signal that ended it; nothing when it
    /// still runs.
    std::optional<int> exit_code(std::chrono::duration<double> longest) const;

  private:
    void start_guard();
    bool take_line(std::string& to);
    void write_some();
    bool exchange_bytes(int milliseconds);
    bool read_soon();
    bool read_some();
    void end();

    pid_t id_ = -1;
    pid_t guard_ = -1;   ///< kills the group when this process is no more
    int alive_ = -1;     ///< held open by this process alone
    int to_ = -1;        ///< the pipe that is its standard input
    int from_ = -1;      ///< the one that is its standard output
    bool ended_ = false; ///< it has closed its output
    std::string outgoing_;
    std::string incoming_;
};

} // namespace gst::external
