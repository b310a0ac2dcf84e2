#pragma once

#include "core/measure/initial_data.hpp"
#include "core/measure/repetitions.hpp"
#include "core/measure/worker/program_run.hpp"

#include <optional>
#include <string>

namespace gst::worker {

/// A buffer and what it is supposed to hold from setup on.
struct kept_buffer {
    std::unique_ptr<memory> buffer;
    std::string digest;
};

/// One stencil on one grid with its noise and its reference results: programs are verified and timed here.
class bench {
  public:
    /// Allocates, fills and runs the reference. `request` is the setup message (see device_session.cpp).
    bench(opened_device& on, const nlohmann::json& request);

    /// What came out of comparing one program with the reference: the body of the answer.
    nlohmann::json verify(bound_program p);
    /// Times the program that was verified last.
    timing time(const timing_method& how, double best);

    nlohmann::json report() const; ///< {"unchecked", "reference_ms"}

  private:
    struct comparison {
        std::uint64_t wrong = 0;
        std::uint64_t first = 0;
        std::uint64_t unchecked = 0;
        double worst = 0;
    };
    void fill_pristine();
    void run_reference(const bound_program& reference);
    void restore(program_run& run);
    comparison compare(std::size_t field, memory& value);
    nlohmann::json describe_wrong(std::size_t field, const comparison& c, memory& value);
    bool damaged();
    void flush();
    field_slots working_slots() const;
    std::uint64_t bytes_of(std::size_t field) const;
    double element(memory& m, scalar type, std::uint64_t index);

    opened_device& on_;
    std::vector<field> fields_;
    bound_program shape_; ///< the reference, whose first fields are the stencil's
    std::vector<int> error_field_;
    std::vector<double> parameters_;
    noise_data data_;
    unsigned steps_ = 3; ///< that verification runs
    executable* comparing_ = nullptr;
    range3 comparison_global_{};
    range3 comparison_local_{};

    std::vector<std::vector<kept_buffer>> pristine_;            ///< [field][slot] at t = 0
    std::vector<std::vector<std::unique_ptr<memory>>> working_; ///< [field][slot]
    std::vector<kept_buffer> reference_;                        ///< [field] after steps_
    std::vector<kept_buffer> error_;                            ///< [field]; null: compared exactly
    std::unique_ptr<memory> result_;
    std::array<std::unique_ptr<memory>, 2> flush_;
    std::unique_ptr<program_run> current_;
    unsigned since_restore_ = 0;
    std::uint64_t unchecked_ = 0;
    double reference_ms_ = 0; ///< per step
};

} // namespace gst::worker
