#include "core/report/progress.hpp"

#include "core/base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sys/ioctl.h>
#include <unistd.h>

namespace gst {

namespace {

constexpr double terminal_interval = 0.1;
constexpr double plain_interval = 5;
constexpr const char* erase_line = "\r\x1b[K";

unsigned terminal_width(std::FILE* stream) {
    winsize size{};
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/// The first characters of an UTF-8 text.
std::string cut(const std::string& text, std::size_t characters) {
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
        if (!continues_character(text[at]) && characters-- == 0) {
            break;
        }
    }
    return text.substr(0, at);
}

} // namespace

double seconds_left(const progress_state& p) {
    double left = -1;
    if (p.max_seconds > 0) {
        left = std::max(0.0, p.max_seconds - p.seconds);
    }
    if (p.max_evaluations > 0 && p.evaluations > 0) {
        const double pace = p.seconds / static_cast<double>(p.evaluations);
        const double by_evaluations = pace * static_cast<double>(p.max_evaluations - p.evaluations);
        left = left < 0 ? by_evaluations : std::min(left, by_evaluations);
    }
    return left;
}

std::string progress_line(const progress_state& p) {
    std::string line = with_separators(p.evaluations);
    if (p.max_evaluations > 0) {
        line += " of " + with_separators(p.max_evaluations);
    }
    line += " configurations";
    if (p.evaluations > 0) {
        line += fmt::format(", {} % valid", p.correct * 100 / p.evaluations);
    }
    if (p.best > 0 && p.work.points == 0) { // a recording says nothing of the work
        line += fmt::format(", best {:.4g} ms", p.best);
    } else if (p.best > 0) {
        line += fmt::format(", best {:.3g} GSt/s", giga_updates(p.work, p.best));
        if (p.work.copy_bandwidth > 0) {
            line += fmt::format(" ({:.0f} % of copy)", 100 * copy_share(p.work, p.best));
        }
    }
    const double left = seconds_left(p);
    return left < 0 ? line : line + ", " + duration_text(left) + " left";
}

progress_display::progress_display(std::FILE* stream)
    : progress_display(stream, isatty(fileno(stream)) != 0, terminal_width(stream)) {}

progress_display::progress_display(std::FILE* stream, bool terminal, unsigned width)
    : stream_(stream), terminal_(terminal), width_(width) {}

progress_display::~progress_display() {
    if (terminal_ && shown_) {
        put(erase_line);
    }
}

void progress_display::show(const progress_state& p, double now) {
    if (now - last_ < (terminal_ ? terminal_interval : plain_interval)) {
        return;
    }
    last_ = now;
    shown_ = true;
    put(terminal_ ? erase_line + cut(progress_line(p), width_ - 1) : progress_line(p) + "\n");
}

void progress_display::put(const std::string& text) {
    std::fputs(text.c_str(), stream_); // which may be closed: that ends no tuning
    std::fflush(stream_);
}

} // namespace gst
