#include "tests/app/shell.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

using namespace gst;
using nlohmann::json;

TEST_CASE("every feature that gst prints is in docs/training.md") {
    const std::string documented = text_of(std::filesystem::path(GST_SOURCE_DIR) / "docs/training.md");
    const playground here;
    const finished_command done = here.gst("features --json examples/heat3d/app.toml");
    REQUIRE(done.code == 0);
    const json j = json::parse(done.out);
    CHECK(j.at("version") == 1);
    REQUIRE(j.at("features").size() > 40);
    for (const json& f : j.at("features")) {
        const std::string name = f.at("name");
        INFO(name);
        CHECK(documented.find('`' + name + '`') != std::string::npos);
        CHECK(f.at("value").is_number());
    }
    const finished_command text = here.gst("features examples/heat3d/app.toml");
    CHECK(text.code == 0);
    CHECK(text.out.find(
              "  size                 7            points      distinct offsets that are read (Garvey §6.1)\n") !=
          std::string::npos);
}

TEST_CASE("the features of a launch are of the configuration that is asked for") {
    const playground here;
    const auto asked = [&](const std::string& configuration) {
        return here.gst("features examples/heat3d/app.toml --configuration '" + configuration + "'");
    };
    const finished_command done = asked("WX=32 TBy=4 load=local");
    CHECK(done.code == 0);
    CHECK(done.out.find("launch: work-group 32 × 4 × 1,") != std::string::npos);
    CHECK(asked("32").err == "error: --configuration: '32' is not of the form NAME=VALUE\n"
                             "  for example --configuration 'TBx=32 TBy=4'\n");
    CHECK(asked("TBx=33").err == "error: --configuration: TBx cannot be 33\n"
                                 "  it is one of 1, 2, 4, 8, 16, 32, 64, 128 and 256\n");
    CHECK(asked("VX=4").err == "error: --configuration: 'VX=4' is not in the space: only load = vector has VX above 1, "
                               "and it needs at least 2\n"
                               "  gst space --explain lists the conditions\n");
    for (const std::string wrong : {"32", "TBx=33", "VX=4", "TBq=1"}) {
        CHECK(asked(wrong).code == 2);
    }
}

TEST_CASE("a configuration is shown as it is printed, and value by value") {
    const playground here;
    const auto shown = [&](const std::string& configuration) {
        return here.gst("show --stage schedule " + configuration + " examples/heat3d/app.toml");
    };
    const finished_command together = shown("--configuration 'WX=32 TBy=4 load=local'");
    CHECK(together.code == 0);
    CHECK(together.out.find("work-group 32 × 4 × 1") != std::string::npos);
    CHECK(shown("--configuration WX=32 --configuration TBy=4 --configuration load=local").out == together.out);
    CHECK(shown("--configuration VX=4").code == 2);
}
