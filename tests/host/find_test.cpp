#include "core/host/library.hpp"
#include "tests/catch.hpp"
#include "tests/host/fixture.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace gst;
using namespace gst::test;

namespace {

diagnostic in_toml(const std::string& option, std::string message) {
    static const auto toml = std::make_shared<source>(source{"app.toml", "strategy = 'x'\nrequest = 0\n"});
    return {std::move(message), toml, option.empty() ? span{11, 14} : span{25, 26}, ""};
}

/// The listing of one file, as one line.
std::string listed(const std::vector<plugin_listing>& all, const std::filesystem::path& file) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& l) { return l.file == file; });
    if (found == all.end()) {
        return "not listed";
    }
    return fmt::format("{} {}: {}", found->kind, found->name,
                       found->accepted != nullptr ? found->accepted->summary : found->refusal);
}

} // namespace

TEST_CASE("a plugin is found by name in GST_PLUGIN_PATH, the first directory first") {
    const scratch first;
    const scratch second;
    first.copy("search_good.so", "search_good.so");
    second.copy("search_good.so", "search_good.so");
    second.copy("search_throwing.so", "search_throwing.so");
    const plugin_path set(fmt::format(":{}:/does/not/exist::{}:", first.path.string(), second.path.string()));
    CHECK(plugin_directories() == std::vector<std::filesystem::path>{first.path, "/does/not/exist", second.path,
                                                                     std::filesystem::path(GST_BINARY_DIR "/lib/gst")});
    CHECK(find_plugin("search", "good", "/").file == first.path / "search_good.so");
    CHECK(find_plugin("search", "throwing", "/").file == second.path / "search_throwing.so");
}

TEST_CASE("without GST_PLUGIN_PATH plugins lie in gst beside the running library") {
    CHECK(plugin_directories() == std::vector<std::filesystem::path>{core_directory() / "gst"});
    CHECK(std::filesystem::exists(core_directory() / "libgst.so"));
}

TEST_CASE("a relative directory in GST_PLUGIN_PATH is an error") {
    const plugin_path set("/usr:plugins");
    CHECK(failure([] { plugin_directories(); }) == "2 error: GST_PLUGIN_PATH holds the relative directory 'plugins'\n"
                                                   "  write absolute directories, separated by ':'");
}

TEST_CASE("a path is relative to the directory that is given, never to the working directory") {
    const scratch here;
    here.copy("search_good.so", "mine.so");
    std::filesystem::create_directory(here.path / "sub");
    CHECK(find_plugin("search", "mine.so", here.path).file == here.path / "mine.so");
    CHECK(find_plugin("search", "../mine.so", here.path / "sub").file == here.path / "mine.so");
    const scratch working;
    working.copy("search_good.so", "search_here.so");
    const auto before = std::filesystem::current_path();
    std::filesystem::current_path(working.path);
    CHECK(failure([] { find_plugin("search", "search_here.so", "/usr"); }) ==
          "2 error: '/usr/search_here.so' is no plugin: there is no such file\n  a path is relative to the file it is "
          "written in, on the command line to the working directory");
    CHECK(failure([] { find_plugin("search", "here", ""); }).starts_with("2 error: there is no search plugin 'here'"));
    std::filesystem::current_path(before);
}

TEST_CASE("an unknown name shows its place, the nearest name, the known ones and where it was looked for") {
    const scratch here;
    here.copy("search_good.so", "search_good.so");
    here.copy("search_throwing.so", "search_throwing.so");
    here.copy("backend_throwing.so", "backend_goof.so");
    const plugin_path set(here.path.string());
    const std::string text = failure([] { find_plugin("search", "goof", "/", in_toml); });
    CHECK(text.starts_with("2 app.toml:1:12: error: there is no search plugin 'goof' – did you mean 'good'?\n"
                           "  strategy = 'x'\n"
                           "             ^~~\n"
                           "  known: "));
    CHECK(text.find("good") != std::string::npos);
    CHECK(text.ends_with(fmt::format("; looked for search_goof.so in {} and {}", here.path.string(),
                                     (core_directory() / "gst").string())));
}

TEST_CASE("a file whose plugin has another name is refused when it is asked for by name, not by path") {
    const scratch here;
    const auto file = here.copy("search_good.so", "search_better.so");
    const plugin_path set(here.path.string());
    CHECK(failure([] { find_plugin("search", "better", "/"); }) ==
          fmt::format("3 the plugin {} is refused: it is the search plugin 'good': rename the file to search_good.so",
                      file.string()));
    CHECK(find_plugin("search", file.string(), "/").name == "good");
}

TEST_CASE("the listing shows every plugin, or why it is refused") {
    const scratch first;
    const scratch second;
    first.copy("search_good.so", "search_good.so");
    first.copy("search_older.so", "search_older.so");
    first.copy("backend_throwing.so", "backend_throwing.so");
    first.copy("search_throwing.so", "search_other.so");
    first.write("README", "no plugin");
    first.write("libother.so", "no plugin either");
    second.copy("search_good.so", "search_good.so");
    std::filesystem::create_directory(first.path / "predictor_x.so");
    const plugin_path set(first.path.string() + ":" + second.path.string());
    const std::vector<plugin_listing> all = list_plugins();
    CHECK(listed(all, first.path / "search_good.so") == "search good: a plugin without fault");
    CHECK(listed(all, first.path / "backend_throwing.so") == "backend throwing: every call fails but open");
    CHECK(listed(all, first.path / "search_older.so") ==
          fmt::format(
              "search older: it was built for an older gst (plugin interface {}, this gst has {}): build it again",
              GST_PLUGIN_API - 1, GST_PLUGIN_API));
    CHECK(listed(all, first.path / "search_other.so") ==
          "search other: it is the search plugin 'throwing': rename the file to search_throwing.so");
    CHECK(listed(all, second.path / "search_good.so") ==
          "search good: another file of this name comes first in GST_PLUGIN_PATH");
    CHECK(listed(all, first.path / "predictor_x.so") == "predictor x: it is a directory: name the .so file in it");
    CHECK(listed(all, first.path / "README") == "not listed");
    CHECK(listed(all, first.path / "libother.so") == "not listed");
}

TEST_CASE("a plugin directory that cannot be listed is an error") {
    const scratch here;
    const auto file = here.write("plugins", "a file, not a directory");
    const plugin_path set(file.string());
    CHECK(failure([] { list_plugins(); }) ==
          fmt::format("3 the plugins in {} cannot be listed: Not a directory", file.string()));
}
