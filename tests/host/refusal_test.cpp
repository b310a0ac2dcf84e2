#include "tests/catch.hpp"
#include "tests/host/fixture.hpp"

#include <fmt/format.h>

using namespace gst;
using namespace gst::test;

namespace {

/// What the user reads who names this file as a strategy.
std::string refusal(const std::filesystem::path& file) {
    return failure([&] { find_plugin("search", file.string(), "/"); });
}

std::string refused(const std::filesystem::path& file, const std::string& why) {
    return fmt::format("3 the plugin {} is refused: {}", file.string(), why);
}

} // namespace

TEST_CASE("a plugin without fault is accepted") {
    const plugin& p = find_plugin("search", built("search_good.so").string(), "/");
    CHECK(p.name == "good");
    CHECK(p.version == "2.1");
    CHECK(p.options.size() == 7);
    CHECK(&find_plugin("search", built("search_good.so").string(), "/") == &p);
}

TEST_CASE("a library without the symbol is refused") {
    const auto file = built("search_no_symbol.so");
    CHECK(
        refusal(file) ==
        refused(file, "it exports no 'gst_plugin': it is no plugin of gst, or lacks GST_SEARCH_PLUGIN(…) or its like"));
}

TEST_CASE("a plugin for an older or a newer interface is refused, each with its remedy") {
    CHECK(refusal(built("search_older.so")) ==
          refused(built("search_older.so"),
                  fmt::format("it was built for an older gst (plugin interface {}, this gst has {}): build it again",
                              GST_PLUGIN_API - 1, GST_PLUGIN_API)));
    CHECK(refusal(built("search_newer.so")) ==
          refused(built("search_newer.so"),
                  fmt::format("it was built for a newer gst (plugin interface {}, this gst has {}): update gst",
                              GST_PLUGIN_API + 1, GST_PLUGIN_API)));
}

TEST_CASE("a plugin whose descriptor has another size is refused") {
    const auto file = built("search_smaller.so");
    CHECK(refusal(file) ==
          refused(file, "its descriptor has 48 bytes, not 80: build it again with this gst's core/api/plugin.hpp"));
}

TEST_CASE("a plugin of another compiler or C++ library is refused") {
    const auto file = built("search_other_abi.so");
    CHECK(refusal(file) == refused(file, "it was built with another compiler or C++ library (msvc-1940, this gst has "
                                         "itanium-libstdc++-cxx11-1-pointer8-long8): build it again"));
}

TEST_CASE("a plugin with an incomplete descriptor is refused") {
    const auto file = built("search_incomplete.so");
    CHECK(refusal(file) ==
          refused(file, "its descriptor is incomplete: define it with GST_SEARCH_PLUGIN(…) or its like"));
}

TEST_CASE("a plugin whose options are declared wrongly is refused") {
    CHECK(refusal(built("search_bad_default.so")) ==
          refused(built("search_bad_default.so"),
                  "its option 'request' is declared wrongly: its default 0 is not an integer from 1 to 8"));
    CHECK(refusal(built("search_bad_type.so")) ==
          refused(built("search_bad_type.so"), "its option 'request' is declared wrongly: 'number' is none of integer, "
                                               "real, boolean, text and path"));
    CHECK(refusal(built("search_twice.so")) ==
          refused(built("search_twice.so"), "its option 'request' is declared wrongly: it is declared twice"));
}

TEST_CASE("a plugin that needs a missing function is refused, by its version first") {
    const auto file = built("search_needs_function.so");
    CHECK(refusal(file) == refused(file, "it needs '_ZN3gst27function_of_another_versionEv', which this gst does not "
                                         "have: build it again against this gst"));
    const auto older = built("search_older_needs_function.so");
    CHECK(refusal(older) ==
          refused(older,
                  fmt::format("it was built for an older gst (plugin interface {}, this gst has {}): build it again",
                              GST_PLUGIN_API - 1, GST_PLUGIN_API)));
}

TEST_CASE("a plugin that links to a missing library is refused, and accepted once the library is there") {
    const scratch alone;
    const auto file = alone.copy("search_needs_library.so", "search_needs_library.so");
    CHECK(refusal(file) == refused(file, "it needs the library 'libgone.so', which was not found: install it, or add "
                                         "its directory to LD_LIBRARY_PATH"));
    std::filesystem::copy_file(built("gone/libgone.so"), alone.path / "libgone.so");
    CHECK(refusal(file) == "");
}

TEST_CASE("a file that is no shared library is refused") {
    const scratch here;
    const auto text = here.write("search_text.so",
                                 "import numpy\nprint('this is a script, not a shared library, and long enough')\n");
    CHECK(refusal(text) == refused(text, "it is not a shared library that this machine can load (invalid ELF header)"));
    const auto empty = here.write("search_empty.so", "");
    CHECK(refusal(empty) == refused(empty, "it is not a shared library that this machine can load (file too short)"));
}

TEST_CASE("a missing file, a directory and a plugin of another kind are the user's mistakes") {
    const scratch here;
    CHECK(refusal(here.path / "search_x.so") ==
          fmt::format("2 error: '{}/search_x.so' is no plugin: there is no such file\n  a path is relative to the file "
                      "it is written in, on the command line to the working directory",
                      here.path.string()));
    CHECK(refusal(here.path) ==
          fmt::format("2 error: '{}' is no plugin: it is a directory: name the .so file in it\n  a path is relative to "
                      "the file it is written in, on the command line to the working directory",
                      here.path.string()));
    for (const std::uintmax_t bytes : {100, 5000}) { // loading the latter would end the process
        const std::filesystem::path cut = here.path / "cut.so";
        std::filesystem::copy_file(built("search_good.so"), cut, std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(cut, bytes);
        CHECK(refusal(cut).find(" is refused: it is cut off: build or copy it again") != std::string::npos);
    }
    CHECK(refusal("/dev/null") ==
          "2 error: '/dev/null' is no plugin: it is not a regular file\n  a path is relative to "
          "the file it is written in, on the command line to the working directory");
    const auto backend = built("backend_throwing.so");
    CHECK(refusal(backend) ==
          fmt::format("2 error: '{}' is a backend plugin, not a search plugin\n  `gst plugins` lists "
                      "the plugins of each kind",
                      backend.string()));
}
