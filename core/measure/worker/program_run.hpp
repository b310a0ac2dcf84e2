#pragma once

#include "core/base/named_numbers.hpp"
#include "core/codegen/rotation.hpp"
#include "core/measure/wire.hpp"
#include "core/measure/worker/opened_device.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace gst::worker {

/// The buffers of a program's fields: [field][buffer], as many as it needs (buffers_of), owned elsewhere.
using field_buffers = std::vector<std::vector<memory*>>;

/// A loaded program on its buffers.
class program_run {
  public:
    program_run(opened_device& on, bound_program p, std::vector<double> parameters, field_buffers buffers);

    /// Begins at step t: buffer i of a field holds t - i where that is kept, the others the halo that never changes.
    /// Brings the images up to date.
    void begin(std::int64_t t);
    /// Runs so many steps, in calls where a whole one fits: ms of device time.
    double advance(unsigned steps);
    /// The buffer of t - age, halo included. Throws std::out_of_range where there is none, see rotation::held.
    memory& level(std::size_t field, int age);
    const bound_program& program() const { return program_; }
    named_numbers metrics() const;

  private:
    /// The commands of the call, the remainder or, of no step, the halos.
    void append(std::vector<command>& out, const std::vector<program_operation>& list, int steps);
    /// Those that fill the halos which calls have left, if any have.
    void append_left_halos(std::vector<command>& out);
    command resolved(const launch& l, executable& from, int steps) const;

    opened_device& on_;
    bound_program program_;
    std::vector<executable*> modules_;
    std::vector<double> parameters_;
    field_buffers buffers_;
    std::vector<std::vector<std::unique_ptr<memory>>> images_; ///< [field][buffer]; none where the field has none
    std::vector<rotation> rotations_;
    std::int64_t t_ = 0;
    bool leaves_halos_ = false; ///< a call was the last to run, and left halos unfilled
};

/// A launch over buffers alone: extra_argument i is extras[i].
command extra_launch(const launch& l, executable& from, std::span<memory* const> extras);

} // namespace gst::worker
