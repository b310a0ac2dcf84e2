#include "tests/catch.hpp"

#include <fstream>
#include <iterator>
#include <string>

namespace {

std::string text_of(const std::string& file) {
    std::ifstream in(GST_SOURCE_DIR "/" + file);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

TEST_CASE("the strategy in docs/plugins.md is the one that is built and run") {
    CHECK(text_of("docs/plugins.md").find("```cpp\n" + text_of("tests/host/plugins/local_search.cpp") + "```\n") !=
          std::string::npos);
}
