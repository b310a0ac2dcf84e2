#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"
#include "core/host/find_plugin.hpp"
#include "core/host/make_plugin.hpp"
#include "core/measure/choose_device.hpp"
#include "core/measure/list_devices.hpp"

#include <fmt/format.h>

namespace gst {

using toml_document::mistake;

namespace {

/// Points into app.toml: at an option of the plugin, or at its name.
plugin_place place_of(const plugin_settings& p) {
    return [&p](const std::string& option, std::string message) {
        const auto found = p.options.find(option);
        return mistake(found == p.options.end() ? p.name.written : found->second.written, std::move(message));
    };
}

/// Paths in options are relative to the file they are written in, those of the command line to the working directory.
std::map<std::string, value> given_options(const plugin& of, const plugin_settings& p,
                                           const std::filesystem::path& folder) {
    std::map<std::string, value> out;
    for (const auto& [name, setting] : p.options) {
        const bool typed = toml_document::is_typed(setting.written);
        out[name] = resolved(of, name, setting.value, typed ? std::filesystem::current_path() : folder);
    }
    return out;
}

backend_choice choice_of(const plugin& p, const std::map<std::string, value>& options) {
    return {p.file.string(), options};
}

} // namespace

std::vector<backend_choice> backends_of(const config& c) {
    if (c.backend.name.value != "auto") {
        const plugin& p = find_plugin("backend", c.backend.name.value, c.folder, place_of(c.backend));
        return {choice_of(p, check_options(p, given_options(p, c.backend, c.folder), place_of(c.backend)).all())};
    }
    if (!c.backend.options.empty()) {
        throw user_error(mistake(c.backend.options.begin()->second.written,
                                 "options belong to one backend, but the backend is 'auto'",
                                 "name it: [backend] name = \"opencl\""));
    }
    std::vector<backend_choice> all;
    for (const plugin_listing& l : list_plugins()) {
        if (l.kind == "backend" && l.accepted) {
            all.push_back(choice_of(*l.accepted, check_options(*l.accepted, {}).all()));
        }
    }
    if (all.empty()) {
        throw machine_error("no backend plugin is installed beside libgst.so or in GST_PLUGIN_PATH");
    }
    return all;
}

target find_target(const config& c) {
    std::vector<device_info> devices;
    std::vector<backend_choice> from;
    std::string failures;
    for (const backend_choice& b : backends_of(c)) {
        try {
            for (device_info& d : list_devices(b)) {
                devices.push_back(std::move(d));
                from.push_back(b);
            }
        } catch (const machine_error& e) {
            failures += (failures.empty() ? "" : "; ") + std::string(e.what());
        }
    }
    if (devices.empty()) {
        throw machine_error(failures.empty() ? "no device was found; for OpenCL on the CPU install pocl-opencl-icd"
                                             : failures);
    }
    try {
        const device_info& chosen = choose_device(devices, c.device.value);
        const auto index = static_cast<std::size_t>(&chosen - devices.data());
        return {from[index], chosen};
    } catch (const user_error& e) {
        std::vector<diagnostic> placed = e.diagnostics();
        for (diagnostic& d : placed) {
            d.where = c.device.written.where;
            d.at = c.device.written.at;
        }
        throw user_error(std::move(placed));
    }
}

std::unique_ptr<search> make_strategy(const plugin_settings& s, const std::filesystem::path& folder) {
    const plugin& p = find_plugin("search", s.name.value, folder, place_of(s));
    return make_search(p, check_options(p, given_options(p, s, folder), place_of(s)));
}

} // namespace gst
