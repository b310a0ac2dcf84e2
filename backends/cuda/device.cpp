#include "backends/cuda/device.hpp"

#include "backends/cuda/executable.hpp"
#include "backends/cuda/memory.hpp"
#include "backends/cuda/nvml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

namespace gst::cuda {

namespace {

constexpr double tick = 0.0005; ///< ms: the resolution of events

class opened_device final : public device {
  public:
    opened_device(const driver& d, const listed_device& target) : driver_(d), target_(target) {
        context_handle context = nullptr;
        const result code = d.cuDevicePrimaryCtxRetain(&context, target.device);
        if (code == device_unavailable) {
            throw machine_error(fmt::format("{} is busy: another process has it for itself (nvidia-smi lists the "
                                            "processes); wait for it, or choose another device (gst devices)",
                                            info().name));
        }
        if (code == out_of_memory) {
            throw machine_error(fmt::format("{} has no memory left: end what else uses it (nvidia-smi lists the "
                                            "processes), or choose another device (gst devices)",
                                            info().name));
        }
        d.check(code, "open the device " + info().name);
        d.check(d.cuCtxSetCurrent(context), "open the device " + info().name);
        d.check(d.cuStreamCreate(&stream_, 0), "make a stream on " + info().name);
        for (event_handle& e : events_) {
            d.check(d.cuEventCreate(&e, 0), "make an event on " + info().name);
        }
    }

    ~opened_device() override {
        for (const event_handle e : events_) {
            driver_.cuEventDestroy(e);
        }
        driver_.cuStreamDestroy(stream_);
        driver_.cuDevicePrimaryCtxRelease(target_.device);
    }
    opened_device(const opened_device&) = delete;
    opened_device& operator=(const opened_device&) = delete;

    std::unique_ptr<gst::memory> allocate(std::uint64_t bytes, const image_shape* image, gst::memory* over) override {
        if (image == nullptr) {
            return make_buffer(driver_, info(), bytes);
        }
        if (over == nullptr) {
            throw std::logic_error("an image over no buffer");
        }
        return make_image(driver_, info(), *image, dynamic_cast<const memory&>(*over));
    }

    void write(gst::memory& to, std::uint64_t at, std::span<const std::byte> bytes) override {
        const memory& m = buffer(to, at, bytes.size());
        if (!bytes.empty()) {
            const std::string what = fmt::format("write {} bytes to the device", bytes.size());
            driver_.check(driver_.cuMemcpyHtoDAsync(m.at + at, bytes.data(), bytes.size(), stream_), what);
            driver_.check(driver_.cuStreamSynchronize(stream_), what);
        }
    }

    void read(gst::memory& from, std::uint64_t at, std::span<std::byte> bytes) override {
        const memory& m = buffer(from, at, bytes.size());
        if (!bytes.empty()) {
            const std::string what = fmt::format("read {} bytes from the device", bytes.size());
            driver_.check(driver_.cuMemcpyDtoHAsync(bytes.data(), m.at + at, bytes.size(), stream_), what);
            driver_.check(driver_.cuStreamSynchronize(stream_), what);
        }
    }

    std::unique_ptr<gst::executable> load(const binary& b) override {
        return std::make_unique<executable>(driver_, target_, b.bytes);
    }

    double run(std::span<const command> commands) override {
        bool any = false;
        driver_.check(driver_.cuEventRecord(events_[0], stream_), "time the commands");
        try {
            for (const command& c : commands) {
                any = std::visit([&](const auto& what) { return enqueue(what); }, c) || any;
            }
        } catch (...) {
            driver_.cuStreamSynchronize(stream_); // what is under way still uses the caller's memory
            throw;
        }
        driver_.check(driver_.cuEventRecord(events_[1], stream_), "time the commands");
        driver_.check(driver_.cuStreamSynchronize(stream_), "finish the commands");
        float ms = 0;
        driver_.check(driver_.cuEventElapsedTime(&ms, events_[0], events_[1]), "time the commands");
        return any ? std::max(static_cast<double>(ms), tick) : 0;
    }

    named_numbers state() override {
        if (!management_) {
            management_.emplace(info().id);
        }
        return management_->state();
    }

  private:
    const device_info& info() const { return target_.info; }

    static const memory& buffer(gst::memory& given, std::uint64_t at, std::uint64_t bytes) {
        const auto& m = dynamic_cast<const memory&>(given);
        if (m.over != nullptr || at > m.bytes || bytes > m.bytes - at) {
            throw std::logic_error(fmt::format("bytes {} to {} of {} of {} bytes", at, at + bytes,
                                               m.over != nullptr ? "an image" : "a buffer", m.bytes));
        }
        return m;
    }

