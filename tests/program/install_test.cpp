#include "tests/app/shell.hpp"
#include "tests/catch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

using namespace gst;
using nlohmann::json;

namespace {

/// The strategy that docs/plugins.md shows.
std::string documented_strategy() {
    const std::string text = text_of(std::filesystem::path(GST_SOURCE_DIR) / "docs/plugins.md");
    const std::string fence = "```cpp\n";
    const std::size_t begin = text.find(fence) + fence.size();
    return text.substr(begin, text.find("```", begin) - begin);
}

} // namespace

TEST_CASE("an installed tree runs where it was moved to, without anything around it", "[install]") {
    const playground here;
    const auto succeeds = [&](const std::string& command) {
        const finished_command c = here.run(command);
        INFO(command << "\n" << c.out << c.err);
        CHECK(c.code == 0);
        return c.out;
    };
    succeeds("cmake --install build/ --prefix \"$PWD/first\" && "
             "cmake --install build/ --prefix \"$PWD/first\" --component libraries && mv first 'moved here'");
    const std::string tree = (here.folder() / "moved here").string();

    constexpr std::array belongs_to_the_machine{"linux-vdso", "/ld-linux",     "libc.so",     "libm.so",
                                                "libdl.so",   "libpthread.so", "libgcc_s.so", "libstdc++.so"};
    // Nothing comes from the build, and of other projects' libraries only those that belong to the machine.
    for (const std::string file :
         {"bin/gst", "bin/gst-worker", "lib/gst/backend_opencl.so", "lib/gst/backend_cuda.so"}) {
        std::istringstream lines(succeeds("ldd 'moved here/" + file + "'"));
        for (std::string line; std::getline(lines, line);) {
            const bool machine = std::ranges::any_of(
                belongs_to_the_machine, [&](const char* name) { return line.find(name) != std::string::npos; });
            INFO(file << ": " << line);
            CHECK((machine || line.find("=> " + tree) != std::string::npos));
        }
    }

    const std::string gst = "env -i 'moved here/bin/gst' ";
    CHECK(succeeds(gst + "devices").find("opencl") != std::string::npos);
    const json devices = json::parse(succeeds(gst + "devices --backend opencl --json"));
    CHECK_FALSE(devices.empty());
    for (const json& device : devices) {
        CHECK(device["language"].get<std::string>().starts_with("opencl"));
        CHECK(device["work_items"].size() == 3);
        CHECK(device["work_items"][0] > 0); // of a dimension, which some drivers allow more of than of a work-group
        CHECK(device["work_group"] > 0);
    }
    const json plugins = json::parse(succeeds(gst + "plugins --json"));
    std::size_t built = 0;
    for (const auto& file : std::filesystem::directory_iterator(GST_BINARY_DIR "/lib/gst")) {
        built += file.path().extension() == ".so" ? 1 : 0;
    }
    CHECK(built > 10);
    CHECK(plugins.size() == built);
    CHECK(plugins.dump().find(GST_BINARY_DIR) == std::string::npos);
    const std::string run = "run 'moved here/share/gst/examples/heat3d/app.toml' --set grid.size=[16,16,16] "
                            "--set budget.evaluations=2 --set run.steps=3 --set run.output=results "
                            "--set store.path=results.db";
    CHECK(succeeds(gst + run).find("3 steps in ") != std::string::npos);
    CHECK(std::filesystem::exists(here.folder() / "results/u_000003.npy"));

    // A plugin that is built against the tree.
    here.folder().write("plugin/local_search.cpp", documented_strategy());
    here.folder().write("plugin/CMakeLists.txt", "cmake_minimum_required(VERSION 3.25)\n"
                                                 "project(mine CXX)\n"
                                                 "find_package(gst 0.1 REQUIRED)\n"
                                                 "gst_add_plugin(search_local_search local_search.cpp)\n");
    ::setenv("CMAKE_GENERATOR", "Ninja", 1); // what bootstrap installs; make may be missing
    succeeds("cmake -S plugin -B plugin/build -DCMAKE_PREFIX_PATH=\"$PWD/moved here\" && cmake --build plugin/build");
    CHECK(succeeds("env -i GST_PLUGIN_PATH=\"$PWD/plugin/build\" 'moved here/bin/gst' plugins local_search")
              .find("walks to the best neighbour from random starts") != std::string::npos);

    // One that gst begins.
    CHECK(succeeds(gst + "new search tabu").find("cmake -S tabu -B tabu/build") != std::string::npos);
    succeeds("cmake -S tabu -B tabu/build -DCMAKE_PREFIX_PATH=\"$PWD/moved here\" && cmake --build tabu/build && "
             "ctest --test-dir tabu/build --output-on-failure");
    const json compared = json::parse(text_of(here.folder() / "tabu/build/results/comparison.json"));
    CHECK(compared.dump().find("tabu") != std::string::npos);
    CHECK(succeeds(gst + "new predictor shepard").find("shepard/ has a working predictor") != std::string::npos);
    succeeds("cmake -S shepard -B shepard/build -DCMAKE_PREFIX_PATH=\"$PWD/moved here\" && "
             "cmake --build shepard/build");
    const std::string trained = succeeds("ctest --test-dir shepard/build --verbose");
    CHECK(trained.find("shepard ") != std::string::npos);
    CHECK(trained.find("nearest neighbour ") != std::string::npos);
    CHECK(text_of(here.folder() / "shepard/build/models/hybrid.model").find("predictor \"shepard\" \"0.1\"") !=
          std::string::npos);
    const finished_command again = here.run(gst + "new search tabu");
    CHECK(again.code == 2);
    CHECK(again.err.find("'tabu' exists") != std::string::npos);
    CHECK(here.run(gst + "new search Tabu").code == 2);
}

TEST_CASE("cpack makes one archive of the tree", "[install]") {
    const playground here;
    const finished_command packed = here.run("cpack --config build/CPackConfig.cmake -B \"$PWD/packages\"");
    INFO(packed.out << packed.err);
    REQUIRE(packed.code == 0);
    const std::string listed = here.run("tar tzf packages/*.tar.gz").out;
    for (const std::string file : {"/bin/gst-worker\n", "/lib/gst/search_random.so\n", "/lib/libxxhash.so.0\n",
                                   "/share/gst/examples/heat3d/app.toml\n", "/lib/cmake/gst/gstConfig.cmake\n"}) {
        CHECK(listed.find(file) != std::string::npos);
    }
}
