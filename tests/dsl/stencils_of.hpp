#pragma once

#include "dsl/dsl.hpp"
#include "tests/text_of.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

// What the tests of the language share.
namespace gst {

inline std::vector<stencil> stencils_of(const std::string& text, const dsl::options& options = {}) {
    return dsl::compile(std::make_shared<source>(source{"a.gst", text}), options);
}

/// The only stencil of a text, or the first one.
inline stencil stencil_of(const std::string& text) {
    return stencils_of(text).front();
}

/// The rendered diagnostics, or "" when the text compiles.
inline std::string mistakes(const std::string& text) {
    try {
        stencils_of(text);
    } catch (const user_error& e) {
        return e.what();
    }
    return "";
}

/// "field u" and one statement or more, over x, y and z.
inline stencil in_3d(const std::string& statements) {
    return stencil_of("stencil s(x, y, z) {\nfield u\n" + statements + "\n}\n");
}

/// The files of examples/ and of the fuzzer's corpus that the language reads.
inline std::vector<std::filesystem::path> example_files() {
    std::vector<std::filesystem::path> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(GST_SOURCE_DIR "/examples")) {
        if (entry.path().extension() == ".gst") {
            out.push_back(entry.path());
        }
    }
    std::sort(out.begin(), out.end());
    return out;
}

} // namespace gst
