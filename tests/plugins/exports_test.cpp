#include "tests/catch.hpp"

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

namespace {

/// What nm says of the dynamic symbols that the library defines.
std::string exported(const std::filesystem::path& file) {
    FILE* nm = popen(("nm -D --defined-only '" + file.string() + "'").c_str(), "r");
    REQUIRE(nm != nullptr);
    std::string out;
    std::array<char, 4096> text{};
    while (std::fgets(text.data(), static_cast<int>(text.size()), nm) != nullptr) {
        const std::string line = text.data();
        out += line.substr(line.find(' ') + 1);
    }
    REQUIRE(pclose(nm) == 0);
    return out;
}

} // namespace

TEST_CASE("a plugin exports its descriptor and nothing else") {
    std::vector<std::string> seen;
    for (const auto& entry : std::filesystem::directory_iterator(GST_BINARY_DIR "/lib/gst")) {
        if (entry.path().extension() == ".so") {
            INFO(entry.path());
            const std::string symbols =
                exported(entry.path()); // "D gst_plugin": data; unique symbols would show as 'u'
            CHECK(symbols == "D gst_plugin\n");
            seen.push_back(entry.path().filename());
        }
    }
    CHECK(seen.size() >= 3);
}