    /// False when there was nothing to do: an image shows its buffer's elements.
    bool enqueue(const copy_command& c) {
        const auto& to = dynamic_cast<const memory&>(*c.to);
        if (to.over == c.from) {
            return false;
        }
        const device_pointer target = buffer(*c.to, 0, c.bytes).at;
        driver_.check(driver_.cuMemcpyDtoDAsync(target, buffer(*c.from, 0, c.bytes).at, c.bytes, stream_),
                      "copy a buffer");
        return true;
    }

    bool enqueue(const launch_command& c) {
        const loaded_kernel& k = dynamic_cast<executable&>(*c.from).find(c.kernel);
        check_launch(c, k.limits, info());
        if (c.offset != range3{0, 0, 0}) {
            throw std::logic_error("CUDA launches begin at 0");
        }
        std::vector<object> objects(c.arguments.size()); // the values of buffers, images and tensors
        std::vector<void*> arguments;
        for (std::size_t i = 0; i < c.arguments.size(); ++i) {
            arguments.push_back(argument(c, k, i, objects[i]));
        }
        const auto blocks = [&](std::size_t axis) { return static_cast<unsigned>(c.global[axis] / c.local[axis]); };
        const auto threads = [&](std::size_t axis) { return static_cast<unsigned>(c.local[axis]); };
        driver_.check(driver_.cuLaunchKernel(k.function, blocks(0), blocks(1), blocks(2), threads(0), threads(1),
                                             threads(2), static_cast<unsigned>(k.dynamic_bytes), stream_,
                                             arguments.data(), nullptr),
                      fmt::format("launch the kernel '{}' with work-groups of {}", c.kernel, shape_text(c.local)));
        return true;
    }

    union object {
        device_pointer at;
        tensor_map map;
    };

    tensor_map map_of(const tensor& t) const {
        if (driver_.cuTensorMapEncodeTiled == nullptr) {
            throw std::runtime_error("the CUDA driver copies no tiles as wholes (useTensorCopies): it is older than "
                                     "12.0; install a newer one");
        }
        const tensor_shape& s = t.shape;
        const std::uint64_t bytes = size_of(s.type);
        std::array<std::uint64_t, 3> size{};
        std::array<unsigned, 3> box{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            size[axis] = static_cast<std::uint64_t>(s.size[axis]);
            box[axis] = static_cast<unsigned>(s.box[axis]);
        }
        const std::array<std::uint64_t, 2> stride{static_cast<std::uint64_t>(s.stride[0]) * bytes,
                                                  static_cast<std::uint64_t>(s.stride[1]) * bytes};
        const std::array<unsigned, 3> every{1, 1, 1};
        const tensor_type type = s.type == scalar::f64   ? tensor_type::f64
                                 : s.type == scalar::f32 ? tensor_type::f32
                                                         : tensor_type::i32;
        const std::uint64_t first = static_cast<std::uint64_t>(s.first) * bytes;
        const std::uint64_t end = first + (size[0] - 1) * bytes + (size[1] - 1) * stride[0] + (size[2] - 1) * stride[1];
        tensor_map map{};
        driver_.check(driver_.cuTensorMapEncodeTiled(&map, type, 3,
                                                     buffer(*t.of, first, end + bytes - first).at + first, size.data(),
                                                     stride.data(), box.data(), every.data(), 0, 0, 2, 0),
                      "describe an array as a tensor");
        return map;
    }

    void* argument(const launch_command& c, const loaded_kernel& k, std::size_t i, object& place) const {
        std::size_t bytes = sizeof place.at;
        void* value = &place;
        if (const auto* t = std::get_if<tensor>(&c.arguments[i])) {
            place.map = map_of(*t);
            bytes = sizeof place.map;
        } else if (const auto* text = std::get_if<std::string>(&c.arguments[i])) {
            bytes = text->size();
            value = const_cast<char*>(text->data()); // the driver only reads
        } else {
            const auto& m = dynamic_cast<const memory&>(*std::get<gst::memory*>(c.arguments[i]));
            place.at = m.over != nullptr ? m.object : m.at;
        }
        if (k.limits.arguments && bytes != k.argument_bytes[i]) {
            throw std::runtime_error(fmt::format("argument {} of the kernel '{}' has {} bytes, not {}", i, c.kernel,
                                                 k.argument_bytes[i], bytes));
        }
        return value;
    }

    const driver& driver_;
    const listed_device target_;
    stream_handle stream_ = nullptr;
    event_handle events_[2]{};
    std::optional<nvml> management_; ///< when it was asked for: a time loop never does
};

} // namespace

std::unique_ptr<device> open_device(const driver& d, const listed_device& target) {
    return std::make_unique<opened_device>(d, target);
}

} // namespace gst::cuda
