#pragma once

#include "core/report/throughput.hpp"

#include <cstdint>
#include <cstdio>
#include <string>

namespace gst {

/// How far tuning is.
struct GST_API progress_state {
    std::uint64_t evaluations = 0;
    std::uint64_t max_evaluations = 0; ///< 0: no limit
    std::uint64_t correct = 0;
    double best = 0;        ///< ms per step; 0: nothing valid yet
    double seconds = 0;     ///< since tuning began
    double max_seconds = 0; ///< 0: no limit
    step_work work;
};

/// Seconds until the first limit is reached at the present pace; negative when there is no telling.
GST_API double seconds_left(const progress_state& p);

/// "137 of 200 configurations, 94 % valid, best 1.87 GSt/s (81 % of copy), 42.0 s left"
GST_API std::string progress_line(const progress_state& p);

/// Shows the progress: on a terminal one line that changes ten times a second, elsewhere a line every few seconds.
class GST_API progress_display {
  public:
    /// The stream stays the caller's.
    explicit progress_display(std::FILE* stream);
    progress_display(std::FILE* stream, bool terminal, unsigned width);
    ~progress_display(); ///< leaves the terminal's line blank
    progress_display(const progress_display&) = delete;
    progress_display& operator=(const progress_display&) = delete;

    /// `now`: seconds on any clock that goes on.
    void show(const progress_state& p, double now);

  private:
    void put(const std::string& text);
    std::FILE* stream_;
    bool terminal_;
    unsigned width_;
    double last_ = -1e300;
    bool shown_ = false;
};

} // namespace gst
