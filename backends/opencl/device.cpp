#include "backends/opencl/device.hpp"

#include "backends/opencl/cpu_state.hpp"
#include "backends/opencl/executable.hpp"
#include "backends/opencl/memory.hpp"
#include "backends/opencl/query.hpp"
#include "core/api/launch_limits.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gst::opencl {

namespace {

class opened_device final : public device {
  public:
    explicit opened_device(const listed_device& target) : id_(target.device), info_(target.info) {
        cl_int code = CL_SUCCESS;
        context_ = context(clCreateContext(nullptr, 1, &id_, nullptr, nullptr, &code));
        check(code, "open the device " + info_.name);
        queue_ = queue(clCreateCommandQueue(context_.get(), id_, CL_QUEUE_PROFILING_ENABLE, &code));
        check(code, "make a queue with profiling on " + info_.name);
        resolution_ = device_value<std::size_t>(id_, CL_DEVICE_PROFILING_TIMER_RESOLUTION);
    }

    std::unique_ptr<gst::memory> allocate(std::uint64_t bytes, const image_shape* image, gst::memory* over) override {
        if (image == nullptr) {
            return make_buffer(context_.get(), info_, bytes);
        }
        if (over == nullptr) {
            throw std::logic_error("an image over no buffer");
        }
        return make_image(context_.get(), id_, info_, *image, dynamic_cast<const memory&>(*over));
    }

    void write(gst::memory& to, std::uint64_t at, std::span<const std::byte> bytes) override {
        const memory& m = buffer(to, at, bytes.size());
        if (!bytes.empty()) {
            check(clEnqueueWriteBuffer(queue_.get(), m.object.get(), CL_TRUE, at, bytes.size(), bytes.data(), 0,
                                       nullptr, nullptr),
                  fmt::format("write {} bytes to the device", bytes.size()));
        }
    }

    void read(gst::memory& from, std::uint64_t at, std::span<std::byte> bytes) override {
        const memory& m = buffer(from, at, bytes.size());
        if (!bytes.empty()) {
            check(clEnqueueReadBuffer(queue_.get(), m.object.get(), CL_TRUE, at, bytes.size(), bytes.data(), 0, nullptr,
                                      nullptr),
                  fmt::format("read {} bytes from the device", bytes.size()));
        }
    }

    std::unique_ptr<gst::executable> load(const binary& b) override {
        const std::size_t line = b.bytes.find('\n');
        if (line == std::string::npos) {
            throw std::runtime_error(fmt::format("a binary of {} bytes has no line of options", b.bytes.size()));
        }
        const std::size_t begin = line + 1;
        const std::size_t size = b.bytes.size() - begin;
        const auto* bytes = reinterpret_cast<const unsigned char*>(b.bytes.data() + begin);
        cl_int status = CL_SUCCESS, code = CL_SUCCESS;
        program_object program(clCreateProgramWithBinary(context_.get(), 1, &id_, &size, &bytes, &status, &code));
        check(code, fmt::format("load a binary of {} bytes", size));
        check(status, fmt::format("load a binary of {} bytes", size));
        return std::make_unique<executable>(std::move(program), id_, b.bytes.substr(0, line));
    }

    double run(std::span<const command> commands) override {
        std::vector<event> done;
        try {
            for (const command& c : commands) {
                std::visit([&](const auto& what) { enqueue(what, done); }, c);
            }
        } catch (...) {
            clFinish(queue_.get()); // what is under way still uses the caller's memory
            throw;
        }
        const cl_int code = clFinish(queue_.get());
        for (const event& e : done) {
            const auto ask = [&](std::size_t size, void* value, std::size_t* needed) {
                return clGetEventInfo(e.get(), CL_EVENT_COMMAND_EXECUTION_STATUS, size, value, needed);
            };
            const auto status = value_of<cl_int>(ask, "how a command ended");
            check(std::min(status, CL_SUCCESS), "finish a command");
        }
        check(code, "finish the commands");
        return done.empty() ? 0 : milliseconds(done.front(), done.back());
    }

    named_numbers state() override { return info_.type == "cpu" ? cpu_state() : named_numbers(); }

  private:
    const memory& buffer(gst::memory& given, std::uint64_t at, std::uint64_t bytes) const {
        const auto& m = dynamic_cast<const memory&>(given);
        if (m.width != 0 || at > m.bytes || bytes > m.bytes - at) {
            throw std::logic_error(fmt::format("bytes {} to {} of {} of {} bytes", at, at + bytes,
                                               m.width != 0 ? "an image" : "a buffer", m.bytes));
        }
        return m;
    }

    void enqueue(const copy_command& c, std::vector<event>& done) {
        enqueue_copy(queue_.get(), dynamic_cast<const memory&>(*c.from), dynamic_cast<const memory&>(*c.to), c.bytes,
                     done);
    }

    void enqueue(const launch_command& c, std::vector<event>& done) {
        const built_kernel& k = dynamic_cast<const executable&>(*c.from).find(c.kernel);
        check_launch(c, k.limits, info_);
        for (cl_uint i = 0; i < c.arguments.size(); ++i) {
            set_argument(k.object.get(), c.kernel, i, c.arguments[i]);
        }
        const std::size_t offset[3] = {c.offset[0], c.offset[1], c.offset[2]};
        const std::size_t global[3] = {c.global[0], c.global[1], c.global[2]};
        const std::size_t local[3] = {c.local[0], c.local[1], c.local[2]};
        cl_event e = nullptr;
        check(clEnqueueNDRangeKernel(queue_.get(), k.object.get(), 3, offset, global, local, 0, nullptr, &e),
              fmt::format("launch the kernel '{}' with work-groups of {}", c.kernel, shape_text(c.local)));
        done.emplace_back(e);
    }

    static void set_argument(cl_kernel k, const std::string& name, cl_uint i, const launch_argument& given) {
        const auto set = [&](std::size_t size, const void* value) {
            check(clSetKernelArg(k, i, size, value), fmt::format("set argument {} of the kernel '{}'", i, name));
        };
        if (const auto* bytes = std::get_if<std::string>(&given)) {
            set(bytes->size(), bytes->data());
        } else {
            const auto* t = std::get_if<tensor>(&given);
            gst::memory* of = t ? t->of : std::get<gst::memory*>(given);
            const cl_mem object = dynamic_cast<const memory&>(*of).object.get();
            set(sizeof object, &object);
        }
    }

    /// From the start of one command to the end of another; at least one tick of the device's clock.
    double milliseconds(const event& first, const event& last) const {
        const auto moment = [](const event& e, cl_profiling_info which) {
            const auto ask = [&](std::size_t size, void* value, std::size_t* needed) {
                return clGetEventProfilingInfo(e.get(), which, size, value, needed);
            };
            return value_of<cl_ulong>(ask, "when a command ran");
        };
        const cl_ulong begin = moment(first, CL_PROFILING_COMMAND_START);
        const cl_ulong end = moment(last, CL_PROFILING_COMMAND_END);
        if (begin == 0 || end < begin) {
            throw std::runtime_error(info_.name +
                                     " does not tell when commands ran: its driver cannot be used for timing");
        }
        return static_cast<double>(std::max<cl_ulong>({end - begin, resolution_, 1})) * 1e-6;
    }

    cl_device_id id_;
    device_info info_;
    context context_;
    queue queue_;
    std::size_t resolution_ = 0; ///< ns
};

} // namespace

std::unique_ptr<device> open_device(const listed_device& target) {
    return std::make_unique<opened_device>(target);
}

} // namespace gst::opencl
