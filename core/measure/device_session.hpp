#pragma once

#include "core/base/named_numbers.hpp"
#include "core/codegen/copy.hpp"
#include "core/measure/compile_pool.hpp"
#include "core/measure/evaluator.hpp"
#include "core/measure/launcher.hpp"
#include "core/measure/repetitions.hpp"
#include "core/measure/wire.hpp"
#include "core/measure/worker_link.hpp"
#include "core/stencil/interpreter.hpp"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace gst {

/// A program with its compiled modules, one per program.modules.
struct built_program {
    program what;
    std::vector<std::shared_ptr<const compiled>> modules;
};
/// Compiles every module. Throws compile_error with the log.
GST_API built_program build(compile_pool& compilers, program p);

struct setup_report {
    double seconds = 0;
    double reference_ms = 0;     ///< per step, of the plain kernel with its error bounds
    std::uint64_t unchecked = 0; ///< points whose error bound is not finite: no program is checked there
};
struct verdict {
    bool correct = false;
    bool damaged = false; ///< the worker's own data was overwritten, by this program or an earlier one
    std::string message;  ///< the count of wrong points and the first one
    named_numbers metrics;
    unsigned calls = 0; ///< of a correct program
    double call_ms = 0; ///< of the last of them, which found the program warm; the processor may have had other work
    double seconds = 0;
};
struct timed_program {
    timing what;
    named_numbers state; ///< of the device right after: its clocks, temperature …
    double seconds = 0;
};
struct bandwidth_report {
    double gigabytes_per_second = 0; ///< bytes read and written
    std::string way;                 ///< the copy kernel or command that was best
};

/// The parent's side of a device worker. The process is started when it is first needed, and again after it had to be
/// ended; what was set up is set up again. Every function may throw worker_fault (the process was ended), refused, or
/// machine_error when no worker can be started and set up.
class GST_API device_session {
  public:
    device_session(backend_choice from, device_info target, worker_limits limits);
    ~device_session();

    // Verifying and timing programs of one workload.
    /// Makes the worker, a running one if there is, ready for programs of the workload and remembers how. `modules` are
    /// those of the reference, `comparison` that of the comparison kernels.
    setup_report setup(const workload& w, const std::vector<std::shared_ptr<const compiled>>& modules,
                       const std::shared_ptr<const compiled>& comparison);
    verdict verify(const built_program& p);
    /// Times the program that was verified last; `best`: ms per step, 0: none.
    timed_program time(const timing_method& how, double best);
    /// No program has run since the worker was set up.
    bool fresh() const { return fresh_; }
    /// Whether the device still does the simplest things.
    bool well();
    /// Ends the worker; the next call starts another.
    void restart();
    /// Makes sure of a worker that is set up, another one when this one has grown too much. What the last setup told.
    const setup_report& ensure();

    // Time loops.
    /// Puts a program and a state on the device; halos are filled. The program starts at state.step.
    void start(const stencil& s, const built_program& p, std::span<const double> parameters,
               const interpreter_state& state);
    /// Runs so many steps, in whole calls as far as they fit: ms of device time. Not more than some seconds' worth, so
    /// that the caller can look up between slices.
    double advance(unsigned steps);
    /// The values of time t - age of the started program, halo included. Beside the kept levels there is the one before
    /// them when the last step ran by itself: after advance(1), and always when a call is one step.
    field_values read(std::size_t field, int age);
    void finish(); ///< gives the memory back; so does starting or verifying another program
    /// start, advance, read everything, finish.
    interpreter_state execute(const stencil& s, const built_program& p, std::span<const double> parameters,
                              interpreter_state state, std::int64_t steps);

    /// The best of several copies of arrays of so many bytes, rounded down to what the kernels take. `module`: the
    /// compiled kernels.
    bandwidth_report bandwidth(std::uint64_t bytes, const copy_benchmark& ways,
                               const std::shared_ptr<const compiled>& module);

  private:
    /// What `read` makes of the answer.
    template<class Read>
    auto ask(const nlohmann::json& request, const worker_link::allowance& allowed, Read&& read) {
        return link_->ask(request, {}, allowed, std::forward<Read>(read));
    }
    void tell(const nlohmann::json& request, const worker_link::allowance& allowed,
              std::span<const std::byte> payload = {});
    /// Of one configuration whose calls advance so many steps.
    worker_link::allowance allowance(std::uint64_t more_memory = 0, int steps = 1) const;
    std::uint64_t memory_limit() const;
    void connect();
    void load(const std::vector<std::shared_ptr<const compiled>>& modules);
    setup_report set_up_worker();
    void write_buffer(std::size_t field, std::size_t buffer, const field_values& values, scalar type);

    const backend_choice from_;
    const device_info target_;
    const worker_limits limits_;
    launcher launcher_;
    std::unique_ptr<worker_link> link_;
    std::vector<std::string> loaded_; ///< ids of the modules that the worker holds, least recently used first
    std::uint64_t opened_bytes_ = 0;  ///< resident when the device had just been opened
    std::uint64_t settled_bytes_ = 0; ///< resident after setup
    std::uint64_t grown_bytes_ = 0;   ///< of buffers that the worker has kept for verification since
    int verified_steps_ = 1;          ///< per call of the program that was verified last
    bool fresh_ = true;

    nlohmann::json setup_; ///< the request, null: none
    std::vector<std::shared_ptr<const compiled>> setup_modules_;
    std::uint64_t reference_bytes_ = 0; ///< of the buffers of the setup's reference
    setup_report report_;

    struct started_loop {
        program what;
        std::vector<field> fields;
    };
    std::unique_ptr<started_loop> started_;
};

} // namespace gst
