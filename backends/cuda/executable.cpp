#include "backends/cuda/executable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace gst::cuda {

executable::executable(const driver& d, const listed_device& device, const std::string& cubin)
    : driver_(d), device_(device.info), threads_per_multiprocessor_(device.threads_per_multiprocessor) {
    d.check(d.cuModuleLoadData(&module_, cubin.data()), fmt::format("load a binary of {} bytes", cubin.size()));
}

executable::~executable() {
    driver_.cuModuleUnload(module_);
}

named_numbers executable::metrics() const {
    named_numbers all;
    const auto greatest = [&](const char* name, std::uint64_t n) {
        all[name] = std::max(all[name], static_cast<double>(n));
    };
    for (const auto& [name, k] : kernels_) {
        greatest("registers", k.registers);
        greatest("local_bytes", k.limits.local_bytes);
        greatest("private_bytes", k.limits.private_bytes);
        greatest("constant_bytes", k.constant_bytes);
        const auto least = [&](const char* what, double n) {
            const auto [found, first] = all.emplace(what, n);
            found->second = std::min(found->second, n);
        };
        least("work_group_limit", static_cast<double>(k.limits.work_group));
        least("occupancy", k.occupancy);
    }
    return all;
}

const loaded_kernel& executable::find(const std::string& name) {
    const auto found = kernels_.find(name);
    return found != kernels_.end() ? found->second : kernels_.emplace(name, take(name)).first->second;
}

loaded_kernel executable::take(const std::string& name) const {
    loaded_kernel k;
    const result code = driver_.cuModuleGetFunction(&k.function, module_, name.c_str());
    if (code == not_found) {
        throw std::runtime_error(fmt::format("the program has no kernel '{}'", name));
    }
    driver_.check(code, fmt::format("find the kernel '{}'", name));
    const auto value = [&](function_attribute which) {
        int number = 0;
        driver_.check(driver_.cuFuncGetAttribute(&number, which, k.function), "tell what a kernel needs");
        return static_cast<std::uint64_t>(number);
    };
    k.dynamic_bytes = local_block(name);
    k.limits.work_group = value(function_attribute::threads_per_block);
    k.limits.local_bytes = value(function_attribute::shared_bytes) + k.dynamic_bytes;
    k.limits.private_bytes = value(function_attribute::local_bytes);
    k.registers = value(function_attribute::registers);
    k.constant_bytes = value(function_attribute::constant_bytes);
    if (driver_.cuFuncGetParamInfo != nullptr) {
        std::size_t at = 0, bytes = 0;
        while (driver_.cuFuncGetParamInfo(k.function, k.argument_bytes.size(), &at, &bytes) == success) {
            k.argument_bytes.push_back(bytes);
        }
        k.limits.arguments = static_cast<std::uint32_t>(k.argument_bytes.size());
    }
    if (k.dynamic_bytes > 0 && k.limits.local_bytes <= device_.local_bytes) {
        driver_.check(driver_.cuFuncSetAttribute(k.function, function_attribute::dynamic_shared_bytes,
                                                 static_cast<int>(k.dynamic_bytes)),
                      fmt::format("give the kernel '{}' {} bytes of local memory", name, k.dynamic_bytes));
    }
    if (k.limits.local_bytes <= device_.local_bytes) {
        const auto threads = std::min(k.limits.work_group, device_.work_group);
        int blocks = 0;
        driver_.check(driver_.cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k.function,
                                                                          static_cast<int>(threads), k.dynamic_bytes),
                      "tell a kernel's occupancy");
        k.occupancy = static_cast<double>(blocks) * static_cast<double>(threads) /
                      static_cast<double>(threads_per_multiprocessor_);
    }
    return k;
}

std::uint64_t executable::local_block(const std::string& kernel) const {
    device_pointer at = 0;
    std::size_t size = 0;
    const result code = driver_.cuModuleGetGlobal(&at, &size, module_, (kernel + "_local_bytes").c_str());
    if (code == not_found) {
        return 0;
    }
    driver_.check(code, "find a variable of a program");
    std::uint32_t bytes = 0;
    if (size != sizeof bytes) {
        throw std::runtime_error(fmt::format("{}_local_bytes is no 32-bit number", kernel));
    }
    driver_.check(driver_.cuMemcpyDtoHAsync(&bytes, at, sizeof bytes, nullptr), "read a variable of a program");
    driver_.check(driver_.cuStreamSynchronize(nullptr), "read a variable of a program");
    return bytes;
}

} // namespace gst::cuda
