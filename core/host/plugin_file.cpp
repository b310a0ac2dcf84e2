#include "core/host/plugin_file.hpp"

#include "core/host/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string_view>

namespace gst {

namespace {

struct registry {
    std::mutex access;
    std::map<std::filesystem::path, std::unique_ptr<plugin>> accepted;
};

/// Leaked on purpose, as the libraries are.
registry& plugins() {
    static registry* all = new registry;
    return *all;
}

std::string unusable_file(const std::filesystem::path& file) {
    std::error_code ignored;
    const auto type = std::filesystem::status(file, ignored).type();
    if (type == std::filesystem::file_type::regular) {
        return is_cut_off(file) ? "it is cut off: build or copy it again" : "";
    }
    return type == std::filesystem::file_type::directory ? "it is a directory: name the .so file in it"
           : std::filesystem::exists(file, ignored)      ? "it is not a regular file"
                                                         : "there is no such file";
}

/// Why the descriptor cannot be used, or "". Each check makes the next one's reads safe.
std::string objection(const gst_plugin_descriptor& d) {
    if (d.api < GST_PLUGIN_API) {
        return fmt::format("it was built for an older gst (plugin interface {}, this gst has {}): build it again",
                           d.api, GST_PLUGIN_API);
    }
    if (d.api > GST_PLUGIN_API) {
        return fmt::format("it was built for a newer gst (plugin interface {}, this gst has {}): update gst", d.api,
                           GST_PLUGIN_API);
    }
    if (d.size != sizeof(gst_plugin_descriptor)) {
        return fmt::format("its descriptor has {} bytes, not {}: build it again with this gst's core/api/plugin.hpp",
                           d.size, sizeof(gst_plugin_descriptor));
    }
    if (d.abi == nullptr || std::string_view(d.abi) != GST_PLUGIN_ABI) {
        return fmt::format("it was built with another compiler or C++ library ({}, this gst has {}): build it again",
                           d.abi == nullptr ? "unknown" : d.abi, GST_PLUGIN_ABI);
    }
    const char* const texts[] = {d.kind, d.name, d.version, d.summary};
    const bool complete = std::none_of(std::begin(texts), std::end(texts), [](auto* t) { return t == nullptr; }) &&
                          d.create != nullptr && d.destroy != nullptr && (d.options != nullptr || d.option_count == 0);
    return complete ? "" : "its descriptor is incomplete: define it with GST_SEARCH_PLUGIN(…) or its like";
}

} // namespace

std::variant<const plugin*, std::string> open_plugin(const std::filesystem::path& file) {
    if (std::string why = unusable_file(file); !why.empty()) {
        return why;
    }
    const std::filesystem::path path = std::filesystem::canonical(file);
    registry& all = plugins();
    const std::lock_guard lock(all.access);
    if (const auto found = all.accepted.find(path); found != all.accepted.end()) {
        return found->second.get();
    }
    const opened_library library = open_library(path);
    if (library.descriptor == nullptr) {
        return library.fault;
    }
    const gst_plugin_descriptor& d = *library.descriptor;
    if (std::string why = objection(d); !why.empty()) {
        return why;
    }
    if (!library.fault.empty()) {
        return library.fault;
    }
    auto accepted = std::make_unique<plugin>();
    try {
        *accepted = {path, d.kind, d.name, d.version, d.summary, read_schema(d), &d};
    } catch (const std::invalid_argument& error) {
        return std::string(error.what());
    }
    return (all.accepted[path] = std::move(accepted)).get();
}

} // namespace gst
