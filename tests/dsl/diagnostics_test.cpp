#include "tests/catch.hpp"
#include "tests/dsl/stencils_of.hpp"

#include <cstdlib>

// tests/dsl/diagnostics/*.txt: "=== name", the text, "---", what gst says about it. With GST_APPROVE=1 in the
// environment, the files are written anew from what it says now.

using namespace gst;

namespace {

struct block {
    std::string name;
    std::string text;
    std::string said;
};

std::vector<block> blocks_of(const std::string& text) {
    std::vector<block> out;
    std::size_t at = 0;
    while (at < text.size()) {
        REQUIRE(text.compare(at, 4, "=== ") == 0);
        const std::size_t name_end = text.find('\n', at);
        const std::size_t separator = text.find("\n---\n", name_end);
        REQUIRE(separator != std::string::npos);
        const std::size_t said = separator + 5;
        const std::size_t next = text.compare(said, 4, "=== ") == 0 ? said : text.find("\n=== ", said);
        const std::size_t end = next == said ? said : next == std::string::npos ? text.size() : next + 1;
        out.push_back({text.substr(at + 4, name_end - at - 4), text.substr(name_end + 1, separator - name_end),
                       text.substr(said, end - said)});
        at = end;
    }
    return out;
}

} // namespace

TEST_CASE("what is said about each mistake, word for word") {
    std::size_t cases = 0;
    for (const auto& entry : std::filesystem::directory_iterator(GST_SOURCE_DIR "/tests/dsl/diagnostics")) {
        std::string approved;
        for (const block& b : blocks_of(text_of(entry.path()))) {
            INFO(entry.path().filename().string() << ": " << b.name);
            const std::string said = mistakes(b.text) + "\n";
            CHECK(said != "\n");
            if (std::getenv("GST_APPROVE") != nullptr) {
                approved += "=== " + b.name + "\n" + b.text + "---\n" + said;
            } else {
                CHECK(said == b.said);
            }
            ++cases;
        }
        if (!approved.empty()) {
            std::ofstream(entry.path(), std::ios::binary) << approved;
        }
    }
    CHECK(cases >= 60);
}
