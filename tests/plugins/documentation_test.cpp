#include "tests/catch.hpp"
#include "tests/plugins/tuned.hpp"
#include "tests/temporary_folder.hpp"

#include <fstream>
#include <iterator>

using namespace gst;
using namespace gst::test;

namespace {

std::string documentation(const std::string& page) {
    std::ifstream in(GST_SOURCE_DIR "/docs/" + page);
    REQUIRE(in);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

TEST_CASE("docs/strategies.md has a row for every strategy, docs/predictors.md for every predictor") {
    for (const plugin_listing& l : list_plugins()) {
        if (l.kind != "backend") {
            const std::string text = documentation(l.kind == "search" ? "strategies.md" : "predictors.md");
            INFO(l.name);
            CHECK(text.find("\n| `" + l.name + "` |") != std::string::npos);
        }
    }
}

TEST_CASE("the specification in docs/strategies.md is one") {
    const std::string text = documentation("strategies.md");
    const std::size_t begin = text.find("```toml\npasses") + 8;
    const temporary_folder folder;
    const std::string file = folder.write("mine.toml", text.substr(begin, text.find("```", begin) - begin));
    std::vector<parameter> parameters;
    for (const char* name : {"TBx", "TBy", "CMx", "CMy"}) {
        parameters.push_back(numbers(name, {1, 2, 4, 8, 16, 32, 64}));
        parameters.back().purpose = name[0] == 'T' ? role::thread_block : role::cyclic_merge;
        parameters.back().dimension = name[2] == 'x' ? 0 : 1;
    }
    const space where(std::move(parameters), {}, {{"Ny", std::int64_t{512}}});
    const tuned t = run({"grouped", {{"specification", file}}}, where, sum_of);
    CHECK(t.trace[0].starts_with("work-group: "));
    CHECK(t.measured.size() > 10);
}
