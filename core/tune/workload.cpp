#include "core/tune/workload.hpp"

#include "core/base/error.hpp"
#include "core/codegen/generate.hpp"
#include "core/codegen/schedule.hpp"
#include "core/stencil/interpreter.hpp"
#include "core/tune/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>

namespace gst {

namespace {

/// The programs that were generated last: a configuration is looked up in the results database, by its program, before
/// it is compiled. For several threads at once.
class recent_programs {
  public:
    template<class Generate>
    program of(const configuration& c, Generate generate) {
        if (const std::shared_ptr<const program> known = find(c)) {
            return *known;
        }
        const auto made = std::make_shared<const program>(generate());
        const std::lock_guard lock(mutex_);
        if (kept_.emplace(c, made).second) {
            order_.push_back(c);
        }
        if (order_.size() > most) {
            kept_.erase(order_.front());
            order_.pop_front();
        }
        return *made;
    }

  private:
    static constexpr std::size_t most = 64; // of up to a megabyte each

    std::shared_ptr<const program> find(const configuration& c) const {
        const std::lock_guard lock(mutex_);
        const auto found = kept_.find(c);
        return found == kept_.end() ? nullptr : found->second;
    }

    mutable std::mutex mutex_;
    std::map<configuration, std::shared_ptr<const program>> kept_;
    std::deque<configuration> order_; ///< oldest first
};

/// The decisions that no parameter makes: they follow from the device and the size of the arrays.
schedule fixed_decisions(const tuning_request& r, const device_info& device, const device_limits& limits) {
    schedule s;
    s.image_width = limits.image_width;
    s.vector_arithmetic = device.language.vector_arithmetic;
    s.multiprocessors = static_cast<unsigned>(limits.multiprocessors);
    // What does not fit into the last-level cache of a CPU is better written past it. GPUs fetch no line to write it;
    // there it is a parameter.
    const array_layout layout = layout_of(r, device);
    std::uint64_t bytes = 0;
    for (const field& f : r.stencil.fields) {
        bytes += static_cast<std::uint64_t>(layout.elements) * size_of(f.type);
    }
    s.streaming_stores = device.type == "cpu" && device.cache_bytes > 0 && bytes > device.cache_bytes;
    s.cache_prefetch = s.streaming_stores;
    return s;
}

void need_type(const device_info& device, bool has, scalar type, const std::string& user) {
    if (!has) {
        throw user_error(
            fmt::format("{} uses {}, which the device '{}' does not have", user, name_of(type), device.name),
            "choose another type in app.toml ([stencil] type = …) or another device (gst devices)");
    }
}

/// "sm_90": 90; 0 where the architecture is another maker's.
int compute_capability(const device_info& device) {
    return device.architecture.starts_with("sm_") ? std::atoi(device.architecture.c_str() + 3) : 0;
}

} // namespace

array_layout layout_of(const tuning_request& r, const device_info& device) {
    std::int64_t alignment = r.layout == layout_kind::raw ? raw_rows : padded_rows;
    if (r.layout == layout_kind::padded && device.type == "gpu") {
        constexpr std::int64_t fetched = 32; // bytes
        std::size_t shortest = fetched;
        for (const field& f : r.stencil.fields) {
            shortest = std::min(shortest, size_of(f.type));
        }
        alignment = fetched / static_cast<std::int64_t>(shortest);
    }
    return make_layout(r.size, reach_of(r.stencil), alignment);
}

void check_device(const tuning_request& r, const device_info& device) {
    for (const node& n : r.stencil.nodes) {
        need_type(device, device.f64 || n.type != scalar::f64, scalar::f64, "the stencil");
        // A stored f16 is widened on load; only arithmetic needs the device's help.
        const bool stored_only = std::holds_alternative<ir::read>(n.op);
        need_type(device, device.f16 || stored_only || n.type != scalar::f16, scalar::f16, "the stencil's arithmetic");
    }
    const array_layout layout = layout_of(r, device);
    std::uint64_t all = 0;
    for (const field& f : r.stencil.fields) {
        const std::uint64_t array = allocated_elements(layout) * size_of(f.type);
        if (device.allocation_bytes > 0 && array > device.allocation_bytes) {
            throw user_error(
                fmt::format("an array of '{}' needs {} bytes; the device '{}' allocates at most {} at once", f.name,
                            array, device.name, device.allocation_bytes),
                "choose a smaller grid or another device (gst devices)");
        }
        // Working, pristine and reference arrays, and the error bounds.
        all += array * static_cast<std::uint64_t>(f.levels()) * 4;
    }
    if (device.memory_bytes > 0 && all > device.memory_bytes) {
        throw user_error(fmt::format("tuning with verification needs {} bytes; the device '{}' has {}", all,
                                     device.name, device.memory_bytes),
                         "choose a smaller grid or another device (gst devices)");
    }
}

device_limits limits_of(const tuning_request& r, const device_info& device) {
    device_limits limits;
    limits.work_group = device.work_group;
    limits.work_items = device.work_items;
    limits.work_groups = device.work_groups;
    limits.local_bytes = device.local_bytes;
    limits.sub_group = device.language.sub_group;
    limits.processor = device.type == "cpu";
    // NVIDIA's OpenCL compiler (580.159) aborts on some non-temporal stores of two floats.
    limits.streaming_stores = limits.processor || device.language.name == "cuda";
    limits.split_barriers = device.language.name == "cuda" && compute_capability(device) >= 80;
    limits.tensor_copies = device.language.name == "cuda" && compute_capability(device) >= 90;
    limits.bounded_work_items = device.language.bounded_work_items;
    limits.lanes = device.type == "gpu" ? 32 : 0; // of the common GPUs the fewest
    limits.multiprocessors = std::max<std::uint64_t>(device.compute_units, 1);
    limits.registers = device.type == "gpu" ? multiprocessor_registers : 0;
    const array_layout layout = layout_of(r, device);
    if (!device.images) {
        limits.no_image = "the device has no images";
    } else {
        limits.image_width = image_width_for(layout, device.image_width, device.image_height);
        if (limits.image_width == 0) {
            limits.no_image = fmt::format("an array of {} elements does not fit into the device's images of {} × {}",
                                          layout.elements, device.image_width, device.image_height);
        }
    }
    return limits;
}

space admitted_space(const tuning_request& r, const device_info& device) {
    check_device(r, device);
    return admitted(r.space, r.stencil, layout_of(r, device), limits_of(r, device));
}

summation summation_of(const space& s) {
    const bool has_partial_sums = std::any_of(s.parameters().begin(), s.parameters().end(), [](const parameter& p) {
        return p.name == "useRetiming" && !(p.active && p.active->text() == "false") &&
               std::find(p.domain.begin(), p.domain.end(), value(true)) != p.domain.end();
    });
    return has_partial_sums ? summation::any_order : summation::as_written;
}

workload make_workload(const tuning_request& r, const device_info& device) {
    const device_limits limits = limits_of(r, device);
    const schedule given = fixed_decisions(r, device, limits);
    const std::int64_t alignment = layout_of(r, device).alignment;
    workload w{r.stencil,
               r.size,
               r.parameters,
               admitted_space(r, device),
               values_of(workload_features(r, device)),
               [r, given, alignment, language = device.language,
                recent = std::make_shared<recent_programs>()](const configuration& c) {
                   return recent->of(c, [&] {
                       return generate(r.stencil, r.size, alignment, schedule_of(r.space, c, given), language);
                   });
               },
               make_verification(r.stencil, r.size, alignment, device.language, summation_of(r.space)),
               r.data_seed};
    return w;
}

std::string why_none_is_admitted(const space& requested, const space& admitted) {
    const std::vector<constraint>& all = admitted.constraints();
    const std::vector<constraint> limits(all.begin() + static_cast<std::ptrdiff_t>(requested.constraints().size()),
                                         all.end());
    const std::optional<emptying_constraint> by = what_empties(requested, limits);
    if (!by) {
        throw std::logic_error("a limit that leaves nothing is one of the device's");
    }
    const constraint& limit = limits[by->which];
    return fmt::format("{}{} ({})", by->alone ? "" : "those that other limits leave: ", limit.reason,
                       limit.condition.text());
}

program default_program(const tuning_request& r, const device_info& device) {
    return generate(r.stencil, r.size, layout_of(r, device).alignment, default_schedule(r.size), device.language);
}

} // namespace gst
