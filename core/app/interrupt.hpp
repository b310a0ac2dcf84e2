#pragma once

#include <exception>

namespace gst {

/// A command was ended by a signal before its work was done. What there is to say has been said.
struct interruption : std::exception {
    const char* what() const noexcept override { return "interrupted"; }
};

/// Ends the process by the signal that was noted last, as if nothing had caught it: a shell sees 130 after Ctrl-C, and
/// a loop of its around the command ends too.
[[noreturn]] void end_by_signal();

/// While it lives, the first SIGINT or SIGTERM only sets a flag; the second ends the process as usual. One at a time.
class interrupt_flag {
  public:
    interrupt_flag();
    ~interrupt_flag();
    interrupt_flag(const interrupt_flag&) = delete;
    interrupt_flag& operator=(const interrupt_flag&) = delete;
    bool raised() const;
};

} // namespace gst
