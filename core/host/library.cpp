#define BOOST_DLL_USE_STD_FS
#include "core/host/library.hpp"

#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/dll/shared_library.hpp>
#include <fmt/format.h>

#include <dlfcn.h>
#include <map>
#include <mutex>
#include <string_view>

namespace gst {

namespace {

namespace dll = boost::dll;

struct registry {
    std::mutex access;
    std::map<std::filesystem::path, dll::shared_library> opened;
};

/// Leaked on purpose: objects and exceptions of a plugin may live as long as the process.
registry& libraries() {
    static registry* all = new registry;
    return *all;
}

/// The linker's own text is in dlerror; the error code of Boost.DLL says nothing.
std::string linker_error() {
    const char* text = dlerror();
    return text == nullptr ? "unknown reason" : text;
}

/// What the linker's text means to the user.
std::string explain(const std::filesystem::path& file, std::string text) {
    constexpr std::string_view missing_library = ": cannot open shared object file";
    constexpr std::string_view missing_symbol = "undefined symbol: ";
    if (const auto at = text.find(missing_symbol); at != std::string::npos) {
        const std::string symbol = text.substr(at + missing_symbol.size());
        return fmt::format("it needs '{}', which this gst does not have: build it again against this gst",
                           symbol.substr(0, symbol.find_first_of(", ")));
    }
    if (text.starts_with(file.string() + ": ")) {
        text.erase(0, file.string().size() + 2);
    } else if (const auto at = text.find(missing_library); at != std::string::npos) {
        return fmt::format(
            "it needs the library '{}', which was not found: install it, or add its directory to LD_LIBRARY_PATH",
            text.substr(0, at));
    }
    return fmt::format("it is not a shared library that this machine can load ({})", text);
}

} // namespace

std::variant<const gst_plugin_descriptor*, std::string> open_library(const std::filesystem::path& file) {
    registry& all = libraries();
    const std::lock_guard lock(all.access);
    dll::shared_library& library = all.opened[file];
    if (!library.is_loaded()) {
        // Lazily: an older plugin may lack functions, and is to be told by its version.
        dll::fs::error_code failed;
        library.load(file, failed, dll::load_mode::rtld_lazy);
        if (!library.is_loaded()) {
            const std::string text = linker_error();
            all.opened.erase(file);
            return explain(file, text);
        }
    }
    if (!library.has(GST_STRINGIZE(GST_PLUGIN_SYMBOL))) {
        return std::string("it exports no '" GST_STRINGIZE(
            GST_PLUGIN_SYMBOL) "': it is no plugin of gst, or lacks GST_SEARCH_PLUGIN(…) or its like");
    }
    return &library.get<const gst_plugin_descriptor>(GST_STRINGIZE(GST_PLUGIN_SYMBOL));
}

std::string resolve_library(const std::filesystem::path& file) {
    dll::shared_library now;
    dll::fs::error_code failed;
    now.load(file, failed, dll::load_mode::rtld_now);
    return now.is_loaded() ? "" : explain(file, linker_error());
}

std::filesystem::path core_directory() {
    return std::filesystem::canonical(dll::this_line_location()).parent_path();
}

} // namespace gst
