#include "core/app/pipeline.hpp"
#include "core/report/summary.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

#include <nlohmann/json.hpp>

using namespace gst;

namespace {

/// Tunes in a sub-space of the restricted one, with one database for all searches in a folder.
tuning_outcome tune_in(const temporary_folder& folder, const std::string& work_items, int evaluations,
                       const std::string& more = "", int seed = 1) {
    folder.write("five.gst", "stencil five(x, y) {\n    field u\n"
                             "    u[t+1] = 0.2*(u + u[x-1] + u[x+1] + u[y-1] + u[y+1])\n}\n");
    const auto file = folder.write(
        "app.toml",
        "seed = " + std::to_string(seed) +
            "\n[stencil]\nfile = \"five.gst\"\n[grid]\nsize = [2048, 1024]\n[store]\npath = \"results.db\"\n"
            "[search]\nstrategy = \"exhaustive\"\n[budget]\nevaluations = " +
            std::to_string(evaluations) + "\n[space]\npreset = \"garvey\"\n[space.domain]\nCMx = [1]\n" +
            "CMy = [1]\nTBy = [1]\nload = [\"global\"]\nVX = [1]\nTBx = " + work_items + "\n" + more);
    const config c = read_config(file, {});
    const tuning_request request = read_request(c, read_stencil(c));
    return tune(c, request, find_target(c), "a test", true, [] { return false; });
}

const value& work_items_of(const tuning_report::found& f) {
    for (const auto& [name, v] : f.configuration) {
        if (name == "TBx") {
            return v;
        }
    }
    throw std::logic_error("no TBx");
}

} // namespace

TEST_CASE("time steps run with what an earlier search has found where that is faster") {
    const temporary_folder folder;
    const tuning_outcome fast = tune_in(folder, "[32]", 1);
    REQUIRE(fast.report.best);
    CHECK_FALSE(fast.report.earlier);                       // it is the best itself
    CHECK_FALSE(tune_in(folder, "[32]", 1).report.earlier); // and again, whatever it takes this time

    // A work-group for each point takes some 30 times as long: of both the search sees that one alone.
    const tuning_outcome slow = tune_in(folder, "[1, 32]", 1);
    REQUIRE(slow.report.best);
    REQUIRE(slow.report.evaluations == 1);
    REQUIRE(work_items_of(*slow.report.best) == value(std::int64_t{1}));
    REQUIRE(slow.winner);
    const auto said = [](const tuning_outcome& o) {
        return to_text(o.report).find("an earlier search found one of") != std::string::npos;
    };
    CHECK(said(slow) == slow.report.earlier.has_value());
    CHECK(to_json(slow.report)["earlier"].is_null() == !slow.report.earlier);
    if (!slow.report.untuned_is_faster) { // that may be on a busy machine
        REQUIRE(slow.report.earlier);
        CHECK(work_items_of(*slow.report.earlier) == value(std::int64_t{32}));
        CHECK(to_json(slow.report)["earlier"]["configuration"]["TBx"] == 32);
        CHECK((slow.winner == fast.winner || fast.report.untuned_is_faster));
    }

    const tuning_report other_data = tune_in(folder, "[1, 32]", 1, "", 7).report;
    CHECK((other_data.earlier || other_data.untuned_is_faster));
    CHECK_FALSE(tune_in(folder, "[1]", 1).report.earlier); // of what is asked for there is nothing faster
    CHECK_FALSE(tune_in(folder, "[1, 32]", 1, "[measure]\nmin_repetitions = 3\n").report.earlier); // another method
}
