#include "tests/catch.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

using names = std::set<std::string>;

/// What each room may include, beside itself: everything above it in the table of rooms that it builds on.
const std::map<std::string, names>& allowed() {
    static const std::map<std::string, names> table = [] {
        std::map<std::string, names> t;
        t["core/base"] = {};
        t["core/space"] = {"core/base"};
        t["core/stencil"] = {"core/base"};
        t["core/codegen"] = {"core/base", "core/space", "core/stencil"};
        t["core/api"] = {"core/base", "core/space", "core/stencil", "core/codegen"};
        const auto after = [&](const std::string& room, const names& direct) {
            names all = direct;
            for (const std::string& above : direct) {
                all.insert(t.at(above).begin(), t.at(above).end());
            }
            t[room] = all;
        };
        after("core/host", {"core/api"});
        after("core/measure", {"core/api", "core/host"});
        after("core/store", {"core/api"});
        after("core/tune", {"core/measure", "core/store"});
        after("core/run", {"core/measure"});
        after("core/report", {"core/store"});
        t["dsl"] = {"core/base", "core/space", "core/stencil"};
        after("core/app", {"core/tune", "core/run", "core/report", "dsl"});
        // A strategy sees no stencils and no programs; a backend sees programs.
        t["plugins/search"] = {"core/base", "core/space", "core/api"};
        t["plugins/new"] = {"core/base", "core/space", "core/api"}; // what `gst new` copies
        t["plugins/predictor"] = {"core/base", "core/space", "core/api"};
        t["backends/nvidia"] = {}; // what NVIDIA's drivers have in common
        after("backends/cuda", {"core/api", "backends/nvidia"});
        after("backends/opencl", {"core/api", "backends/nvidia"});
        return t;
    }();
    return table;
}

/// The room of a path from the project root, or "" outside all rooms.
std::string room_of(const std::string& path) {
    for (const auto& [room, may] : allowed()) {
        if (path.rfind(room + "/", 0) == 0) {
            return room;
        }
    }
    return "";
}

std::vector<std::string> includes_of(const std::string& text) {
    static const std::regex line("(?:^|\n)[ \t]*#[ \t]*include[ \t]*\"([^\"]+)\"");
    std::vector<std::string> out;
    for (std::sregex_iterator at(text.begin(), text.end(), line), end; at != end; ++at) {
        out.push_back((*at)[1]);
    }
    return out;
}

/// The includes of a file that its room forbids.
std::vector<std::string> violations(const std::string& path, const std::string& text) {
    const std::string room = room_of(path);
    std::vector<std::string> out;
    for (const std::string& included : includes_of(text)) {
        const std::string other = room_of(included);
        if (other != room && allowed().at(room).count(other) == 0) {
            out.push_back(path + " includes " + included);
        }
    }
    return out;
}

std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

const fs::path root = GST_SOURCE_DIR;

/// Every source of the project, by its path from the root.
std::vector<std::string> sources() {
    std::vector<std::string> out;
    for (const char* folder : {"core", "dsl", "plugins", "backends"}) {
        for (const fs::directory_entry& e : fs::recursive_directory_iterator(root / folder)) {
            if (e.path().extension() == ".cpp" || e.path().extension() == ".hpp") {
                out.push_back(e.path().lexically_relative(root).string());
            }
        }
    }
    return out;
}

names reached_from(const std::string& file) {
    names seen{file};
    std::vector<std::string> open{file};
    while (!open.empty()) {
        const std::string next = open.back();
        open.pop_back();
        for (const std::string& included : includes_of(read(root / next))) {
            if (seen.insert(included).second) {
                open.push_back(included);
            }
        }
    }
    return seen;
}

} // namespace

TEST_CASE("an include that points down the table of rooms is found") {
    CHECK(violations("core/space/a.cpp", "#include \"core/base/error.hpp\"\n#include <map>\n").empty());
    CHECK(violations("core/space/a.cpp", "#include \"core/stencil/stencil.hpp\"\n") ==
          std::vector<std::string>{"core/space/a.cpp includes core/stencil/stencil.hpp"});
    CHECK(violations("core/tune/a.cpp", "\n#include \"plugins/search/ranks.hpp\"").size() == 1);
    CHECK(violations("plugins/search/a.cpp", "#include \"core/codegen/program.hpp\"").size() == 1);
    CHECK(violations("core/tune/a.cpp", "#include \"error.hpp\"").size() == 1);
}

TEST_CASE("includes point up the table of rooms only") {
    const std::vector<std::string> all = sources();
    CHECK(all.size() > 100);
    std::vector<std::string> found;
    for (const std::string& path : all) {
        INFO(path);
        REQUIRE(!room_of(path).empty());
        for (const std::string& violation : violations(path, read(root / path))) {
            found.push_back(violation);
        }
    }
    CHECK(found == std::vector<std::string>{});
}

TEST_CASE("what a strategy includes reaches no stencil and no program") {
    for (const char* header : {"core/api/search.hpp", "core/api/plugin.hpp"}) {
        for (const std::string& reached : reached_from(header)) {
            INFO(header << " reaches " << reached);
            CHECK(room_of(reached) != "core/stencil");
            CHECK(room_of(reached) != "core/codegen");
        }
    }
}
