#include "core/api/backend.hpp"
#include "core/api/plugin.hpp"

namespace {

class throwing_device : public gst::device {
  public:
    std::unique_ptr<gst::memory> allocate(std::uint64_t, const gst::image_shape*, gst::memory*) override { throw 1; }
    void write(gst::memory&, std::uint64_t, std::span<const std::byte>) override { throw 2; }
    void read(gst::memory&, std::uint64_t, std::span<std::byte>) override { throw 3; }
    std::unique_ptr<gst::executable> load(const gst::binary&) override { throw std::runtime_error("not my binary"); }
    double run(std::span<const gst::command>) override { throw std::runtime_error("lost"); }
    gst::named_numbers state() override { throw std::runtime_error("too hot"); }
};

class throwing_backend : public gst::backend {
  public:
    explicit throwing_backend(const gst::plugin_options&) {}
    std::vector<gst::device_info> devices() override { throw std::runtime_error("no bus"); }
    gst::binary compile(const gst::device_info&, const gst::module_source&) override {
        throw gst::compile_error("line 1: what?");
    }
    std::unique_ptr<gst::device> open(const gst::device_info&) override { return std::make_unique<throwing_device>(); }
};

} // namespace

GST_BACKEND_PLUGIN_WITHOUT_OPTIONS(throwing_backend, "throwing", "1.0", "every call fails but open");
