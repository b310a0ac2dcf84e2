#pragma once

#include "core/measure/wire.hpp"
#include "core/measure/worker/opened_device.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace gst::worker {

/// The buffers of a program's fields: [field][slot], owned elsewhere.
using field_slots = std::vector<std::vector<memory*>>;

/// Level L of step t lives in this slot.
std::size_t slot_of(const bound_program& p, std::size_t field, std::int64_t t, int level);

/// A loaded program on its buffers.
class program_run {
  public:
    program_run(opened_device& on, bound_program p, std::vector<double> parameters, field_slots slots);

    /// Begins at step t with the buffers as they are: brings the images up to date.
    void begin(std::int64_t t);
    /// Runs so many steps: ms of device time.
    double advance(unsigned steps);
    std::int64_t step() const { return t_; }
    memory& level(std::size_t field, int level) const { return *slots_[field][slot_of(program_, field, t_, level)]; }
    const bound_program& program() const { return program_; }
    std::map<std::string, double> metrics() const;

  private:
    void append_step(std::vector<command>& out, std::int64_t t) const;
    command resolved(const launch& l, executable& from, std::int64_t t) const;

    opened_device& on_;
    bound_program program_;
    std::vector<executable*> modules_;
    std::vector<double> parameters_;
    field_slots slots_;
    std::vector<std::vector<std::unique_ptr<memory>>> images_;
    std::int64_t t_ = 0;
};

/// A launch over buffers alone: extra_argument i is extras[i].
command extra_launch(const launch& l, executable& from, std::span<memory* const> extras);

} // namespace gst::worker
