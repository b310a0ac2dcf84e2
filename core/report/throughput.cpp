#include "core/report/throughput.hpp"

#include <fmt/format.h>

#include <cmath>

namespace gst {

double giga_updates(const step_work& w, double milliseconds) {
    return w.points / milliseconds * 1e-6;
}

double copy_share(const step_work& w, double milliseconds) {
    return w.copy_bandwidth > 0 ? w.bytes / (milliseconds * 1e-3) / w.copy_bandwidth : 0;
}

std::string with_separators(unsigned long long number) {
    const std::string digits = std::to_string(number);
    std::string out;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) {
            out += ',';
        }
        out += digits[i];
    }
    return out;
}

std::string duration_text(double seconds) {
    if (seconds < 1) {
        return fmt::format("{:.2f} s", seconds);
    }
    if (seconds < 59.95) {
        return fmt::format("{:.1f} s", seconds);
    }
    const auto whole = static_cast<long long>(std::llround(seconds));
    const long long hours = whole / 3600;
    const long long minutes = whole / 60 % 60;
    return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, whole % 60)
                     : fmt::format("{}:{:02}", minutes, whole % 60);
}

} // namespace gst
