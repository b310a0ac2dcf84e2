#pragma once

#include "backends/cuda/library.hpp"
#include "core/base/named_numbers.hpp"

#include <string>

namespace gst::cuda {

/// NVIDIA's management library, opened for one device. It comes with the driver; where it does not, nothing is told.
/// Its functions are declared after its public documentation.
class nvml {
  public:
    /// `id` is the device's UUID, "GPU-…".
    explicit nvml(const std::string& id);

    /// clock_mhz (of the multiprocessors), memory_clock_mhz, temperature_c, power_w, and throttle_reasons, the bits of
    /// nvmlClocksThrottleReasons; what the device does not tell is left out.
    named_numbers state() const;

  private:
    using result = int;
    using handle = struct nvml_device*;
    static constexpr result success = 0;

    library from_;
    handle device_ = nullptr; ///< null: nothing is told
    result (*clock_)(handle device, int which, unsigned* mhz) = nullptr;
    result (*temperature_)(handle device, int sensor, unsigned* celsius) = nullptr;
    result (*power_)(handle device, unsigned* milliwatts) = nullptr;
    result (*throttle_)(handle device, unsigned long long* reasons) = nullptr;
};

} // namespace gst::cuda
