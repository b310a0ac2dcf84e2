#include "core/app/pipeline.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace gst;

namespace {

constexpr const char* stencil_text = "stencil five(x, y) {\n    field u\n"
                                     "    u[t+1] = 0.2*(u + u[x-1] + u[x+1] + u[y-1] + u[y+1])\n}\n";

struct tuned {
    tuning_outcome outcome;
    program untuned;
};

/// Tunes in a sub-space of the restricted one.
tuned tune_in(const std::string& domain) {
    const temporary_folder folder;
    folder.write("five.gst", stencil_text);
    const auto file = folder.write("app.toml", "[stencil]\nfile = \"five.gst\"\n[grid]\nsize = [2048, 1024]\n"
                                               "[store]\npath = \"results.db\"\n[search]\nstrategy = \"exhaustive\"\n"
                                               "[space]\npreset = \"garvey\"\n[space.domain]\nCMy = [1]\n" +
                                                   domain);
    const config c = read_config(file, {});
    const tuning_request request = read_request(c, read_stencil(c));
    const target t = find_target(c);
    return {tune(c, request, t, "a test", true, [] { return false; }), default_program(request, t.device)};
}

/// What is run, what is said and the times agree.
void check_agreement(const tuned& t) {
    const tuning_report& r = t.outcome.report;
    REQUIRE(t.outcome.winner);
    REQUIRE(r.best);
    REQUIRE(r.default_time > 0);
    const bool faster = r.default_time < 0.98 * r.best->time;
    CAPTURE(r.default_time, r.best->time);
    CHECK(r.untuned_is_faster == faster);
    CHECK((*t.outcome.winner == t.untuned) == faster);
    const bool said = to_text(r).find("time steps run with the untuned default program") != std::string::npos;
    CHECK(said == faster);
}

} // namespace

TEST_CASE("time steps run with the untuned program where no configuration is faster") {
    // A work-group for each point takes 30 times as long.
    const tuned slow = tune_in("load = [\"global\"]\nVX = [1]\nTBx = [1]\nTBy = [1]\nCMx = [1]\n");
    check_agreement(slow);
    CHECK(slow.outcome.report.untuned_is_faster);
    CHECK(slow.outcome.report.best->text.find("TBx=1 ") != std::string::npos);
}

TEST_CASE("time steps run with the best configuration where that is faster") {
    // It is on an idle machine; where the machine is busy, either may be.
    check_agreement(tune_in("load = [\"vector\"]\nVX = [16]\nTBx = [4, 16]\nTBy = [1]\nCMx = [8]\n"));
}
