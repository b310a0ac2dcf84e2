#pragma once

#include "tests/app/shell.hpp"
#include "tests/catch.hpp"

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace gst {

struct block {
    std::string mark; ///< the line before, e.g. "<!-- run -->"
    std::string language;
    std::string text;
};

/// The fenced blocks of a Markdown file.
inline std::vector<block> blocks_of(const std::string& file) {
    std::istringstream in(text_of(std::filesystem::path(GST_SOURCE_DIR) / file));
    std::vector<block> out;
    std::string before;
    bool inside = false;
    for (std::string line; std::getline(in, line);) {
        if (line.rfind("```", 0) == 0) {
            inside = !inside;
            if (inside) {
                out.push_back({before, line.substr(3), ""});
            }
        } else if (inside) {
            out.back().text += line + "\n";
        }
        before = line;
    }
    CHECK(!inside);
    return out;
}

} // namespace gst
