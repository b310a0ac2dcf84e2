#include "core/report/text_table.hpp"

#include "core/base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst {

std::string to_text(const text_table& t) {
    std::vector<std::size_t> widths;
    for (std::size_t column = 0; column < t.header.size(); ++column) {
        widths.push_back(characters(t.header[column])); // as fmt counts them
        for (const std::vector<std::string>& row : t.rows) {
            widths.back() = std::max(widths.back(), characters(row[column]));
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
