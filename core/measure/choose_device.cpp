#include "core/measure/choose_device.hpp"

#include "core/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <tuple>

namespace gst {

namespace {

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

int preference(const std::string& type) {
    return type == "gpu" ? 2 : type == "accelerator" ? 1 : 0;
}

bool less_wanted(const device_info& a, const device_info& b) {
    return std::tuple(preference(a.type), a.compute_units, a.memory_bytes) <
           std::tuple(preference(b.type), b.compute_units, b.memory_bytes);
}

std::string list(const std::vector<device_info>& devices) {
    std::string text = "the devices are";
    for (std::size_t i = 0; i < devices.size(); ++i) {
        const device_info& d = devices[i];
        text += fmt::format("{} {}: {} ({}, {}, id {})", i == 0 ? "" : ",", i, d.name, d.type, d.platform, d.id);
    }
    return text + "; choose one by \"auto\", type, number, id or a part of its name";
}

/// Whether an earlier device is the same one seen through another backend.
bool is_seen(const std::vector<device_info>& devices, const device_info& d) {
    return std::any_of(devices.data(), &d, [&](const device_info& earlier) {
        return earlier.backend != d.backend && earlier.name == d.name && earlier.type == d.type;
    });
}

std::vector<const device_info*> fitting(const std::vector<device_info>& devices, const std::string& wanted) {
    std::vector<const device_info*> found;
    const auto collect = [&](const auto& fits) {
        if (found.empty()) {
            for (const device_info& d : devices) {
                if (fits(d)) {
                    found.push_back(&d);
                }
            }
        }
    };
    const bool number = wanted.size() < 6 && !wanted.empty() &&
                        std::all_of(wanted.begin(), wanted.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    if (number) {
        const std::size_t at = std::stoul(wanted);
        collect([&](const device_info& d) { return &d == devices.data() + at; });
    }
    collect([&](const device_info& d) { return d.id == wanted; });
    collect([&](const device_info& d) { return d.type == lower(wanted) && !is_seen(devices, d); });
    collect([&](const device_info& d) { return lower(d.name) == lower(wanted) && !is_seen(devices, d); });
    if (!number && !wanted.empty()) {
        collect([&](const device_info& d) {
            return lower(d.name).find(lower(wanted)) != std::string::npos && !is_seen(devices, d);
        });
    }
    return found;
}

} // namespace

const device_info& choose_device(const std::vector<device_info>& devices, const std::string& wanted) {
    if (devices.empty()) {
        throw machine_error(
            "there is no device: install its vendor's driver, or pocl-opencl-icd to compute on the processor");
    }
    if (wanted == "auto") {
        const auto less = [&](const device_info& a, const device_info& b) {
            return !is_seen(devices, b) && (is_seen(devices, a) || less_wanted(a, b));
        };
        return *std::max_element(devices.begin(), devices.end(), less);
    }
    const std::vector<const device_info*> found = fitting(devices, wanted);
    if (found.empty()) {
        throw user_error(fmt::format("no device fits '{}'", wanted), list(devices));
    }
    if (found.size() > 1) {
        throw user_error(fmt::format("{} devices fit '{}'", found.size(), wanted), list(devices));
    }
    return *found.front();
}

} // namespace gst
