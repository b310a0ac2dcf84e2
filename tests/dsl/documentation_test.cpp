#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"

using namespace gst;

TEST_CASE("every stencil in the language's reference compiles") {
    const std::string text = text_of(GST_SOURCE_DIR "/docs/language.md");
    std::size_t blocks = 0;
    for (std::size_t at = text.find("```gst\n"); at != std::string::npos; at = text.find("```gst\n", at)) {
        at += 7;
        const std::size_t end = text.find("```", at);
        const std::string block = text.substr(at, end - at);
        INFO(block);
        CHECK(mistakes(block).empty());
        ++blocks;
    }
    CHECK(blocks >= 9);
}
