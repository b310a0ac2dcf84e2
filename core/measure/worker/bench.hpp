#pragma once

#include "core/codegen/verification.hpp"
#include "core/measure/initial_data.hpp"
#include "core/measure/repetitions.hpp"
#include "core/measure/worker/program_run.hpp"

#include <array>

namespace gst::worker {

using result_numbers = std::array<std::uint32_t, 8>; ///< as the kernels of verification.hpp leave them
using array_digest = std::array<std::uint32_t, 2>;

/// A buffer and what it is supposed to hold from setup on.
struct kept_buffer {
    std::unique_ptr<memory> buffer;
    array_digest digest{};
};

/// What the fields are supposed to hold after so many steps, computed by the reference.
struct reference_result {
    unsigned steps = 0;
    std::vector<kept_buffer> values; ///< [field]; null: a coefficient
    std::vector<kept_buffer> errors; ///< [field]; null: compared exactly
};

/// One stencil on one grid with its noise and its reference results: programs are verified and timed here.
class bench {
  public:
    /// Allocates, fills and runs the reference. `request` is the setup message (see device_session.cpp).
    bench(opened_device& on, const nlohmann::json& request);

    /// What came out of comparing one program with the reference: the body of the answer. Computes the reference when
    /// it is not at hand for as many steps; from data that was overwritten it would be worth nothing.
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
        std::uint32_t bounds = 0; ///< 1 + the error_factor of the program
    };
    void fill_pristine();
    unsigned steps_to_verify(const bound_program& p) const;
    /// Null when it is not at hand.
    const reference_result* find_reference(unsigned steps);
    const reference_result& add_reference(unsigned steps);
    reference_result run_reference(unsigned steps);
    std::uint64_t reference_bytes() const; ///< of one reference_result
    std::uint64_t grown_bytes() const;     ///< that came after the setup
    void restore(program_run& run);
    comparison compare(std::size_t field, memory& value, const reference_result& expected, std::uint32_t bounds);
    nlohmann::json describe_wrong(std::size_t field, const comparison& c, memory& value,
                                  const reference_result& expected);
    bool damaged();
    /// Computed on the device.
    array_digest digest(memory& m, std::uint64_t bytes);
    /// Runs a kernel of the comparison module on buffers and the result buffer, which begins as `numbers`; what it
    /// holds then.
    result_numbers ask(const launch& l, std::vector<memory*> buffers, const result_numbers& numbers);
    void flush();
    field_buffers working_buffers(const bound_program& p);
    std::uint64_t bytes_of(std::size_t field) const;
    double element(memory& m, scalar type, std::uint64_t index);

    opened_device& on_;
    std::vector<field> fields_;
    bound_program shape_; ///< the reference, whose first fields are the stencil's
    std::vector<int> error_field_;
    std::vector<double> parameters_;
    noise_data data_;
    executable* comparing_ = nullptr;
    range3 comparison_global_{};
    range3 comparison_local_{};

    /// [field]: the kept levels of t = 0, then what every buffer without one begins as
    std::vector<std::vector<kept_buffer>> pristine_;
    std::vector<std::vector<std::unique_ptr<memory>>> working_; ///< [field][buffer]: the most that a program needed
    std::vector<reference_result> references_;                  ///< least recently used first
    std::unique_ptr<memory> result_;
    std::array<std::unique_ptr<memory>, 2> flush_;
    std::unique_ptr<program_run> current_;
    unsigned since_restore_ = 0;
    std::uint64_t unchecked_ = 0; ///< of the last reference that was computed
    double reference_ms_ = 0;     ///< per step
};

} // namespace gst::worker
