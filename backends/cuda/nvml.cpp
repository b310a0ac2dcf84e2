#include "backends/cuda/nvml.hpp"

namespace gst::cuda {

namespace {
constexpr int multiprocessor_clock = 1; // NVML_CLOCK_SM
constexpr int memory_clock = 2;         // NVML_CLOCK_MEM
constexpr int gpu_sensor = 0;           // NVML_TEMPERATURE_GPU
} // namespace

nvml::nvml(const std::string& id) : from_({"libnvidia-ml.so.1"}) {
    if (!from_) {
        return;
    }
    result (*init)() = nullptr;
    result (*find)(const char* uuid, handle* device) = nullptr;
    from_.find(init, "nvmlInit_v2");
    from_.find(find, "nvmlDeviceGetHandleByUUID");
    from_.find(clock_, "nvmlDeviceGetClockInfo");
    from_.find(temperature_, "nvmlDeviceGetTemperature");
    from_.find(power_, "nvmlDeviceGetPowerUsage");
    from_.find(throttle_, "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (throttle_ == nullptr) { // its newer name
        from_.find(throttle_, "nvmlDeviceGetCurrentClocksEventReasons");
    }
    if (init == nullptr || find == nullptr || init() != success || find(id.c_str(), &device_) != success) {
        device_ = nullptr;
    }
}

named_numbers nvml::state() const {
    named_numbers told;
    if (device_ == nullptr) {
        return told;
    }
    unsigned number = 0;
    if (clock_ != nullptr && clock_(device_, multiprocessor_clock, &number) == success) {
        told["clock_mhz"] = number;
    }
    if (clock_ != nullptr && clock_(device_, memory_clock, &number) == success) {
        told["memory_clock_mhz"] = number;
    }
    if (temperature_ != nullptr && temperature_(device_, gpu_sensor, &number) == success) {
        told["temperature_c"] = number;
    }
    if (power_ != nullptr && power_(device_, &number) == success) {
        told["power_w"] = number / 1000.0;
    }
    unsigned long long reasons = 0;
    if (throttle_ != nullptr && throttle_(device_, &reasons) == success) {
        told["throttle_reasons"] = static_cast<double>(reasons);
    }
    return told;
}

} // namespace gst::cuda
