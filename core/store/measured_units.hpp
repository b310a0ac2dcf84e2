#pragma once

#include "core/codegen/unit_suite.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gst {

/// Launches of unit kernels measured with and without local memory (Han §3): all that a predictor of the better one is
/// trained on and tested with. Features follow from kernel and launch.
struct GST_API measured_units {
    std::string device, backend, driver;
    std::string method; ///< how times were taken
    std::uint64_t seed = 0;

    std::string predictor; ///< plugin that learns from it
    std::map<std::string, value> predictor_options;
    double training = 0.1; ///< share of the synthetic instances that it learns from

    std::vector<synthetic_knobs> kernels;
    struct instance {
        int kernel = 0;     ///< position in `kernels`; -1 - i: of real_unit_kernels()[i]
        unit_launch how;    ///< `local` is not set
        double without = 0; ///< ms of the kernel; 0: it failed
        double with = 0;    ///< ms, local memory and all; 0: it failed
        /// The same once more, of some instances: what noise does. 0: it failed, or was not measured again.
        double again_without = 0, again_with = 0;
        bool operator==(const instance&) const = default;
    };
    std::vector<instance> instances;
    std::size_t broken = 0; ///< instances that were left out when it was read: their times are none; not written

    unit_kernel kernel_of(const instance& i) const;
    /// Position i is one of those that are measured again, `share` of all: drawn by seed, each by itself.
    bool is_repeated(std::size_t i, double share) const;
};

/// Reads what write_measured_units wrote, named `shown` in messages. Instances whose times are no numbers from 0 on are
/// left out and counted. Throws user_error with the place, for two instances of the same launch as well.
GST_API measured_units read_measured_units(const std::filesystem::path& file, const std::string& shown);

/// Whether the file's format is that of write_measured_units. Throws user_error when it cannot be read.
GST_API bool holds_measured_units(const std::filesystem::path& file, const std::string& shown);

/// Writes JSON, a line per kernel and instance, that is read back to the last bit; compressed when the name ends in
/// ".gz". Throws machine_error when it cannot be written.
GST_API void write_measured_units(const std::filesystem::path& file, const measured_units& m);

} // namespace gst
