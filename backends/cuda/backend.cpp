#include "backends/cuda/compile.hpp"
#include "backends/cuda/device.hpp"
#include "core/api/plugin.hpp"

namespace {

using namespace gst;

/// NVIDIA GPUs, through the CUDA driver and NVRTC.
class cuda_backend final : public backend {
  public:
    explicit cuda_backend(const plugin_options& options)
        : driver_file_(options.text("driver")), compiler_file_(options.text("nvrtc")) {}

    std::vector<device_info> devices() override {
        const auto& devices_from = driver(); // before the compiler: a machine without a GPU lacks both
        std::vector<device_info> all;
        for (cuda::listed_device& d : cuda::list_devices(devices_from, compiler())) {
            all.push_back(std::move(d.info));
        }
        return all;
    }

    device_info architecture(const std::string& name) override {
        cuda::check_architecture(compiler(), name, true);
        device_info info = cuda::published(name);
        info.driver = "NVRTC " + cuda::version_text(compiler().version);
        return info;
    }

    binary compile(const device_info& target, const module_source& source) override {
        return cuda::compile(compiler(), target, source);
    }

    std::unique_ptr<device> open(const device_info& target) override {
        const auto& opened_by = driver();
        return cuda::open_device(opened_by, cuda::find_device(opened_by, compiler(), target));
    }

  private:
    const cuda::driver& driver() const { return cuda::the_driver(driver_file_); }
    const cuda::nvrtc& compiler() const { return cuda::the_nvrtc(compiler_file_, driver_file_); }

    std::string driver_file_;
    std::string compiler_file_;
};

} // namespace

GST_PLUGIN_OPTIONS = {
    {"driver", "text", "", nullptr, nullptr, "file of the CUDA driver; default: libcuda.so.1 of the system"},
    {"nvrtc", "text", "", nullptr, nullptr,
     "file of the NVRTC library; default: of CUDA_HOME, CUDA_PATH, the system or /usr/local/cuda"},
};
GST_BACKEND_PLUGIN(cuda_backend, "cuda", "1.0", "NVIDIA GPUs, through the CUDA driver and NVRTC");
