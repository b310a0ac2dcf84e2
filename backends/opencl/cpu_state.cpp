#include "backends/opencl/cpu_state.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace gst::opencl {

namespace {

namespace fs = std::filesystem;

/// Some kernels take 10 ms to tell one core's clock.
constexpr std::size_t most_cores = 8;

std::optional<double> number_in(const fs::path& file) {
    double number = 0;
    return std::ifstream(file) >> number ? std::optional(number) : std::nullopt;
}

/// The folders that are called so and a number, in the order of the numbers.
std::vector<fs::path> numbered(const fs::path& folder, std::string_view name) {
    std::vector<std::pair<unsigned long, fs::path>> found;
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder, none)) {
        const std::string file = entry.path().filename().string();
        const std::string number = file.starts_with(name) ? file.substr(name.size()) : "";
        if (!number.empty() && number.size() < 8 &&
            std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c) != 0; })) {
            found.emplace_back(std::stoul(number), entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    std::vector<fs::path> out;
    for (auto& [number, path] : found) {
        out.push_back(std::move(path));
    }
    return out;
}

/// Whether a thermal zone is the processor's, not that of a disk or a radio.
bool of_processor(const fs::path& zone) {
    std::string type;
    std::ifstream(zone / "type") >> type;
    std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
    return type.find("cpu") != std::string::npos || type.find("pkg") != std::string::npos ||
           type.find("soc") != std::string::npos || type.find("core") != std::string::npos;
}

} // namespace

named_numbers cpu_state(const fs::path& system) {
    named_numbers told;
    const std::vector<fs::path> cores = numbered(system / "devices/system/cpu", "cpu");
    double sum = 0;
    std::size_t count = 0;
    const std::size_t asked = std::min(cores.size(), most_cores);
    for (std::size_t i = 0; i < asked; ++i) { // spread over all
        if (const auto kilohertz = number_in(cores[i * cores.size() / asked] / "cpufreq/scaling_cur_freq")) {
            sum += *kilohertz;
            ++count;
        }
    }
    if (count > 0) {
        told["clock_mhz"] = sum / static_cast<double>(count) / 1000;
    }
    double hottest = std::numeric_limits<double>::lowest();
    for (const fs::path& zone : numbered(system / "class/thermal", "thermal_zone")) {
        if (of_processor(zone)) {
            hottest = std::max(hottest, number_in(zone / "temp").value_or(hottest));
        }
    }
    if (hottest > std::numeric_limits<double>::lowest()) {
        told["temperature_c"] = hottest / 1000;
    }
    return told;
}

} // namespace gst::opencl
