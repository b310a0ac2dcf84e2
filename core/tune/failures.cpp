#include "core/tune/failures.hpp"

#include <algorithm>
#include <cctype>

namespace gst {

namespace {

std::string first_line(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t\n");
    return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

/// The text with every run of digits as one '#', so that messages that differ in a number alone are one.
std::string without_numbers(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
        if (!digit || out.empty() || out.back() != '#') {
            out += digit ? '#' : c;
        }
    }
    return out;
}

} // namespace

void failure_counter::add(const configuration& c, const measurement& m) {
    const std::string line = first_line(m.message);
    failure_group& group = groups_[{m.outcome, without_numbers(line)}];
    if (group.count++ == 0) {
        group.outcome = m.outcome;
        group.message = line;
        group.first = c;
    }
}

std::vector<failure_group> failure_counter::groups() const {
    std::vector<failure_group> out;
    for (const auto& [key, group] : groups_) {
        out.push_back(group);
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const failure_group& a, const failure_group& b) { return a.count > b.count; });
    return out;
}

} // namespace gst
