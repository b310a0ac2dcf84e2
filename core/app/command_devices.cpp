#include "core/app/commands.hpp"
#include "core/app/pipeline.hpp"
#include "core/base/error.hpp"
#include "core/measure/list_devices.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace gst::commands {

namespace {

struct arguments {
    std::string backend = "auto";
    bool json = false;
};

std::string bytes_text(std::uint64_t bytes) {
    constexpr std::uint64_t gibibyte = std::uint64_t{1} << 30;
    return bytes >= gibibyte ? fmt::format("{:.1f} GiB", static_cast<double>(bytes) / gibibyte)
                             : fmt::format("{} KiB", bytes >> 10);
}

std::string able(const device_info& d) {
    std::string out;
    for (const auto& [has, name] : {std::pair{d.f16, "f16"}, {d.f64, "f64"}, {d.images, "images"}}) {
        out += has ? std::string(out.empty() ? "" : " ") + name : "";
    }
    return out.empty() ? "f32 only" : out;
}

void print(std::size_t index, const device_info& d) {
    fmt::print("{:<3} {:<12} {:<5} {}\n", index, d.backend, d.type, d.name);
    fmt::print("    {}{}{}, driver {}\n", d.platform, d.architecture.empty() ? "" : ", ", d.architecture, d.driver);
    fmt::print("    {} compute units, {} of memory, {} local, work-groups up to {}, {}\n", d.compute_units,
               bytes_text(d.memory_bytes), bytes_text(d.local_bytes), d.work_group, able(d));
}

nlohmann::json to_json(const device_info& d) {
    return {{"backend", d.backend},
            {"id", d.id},
            {"name", d.name},
            {"vendor", d.vendor},
            {"platform", d.platform},
            {"driver", d.driver},
            {"type", d.type},
            {"architecture", d.architecture},
            {"compute_units", d.compute_units},
            {"memory_bytes", d.memory_bytes},
            {"allocation_bytes", d.allocation_bytes},
            {"local_bytes", d.local_bytes},
            {"cache_bytes", d.cache_bytes},
            {"work_group", d.work_group},
            {"work_items", d.work_items},
            {"work_groups", d.work_groups},
            {"f16", d.f16},
            {"f64", d.f64},
            {"images", d.images},
            {"image_from_buffer", d.image_from_buffer},
            {"image_width", d.image_width},
            {"image_height", d.image_height},
            {"language", d.language.name},
            {"sub_group", d.language.sub_group}};
}

/// What is wrong with one backend does not hide the devices of the others.
std::vector<device_info> find_devices(const config& c) {
    std::vector<device_info> found;
    std::string failures;
    for (const backend_choice& backend : backends_of(c)) {
        try {
            for (device_info& d : list_devices(backend)) {
                found.push_back(std::move(d));
            }
        } catch (const machine_error& e) {
            failures += (failures.empty() ? "" : "\n") + std::string(e.what());
        }
    }
    if (found.empty()) {
        throw machine_error(failures.empty() ? "no device was found; for OpenCL on the CPU install pocl-opencl-icd"
                                             : failures);
    }
    if (!failures.empty()) {
        print_note(failures);
    }
    return found;
}

void run(const arguments& a) {
    config c;
    c.folder = std::filesystem::current_path();
    c.backend.name.value = a.backend;
    const std::vector<device_info> found = find_devices(c);
    if (a.json) {
        nlohmann::json j = nlohmann::json::array();
        for (const device_info& d : found) {
            j.push_back(to_json(d));
        }
        print_json(j);
        return;
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        print(i, found[i]);
    }
}

} // namespace

void add_devices(CLI::App& program) {
    CLI::App* command = add_command(program, "devices", "List the devices that gst can tune for",
                                    "  gst devices\n"
                                    "  gst devices --backend opencl --json");
    const auto a = std::make_shared<arguments>();
    command
        ->add_option("--backend", a->backend, "only those of this backend (name or path); default: every installed one")
        ->type_name("NAME");
    command->add_flag("--json", a->json, "print them as a JSON array");
    command->callback([a] { run(*a); });
}

} // namespace gst::commands
