#pragma once

#include "core/api/backend.hpp"
#include "core/codegen/program.hpp"
#include "core/host/find_plugin.hpp"
#include "core/measure/compile_pool.hpp"
#include "core/stencil/interpreter.hpp"

#include <memory>
#include <span>
#include <stdexcept>

namespace gst {

/// The backend that the tests run on: opencl, or what GST_TEST_BACKEND asks for.
const plugin& test_backend();

/// The device that the tests run on, opened in this process: of OpenCL a CPU, or what GST_TEST_DEVICE asks for ("gpu",
/// a name …). Its compilers are processes of their own, since some end on programs that are right. Oclgrind has
/// lanes that read each other's registers, too: emulated_lanes.hpp.
struct test_device {
    device_info info;
    std::unique_ptr<gst::backend> backend;
    std::unique_ptr<gst::device> device;
    std::unique_ptr<compile_pool> compilers;
};
/// A compiler may take so many seconds: a busy machine is no failure of it.
test_device open_test_device(double compile_seconds = 600);
/// The same with lanes that read each other's registers: 8 emulated ones where the device has none.
test_device open_test_device_with_lanes();

/// The compiler options with which a driver of OpenCL does not optimize; "" for other backends.
std::string unoptimized(const device_info& device);
/// The same on a processor, whose drivers take most of the time to optimize, else "".
std::string quick_to_compile(const device_info& device);
/// The program compiled with more options.
program with_options(program p, const std::string& options);

/// A driver's compiler crashed or hung: nothing is known of the program.
class compiler_failure : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Hands every module of a program to the compilers, so that a later compile() need not wait.
void compile_ahead(test_device& on, const program& p);

/// Compiles every module of a program; what was compiled lately is known. Throws compiler_failure; compile_error when
/// the compiler refuses a module.
std::vector<std::shared_ptr<const compiled>> compile(test_device& on, const program& p);

/// Compiles and runs a program of `s` for some steps from `state`, whose halos must be filled; the state afterwards.
/// What the program must not touch – padding, the levels to be written – is NaN (or a large integer) before.
/// Throws what compile throws.
interpreter_state execute(test_device& on, const program& p, const stencil& s, const interpreter_state& state,
                          std::span<const double> parameters, int steps);

} // namespace gst
