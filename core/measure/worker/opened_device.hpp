#pragma once

#include "core/api/backend.hpp"

#include <map>
#include <memory>
#include <string>

namespace gst::worker {

/// The device of a measure worker, and the modules that were loaded on it.
struct opened_device {
    std::unique_ptr<gst::backend> backend;
    device_info info;
    std::unique_ptr<gst::device> device;
    std::map<std::string, std::unique_ptr<executable>> modules;

    /// Throws std::runtime_error when no such module is loaded.
    executable& module(const std::string& id) const;
};

/// Writes `bytes` of the same pattern all over a buffer. `element` divides them.
void fill(device& d, memory& m, std::uint64_t begin, std::uint64_t end, std::span<const std::byte> element);

} // namespace gst::worker
