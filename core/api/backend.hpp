#pragma once

#include "core/base/named_numbers.hpp"
#include "core/codegen/dialect.hpp"
#include "core/codegen/program.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

namespace gst {

/// What a backend says of a device. 0 and "" mean unknown.
struct GST_API device_info {
    std::string backend; ///< plugin name
    std::string id;      ///< how the same device is found again in another process, e.g. "0.0" (platform, device)
    std::string name;
    std::string vendor;
    std::string platform;
    std::string driver;       ///< driver and compiler version: part of every result's key
    std::string type;         ///< "cpu", "gpu", "accelerator"
    std::string architecture; ///< what compilers call it, e.g. "sm_90"; "" where devices are compiled for one by one
    std::uint64_t compute_units = 0;
    std::uint64_t memory_bytes = 0;
    std::uint64_t allocation_bytes = 0; ///< largest single buffer
    std::uint64_t local_bytes = 0;
    std::uint64_t cache_bytes = 0;              ///< last-level cache
    std::uint64_t work_group = 0;               ///< most work-items in a work-group
    std::array<std::uint64_t, 3> work_items{};  ///< per dimension
    std::array<std::uint64_t, 3> work_groups{}; ///< most of one launch, per dimension; 0: any number
    bool f64 = false;
    bool f16 = false;
    bool images = false;
    bool image_from_buffer = false;
    std::uint64_t image_width = 0;
    std::uint64_t image_height = 0;
    gst::dialect language;
};

struct GST_API binary {
    std::string bytes;
    std::string log;       ///< the compiler's warnings
    named_numbers metrics; ///< registers, spill_bytes … where the compiler tells
};

/// A compiler's refusal; the text is its log.
class GST_API compile_error : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
    ~compile_error() override;
};

class GST_API memory {
  public:
    virtual ~memory() = default;
};

class GST_API executable {
  public:
    virtual ~executable() = default;
    virtual named_numbers metrics() const { return {}; }
};

/// A buffer as a tensor. A device that has none of them takes the buffer.
struct tensor {
    memory* of = nullptr;
    tensor_shape shape;
};

/// A buffer, an image, the bytes of a scalar, or a tensor.
using launch_argument = std::variant<memory*, std::string, tensor>;

/// Work for the device, in order.
struct launch_command {
    executable* from = nullptr;
    std::string kernel;
    range3 global{1, 1, 1};
    range3 local{1, 1, 1};
    range3 offset{0, 0, 0};
    std::vector<launch_argument> arguments;
};
struct copy_command { ///< buffer to buffer, or buffer to the image over as many elements
    memory* from = nullptr;
    memory* to = nullptr;
    std::uint64_t bytes = 0;
};
using command = std::variant<launch_command, copy_command>;

/// An opened device. Errors are std::runtime_error; the process may be ended after one.
class GST_API device {
  public:
    virtual ~device() = default;
    /// A buffer of so many bytes. With an image shape: an image of the elements of `over`, its alias where the device
    /// can.
    virtual std::unique_ptr<memory> allocate(std::uint64_t bytes, const image_shape* image, memory* over) = 0;
    virtual void write(memory& to, std::uint64_t at, std::span<const std::byte> bytes) = 0;
    virtual void read(memory& from, std::uint64_t at, std::span<std::byte> bytes) = 0;
    virtual std::unique_ptr<executable> load(const binary& b) = 0;
    /// Runs the commands in order and returns when they are done: ms of device time from the start of the first to the
    /// end of the last.
    virtual double run(std::span<const command> commands) = 0;
    /// Clock and thermal state at this moment, as far as the device tells them: clock_mhz, memory_clock_mhz,
    /// temperature_c, power_w … Asked for after every timing, outside of what is timed.
    virtual named_numbers state() { return {}; }
};

/// Knows devices and nothing of stencils.
class GST_API backend {
  public:
    virtual ~backend() = default;
    /// Every device, in a stable order; empty when there is none. Throws machine_error saying what to install when the
    /// driver stack is missing.
    virtual std::vector<device_info> devices() = 0;
    /// A device of this architecture that is not here, with its published limits: to compile for, not to open. Throws
    /// user_error when the backend does not know it.
    virtual device_info architecture(const std::string& name);
    /// Throws compile_error where the module is refused; what else it throws may be the machine's fault, and the module
    /// is compiled again by another process. Runs in a process of its own.
    virtual binary compile(const device_info& target, const module_source& source) = 0;
    virtual std::unique_ptr<device> open(const device_info& target) = 0;
};

} // namespace gst
