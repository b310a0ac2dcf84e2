#include "tests/app/shell.hpp"
#include "tests/catch.hpp"

using namespace gst;

namespace {

/// The arguments that tune with this script as an external program.
std::string tune_with(const playground& here, const std::string& script) {
    const std::filesystem::path program = here.folder().write("script.sh", "#!/bin/sh\n" + script);
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return "tune --quiet examples/external/app.toml --set search.options.program='" + program.string() + "'";
}

} // namespace

TEST_CASE("an external program and all that it has started end with gst, however that ends") {
    for (const int signal : {SIGKILL, SIGTERM, SIGINT}) {
        INFO(signal);
        const playground here;
        running_command tuning =
            here.start_gst(tune_with(here, "sleep 1000 &\ntouch started\ntrap '' TERM INT\nsleep 1000\n"));
        REQUIRE(eventually([&] { return std::filesystem::exists(here.folder().path() / "started"); }));
        CHECK(eventually([&] {
            return tuning.processes() >= 4;
        })); // gst, the program, what it has started, and who watches over them
        tuning.signal(signal);
        CHECK(tuning.finish().code == 128 + signal);
        CHECK(eventually([&] { return tuning.processes() == 0; }, 5));
    }
}

TEST_CASE("an external program's mistake is an error with exit code 2, and nothing of it stays") {
    const playground here;
    running_command tuning = here.start_gst(tune_with(here, "sleep 1000 &\necho Hello\nsleep 1000\n"));
    const finished_command done = tuning.finish();
    CHECK(done.code == 2);
    CHECK(done.err.find("script.sh said:1:1: error: this is no JSON\n  Hello\n  ^~~~~\n") != std::string::npos);
    CHECK(eventually([&] { return tuning.processes() == 0; }, 5));
}
