#define BOOST_DLL_USE_STD_FS
#include "core/host/library.hpp"

#include <boost/dll/runtime_symbol_info.hpp>
#include <boost/dll/shared_library.hpp>
#include <fmt/format.h>

#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <fstream>
#include <link.h>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

namespace gst {

namespace {

namespace dll = boost::dll;

/// Leaked on purpose: objects and exceptions of a plugin may live as long as the process.
struct registry {
    std::mutex access;
    std::vector<dll::shared_library> opened;
};

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

bool is_cut_off(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    ElfW(Ehdr) head{};
    if (!in.read(reinterpret_cast<char*>(&head), sizeof head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) {
        return false;
    }
    const std::uintmax_t size = std::filesystem::file_size(file);
    bool cut = head.e_shoff + std::uintmax_t{head.e_shnum} * head.e_shentsize > size;
    in.seekg(static_cast<std::streamoff>(head.e_phoff));
    ElfW(Phdr) part{};
    for (int i = 0; i < head.e_phnum && !cut; ++i) {
        cut = head.e_phentsize != sizeof part || !in.read(reinterpret_cast<char*>(&part), sizeof part) ||
              part.p_offset + part.p_filesz > size;
    }
    return cut;
}

opened_library open_library(const std::filesystem::path& file) {
    opened_library result;
    dll::shared_library library;
    dll::fs::error_code failed;
    library.load(file, failed, dll::load_mode::rtld_now);
    if (!library.is_loaded()) {
        result.fault = explain(file, linker_error());
        library.load(file, failed, dll::load_mode::rtld_lazy); // enough to read the descriptor
        if (!library.is_loaded()) {
            return result;
        }
    }
    if (library.has(GST_STRINGIZE(GST_PLUGIN_SYMBOL))) {
        result.descriptor = &library.get<const gst_plugin_descriptor>(GST_STRINGIZE(GST_PLUGIN_SYMBOL));
    } else {
        result.fault = "it exports no '" GST_STRINGIZE(
            GST_PLUGIN_SYMBOL) "': it is no plugin of gst, or lacks GST_SEARCH_PLUGIN(…) or its like";
    }
    registry& all = libraries();
    const std::lock_guard lock(all.access);
    all.opened.push_back(std::move(library));
    return result;
}

std::filesystem::path core_directory() {
    return std::filesystem::canonical(dll::this_line_location()).parent_path();
}

} // namespace gst
