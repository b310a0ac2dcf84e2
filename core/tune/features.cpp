#include "core/tune/features.hpp"

#include "core/stencil/features.hpp"

namespace gst {

features device_features(const device_info& d) {
    const auto number = [](std::uint64_t n) { return static_cast<double>(n); };
    const auto whether = [](bool is) { return is ? 1.0 : 0.0; };
    return {
        {"gpu", "1", "1 where the device is a GPU, else 0", "Price, devices", whether(d.type == "gpu")},
        {"compute_units", "units", "multiprocessors, cores", "Price, devices", number(d.compute_units)},
        {"device_memory", "bytes", "of the device", "Price, devices", number(d.memory_bytes)},
        {"device_local_memory", "bytes", "of local memory that a work-group can have", "Han, local memory usage",
         number(d.local_bytes)},
        {"device_cache", "bytes", "of the last-level cache", "Garvey §8.3.6", number(d.cache_bytes)},
        {"device_work_group", "work-items", "most of a work-group", "Garvey §8.3.2", number(d.work_group)},
        {"device_images", "1", "1 where arrays can be read as images, else 0", "Garvey §4.6", whether(d.images)},
    };
}

features workload_features(const tuning_request& r, const device_info& device) {
    features out = stencil_features(r.stencil, r.size);
    const features more = device_features(device);
    out.insert(out.end(), more.begin(), more.end());
    return out;
}

std::map<std::string, double> values_of(const features& all) {
    std::map<std::string, double> out;
    for (const feature& f : all) {
        out[f.name] = f.value;
    }
    return out;
}

} // namespace gst
