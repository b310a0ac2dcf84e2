#include "backends/opencl/compile.hpp"
#include "backends/opencl/device.hpp"
#include "backends/opencl/list_devices.hpp"
#include "core/api/plugin.hpp"

#include <optional>

namespace {

using namespace gst;

/// Any device with an OpenCL 1.2 driver, through the ICD loader.
class opencl_backend final : public backend {
  public:
    explicit opencl_backend(const plugin_options&) {}

    std::vector<device_info> devices() override {
        std::vector<device_info> all;
        for (opencl::listed_device& d : opencl::list_devices()) {
            all.push_back(std::move(d.info));
        }
        return all;
    }

    binary compile(const device_info& target, const module_source& source) override {
        if (!compiler_ || compiler_->target().id != target.id || compiler_->target().name != target.name) {
            compiler_.emplace(opencl::find_device(target));
        }
        return compiler_->compile(source);
    }

    std::unique_ptr<device> open(const device_info& target) override {
        return opencl::open_device(opencl::find_device(target));
    }

  private:
    std::optional<opencl::compiler> compiler_; ///< for the device that was compiled for last
};

} // namespace

GST_BACKEND_PLUGIN_WITHOUT_OPTIONS(opencl_backend, "opencl", "1.0", "any device with an OpenCL 1.2 driver");
