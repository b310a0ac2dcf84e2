#include "core/host/find_plugin.hpp"

#include "core/base/error.hpp"
#include "core/host/library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string_view>
#include <tuple>

namespace gst {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 3> kinds{"search", "predictor", "backend"};

std::vector<std::string> texts(const std::vector<fs::path>& paths) {
    std::vector<std::string> out;
    std::transform(paths.begin(), paths.end(), std::back_inserter(out), [](const fs::path& p) { return p.string(); });
    return out;
}

/// The files of a directory; none when it is not there.
std::vector<fs::path> files_in(const fs::path& directory) {
    try {
        std::vector<fs::path> files;
        if (fs::exists(directory)) {
            files.assign(fs::directory_iterator(directory), fs::directory_iterator());
        }
        return files;
    } catch (const fs::filesystem_error& error) {
        throw machine_error(
            fmt::format("the plugins in {} cannot be listed: {}", directory.string(), error.code().message()));
    }
}

/// Files of plugin_directories() named <kind>_<name>.so: kind, name, number of the directory, file.
using candidate = std::tuple<std::string, std::string, std::size_t, fs::path>;

std::set<candidate> candidates() {
    std::set<candidate> found;
    const std::vector<fs::path> directories = plugin_directories();
    for (std::size_t i = 0; i < directories.size(); ++i) {
        for (const fs::path& file : files_in(directories[i])) {
            const std::string stem = file.stem().string();
            const std::string kind = stem.substr(0, stem.find('_'));
            if (file.extension() == ".so" && stem.size() > kind.size() + 1 &&
                std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) {
                found.emplace(kind, stem.substr(kind.size() + 1), i, file);
            }
        }
    }
    return found;
}

user_error unknown(const std::string& kind, const std::string& name, const plugin_place& place) {
    std::vector<std::string> known;
    for (const auto& [its_kind, its_name, order, file] : candidates()) {
        if (its_kind == kind && (known.empty() || known.back() != its_name)) {
            known.push_back(its_name);
        }
    }
    return user_error(
        mistake_at(place, "", fmt::format("there is no {} plugin '{}'{}", kind, name, did_you_mean(name, known)),
                   fmt::format("known: {}; looked for {}_{}.so in {}", known.empty() ? "none" : enumerate(known), kind,
                               name, enumerate(texts(plugin_directories())))));
}

fs::path file_named(const std::string& kind, const std::string& name, const plugin_place& place) {
    for (const fs::path& directory : plugin_directories()) {
        fs::path file = directory / fmt::format("{}_{}.so", kind, name);
        if (fs::exists(fs::symlink_status(file))) {
            return file;
        }
    }
    throw unknown(kind, name, place);
}

/// Why the plugin cannot stand in a file of this kind and name, or "".
std::string misnamed(const plugin& p, const std::string& kind, const std::string& name) {
    return p.kind == kind && p.name == name
               ? ""
               : fmt::format("it is the {0} plugin '{1}': rename the file to {0}_{1}.so", p.kind, p.name);
}

machine_error refused(const fs::path& file, const std::string& why) {
    return machine_error(fmt::format("the plugin {} is refused: {}", file.string(), why));
}

} // namespace

bool is_plugin_path(const std::string& text) {
    return text.find('/') != std::string::npos || text.ends_with(".so");
}

std::vector<fs::path> plugin_directories() {
    std::vector<fs::path> all;
    const char* variable = std::getenv("GST_PLUGIN_PATH");
    std::string_view rest = variable == nullptr ? "" : variable;
    while (!rest.empty()) {
        const std::string_view part = rest.substr(0, rest.find(':'));
        rest.remove_prefix(std::min(rest.size(), part.size() + 1));
        if (part.empty()) {
            continue;
        }
        if (!fs::path(part).is_absolute()) {
            throw user_error(fmt::format("GST_PLUGIN_PATH holds the relative directory '{}'", part),
                             "write absolute directories, separated by ':'");
        }
        all.emplace_back(part);
    }
    all.push_back(core_directory() / "gst");
    return all;
}

const plugin& find_plugin(const std::string& kind, const std::string& text, const fs::path& directory,
                          const plugin_place& place) {
    const bool path = is_plugin_path(text);
    const fs::path file = path ? fs::absolute(directory / text) : file_named(kind, text, place);
    const auto opened = open_plugin(file);
    if (const std::string* why = std::get_if<std::string>(&opened)) {
        if (path && !fs::is_regular_file(file)) {
            throw user_error(mistake_at(
                place, "", fmt::format("'{}' is no plugin: {}", file.string(), *why),
                "a path is relative to the file it is written in, on the command line to the working directory"));
        }
        throw refused(file, *why);
    }
    const plugin& found = *std::get<const plugin*>(opened);
    if (path && !kind.empty() && found.kind != kind) {
        throw user_error(
            mistake_at(place, "", fmt::format("'{}' is a {} plugin, not a {} plugin", file.string(), found.kind, kind),
                       "`gst plugins` lists the plugins of each kind"));
    }
    if (const std::string why = misnamed(found, kind, text); !path && !why.empty()) {
        throw refused(file, why);
    }
    return found;
}

std::vector<plugin_listing> list_plugins() {
    std::vector<plugin_listing> all;
    for (const auto& [kind, name, order, file] : candidates()) {
        plugin_listing entry{file, kind, name, nullptr, ""};
        if (!all.empty() && all.back().kind == kind && all.back().name == name) {
            entry.refusal = "another file of this name comes first in GST_PLUGIN_PATH";
        } else if (const auto opened = open_plugin(file); std::holds_alternative<std::string>(opened)) {
            entry.refusal = std::get<std::string>(opened);
        } else {
            const plugin* p = std::get<const plugin*>(opened);
            entry.refusal = misnamed(*p, kind, name);
            entry.accepted = entry.refusal.empty() ? p : nullptr;
        }
        all.push_back(std::move(entry));
    }
    return all;
}

} // namespace gst
