#pragma once

#include "core/base/error.hpp"
#include "core/host/find_plugin.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

namespace gst::test {

/// A really built plugin of tests/host/plugins.
inline std::filesystem::path built(const std::string& file) {
    return std::filesystem::path(GST_BINARY_DIR "/tests/plugins") / file;
}

/// An empty directory that goes when the test ends.
struct scratch {
    scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "gst_host_XXXXXX").string();
        path = std::filesystem::canonical(mkdtemp(name.data()));
    }
    ~scratch() { std::filesystem::remove_all(path); }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
    /// The built plugin `from`, copied under another name.
    std::filesystem::path copy(const std::string& from, const std::string& to) const {
        std::filesystem::copy_file(built(from), path / to);
        return path / to;
    }
    std::filesystem::path write(const std::string& name, const std::string& text) const {
        std::ofstream(path / name) << text;
        return path / name;
    }
    std::filesystem::path path;
};

/// GST_PLUGIN_PATH for the length of a test.
struct plugin_path {
    explicit plugin_path(const std::string& text) { setenv("GST_PLUGIN_PATH", text.c_str(), 1); }
    ~plugin_path() { unsetenv("GST_PLUGIN_PATH"); }
    plugin_path(const plugin_path&) = delete;
    plugin_path& operator=(const plugin_path&) = delete;
};

/// The text of the machine_error or user_error that the call throws, with its exit code in front; "" when it throws
/// none.
template<class Call>
std::string failure(Call&& call) {
    try {
        call();
    } catch (const user_error& error) {
        return "2 " + std::string(error.what());
    } catch (const machine_error& error) {
        return "3 " + std::string(error.what());
    }
    return "";
}

} // namespace gst::test
