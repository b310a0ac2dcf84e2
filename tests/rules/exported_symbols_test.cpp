#include "tests/catch.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

/// The lines that a command prints.
std::vector<std::string> lines_of(const std::string& command) {
    std::vector<std::string> out;
    std::FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    char* line = nullptr;
    std::size_t room = 0;
    for (ssize_t length = 0; (length = getline(&line, &room, pipe)) > 0;) {
        out.emplace_back(line, static_cast<std::size_t>(length - 1));
    }
    std::free(line);
    CHECK(pclose(pipe) == 0);
    return out;
}

} // namespace

TEST_CASE("the core exports what is its own and nothing of the libraries that it uses") {
    const std::vector<std::string> symbols = lines_of("nm -DC --defined-only -P '" GST_BINARY_DIR "/lib/libgst.so'");
    CHECK(symbols.size() > 100);
    for (const std::string& symbol : symbols) {
        // "name kind value size"; weak symbols are templates and inline functions of headers, which every user has too
        const bool strong = symbol.find(" T ") != std::string::npos || symbol.find(" D ") != std::string::npos ||
                            symbol.find(" B ") != std::string::npos || symbol.find(" R ") != std::string::npos;
        if (strong) {
            INFO(symbol);
            CHECK(symbol.find("gst::") != std::string::npos);
        }
    }
}
