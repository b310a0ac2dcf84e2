#include "backends/cuda/list_devices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

namespace gst::cuda {

namespace {

constexpr std::uint64_t texels_per_row = 16384; ///< images are 1-D here; a row is as good as any other

std::string uuid_text(const uuid& id) {
    std::string text = "GPU-";
    for (std::size_t i = 0; i < 16; ++i) {
        text += fmt::format("{}{:02x}", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", id.bytes[i]);
    }
    return text;
}

/// "driver 580.65.06, CUDA 13.0, NVRTC 13.0"
std::string versions(const driver& d, const nvrtc& compiler) {
    std::string kernel_module;
    std::ifstream("/sys/module/nvidia/version") >> kernel_module;
    return fmt::format("{}CUDA {}, NVRTC {}", kernel_module.empty() ? "" : "driver " + kernel_module + ", ",
                       version_text(d.version()), version_text(compiler.version));
}

/// The longest texture over linear memory of any type that images have.
std::uint64_t most_texels(const driver& d, device_id device) {
    if (d.cuDeviceGetTexture1DLinearMaxWidth == nullptr) {
        return static_cast<std::uint64_t>(d.value(attribute::linear_texture_width, device));
    }
    std::uint64_t least = ~std::uint64_t{0};
    for (const auto& [format, channels] :
         {std::pair{texel_format::u16, 1U}, {texel_format::f32, 1U}, {texel_format::i32, 2U}}) {
        std::size_t texels = 0;
        d.check(d.cuDeviceGetTexture1DLinearMaxWidth(&texels, format, channels, device),
                "tell how long a texture may be");
        least = std::min<std::uint64_t>(least, texels);
    }
    return least;
}

device_info common() {
    device_info info;
    info.backend = "cuda";
    info.vendor = "NVIDIA Corporation";
    info.platform = "NVIDIA CUDA";
    info.type = "gpu";
    info.f64 = true;
    info.images = true;
    info.image_from_buffer = true;
    info.image_width = texels_per_row;
    info.language = cuda_dialect();
    return info;
}

listed_device describe(const driver& d, const nvrtc& compiler, device_id device) {
    const auto number = [&](attribute a) { return static_cast<std::uint64_t>(d.value(a, device)); };
    const auto after = [](attribute a, int n) { return static_cast<attribute>(static_cast<int>(a) + n); };
    listed_device l{device, number(attribute::threads_per_multiprocessor), common()};
    device_info& info = l.info;
    std::array<char, 256> name{};
    d.check(d.cuDeviceGetName(name.data(), static_cast<int>(name.size() - 1), device), "tell a device's name");
    info.name = name.data();
    uuid id{};
    d.check(d.cuDeviceGetUuid(&id, device), "tell a device's UUID");
    info.id = uuid_text(id);
    info.driver = versions(d, compiler);
    const std::uint64_t major = number(attribute::capability_major), minor = number(attribute::capability_minor);
    info.architecture = fmt::format("sm_{}{}", major, minor);
    info.compute_units = number(attribute::multiprocessors);
    std::size_t bytes = 0;
    d.check(d.cuDeviceTotalMem(&bytes, device), "tell a device's memory");
    info.memory_bytes = info.allocation_bytes = bytes;
    info.local_bytes =
        std::max(number(attribute::shared_bytes_per_block), number(attribute::shared_bytes_per_block_on_request));
    info.cache_bytes = number(attribute::cache_bytes);
    info.work_group = number(attribute::threads_per_block);
    for (int i = 0; i < 3; ++i) {
        info.work_items[static_cast<std::size_t>(i)] = number(after(attribute::block_x, i));
        info.work_groups[static_cast<std::size_t>(i)] = number(after(attribute::grid_x, i));
    }
    info.f16 = major * 10 + minor >= 53;
    info.image_height = most_texels(d, device) / texels_per_row;
    return l;
}

} // namespace

std::vector<listed_device> list_devices(const driver& d, const nvrtc& compiler) {
    int count = 0;
    if (d.cuDeviceGetCount(&count) != success) { // no device, and so the driver did not start
        count = 0;
    }
    std::vector<listed_device> all;
    for (int i = 0; i < count; ++i) {
        device_id device = 0;
        d.check(d.cuDeviceGet(&device, i), "list the devices");
        all.push_back(describe(d, compiler, device));
    }
    return all;
}

listed_device find_device(const driver& d, const nvrtc& compiler, const device_info& target) {
    for (listed_device& l : list_devices(d, compiler)) {
        if (l.info.id == target.id) {
            return std::move(l);
        }
    }
    throw machine_error(
        fmt::format("the CUDA device {} '{}' is gone; `gst devices` lists what is there", target.id, target.name));
}

device_info published(const std::string& architecture) {
    struct capability {
        int number;
        std::uint64_t shared_kibibytes; ///< most of one block
    };
    constexpr capability known[] = {{50, 48},   {60, 48},   {61, 48},   {70, 96},  {72, 96}, {75, 64},
                                    {80, 163},  {86, 99},   {87, 163},  {88, 99},  {89, 99}, {90, 227},
                                    {100, 227}, {103, 227}, {110, 227}, {120, 99}, {121, 99}};
    device_info info = common();
    info.name = info.architecture = architecture;
    info.work_group = 1024;
    info.work_items = {1024, 1024, 64};
    info.work_groups = {2147483647, 65535, 65535};
    info.f16 = true;
    info.image_height = (std::uint64_t{1} << 27) / texels_per_row;
    const int number = std::atoi(architecture.c_str() + architecture.find('_') + 1);
    info.local_bytes = 48 << 10;
    for (const capability& c : known) {
        if (c.number <= number) {
            info.local_bytes = c.shared_kibibytes << 10;
        }
    }
    return info;
}

} // namespace gst::cuda
