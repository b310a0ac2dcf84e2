#include "core/app/pipeline.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <algorithm>

using namespace gst;

namespace {

/// Tunes a plain stencil over these work-groups.
tuning_outcome tune_with(const std::string& work_groups) {
    const temporary_folder folder;
    folder.write("five.gst",
                 "stencil five(x, y) {\n    field u\n    u[t+1] = 0.2*(u + u[x-1] + u[x+1] + u[y-1] + u[y+1])\n}\n");
    const auto file = folder.write("app.toml", "[stencil]\nfile = \"five.gst\"\n[grid]\nsize = [1024, 512]\n"
                                               "[store]\npath = \"results.db\"\n[space]\npreset = \"garvey\"\n"
                                               "[space.domain]\nload = [\"global\"]\nVX = [1]\nCMx = [1]\nCMy = [1]\n" +
                                                   work_groups);
    const config c = read_config(file, {"search.strategy=\"exhaustive\""});
    const tuning_request request = read_request(c, read_stencil(c));
    return tune(c, request, find_target(c), "a test", true, [] { return false; });
}

bool says_so(const tuning_outcome& o) {
    return std::ranges::any_of(o.report.notes, [](const std::string& n) {
        return n.find("no configuration was faster than the untuned default program") != std::string::npos;
    });
}

} // namespace

TEST_CASE("time steps run with the untuned program where no configuration is faster") {
    // A work-group per point takes many times as long.
    const tuning_outcome slow = tune_with("TBx = [1]\nTBy = [1]\n");
    REQUIRE(slow.report.best);
    REQUIRE(slow.winner);
    CHECK(says_so(slow));
    CHECK(std::get<launch>(slow.winner->call.front()).local != range3{1, 1, 1});
    CHECK(slow.report.best->time > slow.report.default_time);
}
