#include "core/report/text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

namespace {
/// fmt counts the width of UTF-8 in characters.
std::size_t width_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}
} // namespace

std::string to_text(const text_table& t) {
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < t.header.size(); ++column) {
        widths.push_back(width_of(t.header[column]));
        for (const std::vector<std::string>& row : t.rows) {
            widths.back() = std::max(widths.back(), width_of(row[column]));
        }
    }
    std::string out;
    const auto add = [&](const std::vector<std::string>& row) {
        out += fmt::format("  {:<{}}", row[0], widths[0]);
        for (std::size_t column = 1; column < row.size(); ++column) {
            out += fmt::format("  {:>{}}", row[column], widths[column]);
        }
        out += "\n";
    };
    add(t.header);
    for (const std::vector<std::string>& row : t.rows) {
        add(row);
    }
    return out;
}

std::string quoted(const std::string& field) {
    std::string out = "\"";
    for (const char c : field) {
        out += c == '"' ? "\"\"" : std::string(1, c);
    }
    return out + "\"";
}

} // namespace gst
