#pragma once

namespace gst {

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
