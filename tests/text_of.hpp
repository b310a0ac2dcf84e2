#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace gst {

/// What a file holds; "" when there is no such file.
inline std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace gst
