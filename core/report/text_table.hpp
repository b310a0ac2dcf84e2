#pragma once

#include <string>
#include <vector>

namespace gst {

/// A table for a terminal: the first column to the left, the others to the right.
struct text_table {
    std::vector<std::string> header;
    std::vector<std::vector<std::string>> rows; ///< each as long as the header
};

/// Lines that begin with two blanks.
std::string to_text(const text_table& t);

/// A field of CSV in quotes.
std::string quoted(const std::string& field);

} // namespace gst
